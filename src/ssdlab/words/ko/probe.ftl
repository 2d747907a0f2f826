# 탐침이 묻는 것, 답하는 것, 데이터로 알 수 없는 이유.

probe-answer = { $parts }
probe-notes = { $notes }
probe-not-identifiable = 식별 불가: { $why }
probe-grade = 등급 { $grade }
probe-grade-none = 식별 불가
probe-grade-claimed = 드라이브의 주장
probe-interval = 95 % 신뢰구간 { $low } ~ { $high }
probe-separation = 표준 오차의 { $errors }배
probe-separation-over = 표준 오차의 { $errors }배 초과
probe-halves-differ = 데이터의 두 절반이 서로 다름
probe-host-held-back = 짐작일 뿐: 명령 시간의 { $share } 동안 호스트가 응답을 붙잡음
probe-yes = 예
probe-no = 아니요

probe-obstacle = { $reason }: { $explanation }
probe-reason-buffered = 버퍼에 가려짐
probe-reason-noisy = 노이즈
probe-reason-flat = 차이 없음
probe-reason-ambiguous = 여러 해석이 가능
probe-reason-other-law = 알려진 법칙을 따르지 않음
probe-reason-not-supported = 지원하지 않음

probe-no-such = `{ $name }`라는 탐침이 없음
probe-did-you-mean = { $names }을 뜻하셨나요?
probe-there-are = { $names }, `{ $quick }`, `{ $all }`이 있음; 각각 무엇을 묻는지는 `ssdlab probes`
probe-drive-too-small = 드라이브가 너무 작음
probe-takes = { $size } MiB가 필요함
probe-give-the-drive = 드라이브 자체를 지정할 것
probe-places-in-file = 파일의 오프셋은 드라이브의 위치를 말하지 않음
probe-no-single-commands = `{ $engine }`은 명령 하나하나를 하지 못함
probe-stood-still-again = 측정이 멈추었고, 다시 해도 멈춤: { $standstills }
probe-too-small-for-fresh-places = 새 위치를 읽기에 드라이브가 너무 작음
probe-cannot-force = 드라이브까지의 경로에 강제 쓰기 명령이 없어 일반 쓰기로 함
probe-halves-differ-in-distance = 데이터의 두 절반이 다른 간격을 가리킴
probe-halves-differ-in-size = 데이터의 두 절반이 다른 크기를 가리킴
probe-parts-differ = 데이터의 부분이 다른 답을 가리킴
probe-ratio-undecided = 비율이 { $low } ~ { $high } 어디든 될 수 있으며 경계는 { $border }

probe-declared-question = 드라이브는 자신을 무엇이라 하는가?
probe-declared-limits = 드라이브는 무엇이든 주장할 수 있음
probe-declared-npwg = NVMe: 선호 쓰기 단위 (NPWG)
probe-declared-physical-block = 커널의 값, NPWG와 AWUPF 중 작은 것

probe-noise-question = 같은 명령의 시간은 얼마나 흩어지며, 쓰지 않은 블록은 빠른가?
probe-noise-limits = 다른 일이 없는 드라이브의 읽기에 대한 값이며, 쓰기는 더 흩어짐
probe-noise-sigma-note = 같은 읽기를 되풀이한 응답 시간의 로그 편차; 이상치는 빼고 셈
probe-noise-correlation-note = 이웃한 명령 사이
probe-noise-outliers-note = 표준 편차 { $deviations }배 밖
probe-noise-none = 모든 읽기가 같은 시간이 걸림
probe-noise-unsettled = 앞 절반의 읽기 시간이 뒤 절반과 달라, 같은 읽기의 편차로 볼 수 없음
probe-noise-no-room = 영역 옆에 TRIM할 자리가 없음
probe-noise-unmapped-fast = 빠름
probe-noise-unmapped-slow = 쓴 블록만큼 느림
probe-noise-unmapped-note = 쓴 블록 시간의 { $share }배; 따라서 읽기 탐침은 쓴 드라이브가 필요함

