# 지표의 값 옆에 붙는 설명.

metric-remarks = { $remarks }
metric-every-io = 모든 I/O에서 정확히
metric-all-ios = 측정 { $runs }번의 모든 I/O
metric-both-directions = 읽기와 쓰기를 합함
metric-mean-over-last = 마지막 { $time }의 평균
metric-mean-over-last-capacity = 마지막으로 쓴 용량만큼의 평균
metric-however-little = 앞서 아무리 적게 썼어도
metric-flat-for = 쓴 용량 { $written }배 중 마지막 { $capacities }배 동안 일정: 용량의 { $capacities }배 이상인 주기는 보이지 않았을 것
metric-still-changes = 용량만큼 쓸 때마다 아직 { $drift } 변함
metric-may-change = 용량만큼 쓸 때마다 최대 { $drift }의 증가나 감소가 없다고 할 수 없음
metric-measurements-differ = 측정 길이의 구간들이 평균과 최대 { $apart } 차이
metric-slower-rhythms-unseen = 용량의 { $capacities }배 이상인 주기는 보이지 않았을 것, 쓴 양은 용량의 { $written }배
metric-drift-a-capacity = 용량만큼 쓸 때마다 속도의 변화
metric-measurement-apart = 측정 길이의 구간 하나와 모든 구간 평균의 최대 차이
metric-mean-of-mixed = 순수 읽기와 순수 쓰기를 뺀 가중 곡선의 평균
metric-mean-of-curve = 가중 곡선 전체의 평균
metric-fresh-speed-ends = FOB 속도가 끝나는 곳
metric-steady-from = 이후 Steady State 속도의 { $share } 안
metric-at-least = 최소 { $limit }
metric-at-most = 최대 { $limit }
metric-at-depth = QD{ $depth }에서
metric-at-depth-of-busy-host = QD{ $depth }에서, 부하 엔진의 코어 사용률 { $busy } %: 느린 쪽이 호스트일 수 있음
metric-generator-late = 호스트가 I/O 100개 중 99개를 최대 { $late } 늦게 제출함: 느린 쪽이 호스트일 수 있음
metric-limit = 한계 { $limit }
metric-no-limit-missed = 넘은 한계: 없음
metric-limits-missed = 넘은 한계: { $limits }
metric-passed = 통과
metric-too-slow = 너무 느림
metric-below-floor = 하한 미달
metric-all-bytes = 쓴 양 전체를 시간 전체로 나눔
metric-all-bytes-without-rests = 쓴 양 전체를 시간 전체로 나눔, 휴식 제외
metric-slowest-second = 가장 느린 1초
metric-of-seconds = 매초 값
metric-time-below = 중앙값의 { $percent } % 미만인 시간의 비율
metric-time-at-least = { $need }/s 이상인 시간
metric-day-of-writing = 쓴 날({ $date }) 속도의 비율
metric-flatness = 매초 값의 { $within } %가 중앙값의 { $allowed } % 이내 (기준 { $needed } %); 추세선은 { $excursion } % 움직임 (허용 { $allowed } %)
metric-last-reading-stopped = 모든 읽기, 마지막은 끝나기 전에 멈춤
metric-all-readings = 모든 읽기
metric-class = { $meaning }: { $finding }
metric-mean-of-windows = 구간 평균의 평균: 순간마다 같은 무게
metric-of-latency-kind = { $kind }, { $note }
metric-mean-of-ios = 모든 I/O의 평균: I/O마다 같은 무게
metric-rank = { $window_ms } ms 구간 { $windows }개 중 { $rank ->
        [1] 가장 느림
       *[other] { $rank }번째로 느림
    }
