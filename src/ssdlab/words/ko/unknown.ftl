# 값을 알 수 없는 까닭.

## 기록되지 않았거나 측정하지 않은 것
unknown-not-recorded = 기록되지 않음
unknown-punctuality = 엔진이 얼마나 늦게 제출하는지 알려 주지 않음
unknown-gap = 엔진이 그 전에 드라이브가 얼마나 쉬었는지 알려 주지 않음
unknown-first-job = 엔진의 첫 작업이었음
unknown-no-look-within = 실행되는 동안 센서에 너무 드물게 물었음
unknown-not-measured = 측정하지 않음
unknown-not-asked = 아무도 묻지 않음
unknown-no-sensor-read = 센서를 읽지 않음
unknown-no-fio-json = fio의 JSON이 없음
unknown-host-settings = 측정에 호스트 설정이 없음
unknown-restoration = 측정에 되돌린 것이 있다는 기록이 없음
unknown-before-recorded = 이것을 기록하기 전에 쓴 결과 묶음
unknown-before-checksums = 검사하지 않음: 체크섬이 생기기 전에 기록됨
unknown-outcome = 결과가 기록되지 않음
unknown-unwatched = 측정이 멈췄는지 지켜보지 않음
unknown-no-drive = 물어볼 드라이브가 없음
unknown-run-began = 측정이 시작됨
unknown-bundle-says = 이유는 결과 묶음에 있음
unknown-no-io = I/O를 하지 않음
unknown-nothing-read-back = 다시 읽지 않음
unknown-nothing-asked = 드라이브에 아무것도 묻지 않음
unknown-no-target = 대상을 지정하지 않음
unknown-fio-not-needed = 필요 없음: `model:`은 fio 없이 측정함
unknown-until-ctrl-c = Ctrl-C를 누를 때까지 계속됨

## 시계열과 단계
unknown-no-slower-phase = 캐시 다음에 느린 단계가 없음: 끝까지 한 속도
unknown-slower-for-a-while = 캐시 다음에 오래가는 느린 단계가 없음: { $speed }로 느려진 { $seconds }초를 빼면 끝까지 한 속도
unknown-no-windows = 회차에 구간이 없음
unknown-rhythm = 처음의 속도가 같은 길이로 돌아옴: 캐시가 아니라 리듬
unknown-no-knee = 꺾이는 곳 없음: 속도가 범위에 따라 고르게 떨어지거나 매핑 캐시와 다르게 떨어짐
unknown-no-rung = 어느 휴식 뒤에도 쓴 것이 없음
unknown-inside-cache = 쓰기가 캐시 안에서 끝남
unknown-one-speed = 쓰기 속도가 하나뿐: 캐시가 없거나 모두 캐시 안
unknown-no-cache-shows = 캐시가 보이지 않음: 처음에 빠르게 쓴 양이 버퍼 이하
unknown-beside-folding = 드라이브가 캐시로 돌아감: 그 사이의 쓰기는 폴딩과 함께함
unknown-as-fast-as-folding = 빈 플래시를 모두 캐시로 쓴 뒤 폴딩하는 속도로 씀
unknown-only-through-cache = 드라이브가 캐시를 폴딩하는 속도로 캐시를 거쳐서만 씀

## fio의 로그와 JSON
unknown-percentiles-of-jobs = 여러 작업의 백분위수는 각각의 백분위수로 구할 수 없음: fio를 --output-format=json+로 실행하세요
unknown-not-printed = fio가 내지 않음: fio를 --output-format=json+로 실행하세요
unknown-averaged-percentiles = fio가 이 로그를 구간으로 평균했고, 평균에는 I/O의 백분위수가 없음
unknown-averaged-count = fio가 이 로그를 구간으로 평균하고 세지 않음
unknown-rate-of-each-io = fio가 여기에는 I/O마다의 속도를 써서 드라이브에 대해 말해 주는 것이 없음
unknown-only-bins = 히스토그램 로그에는 구간뿐임
unknown-short-log = 로그가 100 ms 구간보다 짧음
unknown-log-silent = 로그에 없음
unknown-its-logs-silent = 로그에 없음
unknown-file-silent = 파일에 없음
unknown-volume-size = 파일에는 드라이브가 아니라 볼륨의 크기가 있음

