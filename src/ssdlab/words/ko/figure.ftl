# 그래프: 제목, 설명, 축, 범례, 표.

# 여러 그래프가 함께 쓰는 말
figure-axis = { $what } ({ $unit })
figure-axis-log-unit = { $what } ({ $unit }, 로그 눈금)
figure-axis-log = { $what } (로그 눈금)
figure-log-scale = { $what }, 로그 눈금
figure-sentence = { $what }.
figure-range = { $low } ~ { $high }
figure-percent = { $percent } %
figure-drive = 드라이브
figure-drives = 드라이브 { $count }개
figure-runs-of-drives = 드라이브 { $drives }개의 측정 { $runs }회
figure-virtual-drive = 가상 드라이브
figure-virtual-drives = 가상 드라이브
figure-some-virtual = 그중 { $count }개는 가상
figure-drive-run = { $drive }, 측정 { $run }
figure-not-comparable = { $profile } 프로필: 비교 불가
figure-drive-state = 드라이브 상태: { $state }
figure-state-then = { $before }, 이후 { $state }
figure-state-fob = FOB
figure-state-filled-once = 한 번 채움
figure-state-filled-twice = 두 번 채움
figure-state-partly-filled = 일부 채움
figure-state-random-written = 두 번 채운 뒤 앞부분을 랜덤으로 씀
figure-state-preconditioned = Pre-Conditioning 완료
figure-state-steady = Steady State
figure-state-not-steady = Steady State 아님
figure-state-three-quarters-full = 75 % 채움
figure-state-as-found = 발견한 그대로
figure-state-region-in-order = 영역을 순차로 씀
figure-state-left-by-probes = 앞선 탐침이 남긴 그대로
figure-state-unknown = 알 수 없음
figure-checks-failed = { $value }, { $checks } 실패
figure-no-value = 값 없음: { $drives }.
figure-first-drives = 드라이브 { $count }개 중 앞의 { $shown }개만 그림.
figure-not-measured = 측정하지 않음
figure-not-drawn = 그리지 않음
figure-unknown = 알 수 없음
figure-none = 없음
figure-yes = 예
figure-no = 아니요
figure-random = 랜덤
figure-sequential = 순차
figure-random-first = 랜덤
figure-sequential-first = 순차
figure-patterned = { $pattern } { $what }
figure-pattern-io = { $pattern } I/O
figure-read = 읽기
figure-write = 쓰기
figure-trim = TRIM
figure-mix = { $reads }/{ $writes } 혼합
figure-blocks-of = { $block } { $mix }
figure-blocks-of-jobs = { $done }, 작업 { $jobs }개
figure-mix-at-depth = QD{ $depth } { $mix }
figure-done-at-depth = { $work } QD{ $depth } { $mix }
figure-work-at-qd1 = { $work } QD1
figure-io-at-qd1 = { $pattern } I/O QD1
figure-io = { $work } I/O
figure-reads = { $pattern } { $block } 읽기
figure-by-percentile = { $done }: 백분위수별 지연시간
figure-by-block-size = 블록 크기별 { $done }
figure-by-ratio = R/W Ratio별 { $work }
figure-speed-against-latency = { $work }: 속도와 지연시간
figure-writes = 쓰기
figure-fill = 드라이브 전체에 { $pattern } { $block } QD{ $depth } 쓰기
figure-fill-part = 드라이브의 앞 { $share }에 { $pattern } { $block } QD{ $depth } 쓰기
figure-queue-depth = QD
figure-column-queue-depth = 큐 깊이
figure-block-size = 블록 크기
figure-latency = 지연시간
figure-completion-latency = 완료 지연시간
figure-submission-latency = 제출 지연시간
figure-total-latency = 전체 지연시간
figure-mean-completion-latency = 평균 완료 지연시간
figure-write-latency = { $kind ->
    [clat] 쓰기 완료 지연시간
    [lat] 쓰기 전체 지연시간
   *[both] 쓰기 지연시간
 }
figure-bandwidth = 대역폭
figure-read-bandwidth = 읽기 대역폭
figure-write-bandwidth = 쓰기 대역폭
figure-write-speed = 쓰기 속도
figure-speed = 속도
figure-rate = 초당 I/O
figure-ratio = 비율
figure-percentile-of-ios = I/O의 백분위수
figure-too-few-above = 위의 I/O가 너무 적음
figure-too-few-not-drawn = 위에 I/O가 { $count }개보다 적은 백분위수는 그리지 않음.
figure-written-in-pass = 회차에서 쓴 양
figure-time-since-pass = 회차 시작부터의 시간
figure-time-since-first-pass = 1회차 시작부터의 시간
figure-time-since-log = 로그 시작부터의 시간
figure-rest = 휴식
figure-rests = 회색 선과 음영: I/O 없는 휴식.
figure-column-mean = 평균
figure-column-line = 선
figure-column-pass = 회차
figure-column-value = 값
figure-column-to = 상한
figure-column-unit = 단위
figure-column-workload = 워크로드
figure-column-time = 시간
figure-column-time-middle = 시간, 가운데
figure-column-written-middle = 쓴 양, 가운데
figure-column-slowest-window = 가장 느린 구간
figure-column-fastest-window = 가장 빠른 구간
figure-column-smallest-window = 가장 작은 구간
figure-column-largest-window = 가장 큰 구간
figure-column-slowest-io = 가장 느린 I/O
figure-column-ios-of = I/O
figure-column-reads = 읽기 { $percent } %
figure-column-interval = 95 % 신뢰구간
figure-column-interval-from = 95 % 하한
figure-table-points = 지점마다의 값
figure-table-depths = 모든 QD
figure-table-percentiles = 선마다 백분위수
figure-table-some-percentiles = 몇 백분위수의 지연시간
figure-table-slices = 시간을 최대 { $rows }조각으로
figure-table-rows-a-line = 모든 구간을 선마다 최대 { $rows }줄로 요약
figure-table-rows-a-drive = 모든 구간을 드라이브마다 최대 { $rows }줄로 요약
figure-table-rows-a-pass = 구간을 회차마다 최대 { $rows }줄로 요약
figure-table-windows = { $window } 구간 { $windows }개를 회차마다 최대 { $rows }줄로 요약
figure-every-window-of = 모든 { $window } 구간
figure-every-window = 모든 구간
figure-slices-of-a-pass = 회차를 { $slices }조각으로 나눠 조각마다 가장 느린 { $window } 구간과 가장 빠른 구간
figure-slices = { $slices }조각마다 가장 느린 구간과 가장 빠른 구간
figure-point-a-window = 점 하나가 { $window } 구간.
figure-band-whole = 선: 평균; 띠: 가장 느린 { $window } 구간부터 가장 빠른 구간까지, 빠짐없이.
figure-band = 선: 평균; 띠: 가장 느린 { $window } 구간부터 가장 빠른 구간까지.
figure-slowest-io-of-window = 구간마다 가장 느린 I/O
figure-mean-of-window = 구간마다 평균