probe-drift-question = 시간이 지나면서 읽기가 저절로 느려지거나 빨라지는가?
probe-drift-limits = 몇 시간에 걸친 변화는 1분으로 보이지 않음; 드라이브가 데워지거나 호스트의 클럭이 변해도 드리프트처럼 보임
probe-drift-steady = 드리프트 없음
probe-drift-slower = 읽기가 느려짐
probe-drift-faster = 읽기가 빨라짐
probe-drift-undecided = 1분 동안 읽기가 { $low } ~ { $high } % 변했을 수 있음
probe-drift-kind-note = 드리프트 없음은 1분에 { $percent } % 미만의 변화
probe-drift-change-note = 1분 동안 읽기 응답 시간의 변화; 이상치는 빼고 셈

probe-read-ahead-question = 순차로 읽을 때 드라이브가 미리 읽는가?
probe-read-ahead-limits = 플래시와 링크가 비슷하게 빠르면 미리 읽어도 시간이 거의 줄지 않음
probe-read-ahead-ratio-note = 순차 읽기와 랜덤 읽기의 시간 비, 각 4 KiB, QD1
probe-read-ahead-neighbours = 역순으로 읽어도 같은 만큼 줄어 랜덤 읽기 시간의 { $ratio }배가 걸림: 미리 읽든 아니든 읽은 것의 이웃이 이미 있음

probe-read-buffer-question = 방금 읽은 것이 컨트롤러에 남아 있는가?
probe-read-buffer-limits = 자주 읽은 것이나 순차로 읽은 것만 남기는 버퍼는 보이지 않음
probe-read-buffer-too-small = 사이에 충분히 읽기에 드라이브가 너무 작음
probe-read-buffer-undecided = 바로 다시 읽은 페이지는 시간의 { $ratio }배가 걸리며 경계는 { $border }
probe-read-buffer-present-note = 바로 다시 읽은 4 KiB 페이지는 시간의 { $ratio }배가 걸림
probe-read-buffer-gone = 방금 읽은 것이 더는 남아 있지 않음
probe-read-buffer-gone-at-once = 바로 다음 읽기 뒤에 사라짐
probe-read-buffer-still-there = 사이에 { $between } MiB를 읽어도 남아 있음
probe-read-buffer-or-mapping = 다시 읽은 페이지는 사이에 { $between } MiB를 읽어도 시간의 { $ratio }배가 걸림: 그보다 큰 버퍼이거나 매핑을 하나씩 보관하는 드라이브
probe-read-buffer-size-note = 사이에 128 KiB 랜덤 읽기

probe-read-page-question = 플래시를 한 번 센싱하면 얼마나 읽는가?
probe-read-page-limits = 다음 페이지가 다른 유닛에 있으면 둘을 나란히 읽어 경계에 걸쳐도 더 걸리지 않음
probe-read-page-flat = 일정한 간격으로 더 오래 걸리는 위치가 없음: 경계에 걸쳐도 비용이 없거나 페이지를 나란히 읽음
probe-read-page-finer = { $distance }마다 두드러지나 그 일부 간격에서도 그럴 수 있음
probe-read-page-halves = { $distance }마다 두드러지며 처음은 { $half }: { $half } 페이지 두 개가 한 유닛에 있고 두 유닛을 나란히 읽을 때도 그러함
probe-read-page-small-drive = 참고용: { $least } 미만 드라이브는 한 페이지에 있는 매핑 단위도 하나씩 읽을 수 있음
probe-read-page-note = 경계에 걸친 읽기는 { $longer } 더 걸림; 여러 플레인의 페이지는 하나로 셈