## 지표
unknown-no-total-latency = 엔진이 전체 지연시간을 알리지 않음
unknown-no-run-time = 엔진이 실행 시간을 알리지 않음
unknown-no-read-completed = 완료된 읽기 없음
unknown-search-unfinished = 탐색이 끝까지 가지 못함
unknown-limit-never-kept = 제공한 가장 낮은 속도인 초당 I/O { $rate }회에서도 한계를 지키지 못함
unknown-limit-never-lost = 제공한 가장 높은 속도인 초당 I/O { $rate }회에서도 한계를 지킴
unknown-never-submitted = I/O { $count }개가 제때 제출되지 못함: 드라이브가 따라가지 못함
unknown-knee-beyond = 속도를 평균 응답 지연시간으로 나눈 값이 제공한 범위의 끝에서 가장 큼
unknown-no-uniform = 균일 쓰기를 측정하지 않음
unknown-too-little-written = 쓴 양이 용량보다 적거나 순차 쓰기가 없음
unknown-no-counters = 드라이브가 플래시에 쓴 양을 세지 않음
unknown-counters-late = 드라이브의 계수가 너무 드물게 갱신됨
unknown-not-amplified = 균일 쓰기가 증폭되지 않음
unknown-perhaps-not-amplified = 균일 쓰기가 증폭되지 않았을 수 있음: 95 % 구간이 1까지 내려감
unknown-amplification-scatters = 마지막으로 쓴 구간에서 너무 흩어짐: 95 % 구간 { $low }~{ $high }
unknown-no-telling-pattern = 섞인 데이터와 나뉜 데이터를 가르는 두 구역 패턴이 없음
unknown-few-windows = 이웃한 I/O가 얼마나 비슷한지 알기에는 시간이 너무 짧음
unknown-no-io-completed = 완료된 I/O 없음
unknown-pass-not-fresh = 첫 회차가 FOB에서 시작하지 않음
unknown-drive-not-fresh = 드라이브가 FOB였는지 알 수 없음
unknown-never-fulfilled = 만족한 적 없음
unknown-not-steady = Steady State 아님
unknown-never-steady = 벤치마크가 허용한 만큼 쓰고도 Steady State 아님
unknown-measurement-too-long = 측정이 너무 길어 여러 구간을 비교할 수 없음
unknown-operator-ended = 사용자가 쓰기를 끝내기 전에는 없음
unknown-no-written-tag = 이 태그를 쓰고 같은 크기로 읽은 측정이 이 lab에 없음
unknown-nothing-moved = 전송된 것 없음
unknown-no-window-value = 값이 있는 구간 없음
unknown-no-distribution = 작업이 시간에 따른 지연시간 분포를 남기지 않음
unknown-no-latency = 지연시간을 재지 않음