# Fill Drive의 회차
figure-pass = { $number }회차
figure-pass-in-state = { $number }회차, { $state }
figure-over-bytes-title = 쓴 양에 따른 대역폭
figure-over-bytes-described = 선 그래프: 쓴 양에 따른 쓰기 대역폭, 드라이브 전체 { $passes }회
figure-plateaus = 점선: 단계별 속도; 원: SLC 캐시의 끝.
figure-level-cache-size = { $number }회차: 캐시 { $size }
figure-level-cache = { $number }회차: 캐시 { $size }, { $speed }
figure-level-cache-speed = { $speed }
figure-level-folding = { $number }회차: 폴딩 { $speed }
figure-level-direct = { $number }회차: 직접 쓰기 { $speed }
figure-cache-ends = { $number }회차: { $size } 뒤에 캐시가 끝남
figure-bandwidth-over-time-title = 시간에 따른 대역폭
figure-bandwidth-over-time-described = 선 그래프: 시간에 따른 쓰기 대역폭, 드라이브 전체 { $passes }회
figure-with-temperature = { $described }; 그 아래에 온도
figure-means = 점선: 회차 평균.
figure-passes-unnamed = 회차는 이름 없이 이어짐.
figure-pass-mean = { $number }회차: 평균
figure-pass-mean-of = { $number }회차: 평균 { $mean }
figure-fills-over-bytes-described = 선 그래프: 쓴 양에 따른 쓰기 대역폭, 드라이브 { $drives }개
figure-fills-over-time-described = 선 그래프: 시간에 따른 쓰기 대역폭, 드라이브 { $drives }개
figure-lines-of-windows = 선: 열마다 { $window } 구간의 평균.
figure-latency-distribution-title = 시간에 따른 쓰기 지연시간, 모든 I/O
figure-latency-over-time-title = 시간에 따른 지연시간
figure-latency-over-time-caption = { $done }; { $window } 구간마다 완료된 I/O의 평균 { $kind ->
    [clat] 완료 지연시간
    [lat] 전체 지연시간
   *[both] 지연시간
 }.
figure-latency-over-time-described = 선 그래프: 시간에 따른 쓰기 지연시간, 드라이브 전체 { $passes }회
figure-thin-slowest = 위의 가는 선: 구간마다 가장 느린 I/O.

# 온도
figure-temperature = 드라이브 온도
figure-temperature-throttled = 아래: 드라이브 온도; 호박색은 드라이브가 스스로 속도를 낮춘 때.
figure-temperature-below = 아래: 드라이브 온도.
figure-throttled = 스로틀링
figure-throttled-from = { $begin } ~ { $end } 스로틀링

# 히트맵과 시간에 따른 그래프
figure-heat-map = 히트맵: 시간에 따른 { $latency }, 색은 I/O 수
figure-cell-size = { $length } × { $percent } %
figure-ios-in-cell = 칸의 I/O 수
figure-against-time = 선 그래프: 시간에 따른 { $what }
figure-over-time = 시간에 따른 { $what }

# Active Range별 랜덤 읽기
figure-active-range-title = Active Range별 랜덤 읽기
figure-active-range = Active Range
figure-active-range-flat = 드라이브 안에서 떨어지지 않음: { $drives }.
figure-active-range-caption = 랜덤 { $block } QD{ $depth } 읽기; 범위마다 첫 바이트부터. 점선: 매핑 캐시의 범위, 음영: 95 % 신뢰구간. 그 너머에서는 매핑을 먼저 읽어야 함.
figure-active-range-described = 선 그래프: Active Range에 따른 랜덤 읽기 IOPS, 드라이브 { $drives }개
figure-inside-range = { $drive }, { $range } 안: { $value }
figure-cache-reaches = { $drive }: 매핑 캐시의 범위 { $reach }
figure-reach = { $size }까지
figure-table-ranges = 범위마다 랜덤 읽기

# 데스크톱 벤치마크 프로필
figure-desktop-title = 데스크톱 벤치마크 프로필
figure-desktop-how = fio로 실행, { $runs }번 중 가장 좋은 값.
figure-table-desktop = 프로필마다 가장 좋은 측정
figure-in-table-only = { $profiles }은 표에만 있음.
figure-sorted-by-read = { $profile } 읽기 순.
figure-profile-of = { $profile } { $direction }
figure-profiles-described = 막대 그래프: 프로필 { $profiles }개의 읽기와 쓰기 대역폭, 드라이브 { $drives }개

# 백분위수별 지연시간
figure-percentile-caption = 모든 측정의 모든 I/O의 { $kind ->
    [clat] 완료 지연시간
    [lat] 전체 지연시간
   *[both] 지연시간(범례의 lat은 제출 포함)
 }(최근접 순위); 백분위수 위에 I/O가 적어도 { $count }개.
figure-percentile-unequal = 드라이브마다 초당 I/O 수가 다르며 범례에 적음.
figure-percentile-described = 선 그래프: 백분위수에 따른 지연시간, 드라이브 { $drives }개
figure-percentile-point = { $drive } { $percent } %: { $value }
figure-tail-described = 선 그래프: { $latency }에 따른 I/O의 백분위수, 선 { $count }개
figure-tail-point = { $line }: { $latency } { $percent } %: { $value }
figure-tail-qd1-hint = 한 칸 위는 10배 드묾: 99.9에서는 I/O 1,000개 중 1개가 더 느림. 수직일수록 고르고 왼쪽일수록 빠름
figure-tail-qd1-caption = 읽기와 쓰기를 합한 모든 I/O의 { $kind ->
    [clat] 완료 지연시간
    [lat] 전체 지연시간
   *[both] 지연시간(범례의 lat은 제출 포함)
 }(최근접 순위); 위에 I/O가 { $count }개보다 적은 백분위수는 그리지 않음. 선마다 IOPS가 다르며 범례에 적음.