probe-stripe-question = 몇 바이트 뒤의 데이터가 다시 같은 유닛으로 가는가?
probe-stripe-limits = 순차로 쓴 데이터가 필요함; 해시로 배치하거나 스트라이프가 2 MiB를 넘으면 보이지 않음
probe-stripe-too-small = 멀리 떨어진 읽기를 하기에 드라이브가 너무 작음
probe-stripe-flat = 어떤 간격과 그 배수에서도 읽기 여덟 개가 다른 간격보다 오래 걸리지 않음
probe-stripe-one-distance = 한 간격만 두드러지며 우연일 수 있음
probe-stripe-or-wider = 읽기 여덟 개가 { $width }마다 서로 기다리고 { $wider }마다 더 오래 기다림: 둘 중 하나가 너비, 다른 하나는 유닛이 함께 쓰는 것
probe-stripe-or-narrower = 읽기 여덟 개가 { $width }마다 서로 기다리나, { $narrower }의 배수 대부분에서도 기다림: 노이즈 때문에 어느 쪽이 너비인지 알 수 없음
probe-stripe-note = 이 간격의 읽기 여덟 개는 다른 간격보다 { $times }배 걸림

probe-units-question = 플래시는 읽기를 동시에 몇 개 할 수 있는가?
probe-units-limits = 명령을 하나씩 처리하거나 플래시가 링크보다 빠른 드라이브에서는 쌍이 두 종류로 나뉘지 않음; 패딩만 담긴 단위는 세지 않음
probe-units-flat = 모든 쌍이 같은 시간이 걸림: 모든 읽기가 앞의 읽기를 기다리거나 아무것도 기다리지 않음
probe-units-unclear = 쌍의 { $share }가 더 걸리며 표준 편차 { $apart }배 차이: 두 종류로 뚜렷이 나뉘지 않음
probe-units-by-chance = 매번 쌍의 { $share }가 더 걸리며, 우연만으로도 { $chance }
probe-units-not-by-place = 쌍의 { $share }가 더 걸리나, 특정 순간의 쌍이거나 단독 읽기가 빨랐던 페이지의 쌍: 위치에 따른 것이 아님
probe-units-fetched = 읽기가 바로 뒤의 가까운 읽기보다 { $longer } 더 걸림: 매핑을 가져오며, 거기서도 서로 기다림
probe-units-buffered = 쌍의 { $share }에 플래시를 읽지 않은 읽기가 있음: 일부 페이지를 버퍼가 보관
probe-units-few-stripes = 가까운 쌍이 다른 쌍보다 자주 기다림: 스트라이프가 길어 영역에 모든 유닛이 고르게 들어가지 않으며, 유닛은 { $least }개 이상
probe-units-note = 동시에 읽는 것: 다이, 또는 따로 읽는 플레인
probe-read-ahead-small-region = 참고용: { $least } 미만 영역은 모두 버퍼에 있을 수 있으며, 버퍼 읽기는 순서와 관계없이 같은 시간이 걸림
probe-units-small-region = 참고용: { $least } 미만 영역은 페이지가 적고 일부는 버퍼에서 읽힐 수 있음; 다이, 또는 따로 읽는 플레인
probe-units-no-whole-number = 참고용: 구간에 정수가 없음; 다이, 또는 따로 읽는 플레인

probe-corners-question = 크기별 읽기와 쓰기는 순차와 랜덤에서 얼마나 걸리는가?
probe-corners-limits = 두 측정은 사이에 쓴 것에 따라서도 다름; 같은 상태의 드라이브를 비교할 것

probe-shift-write-question = 더 작은 쓰기가 복사를 일으키는 블록은 얼마나 큰가?
probe-shift-write-limits = 버퍼가 받은 쓰기에는 아무것도 보이지 않음; 여기서는 쓰기마다 버퍼를 거치지 않게 하나, 이를 무시하는 드라이브는 차이가 없어 보임
probe-shift-write-too-small = 쓰기를 옮겨 가며 하기에 드라이브가 너무 작음
probe-shift-write-flat = 더 걸리는 오프셋이 없음: 블록이 { $least } B 미만이거나 2 MiB 초과이거나 버퍼에 가려짐
probe-shift-write-crossing = 복사가 아니라 두 곳에 나누어 쓰기일 수 있음: 두 블록에 걸친 쓰기의 차이가 작거나, 블록 전체를 쓸 때가 일부를 쓸 때보다 짧지 않음
probe-shift-write-halves = { $size } 블록의 경계 가운데 일부에서도 쓰기가 더 걸림: 그 크기일 수 있음
probe-shift-write-one-place = 계단이 한 곳에만 있음: 블록이라면 2 MiB 초과
probe-shift-write-offset-note = 첫 블록이 시작하는 곳, 드라이브의 처음부터 셈
probe-shift-write-paper-flat = 평균에서 두드러지는 오프셋이 없음
probe-shift-write-paper-note = 논문의 추정법; { $each }
probe-shift-write-arm = { $write } 쓰기, { $step } 간격: { $found } B