## 드라이브와 그 종류가 알리지 않는 것
unknown-drive-reports-not = 드라이브가 알리지 않음
unknown-drive-silent = 드라이브가 알리지 않음
unknown-kernel-and-drive-silent = 커널도 드라이브도 알리지 않음
unknown-no-ata-security = 드라이브에 ATA 보안이 없음
unknown-feature-form = `nvme get-feature`의 출력이 알려진 형식과 다름
unknown-security-form = `hdparm -I`의 보안 항목이 알려진 형식과 다름
unknown-no-common-value = SATA와 SAS 드라이브에는 공통된 값이 없음
unknown-no-drive-family = NVMe도 SATA나 SAS 드라이브도 아님
unknown-no-nvme = NVMe 드라이브가 아님
unknown-no-ata = ATA 드라이브가 아님
unknown-ask-nvme-cli = NVMe 드라이브: 대신 nvme-cli에 물음
unknown-nvme-no-ata-security = NVMe 드라이브에는 ATA 보안이 없음
unknown-no-generic-device = 커널에 일반 장치가 없음 (`modprobe sg`)
unknown-kernel-silent = 커널이 알리지 않음
unknown-nothing-to-tell-apart = 시리얼 번호도, 다른 드라이브와 구별할 다른 것도 없음
unknown-empty = 비어 있음
unknown-no-pci-device = PCI 장치에 연결되어 있지 않음
unknown-no-pcie-link = 커널이 알리는 PCIe 링크에 연결되어 있지 않음
unknown-slot = 커널이 슬롯을 알리지 않음
unknown-link-speed = 커널이 링크의 속도와 폭을 알리지 않음
unknown-held-by-ssdlab = ssdlab이 쓰는 중
unknown-content-of-run = 이제 그 내용은 측정이 쓴 것임
unknown-signatures-contradict = `blkid`가 서로 어긋나는 서명을 찾음
unknown-swaps-unreadable = `/proc/swaps`를 읽을 수 없음
unknown-no-block-device = 이 호스트의 블록 장치가 아님
unknown-target-no-block-device = 대상이 이 호스트의 블록 장치가 아님
unknown-no-block-device-involved = 이 호스트의 블록 장치가 쓰이지 않음
unknown-nbd-no-block-device = 드라이브가 NBD 뒤에 있어 이 호스트의 블록 장치가 쓰이지 않음
unknown-nbd-no-kernel = 드라이브가 NBD 뒤에 있어 커널이 알지 못함
unknown-no-single-block-device = 파일 시스템이 커널이 계수를 보여 주는 블록 장치 하나에 있지 않음
unknown-below-file = 파일은 아래에 어떤 드라이브가 있는지 알리지 않음
unknown-below-directory = 디렉터리는 아래에 어떤 드라이브가 있는지 알리지 않음
unknown-nbd-none = NBD 내보내기에는 없음
unknown-nbd-no-sensor = NBD 내보내기에는 센서가 없음
unknown-sensor-not-asked = 드라이브의 센서를 묻지 않음
unknown-replay-short = 재생이 짧음
unknown-virtual-uncounted = 가상 드라이브는 세지 않음
unknown-virtual-never-late = 가상 시간은 늦지 않음
unknown-virtual-no-thermal = 드라이브 명세에 `thermal` 절이 없음
unknown-virtual-no-kernel = 가상 시간: 커널이 쓰이지 않음
unknown-virtual-no-link = 가상 드라이브에는 링크가 없음
unknown-virtual-server-ended = 묻는 동안 가상 드라이브의 서버가 끝남
unknown-model-no-data = 드라이브 모델에는 비교할 데이터가 없음
unknown-no-reply-left = 그동안 나간 응답이 없음
unknown-replies-by-itself = 언제 응답할지는 드라이브가 스스로 정함
unknown-not-asked-often = 그렇게 자주 묻지 않음
unknown-not-asked-yet = 아직 드라이브에 묻지 않음
unknown-job-not-begun = 작업이 시작되지 않음
unknown-media-bytes = `nvme ocp smart-add-log`에 매체에 쓴 양이 없음

## 호스트가 알리지 않는 것
unknown-memory-available = 쓸 수 있는 메모리가 얼마인지 커널이 알리지 않음
unknown-processors-busy = 프로세서가 얼마나 바쁜지 커널이 알리지 않음
unknown-boost = 프로세서가 정격 주파수를 넘을 수 있는지 커널이 알리지 않음
unknown-link-power-saving = 링크가 드는 절전 상태를 커널이 알리지 않음
unknown-counter-unread = 측정이 드라이브의 계수를 읽지 못함
unknown-counter-lower = 전원이 끊긴 뒤처럼 계수가 측정이 읽었을 때보다 낮음
unknown-cut-off = 측정이 남긴 것을 적기 전에 끊김