# 순위
figure-ratios-mixed = 혼합 비율
figure-ratios-all = 모든 비율
figure-ranking-share-title = R/W Ratio별 { $work }: 가중 평균
figure-ranking-share-axis = { $work } I/O의 가중 평균
figure-ranking-share-caption = { $over }에서 가중 곡선의 평균; 가중치 { $weights }.
figure-ranking-boot-title = 부트 드라이브: 모든 한계 안에서 초당 읽기
figure-ranking-boot-axis = 쓰기와 TRIM 중 랜덤 { $block } 읽기
figure-ranking-boot-caption = 지연시간 한계와 하한을 지키는 가장 많은 읽기 작업에서의 값. { $iops } 이상이면 통과. 어떤 수로도 지키지 못하면 값이 없음.
figure-ranking-fill-title = Fill Drive: 평균 속도
figure-ranking-fill-axis = { $passes ->
        [1] 회차
        [2] 두 회차
       *[other] { $passes }회
    } 평균 쓰기 대역폭
figure-ranking-fill-caption = { $passes ->
        [1] 회차
        [2] 두 회차
       *[other] { $passes }회
    }에 쓴 양을 휴식을 뺀 시간으로 나눔.
figure-ranking-slowest-title = Fill Drive: 가장 느린 1 %
figure-ranking-slowest-axis = 1회차에서 가장 느린 1 %의 쓰기 대역폭
figure-ranking-slowest-caption = 1회차 100 ms 구간의 99 %는 이보다 느리지 않음.
figure-ranking-sync-title = 동기 쓰기: { $work }
figure-ranking-sync-axis = { $work } QD{ $depth } 동기 쓰기
figure-ranking-sync-caption = 쓰기마다 비휘발성으로 저장되어야 완료로 셈. 사용 중인 소비자용 드라이브의 짧은 작업이며 Steady State가 아님.
figure-ranking-described = 막대 그래프: { $axis }, 드라이브 { $drives }개
figure-bar-intervals = 막대 끝의 선: 95 % 신뢰구간(보일 만큼 넓을 때).
figure-table-best-first = { $metric }, 좋은 순서

# R/W Ratio
figure-share-of-reads = 읽기 비율
figure-share-described-depths = 선 그래프: 읽기 비율에 따른 속도, QD { $depths }가지
figure-share-described-drives = 선 그래프: 읽기 비율에 따른 속도, 드라이브 { $drives }개
figure-share-point = { $drive }, QD{ $depth }, 읽기 { $percent } %: { $value }
figure-share-median = { $work }, 지점마다 측정의 중앙값.
figure-share-trimmed-mean = { $work }, 지점마다 가장 큰 값과 가장 작은 값을 뺀 측정의 평균.
figure-share-best = { $work }, 지점마다 가장 좋은 측정.
figure-ranking-share-unsettled = RSE: 포함된 지점의 마지막 세 번의 RSE 중 가장 큰 값, { $limit } % 이상일 때.
figure-share-hollow = 빈 점: 마지막 세 번의 RSE가 { $limit } % 이상.
figure-share-settled = 모든 지점에서 마지막 세 번의 RSE가 { $limit } % 미만.
figure-weighted-title = R/W Ratio별 { $work }, 가중
figure-weighted-caption = { $work }, 지점마다 { $weights }.
figure-weighted-hollow = 빈 표시: 포함된 지점의 마지막 세 번의 RSE가 여전히 { $limit } % 이상이며 가장 큰 값을 옆에 적음.
figure-weighted-io = 가중 { $work } I/O
figure-weighted-described = 선 그래프: 읽기 비율에 따른 가중 속도, 드라이브 { $drives }개
figure-weighted-point = { $drive }, 읽기 { $percent } %: { $value }
figure-table-weighted = 비율마다 가중값

# 휴식 중 회복된 SLC 캐시
figure-reclaim-title = 휴식 중 회복된 SLC 캐시
figure-reclaim-caption = 막대마다: Purge, 드라이브의 { $share } % 채움, 막대 아래에 적은 휴식, 이후 드라이브의 첫 바이트부터 { $seconds }초 동안 쓸 수 있던 양. 막대가 길어지면 캐시가 회복된 것.
figure-reclaim-described = 막대 그래프: 휴식 길이별로 이후에 쓴 양, 드라이브 { $drives }개
figure-written-in-seconds = { $seconds }초 동안 쓴 양
figure-rest-before = 쓰기 전 휴식
figure-after-rest = { $drive }, { $rest }초 휴식 뒤: { $value }
figure-column-after = { $rest }초 뒤
figure-table-reclaim = 휴식마다 이후에 쓴 양

# 블록 크기
figure-block-size-caption = 드라이브 전체에서 블록 크기 { $count }개, { $smallest } ~ { $largest }. 대역폭은 IOPS와 블록 크기의 곱: 한쪽이 평평한 곳에서 다른 쪽이 드라이브의 한계를 보임.
figure-block-size-described = 선 그래프: 블록 크기에 따른 대역폭과 IOPS, 선 { $lines }개