probe-placement-question = 읽기의 페이지는 채널에 어떻게 나뉘는가?
probe-placement-limits = 요청의 부분을 여러 곳에서 동시에 읽는 드라이브는 직선이나 다른 법칙을 보임
probe-placement-line = 읽기 시간이 크기에 따라 직선으로 늘어남
probe-placement-misfit = 읽기 시간이 어떤 계단에서도 { $off } 벗어나며 노이즈로 설명되는 것은 { $noise }
probe-placement-parallel = 드라이브가 읽기 여러 개를 동시에 하며, 식은 그렇지 않은 드라이브의 것
probe-placement-other-units = 차례로 읽은 시간으로는 단위가 { $unit }이지만, { $width } 스트라이프에서 나란히 일하는 단위는 { $low }~{ $high }개
probe-placement-no-return = 가장 큰 읽기도 첫 채널로 돌아오지 않음
probe-placement-no-page = 단위 안에서 읽기 시간이 크기 한 단계마다 늘어남
probe-placement-other-page = 읽기 시간은 { $page }마다 늘지만 작은 읽기는 { $straddled } 경계에서만 더 걸림: 조각으로 옮기는 것은 페이지가 아님
probe-placement-rivals = { $value }가 다른 값 { $others }개보다 더 맞지 않음
probe-placement-no-block = 두 방식의 읽기가 같아 보임; `shift-write`가 찾는 관리 블록이 필요함
probe-placement-no-unit = 단위를 모르거나 관리 블록보다 큼
probe-placement-one-channel = 단일 채널
probe-placement-multi-channel = 다중 채널, k = { $pages }
probe-placement-no-k = 다중 채널이나, k를 구할 페이지를 모름
probe-placement-kind-note = 단위 { $unit }, 관리 블록 { $block }

probe-allocation-question = 페이지는 쓴 순서로 놓이는가, 주소로 놓이는가?
probe-allocation-limits = 수백 개의 유닛이 동시에 읽는 드라이브에서는 기다림이 가려짐; 링크가 플래시보다 느려도 마찬가지
probe-allocation-too-small = 구간을 비교하기에 드라이브가 너무 작음
probe-allocation-by-order = 쓴 순서
probe-allocation-by-address = 주소 순서
probe-allocation-insensitive = 차이가 없으나, 이 드라이브에서 흩어진 페이지가 차이를 내는지 알 수 없음
probe-allocation-all-alike = 무작위 쓰기 뒤 모든 읽기가 똑같이 { $ratio }배 걸림: 우연히 흩어진 페이지가 아니라 그 사이 드라이브의 변화이거나, 주소가 정한 자리 안에서의 순서
probe-allocation-others-each-time = 무작위 쓰기 뒤 읽기가 { $ratio }배 걸리나 매번 같은 읽기가 아님: 서로 기다리는 페이지가 아님
probe-allocation-note = 16 KiB 안의 페이지에 대한 것; 더 큰 블록의 배치에 대해서는 말하지 않음
probe-allocation-ratio-note = 랜덤 쓰기 뒤와 순차 쓰기 뒤의 네 페이지 읽기 시간 비
probe-allocation-paper-note = 논문의 추정법; T1 / T2 = { $ratio }