## 값이 있는 것
unknown-fill = { $percent } % 채움
unknown-few-ranges = 범위 { $ranges }개, 두 단계에는 읽기가 있는 범위가 적어도 { $needed }개씩 필요
unknown-no-drop = 드라이브 안에서 떨어지지 않음: 속도 저하 { $least } 미만
unknown-few-ios-above = 위의 I/O가 { $least }개보다 적음
unknown-pipe-latencies = { $low }에서 { $high } ns 사이: 파이프를 한 번 읽기에는 서로 다른 지연시간이 너무 많음, 파일은 다시 읽을 수 있음
unknown-ranges-measured = 범위 { $planned }개 중 { $done }개 측정
unknown-few-reads-above = 위의 읽기 { $reads }개 중 { $above }개, 백분위수에는 { $needed }개 필요
unknown-passes-finished = { $planned }회차 중 { $done }회차 완료
unknown-later-not-shown = 드라이브의 { $share }만 써서 이후는 나타나지 않음
unknown-latency-not-kept = { $passes }회차의 지연시간은 남기지 않음
unknown-several-latency-kinds = 회차에 따라 제출을 포함한 지연시간과 포함하지 않은 지연시간이 섞여 있음
unknown-no-latency-kind = 엔진이 { $kind }을 알리지 않음
unknown-runs-finished = 측정 { $planned }번 중 { $done }번 완료
unknown-rests-measured = 휴식 { $planned }개 중 { $done }개 측정
unknown-short-pass = 회차가 { $least_s }초도 걸리지 않음
unknown-points-known = 가중 곡선의 { $planned }개 지점 중 { $known }개를 알 수 있음
unknown-point-not-measured = QD{ $depth } 읽기 { $share } %를 측정하지 않음
unknown-never-fell = 속도가 { $share } 넘게 계속 떨어진 적 없음
unknown-end-not-steady = 마지막에도 속도가 Steady State의 { $share } 안이 아님
unknown-few-samples-above = { $above ->
        [0] 위의 표본 없음
       *[other] 위의 표본 { $above }개
    }, 백분위수에는 { $needed }개 필요
unknown-few-of-samples-above = 위의 표본이 { $samples }개 중 { $least }개보다 적음
unknown-runs-for-error = 표준 오차에 필요한 2번 중 { $runs }번
unknown-mean-no-share = 측정의 평균이 { $mean }: 그에 대한 비율을 낼 수 없음
unknown-runs-for-trimmed-mean = 최댓값과 최솟값을 뺀 평균에 필요한 3번 중 { $runs }번
unknown-no-drive-answer = 결과 묶음에 { $moment ->
        [start] 시작할 때
       *[end] 끝날 때
    }의 `{ $name }`이 없음
unknown-no-smart = 결과 묶음에 { $moment ->
        [start] 시작할 때
       *[end] 끝날 때
    }의 SMART가 없음
unknown-signature-unchecked = 서명을 검사하지 않음: `{ $program }`이 설치되지 않음 (패키지 openssh-client)
unknown-no-signers = `{ $path }`이 없음
unknown-signer = `{ $path }`에 없음
unknown-no-io-of = 작업에 { $direction } I/O가 없음
unknown-format-in-use = `nvme id-ns`에 따르면 { $used }번 포맷을 쓰나 목록에는 { $listed }개뿐
unknown-no-json = `{ $program }`이 JSON을 내지 않음
unknown-form-at = `{ $program }`의 출력이 알려진 형식과 다름: { $place }: { $fault }
unknown-form = `{ $program }`의 출력이 알려진 형식과 다름
unknown-unreadable = 읽을 수 없음: { $error }
unknown-kernel-says = 커널은 `{ $text }`라고 함
unknown-processes-hidden = `{ $path }`에 다른 사용자의 프로세스가 가려져 있음
unknown-open-files = 프로세스 { $process }가 연 것을 볼 수 없음: { $error }
unknown-blkid = `blkid`가 읽지 못함: { $fault }
unknown-program-failed = `{ $program }` 실패: { $fault }
unknown-not-opened = `{ $path }`를 열 수 없음: { $error }
unknown-few-replies-above = 위의 응답이 { $replies }개 중 { $least }개보다 적음
unknown-path-unreadable = `{ $path }`를 읽을 수 없음: { $error }
unknown-no-ocp-page = 드라이브에 OCP 로그 페이지 C0이 없음: { $why }
unknown-kernel-log = 커널의 로그를 읽을 수 없음: { $error }
unknown-not-installed = `{ $program }`이 설치되지 않음 (패키지 { $package })
unknown-no-answer = `{ $program }`이 { $limit_s }초 안에 답하지 않음
unknown-not-started = `{ $program }`을 시작할 수 없음: { $error }
unknown-multipath-not-counted = 이 커널은 네이티브 멀티패스 NVMe 드라이브의 I/O를 세지 않음. 더 새로운 커널은 세고, 이 커널도 명령줄에 `nvme_core.multipath=N`이 있으면 셈
unknown-kernel-counters = 커널의 계수를 읽을 수 없음: { $error }
unknown-path-empty = `{ $path }`에 내용이 없음
unknown-path-says = `{ $path }`의 내용은 `{ $text }`
unknown-link-rate = 커널은 `{ $speed }`, { $lanes }레인이라고 함
unknown-no-queue = 드라이브에 큐가 없음: { $error }
unknown-policy = { $why }; { $policy ->
        [unknown] 정책을 알 수 없음
       *[other] 정책은 { $policy }
    }