# 부트 드라이브의 읽기 작업
figure-boot-title = 부트 드라이브: 쓰기와 TRIM 중 제때 처리한 읽기 작업
figure-boot-caption = 모든 후보의 모든 측정; 선은 후보마다 마지막 측정을 지남. 빈 점: 한계를 넘음. 점선: 한계. 지연시간 한계와 쓰기, TRIM의 하한을 지키는 가장 많은 읽기 작업이 초당 읽기 { $iops }에 이르면 통과.
figure-boot-described = 선 그래프: 읽기 작업 수에 따른 초당 읽기와 지연시간, 선 { $lines }개
figure-boot-reads-within = 읽기의 { $percent } %
figure-boot-longest-read = 가장 긴 읽기
figure-boot-reads-a-second = 초당 읽기
figure-boot-none-found = 찾지 못함
figure-boot-found = 읽기 작업 { $readers }개: { $rate }
figure-boot-point = { $drive }, 읽기 작업 { $readers }개 ({ $run }), { $what }: { $value }
figure-boot-readers = 읽기 작업 수 (각 QD1)
figure-boot-limit = 한계
figure-boot-limit-of = { $what }의 한계: { $value }
figure-boot-limit-label = { $name }: { $value }
figure-boot-limit-rate = 초당 읽기 { $rate }
figure-boot-too-few = 위의 읽기가 너무 적음
figure-boot-column-run = 측정
figure-boot-column-readers = 읽기 작업
figure-boot-column-slowest-writes = 가장 느린 쓰기
figure-boot-column-slowest-trims = 가장 느린 TRIM
figure-boot-column-within-limits = 한계 안
figure-boot-table = 탐색한 순서대로 모든 측정
figure-load-title = 제공한 속도에 따른 응답 지연시간
figure-load-caption = I/O는 드라이브와 무관하게 { $arrivals } 도착하며, 지연시간은 도착 예정 시각부터 셈. 점선: I/O의 99.9 %에 대한 한계. 막대: 95 % 구간. 화살표 너머로 이어지는 구간의 양 끝은 점의 설명에 있음. 빈 점: 검사 실패. 가장 큰 한계의 세 배를 넘는 지연시간은 표에만 있음.
figure-load-poisson = 임의의 시각에
figure-load-constant = 같은 간격으로
figure-load-bursts = 버스트로(평균 2 ms 동안 평균 속도의 2.5배, 평균 6 ms 동안 절반)
figure-load-described = 선 그래프: 제공한 속도에 따른 응답 지연시간, 선 { $lines }개
figure-load-point = { $drive }, 제공 { $rate } IOPS, { $percent } %: { $value }
figure-load-interval = { $value }, 95 % 구간 { $low }~{ $high }
figure-load-rate = { $mix } { $rate }
figure-load-within = 99.9 %가 { $limit } 이내: { $rates }
figure-load-none-within = 99.9 %가 { $limit } 이내: 알 수 없음
figure-load-limit = { $percent } %의 한계: { $value }
figure-load-offered = 제공한 속도 (IOPS)
figure-response-latency = 응답 지연시간
figure-load-column-mix = 부하
figure-load-column-reached = 도달한 속도
figure-load-column-response = 응답, { $percent } %
figure-load-column-service = 서비스, { $percent } %
figure-load-unknown = 알 수 없음
figure-load-table = 제공한 모든 속도

figure-mixes-bandwidth-title = I/O 혼합별 대역폭
figure-mixes-bandwidth = 대역폭
figure-mixes-bandwidth-caption = 읽기와 쓰기를 합친 바이트. 혼합마다 I/O 평균 길이가 다르므로, 막대는 같은 혼합에서 드라이브끼리만 비교할 것.
figure-mixes-latency-title = I/O 혼합별 99 % 지연시간
figure-mixes-latency = 지연시간
figure-mixes-latency-caption = 읽기와 쓰기를 합친 모든 I/O의 99 %가 보낸 뒤 이 시간 안에 끝남. 짧을수록 좋음.
figure-mixes-described = 큐 깊이마다 하나씩의 막대 그래프: I/O 혼합 { $mixes }개, 드라이브 { $drives }개
figure-mixes-in-table = 표에만 있음: { $depths }.
figure-mixes-bar = { $drive }, { $mix }, QD{ $depth }: { $value }
figure-mixes-column = 혼합
figure-mixes-table = 모든 혼합과 큐 깊이

figure-waf-title = 쓰기 위치에 따른 WAF
figure-waf-caption = 마지막으로 쓴 한 용량 동안 호스트의 1바이트마다 플래시에 쓴 바이트. 이론은 균일 쓰기가 보인 여유 공간을 씀: 모든 데이터를 한 흐름으로 쓰는 경우와, 구역마다 따로 두고 여유 공간을 가장 좋게 나눈 경우. 아래 선에 가까운 드라이브는 뜨거운 데이터와 차가운 데이터를 나눔. 막대: 95 % 구간. 빈 점: 정상 상태가 아니거나 검사 실패.
figure-waf-described = 선 그래프: 치우침에 따른 WAF, 선 { $lines }개
figure-waf-point = { $name }, { $pattern }: { $value }
figure-waf-hot = 두 구역
figure-waf-cold = 일부는 쓰지 않음
figure-waf-zipf = zipf
figure-waf-axis-hot = 작은 구역에 쓴 비율 (%)
figure-waf-axis-cold = 쓰지 않은 블록 (%)
figure-waf-axis-zipf = 지수
figure-waf-axis = WAF
figure-waf-measured = 측정
figure-waf-mixed = 이론, 섞음
figure-waf-separated = 이론, 나눔
figure-waf-pattern-uniform = 균일
figure-waf-pattern-zipf = zipf { $exponent }
figure-waf-pattern-cold = 블록의 { $percent } %는 쓰지 않음
figure-waf-pattern-hot = 쓰기의 { $writes } %를 블록의 { $blocks } %에
figure-waf-column-pattern = 패턴
figure-waf-table = 모든 패턴

# Consistency
figure-consistency = Consistency
figure-consistency-title = 속도의 Consistency
figure-consistency-of-pattern = { $pattern } I/O: 속도의 Consistency
figure-consistency-described-workloads = 선 그래프: QD에 따른 속도의 Consistency, 워크로드 { $workloads }개
figure-consistency-described-drives = 선 그래프: QD에 따른 속도의 Consistency, 드라이브 { $drives }개
figure-consistency-meaning = Consistency: 100 ms 구간 중 가장 느린 0.1 %의 속도를 평균의 백분율로 나타냄; 100 %면 속도가 변하지 않음.
figure-consistency-random-one = QD1 랜덤 I/O는 백분위수별 지연시간 그래프에서 다룸.
figure-point-measured-for = 지점마다 { $length } 측정.
figure-column-drive-and-workload = 드라이브와 워크로드