probe-write-buffer-question = 드라이브는 플래시를 기다리기 전에 몇 바이트를 받는가?
probe-write-buffer-limits = SLC 캐시가 링크만큼 빠르거나 바로 쓰는 드라이브는 버퍼가 보이지 않음
probe-write-buffer-no-slowdown = 이후 일정한 속도로 느려지지 않음: 바로 쓰거나, 들어오는 만큼 비우거나, 다른 작업으로 느려짐
probe-write-buffer-slow-write = 쓰기 하나가 같은 크기 읽기의 절반보다 오래 걸림: 플래시의 빠른 셀로 바로 갈 수 있음
probe-write-buffer-write-through = 쓰기 하나가 기다리는 쓰기만큼 걸림: 바로 쓰는 것
probe-write-buffer-bursts-differ = 버스트마다 크기가 다름: 매번 돌려받지 못하는 SLC 캐시이거나 다른 작업
probe-write-buffer-small = 버스트가 { $least } MiB도 되기 전에 느려짐
probe-write-buffer-large = 비우는 속도가 보이기 전에 버스트가 끝남: 버퍼가 이 탐침의 범위보다 크거나 캐시임
probe-write-buffer-curved = 느려진 뒤 일정한 속도로 받지 않음
probe-write-buffer-note = 구간의 위쪽은 버스트의 첫 프로그램이 끝나기 전에 비웠을 만큼을 더함

probe-flush-question = 플러시는 얼마나 걸리는가?
probe-flush-limits = 드라이브는 플러시하지 않고도 했다고 할 수 있음; 전원을 끊어 보아야만 알 수 있음
probe-flush-cost-note = 4 KiB를 쓴 뒤의 플러시
probe-flush-empty-note = 앞서 쓴 것이 없는 플러시
probe-flush-forced-note = 버퍼에 쓰는 것과 비교한 4 KiB 강제 쓰기
probe-flush-bulk-note = 256 KiB를 쓴 뒤의 플러시
probe-flush-no-difference = 잡음을 넘는 차이 없음: { $low } ~ { $high }
probe-flush-cheap = 플러시가 가벼움: 쓸 것이 없거나, PLP가 있거나, 지키지 않음
probe-flush-fixed = 무엇을 썼든 플러시에 같은 시간이 걸림: 버퍼의 내용을 쓴다는 흔적 없음
probe-flush-writes-buffer = 플러시가 버퍼의 내용을 씀: PLP의 흔적 없음
probe-flush-between = 플러시에 { $low } ~ { $high } µs, 쓴 것이 없으면 { $empty } µs: { $cheap } µs 미만도, 쓴 것이 없을 때와 같은 시간도, 쓴 것 때문에 { $costly } µs 초과도 아님

probe-flush-window-question = 유휴시간이 얼마나 되면 드라이브가 스스로 버퍼를 비우는가?
probe-flush-window-limits = 플러시가 가벼우면 아무것도 보이지 않음; 16 ms 미만과 8초 초과는 찾지 않음
probe-flush-window-flat = 유휴시간 { $silence }초 뒤의 플러시도 바로 할 때만큼 걸림
probe-flush-window-rounds-differ = 회차마다 다른 시간을 가리킴
probe-flush-window-note = 유휴시간이 더 길면 4 KiB 플러시가 { $saved } 덜 걸림

probe-reach-question = 매핑 캐시는 드라이브를 얼마나 덮는가?
probe-reach-limits = 캐시가 드라이브 전체를 덮거나 미스가 느린 링크에 가려지면 떨어지지 않음
probe-reach-one-end = 드라이브의 한쪽 끝에서만 읽기가 떨어짐: 매핑의 한계가 아니라 그곳에 빠른 셀이 있음
probe-reach-or-buffer = { $low }에서 { $high } 크기의 읽기 버퍼가 끝나는 곳에서 읽기가 떨어짐: 매핑도 그런지는 보이지 않음
probe-reach-note = 그 너머에서는 드라이브 전체까지 속도가 { $drop } 떨어짐; 안에서의 한계: { $limit }
probe-reach-limit-flash = 플래시
probe-reach-limit-common = 링크나 컨트롤러
probe-reach-limit-unknown = 알 수 없음