metric-at-cache-speed = 캐시 속도로 쓴 양
metric-whole-pass = 회차 전체
metric-only-phase = 캐시 다음의 유일한 단계: 직접 쓰기인지 폴딩인지 한 속도로는 알 수 없음
metric-of-them-at-cache-speed = 그중 캐시 속도로
metric-silence = 캐시가 돌아오기 전의 휴지
metric-cache-a-second = 이후 초당 돌아오는 캐시
metric-rested = { $rest_s }초 휴식 뒤
metric-slowest-windows = 100 ms 구간 { $windows }개 중 가장 느린 0.1 %를 평균으로 나눔
metric-point-enough = { $seen } 만에 충분함: 평균의 오차 ± { $reach }, 요구한 오차 ± { $within }
metric-point-not-reached = { $seen } 안에 도달하지 못함: 평균의 오차 ± { $reach }, 요구한 오차 ± { $within }
metric-point-not-enough = 평균의 오차는 ± { $reach }, 요구한 오차는 ± { $within }이지만 { $seen }로는 충분하지 않음: { $why ->
        [drift] 속도가 계속 변함
        [rhythm] 주기의 네 배가 더 긺
        [ramp] 세지 않는 앞부분이 전체의 3분의 1보다 긺
       *[once] 잇따라 두 번 볼 때 그렇지 않았거나 앞뒤 절반이 더 많이 다름
    }
metric-point-whole = 이 드라이브가 어떻게 쓰는지 알려진 것이 너무 적어 { $seen }를 모두 측정함: 평균의 오차 ± { $reach }, 요구한 오차 ± { $within }
metric-point-ramp = 처음 { $ramp }는 세지 않음
metric-point-rhythm = { $known ->
        [longer] 주기 { $rhythm }가 보였고, 센 시간은 그 두 배보다 짧음
       *[shorter] 주기 { $rhythm }가 보임
    }
metric-point-drift = 변하는 중: 센 시간의 처음부터 끝까지 { $drift }
metric-ramp-included = 속도와 일관성에서 뺀 처음 { $ramp }도 포함
metric-interval-open-above = 구간의 위쪽 끝이 완료된 모든 I/O보다 위에 있어 구간 없음
metric-silence-gaps = 간격 { $gaps }개의 평균
metric-rse = 측정 { $runs }번 중 마지막 { $last }번의 RSE
metric-direct-first = 직접 쓰기가 먼저, 폴딩이 나중
metric-own-counters = 드라이브 자체의 계수
metric-by-sequential-speed = 이 실행의 순차 쓰기에 견준 속도로
metric-by-theory = 균일 쓰기가 보인 여유 공간에 대한 이론
metric-spare-of-uniform = 용량에 대한 비율, 균일 쓰기의 WAF로
metric-median-of-patterns = 패턴 { $count }개의 중앙값
metric-slower = 드라이브 전체에서는 읽기가 { $drop } 느림
metric-class-direct-then-fold = 빈 플래시가 다할 때까지 직접 쓰고 이후 캐시를 폴딩하는 속도로 씀
metric-class-fold-then-direct = 먼저 쓰면서 캐시를 폴딩하고 이후 직접 씀
metric-class-sawtooth = 캐시 일부가 폴딩될 때마다 캐시로 돌아감
metric-class-direct = 작은 캐시 뒤 끝까지 직접 씀
metric-class-whole-drive = 빈 플래시를 모두 캐시로 쓰고 이후 폴딩하는 속도로 씀
metric-class-cache-only = 캐시를 폴딩하는 속도로 캐시를 거쳐서만 씀
metric-class-teeth = 캐시의 속도가 한 회차에 { $teeth }번 돌아옴
metric-class-slower-first = 캐시 다음의 두 단계 중 느린 쪽이 먼저
metric-class-slower-last = 캐시 다음의 두 단계 중 느린 쪽이 나중
metric-class-large-cache = 한 단계가 이어지며, 캐시가 드라이브의 { $share }로, 직접 쓴 데이터와 함께 있을 수 있는 것보다 큼
metric-class-small-cache = 작은 캐시 뒤 한 단계 (회복 측정이 없으면 유형 F도 같아 보임)
metric-class-comes-back-faster = 유휴시간에 적어도 { $pace }로 회복, 캐시 이후 쓰는 속도보다 빠름
metric-class-comes-back-slower = 유휴시간에 적어도 { $pace }로 회복, 캐시 이후 쓰는 속도보다 빠르지 않음
metric-of-passes = { $note }; { $passes }회차, 상태는 첫 회차 이전
metric-at-cache-speed-after = 캐시 속도로 쓴 양, { $slower }를 느리게 쓴 뒤
metric-at-cache-speed-stalled = 속도가 떨어지기 전에 쓴 양, 그중 { $stalled }는 처음 멈춘 동안 씀: 그 안에서 끝난 캐시는 보이지 않음
metric-without-stall-first = 처음 멈춘 동안은 빼고
metric-without-stalls = 그 안에서 멈춘 { $count }번({ $lasted })은 빼고
metric-rse-below = { $of }, { $limit_percent } % 미만
metric-rse-not-below = { $of }, { $limit_percent } % 이상
metric-named-by-class = 유형 { $letter }: { $meaning }
metric-slower-common = 드라이브 전체에서는 읽기가 { $drop } 느림; 안에서는 링크나 컨트롤러가 한계라 첫 미스가 가려짐: 매핑 캐시가 { $hidden }만 덮을 수도 있음
metric-slower-unknown = 드라이브 전체에서는 읽기가 { $drop } 느림; 안에서 플래시가 아닌 것이 한계라면 매핑 캐시가 { $hidden }만 덮을 수도 있음
metric-slowest-of-runs = { $runs ->
        [1] 한 번의 측정
       *[other] 측정 { $runs }번 중 가장 느림
    }