# Steady State까지, 쓰기 포화
figure-time-since-begin = 쓰기 시작 후 시간
figure-series-over-time = { $work } 쓰기 QD{ $depth }: 안정 상태까지 시간에 따라
figure-series-beginning = { $work } 쓰기 QD{ $depth }: 처음 { $seconds } s
figure-series-described = 선 그래프: 시간에 따른 속도와 지연시간
figure-table-time-slices = 시간을 나눈 { $rows }개 구간의 평균
figure-written-multiples = 쓴 양 (용량의 배수)
figure-times = { $count }배
figure-unit-capacities = 용량의 배수
figure-random-writes = 랜덤 쓰기
figure-preconditioning-title = { $work } QD{ $depth } 쓰기, Steady State까지
figure-preconditioning-described = 선 그래프: 쓴 양에 따른 속도와 지연시간, 기준마다 Steady State로 본 곳에 표시
figure-stopped-before-steady = 용량의 { $written }를 쓰고 Steady State 전에 운영자가 멈춤
figure-not-steady-after = 용량의 { $written }를 쓰고도 Steady State 아님; 벤치마크는 여기서 끝남
figure-ended-by = 기준 { $criterion }에 따라 용량의 { $written }, { $took } 뒤에 끝남
figure-by-then-not = { $ending }; 그때 { $criteria } 기준으로는 아님
figure-verdicts = 기준마다 Steady State로 본 때: { $verdicts }.
figure-fired-after = { $criterion }: { $after } 뒤, { $took }
figure-fired-never = { $criterion }: 없음
figure-fired-too-early = { $criterion }: 써야 하는 { $least } 뒤에는 아님
figure-first-held = { $verdict } (처음 만족 { $at })
figure-fired-described = { $criterion }: 용량의 { $after } 뒤, { $bytes }, { $took }
figure-fired-and-ended = { $fired }, 이때 끝남
figure-ended-it = 이때 끝남
figure-stopped = 멈춤
figure-compared-caption = 드라이브 전체에 { $work } QD{ $depth } 쓰기; 선마다 쓰기가 끝난 곳에 기호. { $endings }.
figure-compared-described = 선 그래프: 쓴 양에 따른 속도, 드라이브 { $drives }개
figure-drive-ending = { $drive }: { $ending }
figure-wsat-title = 쓰기 포화: { $work } QD{ $depth } 쓰기
figure-wsat-described = 선 그래프: FOB부터 Steady State까지 쓴 양에 따른 IOPS와 지연시간
figure-wsat-caption = FOB부터 드라이브 전체에 { $work } QD{ $depth } 쓰기.
figure-wsat-transition = 전이 구간
figure-wsat-no-transition = 전이 구간 없음: 속도가 계속 떨어진 적 없음
figure-wsat-transition-from = { $at }부터 전이 구간
figure-wsat-steady-never = Steady State 없음
figure-wsat-steady-from = 용량의 { $at }부터 Steady State
figure-wsat-phases = 음영: 전이 구간. 점선: 단계별 속도 ({ $parts }).

# QoS
figure-qos-title = { $work }: QD별 지연시간
figure-qos-hint = 전체 I/O 중 그만큼이 그 시간 안에 끝남
figure-qos-line-a-percentile = 선마다 전체 I/O 완료 지연시간의 백분위수 하나, fio의 구간(0.8 %).
figure-qos-plot-a-percentile = 그래프마다 전체 I/O 완료 지연시간의 백분위수 하나, fio의 구간(0.8 %).
figure-qos-point = { $drive }, { $work }, QD{ $depth }: I/O의 { $percent } %가 { $value } 이내
figure-qos-described = 선 그래프: QD에 따른 완료 지연시간, 선 { $lines }개
figure-percent-of-ios = I/O의 { $percent } %

# 속도와 지연시간
figure-on-linear-axes = 선형 축으로 본 같은 그래프
figure-two-in-one-hint = 점마다 QD 하나; 오른쪽 아래일수록 좋음
figure-two-in-one-hint-left-out = 점마다 QD 하나; 오른쪽 아래일수록 좋음; 1 ms 이상인 점 { $count }개 제외
figure-two-in-one-caption = 선의 점은 QD이며 가장 얕은 것이 왼쪽 아래.
figure-two-in-one-left-out = 1 ms 이상이라 제외: { $total }개 중 { $count }개 ({ $points }).
figure-two-in-one-all-slow = { $total }개 점 중 1 ms 미만이 없어 모두 그림.
figure-two-in-one-none-left-out = { $total }개 점이 모두 1 ms 미만이라 제외 없음.
figure-two-in-one-described = 선 그래프: { $speed }에 따른 { $latency }, 점마다 QD 하나, 선 { $lines }개
figure-two-in-one-point = { $line }, QD{ $depth }: { $speed }, { $latency } { $value }
figure-shown = 그림
figure-left-out = 제외
figure-column-in-figure = 그림에

# 다른 프로그램의 결과
figure-unknown-drive = { $file }의 알 수 없는 드라이브
figure-drive-result = { $drive }, 결과 { $result }
figure-drive-full = { $drive }, { $percent } % 채움
figure-day-unknown = 날짜 모름
figure-level-empty = 0 % 채움
figure-level-three-quarters = 75 % 채움
figure-only-larger-shown = 0 %와 75 % 채웠을 때의 결과가 { $percent } % 이내로 다르면 큰 쪽만 표시.
figure-some-through-fio = 그중 { $count }개는 fio로
figure-not-measured-alike = 서로 다르게 측정함: { $methods }
figure-unknown-version = 버전 알 수 없음
figure-as-program-says = { $program }의 값: { $notes }.
figure-marked-through-fio = 표시한 것은 CrystalDiskMark가 아니라 ssdlab이 fio로 측정.
figure-program-profiles = { $program } 프로필
figure-table-program-profiles = { $program }의 프로필별 값
figure-drive-through-fio = { $drive } (fio로)
figure-drive-through-fio-run = { $drive } (fio로, { $run })
figure-threedmark-title = 3DMark Storage 점수
figure-threedmark-caption = 게임의 기록 일곱 개; 대역폭에 2^20을 곱해 접근 시간으로 나눈 값의 제곱근, 높을수록 좋음.
figure-score = 점수
figure-spec-title = SPECworkstation WPCstorage 비율
figure-spec-ratio = SPEC 기준 기기 대비
figure-spec-caption = 워크로드의 같은 무게 기하 평균, ssdlab이 계산; SPEC은 가중치를 둠.
figure-total-described = 막대 그래프: 드라이브 { $drives }개의 { $total }
figure-table-row-a-drive = 드라이브마다 한 줄
figure-table-row-a-workload = 워크로드와 드라이브마다 한 줄
figure-spec-workloads-title = 워크로드별 SPECworkstation WPCstorage 비율
figure-spec-workloads-described = 막대 그래프: 워크로드 { $workloads }개의 비율, 드라이브 { $drives }개
figure-spec-workloads-caption = 애플리케이션의 기록을 재생; 높을수록 좋음.