unknown-no-mount = `{ $path }`이 있는 마운트가 없음
unknown-no-date-ms = 파일의 1970년 이후 { $time_ms } ms는 날짜가 아님
unknown-no-date = 파일의 `{ $text }`은 날짜가 아님
unknown-ended-before-steady = Steady State가 되기 전에 사용자가 멈춤
unknown-criterion-ended = `{ $criterion }`이 쓰기를 끝내기 전에는 없음
unknown-no-fall = 캐시가 발견되지 않음: 속도가 { $share } 넘게 계속 떨어진 적 없음; { $shortest_s }초보다 짧은 캐시는 보이지 않음
unknown-no-fall-after-stall = 처음에 멈춘 뒤로는 속도가 { $share } 넘게 계속 떨어진 적 없음: 멈춘 동안 쓴 { $stalled } 안에서 끝난 캐시는 보이지 않음
unknown-gradual-fall = 속도가 { $fast }에서 { $slow }까지 { $low }에서 { $high } 사이에 서서히 떨어짐: 캐시가 끝나는 지점이 없음
unknown-fall-as-a-wave = { $candidate }를 쓴 뒤 속도가 떨어지지만, 여기서 몇 초씩 이어지는 잡음의 물결보다 빠르게 떨어지지는 않음: 캐시의 끝이거나 잡음임
unknown-fall-perhaps-earlier = { $candidate }를 쓴 뒤 속도가 떨어지는데, 잡음에 가려졌을 뿐 { $earlier }를 쓴 뒤에 이미 떨어졌을 수도 있음: 둘 중 어느 쪽이든 캐시의 끝일 수 있음
unknown-fall-hidden = 계속되는 속도 하락이 드러나지 않지만 { $share }보다 작은 하락은 잡음에 묻힘: 캐시가 있는지 알 수 없음
unknown-fall-at-end = 속도가 { $candidate }를 쓴 뒤 맨 끝에서만 떨어짐: 캐시의 끝인지 알기에는 남은 양이 너무 적음
unknown-fall-late = 속도가 드라이브의 { $share }인 { $candidate }를 쓴 뒤 떨어짐: 캐시가 담을 수 있는 양보다 많음
unknown-fall-throttled = 드라이브가 스로틀링할 때, { $candidate }를 쓴 뒤 속도가 떨어짐: 발열이거나, 같은 순간에 끝난 캐시
unknown-fall-hot = { $candidate }를 쓴 뒤, 회차에서 가장 뜨거운 { $celsius } °C에서 속도가 떨어지고 온도가 유지됨: 발열이거나 캐시의 끝
unknown-slump = 속도가 한동안 그 앞보다 훨씬 낮음: 그것이 드라이브의 한 단계라면 캐시는 { $phase }를 쓴 뒤에, 멈춤이라면 { $stall }를 쓴 뒤에 끝남
unknown-slump-as-phase = 속도가 한동안 그 앞보다 훨씬 낮음: 그것이 드라이브의 한 단계라면 캐시는 { $candidate }를 쓴 뒤에 끝나고, 멈춤이라면 캐시의 끝이 없음
unknown-slump-as-stall = 속도가 한동안 그 앞보다 훨씬 낮음: 그것이 멈춤이라면 캐시는 { $candidate }를 쓴 뒤에 끝나고, 드라이브의 한 단계라면 캐시의 끝이 없음
unknown-end-in-stall = { $phase }를 쓴 뒤 속도가 한동안 훨씬 낮음: 드라이브의 한 단계라면 캐시는 거기서 끝나고, 멈춤이라면 { $stall }까지의 어디에서든 끝날 수 있음
unknown-cache-stalled = 캐시에 쓴 구간마다 그 안이나 바로 옆에서 드라이브가 멈춤
unknown-phase-or-stall = 캐시 다음에 속도가 한동안 훨씬 낮음: 드라이브의 한 단계라면 { $phase }; 멈춤이라면 { $stall }
unknown-if-phases = 캐시 다음의 속도가 { $count }가지: { $speeds }
unknown-if-teeth = 캐시 속도가 { $teeth }번 돌아옴
unknown-fall-after-slow-start = { $candidate }를 쓴 뒤 속도가 떨어지지만 처음에는 더 느렸음: 처음 { $slow } 안에서 끝난 캐시는 보이지 않음
unknown-fall-faster-later = { $candidate }를 쓴 뒤 속도가 떨어지지만, 나중에 { $faster }를 그 앞보다 더 빠르게 씀: 캐시는 드라이브가 가장 빠른 곳에 있음
unknown-one-tooth = 캐시 속도가 2초 안에 한 번만 돌아옴: 드라이브가 캐시로 돌아갔거나, 무언가가 잠시 멈추게 했음
unknown-several-phases = 캐시 다음에 속도가 두 가지보다 많이 이어짐: { $speeds }
unknown-phases-hidden = 캐시 다음의 또 다른 단계가 { $share }보다 덜 느리다면 잡음에 묻힘
unknown-few-rests = 휴식 { $rests }개에서 돌아온 캐시가 보이며, 지연과 속도에는 { $needed }개 필요
unknown-no-more-cache = { $longest_s }초 뒤가 { $shortest_s }초 뒤보다 캐시가 많지 않음: 돌아오지 않거나 한꺼번에 돌아옴
unknown-longer-rests = { $longest_s }초 뒤가 { $shortest_s }초 뒤보다 캐시가 많지 않음: 더 긴 휴식 뒤에는 쓰기가 캐시 안에서 끝남
unknown-rests-too-few-between = 휴식으로 알아낼 수 없음: 처음과 마지막으로 돌아온 캐시 사이에 드는 휴식이 너무 적음
unknown-below-floor = 작업 { $jobs }개에서 쓰기나 TRIM이 하한 아래로 떨어져 공개된 절차가 끝남
unknown-limits-not-kept = 작업 { $jobs }개로도 한계를 지키지 못함
unknown-status = 상태 { $status }
unknown-flushes-uncounted = 드라이브가 플러시 횟수를 알려 주지 않음
unknown-flushes-unrecorded = 플러시가 기록되지 않음
unknown-kernel-counts-no-flushes = 커널이 플러시를 세지 않음(Linux 5.5부터 셈)
unknown-kernel-write-cache = 커널이 장치의 쓰기를 어떻게 보장하는지 밝히지 않음
unknown-power-step-short = 단계는 { $length_ms } ms 걸렸으나 계측기의 시계는 ± { $error_ms } ms까지만 알 수 있음
unknown-power-period = 계측기의 표본 간격이 { $period_ms } ms임
unknown-power-under-second = 1초도 걸리지 않음
unknown-power-100us = 계측기의 표본 간격이 { $period_us } µs임; 100 µs에 두 개가 필요함
unknown-power-uneven = 계측기의 표본 간격이 로그나 `--period`가 말하는 { $period_us } µs와 다름
unknown-power-missing = 시간의 { $percent } %에 계측기의 표본이 없음
unknown-power-nothing-moved = 읽거나 쓴 것이 없음
unknown-no-power-log = 실행에 전력 로그를 더하지 않음

unknown-not-recovered = { $lasted } 안에 이전 평균 속도의 { $share }에 이르지 못함