probe-slc-question = SLC 캐시는 얼마나 크며, 그다음에는 무엇이 오는가?
probe-slc-limits = 100 ms 구간 세 개보다 짧은 캐시는 보이지 않음; 열로 느려진 것이 캐시의 끝처럼 보일 수 있고, 버퍼 없이 채워 쓰는 드라이브가 빈 플래시를 다 쓴 때도 그러함
probe-slc-fresh-note = FOB 드라이브에서
probe-slc-full-note = 가득 찬 뒤 쉰 드라이브에서
probe-slc-passes-differ = Purge 뒤의 두 회차가 다름
probe-slc-end-differs = 다시 Purge하니 캐시가 끝나는 곳이 다름
probe-slc-class-note = 유형 { $letter }: { $finding }

probe-reclaim-question = 유휴시간에 SLC 캐시는 언제, 얼마나 빨리 회복되는가?
probe-reclaim-limits = 드라이브의 절반으로 차는 캐시와, 하나도 회복되지 않은 때와 모두 회복된 때 사이의 유휴시간이 필요함

probe-interference-question = 읽기가 쓰기를 기다리는가?
probe-interference-limits = SLC 프로그램은 쓰기 중지에 드는 시간만큼 짧을 수 있음; 바쁜 컨트롤러에 드는 시간도 기다림처럼 보임
probe-interference-overtakes = 읽기가 쓰기를 거의 기다리지 않음
probe-interference-waits = 읽기가 쓰기 뒤에서 기다림
probe-interference-delay-note = 네 배 많은 128 KiB 쓰기 사이의 4 KiB 읽기(QD8)의 중앙값, 읽기만 할 때와의 차이
probe-interference-no-delay = 잡음을 넘는 지연 없음: { $low } ~ { $high }
probe-interference-tail-note = 쓰기 중 읽기의 응답 시간; 이상치도 셈
probe-interference-between = 느린 4분의 1의 읽기가 { $wait } µs 이상 기다림: 쓰기 중지나 짧은 프로그램을 기다림
probe-interference-some-wait = 느린 4분의 1의 읽기는 쓰기 중지만큼 { $wait } µs 이상 기다리나, 스물 중 하나는 프로그램만큼 { $slowest } µs 이상 기다림
probe-interference-few-met = 읽기의 4분의 3은 프로그램과 겹치지 않았고, 나머지 중 전체의 백에 하나는 프로그램만큼 { $slowest } µs 이상 기다림
probe-interference-imprecise = 대기 시간의 정밀도가 { $error } µs뿐임
probe-interference-order-note = 느린 4분의 1의 읽기가 { $wait } µs 이상 기다림; 쓰기를 중지할 수 없을 때만 프로그램만큼 긺

probe-spare-question = 가비지 컬렉션으로 보아 용량 밖의 플래시는 얼마나 되는가?
probe-spare-limits = 플래시에 쓴 양의 계수가 필요하나 이를 알리는 드라이브는 적음; 압축과 중복 제거가 있으면 틀림
probe-spare-no-sensors = 센서를 읽지 못함
probe-spare-no-counter = 드라이브가 플래시에 쓴 양을 세지 않음
probe-spare-counter-stuck = 호스트 쓰기 계수가 움직이지 않음
probe-spare-unsteady = WAF가 회차 사이에 아직 { $before }에서 { $last }로 변함
probe-spare-amplification-note = 드라이브 자체의 계수, 랜덤 쓰기 { $passes }회차 중 마지막
probe-spare-padded = 가비지 컬렉션 전부터 호스트가 요청한 것보다 많이 씀: 쓰기마다 더 큰 단위를 채움
probe-spare-nothing-copied = 복사한 것이 없음: 제자리에 쓰거나, 예비 플래시가 한 회차보다 많음
probe-spare-share-note = 용량 대비, 가비지 컬렉션이 쓸 수 있는 만큼; 불량 블록과 빠른 셀을 위한 것은 빠짐
probe-spare-slowdown-note = 가득 찬 드라이브의 첫 회차와 마지막 회차의 랜덤 쓰기 속도 비