# 로그
figure-log-tail-title = 백분위수별 지연시간
figure-log-tail-hint = 한 칸 위는 10배 드묾: 99.9에서는 I/O 1,000개 중 1개가 더 느림
figure-log-tail-caption = 위에 I/O가 10개보다 적은 백분위수는 그리지 않음.
figure-log-every-one = I/O { $count }개, 하나하나 기록
figure-log-in-bins = I/O { $count }개, fio의 구간(0.8 %)으로 셈
figure-log-some-in-bins = I/O { $count }개, 하나하나 기록하거나 fio의 구간(0.8 %)으로 셈
figure-log-windows = { $files } · { $windows } 구간
figure-log-peaks = { $windows } · 지연시간: 평균, 가는 선은 구간마다 가장 느린 I/O
figure-log-heat-title = 시간에 따른 지연시간, 모든 I/O
figure-log-ios = I/O { $count }개
figure-files-and-more = { $file } 외 { $count }개

# 탐침
figure-not-identifiable = { $what }: 식별 불가: { $why }
figure-conclusion = { $what }: { $value }, 등급 { $grade }
figure-burst-title = 쓰기 버퍼: 유휴시간 뒤 받은 양
figure-burst-caption = 랜덤 16 KiB 쓰기, QD8.
figure-burst-intercept = 비우는 선이 버스트의 시작과 만나는 곳이 버퍼.
figure-burst-taken = 받은 양, 버스트 { $count }개의 중앙값
figure-burst-drain = 비우는 선, 절편부터
figure-burst-size-taken = { $size } 받음
figure-since-burst = 버스트 시작부터
figure-bytes-taken = 받은 양
figure-write-buffer = 쓰기 버퍼
figure-column-taken = 받은 양
figure-table-bursts = 모든 버스트의 중앙값
figure-pairs = 쌍
figure-pair-time = 쌍의 시간을 느린 페이지 하나의 시간으로 나눔
figure-collisions-title = 유닛: 동시에 읽은 쌍
figure-collisions-caption = 랜덤 페이지 쌍 { $pairs }개, 각각 되풀이한 값의 중앙값. 한 유닛의 두 페이지는 서로 기다림: 유닛 수만큼의 쌍 중 한 쌍.
figure-read-units = 독립된 읽기 유닛
figure-column-ratio-from = 비율 하한
figure-table-collisions = 쌍이 없는 칸은 뺌
figure-corner-random-read = 랜덤 읽기
figure-corner-sequential-read = 순차 읽기
figure-corner-sequential-write = 순차 쓰기
figure-corner-random-write = 랜덤 쓰기
figure-request-size = 요청 크기
figure-corners-title = 4-Corners: 요청 크기별 속도
figure-one-in-flight = QD1
figure-corners-caption = 크기마다 응답 시간의 중앙값. 같은 드라이브를 몇 달 간격으로 두 번 재면 노화를 알 수 있음.
figure-column-corner = 종류
figure-column-size = 크기
figure-table-corners = 중앙값
figure-ageing-title = 노화: 요청이 얼마나 더 걸리는가
figure-ageing-dates = { $drive } · { $first }, { $last }
figure-ageing-counts = 크기와 종류 { $count }개 중 { $slower }개가 확실히 5 % 이상 더, { $faster }개가 덜 걸림
figure-ageing-caption = 나중 측정과 앞선 측정의 응답 시간 중앙값의 비; 1이면 변화 없음.
figure-ageing-ratio = 나중 시간 / 앞선 시간
figure-column-earlier = 앞선 시간
figure-column-later = 나중 시간
figure-column-surely = 확실히 5 %
figure-table-ageing = 두 측정의 중앙값
figure-probe-refused = { $probe }: { $why }
figure-portrait-title = 드라이브의 초상
figure-portrait-known = 답 { $count }개 중 { $known }개를 믿을 수 있음: A와 B · C는 짐작 · ? 식별 불가 · 주장: 드라이브의 말
figure-portrait-caption = 데이터로 알 수 없는 것에는 이유를 적음; ≠는 드라이브가 자신에 대해 달리 말하는 것.
figure-portrait-not-done = 하지 않음: { $refused }.
figure-drive-says = 드라이브의 말: { $value } ({ $claim })
figure-grade-said = 주장
figure-grade-none = 식별 불가
figure-grade-claimed = 주장
figure-column-answer = 답
figure-column-grade = 등급
figure-column-drive-says = 드라이브의 다른 말
figure-column-note = 비고
figure-table-portrait = 답마다 한 줄; 식별할 수 없으면 값 자리에 이유
figure-ranges-first = 첫 바이트부터의 범위
figure-ranges-last = 마지막 바이트까지의 범위
figure-thousand-reads = 초당 읽기 (천)
figure-reach-title = 매핑 캐시의 범위: 범위별 랜덤 읽기
figure-reach-of = 범위
figure-reach-caption = 랜덤 4 KiB QD256 읽기, 같은 만큼 먼저 읽은 것은 세지 않음.
figure-shaded-interval = 음영: 95 % 신뢰구간.
figure-range-size = 범위 크기
figure-column-range = 범위
figure-column-from-first = 첫 바이트부터
figure-column-to-last = 마지막 바이트까지
figure-table-reach = 한 줄이 양쪽 끝의 범위 하나씩
figure-begin-inside-block = { $size } 블록 안에서 쓰기가 시작하는 곳
figure-begin-inside-chunk = 덩어리 안에서 쓰기가 시작하는 곳
figure-shift-title = 시프트 쓰기: 시작 위치별 쓰기 시간
figure-shift-caption = 점마다 오프셋 하나: 모든 덩어리의 중앙값을 같은 쓰기 크기의 중앙값으로 나눔.
figure-shift-folded = 모든 오프셋을 블록 하나에 겹침; 블록을 일부만 덮는 쓰기는 복사를 일으킴.
figure-shift-arm = { $size } 쓰기, { $step }씩 옮김
figure-management-block = 관리 블록
figure-relative-time = 시간, 중앙값 대비
figure-unit-relative = 상대값
figure-column-writes = 쓰기
figure-column-begin = 블록 안의 시작
figure-table-shift = 그곳에서 시작하는 모든 오프셋의 중앙값; 큰 블록은 여러 곳 중 하나만 보임
figure-middle-of = { $count }의 가운데
figure-reads-count = 읽기 { $count }개
figure-reads-range = 읽기 { $least } ~ { $most }개
figure-fitted-law = 맞춘 식
figure-placement-page = 페이지 { $value }
figure-placement-channels = 채널 { $value }
figure-placement-kind = 배치 { $value }
figure-staircase-title = 배치: 크기별 읽기 시간
figure-staircase-caption = MiB 단위의 새 위치를 하나씩 읽음.
figure-staircase-law = 선은 논문의 식 (1)과 (2), 온전한 스트라이프와 일부 스트라이프.
figure-unit-of = 단위
figure-read-time = 읽기 시간
figure-read-size = 읽기 크기
figure-column-read = 읽기
figure-column-middle = 가운데
figure-table-staircase = 한 줄이 { $count }