metric-one-run = 한 번의 측정
metric-median-of-last = 측정 { $runs }번 중 마지막 { $last }번의 중앙값
metric-trimmed-mean = 측정 { $runs }번 중 최댓값과 최솟값을 뺀 평균
metric-best = { $runs }번 중 가장 좋은 값

# 측정값의 이름.

metric-label-iops = 초당 I/O
metric-label-bandwidth = 대역폭
metric-label-consistency = Consistency
metric-label-rse = RSE
metric-label-clat = 완료 지연시간 { $percent } %
metric-label-lat = 전체 지연시간 { $percent } %
metric-label-clat-mean = 평균 완료 지연시간
metric-label-lat-mean = 평균 전체 지연시간
metric-label-clat-max = 최대 완료 지연시간
metric-label-write-amplification = WAF
metric-label-waf-counted = 정상 상태 WAF
metric-label-waf-implied = 속도로 추정한 WAF
metric-label-waf-mixed = 데이터가 섞일 때의 WAF
metric-label-waf-separated = 데이터를 나눌 때의 WAF
metric-label-effective-spare = 실효 여유 공간
metric-label-separates = 뜨거운 데이터와 차가운 데이터의 분리
metric-label-separation = 섞음에서 나눔까지의 위치
metric-label-grade = 판정의 등급
metric-label-duration = 시간
metric-label-moved = 기록과 다른 위치에서 수행한 바이트
metric-label-cache-bytes = SLC 캐시
metric-label-cache-bandwidth = 캐시 안의 속도
metric-label-folding-bandwidth = 폴딩 중 속도
metric-label-direct-bandwidth = 캐시 이후 속도
metric-label-bandwidth-mean = 평균 속도
metric-label-bandwidth-p1 = 가장 느린 1 %의 구간
metric-label-latency-mean-over-time = 시간 평균 지연시간
metric-label-latency-mean-over-ios = I/O 평균 지연시간
metric-label-after-cache = 캐시 다음에 오는 것
metric-label-reach-bytes = 매핑 캐시의 범위
metric-label-bytes = 쓴 양
metric-label-delay = 회복 시작까지의 지연
metric-label-rate = 회복 속도
metric-label-criterion = 쓰기를 끝낸 것
metric-label-steady-at-bytes = { $by } 기준 Steady State까지 쓴 양
metric-label-steady-after = { $by } 기준 Steady State까지 시간
metric-label-first-at-bytes = 처음 만족할 때까지 쓴 양: { $by }
metric-label-steady-bandwidth = 끝날 때 속도
metric-label-steady-iops = Steady State 초당 I/O
metric-label-route = Steady State에 이른 길
metric-short-way = 한 번 채우기로 용량의 { $passed }, 이어 용량의 { $share }를 고른 속도로 씀: 더 느린 리듬이나 아직 새것인 용량 절반 이상의 여유 공간은 보이지 않음
metric-short-way-left = 한 번 채우기로 용량의 { $passed }를 썼으나 곧 속도가 고르지 않았음
metric-short-way-unproven = 한 번 채우기를 뺌: 퍼지한 상태를 확인할 수 없음
metric-label-flat-bytes = 같은 속도로 쓴 양
metric-label-drift = 속도 변화 추세
metric-label-measurement-apart = 측정값의 흩어짐
metric-label-fob-iops = FOB 초당 I/O
metric-label-transition-at-bytes = FOB 속도를 잃을 때까지 쓴 양
metric-label-steady-from-bytes = Steady State가 될 때까지 쓴 양
metric-label-jobs = 작업 수
metric-label-offered-iops = 제공한 속도
metric-label-response = 응답 지연시간 { $percent } %
metric-label-response-mean = 평균 응답 지연시간
metric-label-late = 제출 지연 { $percent } %
metric-label-unsubmitted = 제출되지 못한 수
metric-label-saturation-iops = 포화점
metric-label-iops-within = 응답의 { $percent } %가 한계 안에 드는 속도
metric-label-knee-iops = 무릎점
metric-label-knee-load = 포화점에 대한 무릎점의 비율
metric-label-pass = 통과
metric-label-write-floor = 쓰기 하한
metric-label-trim-floor = TRIM 하한
metric-label-bandwidth-min = 가장 느린 1초
metric-label-bandwidth-median = 매초 값의 중앙값
metric-label-time-below = 중앙값의 { $percent } % 미만인 시간
metric-label-flat = 평탄
metric-label-need-met = 필요한 속도 이상인 시간
metric-label-speed-retained = 쓴 날에 대한 속도
metric-label-bad-bytes = 쓴 것과 다른 바이트
metric-label-rank = 가중 평균, 순위 기준
metric-label-margin = 여유
metric-label-reads = 읽기: { $quantity }
metric-label-writes = 쓰기: { $quantity }
metric-label-silence = 측정점 사이 쉰 시간
metric-mean = 측정 { $runs }번의 평균
metric-mean-of-all = 모든 측정의 평균
metric-best-of-all = 모든 측정 중 가장 좋은 값
metric-label-energy = 에너지
metric-label-power-mean = 평균 전력
metric-label-energy-per-gib = GiB당 에너지
metric-label-iops-per-watt = 와트당 IOPS
metric-label-power-max-1s = 1초 평균 최대 전력
metric-label-power-max-100us = 100 µs 평균 최대 전력
metric-power-runs = { $runs }회 실행을 합한 값
metric-power-idle = I/O 없이 쉬는 동안; 어느 전력 상태였는지는 기록되지 않음

metric-label-rounds = 라운드 수
metric-label-window-range = 다섯 라운드의 폭
metric-label-window-excursion = 다섯 라운드의 최적 직선의 변화
metric-window-of-rounds = 라운드 { $first } ~ { $last }
metric-window-of-minutes = 반 시간 { $first } ~ { $last }의 마지막 1분
metric-mean-of-minutes = 마지막 반 시간 { $rounds }번의 마지막 1분의 평균
metric-mean-of-rounds = 마지막 라운드 { $rounds }회의 평균
metric-largest-of-rounds = 마지막 라운드 { $rounds }회 중 최댓값

metric-label-idle-gain = 유휴 시간에 따른 속도 변화
metric-label-recovery = 회복 시간
metric-first-stretch = 이전 평균 속도의 { $share }에 이른 첫 { $time }의 끝
metric-begin-of-round = 셀만큼 긴 라운드의 시작 부분