probe-thermal-question = 드라이브는 몇 도에서 스스로 느려지는가?
probe-thermal-limits = 읽기로는 충분히 뜨거워지지 않을 수 있고, 잘 식는 드라이브는 거기까지 가지 않음
probe-thermal-not-told = 드라이브가 온도를 알리지 않음
probe-thermal-flat = { $highest } °C에서도 { $first } °C만큼 읽기가 빠르며 더 뜨거워지지 않음
probe-thermal-stayed-slow = 식은 뒤에도 읽기가 느림: 열이 아닌 다른 이유
probe-thermal-slow-before = 뜨거워지기 전부터 읽기가 느림
probe-thermal-speed-note = 느려졌을 때와 식었을 때의 읽기 속도 비
probe-thermal-no-recovery = 읽는 동안 계속 느렸음
probe-thermal-seen =
    { $times ->
        [1] 한 번 보임
       *[other] { $times }번 보임
    }

# 답의 이름.

probe-label-declared-capacity = 주장한 용량
probe-label-declared-logical-block = 주장한 논리 블록
probe-label-declared-indirection-unit = 주장한 IU
probe-label-declared-physical-block = 주장한 물리 블록
probe-label-declared-medium = 주장한 매체
probe-label-noise-sigma = 시간의 편차
probe-label-noise-correlation = 이웃한 시간의 상관
probe-label-noise-outlier-share = 이상치의 비율
probe-label-noise-unmapped-reads = 쓰지 않은 블록의 읽기
probe-label-drift-kind = 드리프트
probe-label-drift-change-per-minute = 1분 동안의 변화
probe-label-read-ahead-present = 미리 읽기 여부
probe-label-read-ahead-time-ratio = 미리 읽기의 시간 비
probe-label-read-buffer-present = 읽기 버퍼 여부
probe-label-read-buffer-size = 읽기 버퍼 크기
probe-label-read-page-size = 읽기 페이지 크기
probe-label-stripe-width = 스트라이프 폭
probe-label-units-count = 유닛 수
probe-label-management-block-size = 관리 블록 크기
probe-label-management-block-offset = 관리 블록 오프셋
probe-label-placement-unit = 배치 단위
probe-label-placement-page = 배치 페이지
probe-label-placement-channels = 배치 채널 수
probe-label-placement-page-time = 페이지가 하나 늘 때의 시간
probe-label-placement-channel-time = 채널이 하나 늘 때의 시간
probe-label-placement-kind = 배치 방식
probe-label-allocation-kind = 할당 방식
probe-label-allocation-time-ratio = 할당의 시간 비
probe-label-write-buffer-size = 쓰기 버퍼 크기
probe-label-write-buffer-drain-rate = 쓰기 버퍼를 비우는 속도
probe-label-flush-behaviour = 플러시 동작
probe-label-flush-cost = 플러시 시간
probe-label-flush-cost-nothing-written = 쓴 것 없는 플러시 시간
probe-label-flush-cost-forced-write = 강제 쓰기의 추가 시간
probe-label-flush-window-length = 버퍼를 비우기까지의 유휴시간
probe-label-reach-bytes = 매핑 캐시의 범위
probe-label-slc-largest = SLC 캐시 최대
probe-label-slc-smallest = SLC 캐시 최소
probe-label-slc-after = SLC 캐시 다음
probe-label-reclaim-delay = 회복 시작까지의 지연
probe-label-reclaim-rate = 회복 속도
probe-label-interference-order = 읽기와 쓰기의 순서
probe-label-interference-delay = 쓰기로 늘어난 읽기 시간
probe-label-interference-read-p99 = 쓰기 중 읽기 p99
probe-label-spare-share = 예비 플래시 비율
probe-label-spare-amplification = WAF
probe-label-spare-slowdown = 느려진 배수
probe-label-thermal-onset = 느려지는 온도
probe-label-thermal-recovery = 회복하는 온도
probe-label-thermal-speed-share = 느려졌을 때 속도 비율
probe-label-corner-random-read = 랜덤 읽기 { $size }
probe-label-corner-sequential-read = 순차 읽기 { $size }
probe-label-corner-sequential-write = 순차 쓰기 { $size }
probe-label-corner-random-write = 랜덤 쓰기 { $size }
probe-label-flush-cost-256kib = 256 KiB 뒤 플러시 시간