# 지속 쓰기
figure-passes-title = 쓴 양에 따른 회차별 속도
figure-passes-described = 선 그래프: 쓴 양에 따른 쓰기 속도, { $passes }회를 겹침
figure-point-a-second = 점 하나가 1초, 범례는 회차 평균.
figure-point-each = 점 하나가 { $length }, 범례는 회차 평균.
figure-passes-named = { $count }회 중 첫 회차, 가장 느린 회차, 마지막 회차에 이름이 있음; 가는 선: { $which }; 회색: 전체 범위.
figure-passes-others = 나머지
figure-passes-picked = 나머지 중 고르게 고른 { $count }회
figure-passes-not-drawn = 합계만 남은 { $count }회는 그리지 않음.
figure-pass-first = 첫 회차
figure-pass-slowest = 가장 느림
figure-pass-last = 마지막
figure-pass-speed = { $number }회차: { $speed }
figure-pass-ranked-speed = { $number }회차, { $rank }: { $speed }
figure-all-passes = 모든 회차
figure-speed-needed = 필요: { $speed }
figure-pass-falls = { $number }회차는 { $after } 이후에 떨어짐
figure-table-passes = 온전히 남긴 회차마다 한 줄; 매초 값, 몇 초뿐인 회차는 구간 값
figure-column-slowest-second = 가장 느린 1초
figure-column-fastest-second = 가장 빠른 1초
figure-column-verdict = 판정
figure-every-second = 이 회차들의 매초
figure-bad-title = 데이터가 잘못 읽힌 위치
figure-bad-caption = 막대 하나가 바이트 구간 하나이며 폭은 두 픽셀 이상; 구간이 적으면 종류별 기호를 함께 그림.
figure-bad-outlined = 테두리: 다른 곳에서 나온 데이터의 제자리.
figure-bad-latest = 판독의 종류 { $count }가지 중 최근 { $shown }가지만 그림.
figure-bad-kept = 판독 한 번에 앞의 구간 { $count }개를 남김.
figure-bad-described = 드라이브 지도: 잘못된 데이터의 종류 { $kinds }가지를 한 줄씩
figure-bad-place = 드라이브의 위치
figure-bad-found = 읽힌 것
figure-bad-range = 구간 1개, { $length }
figure-bad-ranges = 구간 { $count }개, { $length }
figure-bad-of-reading = { $kind }, 읽기 { $reading }
figure-bad-of-pass = { $number }회차의 데이터
figure-bad-elsewhere = 다른 위치
figure-bad-corrupted = 손상
figure-bad-stale = 이전 데이터
figure-bad-zero = 0
figure-bad-foreign = 모르는 데이터
figure-bad-unreadable = 읽을 수 없음
figure-bad-table = 바이트 구간마다 한 줄, 전체는 단계의 `{ $file }`에 있음
figure-bad-table-first = 바이트 구간마다 한 줄; { $count }개 중 앞의 { $shown }개, 전체는 단계의 `{ $file }`에 있음
figure-bad-column-reading = 읽기
figure-bad-column-found = 읽힌 것
figure-bad-column-begins = 시작
figure-bad-column-length = 길이
figure-bad-column-belongs = 제자리
figure-bad-column-more = 비고
figure-no-percentile = I/O가 열 개를 넘는 로그가 없어 그릴 백분위수가 없음
figure-too-many-lines = 선 { $count }개는 구별할 수 없음
figure-hint-fewer-logs = 선이 최대 { $most }개가 되게 로그를 지정할 것
figure-logs-short = 로그가 너무 짧음: 온전한 시간 구간이 없고 0보다 큰 지연시간도 없음
figure-logs-empty = 로그가 비어 있음

figure-mean-latency = 평균 지연 시간
figure-cell = { $block } { $mix }
figure-rounds-title = Steady State까지 라운드별 { $pattern } I/O
figure-rounds-steady = 라운드 { $first } ~ { $last }에서 Steady State: 추적한 각 셀의 폭이 평균의 { $spread } 이내이고, 최적 직선의 변화가 그 { $excursion } 이내.
figure-rounds-not-steady = Steady State 아님: 마지막 라운드 { $first } ~ { $last }에서 추적한 셀의 폭이 평균의 { $spread }를 넘거나 최적 직선의 변화가 그 { $excursion }를 넘음.
figure-rounds-too-few = 완료된 라운드 { $rounds }회로는 Steady State 여부를 알 수 없음.
figure-rounds-described = 선 그래프: 라운드에 따른 추적값, 선 { $lines }개
figure-round = 라운드
figure-round-point = { $cell }, 라운드 { $round }: { $value }
figure-column-cell = 셀
figure-column-rounds = 라운드
figure-column-average = 평균
figure-column-window-range-allowed = 허용 폭
figure-column-window-range = 폭
figure-column-excursion-allowed = 허용 변화
figure-column-excursion = 변화
figure-column-best-line = 라운드 R의 최적 직선
figure-table-window = 측정 구간
figure-half-hours-title = Steady State까지 라운드별 QD{ $depth } { $work } 쓰기
figure-half-hours-caption = 라운드는 쓰기 { $round }이고, 그 값은 마지막 { $sample }의 평균.
figure-half-hours-coarse = 쓰기를 끝낸 fio의 상태 줄은 라운드 { $first } ~ { $last }에서 고르지만, fio가 남긴 구간은 그렇지 않음.
figure-response-caption = I/O { $ios }개의 완료 지연(0.8 % 구간): 평균 { $mean }, 최장 { $longest }. 선은 더 느린 I/O가 { $count }개 미만인 곳에서 끝남.
figure-cells-title = 블록 크기와 읽기 비율별 { $pattern } I/O
figure-cells-caption = 마지막 라운드 { $rounds }회의 평균, 작업 { $jobs }개, QD{ $depth }. 막대는 그 평균의 95 % 구간.
figure-cells-described = 선 그래프: 블록 크기에 따른 추적값, 읽기 비율 { $lines }개
figure-table-cells = 읽기와 쓰기 비율별 측정 구간의 평균

figure-idle-title = 유휴 시간을 둔 { $work } QD{ $depth } 쓰기와 쉬지 않는 쓰기
figure-idle-clock-title = 대기 시간을 늘려 가며 한 { $work } QD{ $depth } 쓰기, 실행 순서대로
figure-idle-time-of-writing = 대기를 뺀 쓰기 시간
figure-idle-clock = 첫 쓰기부터의 시간(대기 포함)
figure-idle-wait = 유휴 { $seconds }초
figure-idle-caption = 대기 시간마다 { $time }짜리 쓰기 { $bursts }번, 매번 드라이브를 쉬게 하고 쓰기 하나가 표본 하나. 그 뒤 쉬지 않고 씀. 쓰기의 속도는 앞에 대기가 없는 첫 번째를 뺀 것이고, 쉬지 않는 속도는 마지막 3분의 1의 평균.
figure-idle-column-wait = 대기
figure-idle-column-bursts = 대기를 둔 쓰기
figure-idle-column-baseline = 쉬지 않는 쓰기
figure-idle-column-gain = 변화
figure-idle-table = 대기를 둔 쓰기와 쉬지 않는 쓰기
figure-idle-beside-title = { $work } QD{ $depth } 쓰기: 유휴 시간 뒤의 속도
figure-idle-beside-wait = 쓰기마다 앞에 둔 유휴 시간
figure-idle-beside-speed = 쉬지 않는 쓰기 대비 속도
figure-idle-beside-whole = 쉬지 않는 쓰기
figure-idle-beside-point = { $drive }, { $wait }: { $value }
figure-idle-beside-caption = 대기 시간마다 그 뒤에 한 쓰기의 속도를, 쉬지 않고 한 같은 쓰기의 속도에 대한 백분율로 나타냄. 100 %를 넘는 만큼이 유휴 시간이 돌려주는 것. 다음 작업의 시작 때문에 길어진 대기는 측정한 길이로 나타냄.
figure-idle-beside-described = 선 그래프: 유휴 시간의 길이에 따른 쓰기 속도, 드라이브 { $lines }개
figure-stimulus-beside-said = { $drive }: { $said }
figure-stimulus-title = 한 종류의 쓰기, 다른 종류, 다시 처음의 쓰기
figure-stimulus-before = { $work }, 처음
figure-stimulus-after = { $work }, 다시
figure-stimulus-recovered = 다른 쓰기가 끝나고 { $after } 뒤에 처음 평균의 95 %에 이름.
figure-stimulus-not-recovered = 회복되지 않음: { $why }.

figure-demand-work = { $work } { $mix }
figure-demand-title = { $work }: 속도에 따른 응답 시간
figure-demand-caption = 선은 작업 수, 기호는 큐 깊이: 마지막 라운드 { $rounds }회의 평균. MAX는 평균이 { $limit }보다 짧은 가장 높은 속도, MIN은 가장 적은 요구, MID는 역시 이를 지키면서 둘의 중간에 가장 가까운 점. 다른 곳에 적힌 세 점의 값은 뒤에 한 번 더 측정한 것.
figure-demand-beside-caption = 선은 드라이브: 모든 작업 수와 큐 깊이 가운데 다른 것이 능가하지 못하는 것, 마지막 라운드 { $rounds }회의 평균. 나머지는 그만큼 빨리 응답하는 다른 것보다 속도가 낮음.
figure-demand-beside-described = 선 그래프: 속도에 따른 평균 응답 시간, 드라이브 { $lines }개
figure-demand-beside-point = { $drive }, { $told }
figure-demand-beside-depth = 큐 깊이
figure-demand-described = 선이 있는 산점도: 속도에 따른 평균 응답 시간, 작업 수 { $lines }가지
figure-demand-limit = MAX가 지키는 평균 응답 시간 { $value }
figure-demand-jobs = 작업 { $jobs }개
figure-demand-point = 작업 { $jobs }개, QD{ $depth }: { $rate }, { $latency }
figure-demand-column-jobs = 작업 수
figure-demand-column-depth = QD{ $depth }, IOPS / µs
figure-demand-table = 작업 수와 큐 깊이별 속도와 평균 응답 시간
figure-demand-variation-title = { $work }: 작업 수와 큐 깊이별 속도
figure-demand-variation-caption = 마지막 라운드 { $rounds }회의 평균과 95 % 구간, 선은 큐 깊이.
figure-demand-variation-described = 선 그래프: 작업 수에 따른 속도, 큐 깊이 { $lines }가지
figure-demand-response-title = { $work }: 동작점별 백분위수 지연 시간
figure-demand-response-caption = I/O { $ios }개의 완료 지연(0.8 % 구간). 각 점은 같은 수의 쓰기를 먼저 한 뒤에 측정함. 선은 더 느린 I/O가 { $count }개 미만인 곳에서 끝남.
figure-demand-operating = { $name }: 작업 { $jobs }개, QD{ $depth }
figure-demand-rounds-title = { $work }: Steady State까지의 라운드
figure-demand-saturation = 먼저 한 쓰기
figure-demand-tracked = 작업 { $jobs }개, QD{ $depth }
figure-stimulus-beginning = 처음의 쓰기와 다른 쓰기 뒤의 같은 쓰기
