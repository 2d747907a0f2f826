# 감사에서 찾은 것, 그것이 숫자에 뜻하는 것, 할 일.

## 여러 감사 항목의 결과

audit-together = { $findings }
audit-meaning-unknown = 확인할 수 없음
audit-of-direction =
    { $direction ->
        [read] 읽기: { $finding }
        [write] 쓰기: { $finding }
       *[trim] TRIM: { $finding }
    }
audit-first-of-several = { $step }: { $finding }; 나머지도 같음
audit-steps =
    { $left ->
        [0] { $steps }
       *[other] { $steps } 외 { $left }개
    }
audit-no-io = I/O가 없었음
audit-no-latency = 지연시간을 재지 않음
audit-virtual = 가상 시간: { $why }
audit-virtual-no-data = 가상 시간: 데이터를 쓰지 않음
audit-virtual-no-device = 가상 시간: 장치가 없음
audit-virtual-no-processor = 가상 시간: 프로세서가 쓰이지 않음
audit-virtual-no-host-memory = 가상 시간: 호스트 메모리가 쓰이지 않음
audit-virtual-no-host = 가상 시간: 호스트가 쓰이지 않음
audit-ioengine = ioengine={ $ioengine }: { $why }
audit-no-block-device = ioengine={ $ioengine }: 이 호스트의 블록 장치가 쓰이지 않음

## 양

audit-logged = 로그 { $logged }, 전체 { $total } ({ $share })
audit-logged-but-last-window = { $compared }, 마지막 구간에 최대 { $unlogged }
audit-last-window-unknown = 마지막 구간에 얼마나 들어갈 수 있는지 알 수 없음: { $why }
audit-only-logged-windows = fio 로그의 구간뿐임
audit-in-windows = 구간 { $windows }, 전체 { $total } ({ $share })
audit-totals = I/O { $ios }, { $total }
audit-totals-of-blocks = { $totals }, 블록 { $block }
audit-mean-length = I/O 평균 길이 { $length }
audit-bandwidth-differs = fio의 출력 { $printed }, 바이트를 시간으로 나누면 { $computed }
audit-iops-differ = { $iops } IOPS로는 I/O { $ios }개가 되지 않음
audit-errors = 오류 { $count }개
audit-short = I/O { $ios }개 중 { $short }개가 짧음
audit-writes-nothing = 작업이 쓰지 않음
audit-contents-fresh = 쓰기마다 새 랜덤 데이터
audit-contents-scrambled = 버퍼 하나를 조금 섞음
audit-contents-repeated = 버퍼 하나를 거듭 씀
audit-contents-constant = 0이나 한 패턴
audit-contents-shaped = 정한 비율만큼 압축되거나 되풀이되는 데이터
audit-buffers-unsaid = 값 없는 `refill_buffers`와 `zero_buffers`는 JSON에 나타나지 않음

## 커널과 드라이브가 알리는 것

audit-device-ios = 센 I/O { $ios }개, { $device } { $kernel_ios }개
audit-device-moved = 센 양 { $moved }, { $device } { $kernel }
audit-neither-read-nor-written = 읽지도 쓰지도 않음
audit-other-io = { $device }: 작업의 { $job } 외에 { $other } 전송
audit-other-io-but-ramp = { $other_io }, 램프의 것은 세지 않음
audit-temperatures = { $low } ~ { $high } °C
audit-throttled = 스로틀링 { $seconds }초
audit-link-changed = { $before }, 이후 { $after }
audit-new-entries = 새 기록 { $count }개
audit-no-kernel-line = 드라이브를 말하는 줄 없음
audit-kernel-lines =
    { $more ->
        [0] { $line }
       *[other] { $line } 외 { $more }개
    }
audit-no-sensor = fio는 센서를 읽지 않음
audit-never-told = 알린 적 없음

## 호스트

audit-processor = fio가 코어 하나의 { $busy } %를 씀 (작업: { $jobs }), 호스트의 코어 { $cores }개
audit-processor-of-thread = 부하 엔진(모든 작업을 스레드 하나로)이 코어 하나의 { $busy } %를 씀
audit-processor-of-unknown = fio가 코어 하나의 { $busy } %를 씀 (작업: { $jobs }), 호스트의 코어 수는 알 수 없음
audit-no-processor-time = 엔진이 프로세서 시간을 알리지 않음
audit-cores-unsaid = 호스트가 코어 수를 알리지 않음
audit-direct = direct={ $direct }, ioengine={ $ioengine }
audit-direct-with-flushes = direct={ $direct }, ioengine={ $ioengine }, 플러시 있음
audit-no-page-cache = ioengine={ $ioengine }은 페이지 캐시를 거치지 않음
audit-no-windows = 구간이 없음
audit-windows = { $length } 구간 { $count }개, 두 배 넘게 긴 것 { $long }개
audit-long-windows = { $windows } (가장 긴 것 { $longest }, 합계 { $total })
audit-windows-overlap = 구간이 겹침
audit-end-missing = 마지막 { $missing }이 없음
audit-windows-empty = { $count }개는 길이가 없음: fio가 같은 시각을 두 번 씀
audit-clocks = 작업 { $job }, 단계 { $step }
audit-clock-unrecorded = 측정의 시계가 기록되지 않음
audit-no-standstill = 측정이 내내 이어짐
audit-standstills-unsaid = 결과에 측정이 멈췄는지 나오지 않음
audit-host-unsaid = 결과에 호스트 설정이 없음
audit-settings = { $settings }
audit-setting = { $knob } { $after }
audit-setting-unknown = 알 수 없음
audit-setting-because = { $setting } ({ $why })
audit-nothing-to-set = 커널이 설정할 것을 내놓지 않음
audit-power-saving-off = off
audit-power-saving-states = 링크가 { $states }에 들 수 있음

## fio

audit-virtual-no-fio = { $engine }: 가상 시간, fio 아님
audit-own-writer = { $engine }: ssdlab 자체의 쓰기, fio 아님
audit-own-load = { $engine }: ssdlab 자체의 엔진, fio 아님
audit-engine-unknown = 엔진 `{ $engine }`을 알 수 없음
audit-fio-maybe-polling = fio { $version }; JSON에는 없는 `sqthread_poll`처럼 제출 지연시간을 재지 않음
audit-fio-and-polling = fio { $version }, sqthread_poll { $polled }
audit-flag-on = on
audit-flag-off = off
audit-flag-unsaid = 알 수 없음
audit-no-steady-state-asked = fio에 Steady State를 찾으라고 하지 않음
audit-steady-window = { $outcome }, 표본 { $samples }개 구간
audit-steady-window-of-fio = { $claim }, fio { $version }
audit-attained = 도달
audit-not-attained = 도달하지 못함
audit-no-window = JSON에 구간이 없음
audit-no-hipri = 옵션에 `hipri`가 없음
audit-hipri-and-flushes = `hipri`와 플러시: 폴링 큐가 거부하고 fio가 버림
audit-queues-to-poll = 장치에 폴링 큐가 있음: 실행 중 `queue/io_poll` { $io_poll }
audit-queues-to-poll-unknown = `hipri`를 요청함; 장치에 폴링 큐가 있는지 기록되지 않음
audit-no-group-rates = fio의 `bw_min`, `iops_stddev` 같은 값은 쓰지 않음
audit-jobs-of-entry-unknown = 항목 하나에 작업이 몇 개인지 알 수 없음
audit-one-job-an-entry = JSON의 항목마다 작업이 하나임
audit-group-rates = 항목 하나에 작업 { $jobs }개: `bw_min`, `bw_max`, `bw_dev`, `iops_min`, `iops_max`, `iops_stddev`는 합계
audit-none-dropped = 없음
audit-dropped = { $option }: { $why }
audit-no-plan = fio의 옵션과 대조할 계획이 없음
audit-not-as-asked = { $option }: 요청 { $asked }, 실행 { $done }
audit-option-unknown = 알 수 없음 ({ $why })
audit-option-absent = 없음
audit-several-block-sizes = 여러 블록 크기
audit-order-unknown = 알 수 없는 순서
audit-load = { $block }, QD { $queue_depth }, { $order }
audit-no-method = 약속된 방법이 없음
audit-plan-unknown = 계획을 알 수 없음
audit-json-unsaid = fio의 JSON에 없음
audit-no-json = fio의 JSON이 없음
audit-no-options = JSON에 작업의 옵션이 없음
audit-jobs-unsaid = JSON에 작업 수가 없음
audit-rates-of-jobs = 작업마다 속도가 따로 있음
audit-no-bins-of = JSON에 { $kind } 구간이 없음
audit-device-shared = 여러 작업이 장치를 함께 쓰며 fio는 합쳐서 셈
audit-too-short-for-counters = 작업이 짧아 fio가 커널의 계수를 보지 못함
audit-device-last-look = fio가 끝나기 1/4초 전에 마지막으로 커널의 계수를 보았을 수 있음: { $finding }
audit-merged-jobs = 한 항목의 작업 수는 { $jobs }로 되어 있으나 작업 { $behind }개의 시간이 들어 있음: 서로 다를 수 있는 작업이 하나로 보고됨
audit-no-single-device = fio가 블록 장치 하나를 세지 않음
audit-kernel-ios-only = 이 fio는 커널의 바이트가 아니라 I/O 수를 냄
audit-no-submission-latency = fio가 제출 지연시간을 재지 않음
audit-no-bins-of-submission = fio가 그 구간을 남기지 않음
audit-no-rates-in-bytes = 이 fio는 바이트 속도를 내지 않음
audit-no-job-runtime = 이 fio는 작업 시간을 내지 않음
audit-no-time-of-jobs = 이 fio는 작업마다의 시간을 내지 않음
audit-one-job = 작업이 하나임
audit-no-size = JSON에 `size`가 없음
audit-logs-without-bytes = 받은 로그는 바이트를 세지 않음
audit-direction-not-logged = 로그에 이 방향의 줄이 없음
audit-no-logs = 받은 로그가 없음
audit-histogram-windows = 히스토그램 로그에는 자체 구간이 있음

## 지연시간

audit-none-measured = fio가 재지 않음
audit-measured = { $kinds }
audit-clat-or-lat-only = 엔진이 clat과 lat 중 하나만 알림
audit-mean-clat-and-lat = 평균 clat { $clat }, 평균 lat { $lat }
audit-median-clat-and-lat = clat 중앙값 { $clat }, lat 중앙값 { $lat }
audit-latency-parts = 평균 slat { $slat } + clat { $clat }, lat { $lat }
audit-too-few-for-median = 중앙값을 내기에 I/O가 너무 적음
audit-no-median = fio가 { $kind }의 중앙값을 내지 않음 (`{ $kind }_percentiles=1`)
audit-no-percentile = fio가 백분위수 { $percent }을 내지 않음
audit-latency-range = { $kind } { $low } ~ { $high }
audit-mean-outside = { $kind }의 평균 { $mean }이 범위 밖
audit-percentiles-fall = { $kind }의 백분위수가 커지지 않음
audit-percentile-above-largest = { $kind }의 백분위수 { $percentile }가 최댓값보다 큼
audit-in-bins = { $kind } 구간에 I/O { $ios }개 중 { $total }개
audit-largest-not-in-bin = 최댓값 { $largest }이 마지막 구간에 없음
audit-no-bins-in-json = JSON에 지연시간 구간이 없음
audit-beyond-bins = 그중 { $count }개가 마지막 구간인 { $seconds }초보다 김
audit-no-percentile-of-ramp = 램프의 백분위수는 내지 않음
audit-too-few-ios = I/O { $ios }개: 중앙값에도 너무 적음
audit-highest-percentile = I/O { $ios }: { $highest } %까지의 백분위수 위에 표본 10개
audit-no-latency-beside-replies = 응답과 대조할 지연시간을 재지 않음
audit-replies-late = 응답이 평균 { $late } 늦음, 지연시간의 { $share }
audit-replies-late-tail = 99 % 백분위수에서 { $late }, 그 백분위수의 { $share }

## 부하

audit-nothing-waited = 작업에 시간이 걸리지 않아 대기가 없음
audit-nothing-over-time = 작업에 시간이 걸리지 않아 시간에 따른 모습이 없음
audit-no-time = 작업에 시간이 걸리지 않음
audit-no-lat-or-runtime = 엔진이 전체 지연시간이나 실행 시간을 알리지 않음
audit-in-flight = 요청 QD { $asked }, IOPS x 평균 지연시간 = { $in_flight }
audit-arrivals = I/O가 들어오는 방식: { $arrivals }
audit-arrivals-closed-loop = 하나가 끝나는 대로
audit-arrivals-even = 고른 간격, 하나가 늦으면 뒤도 늦음
audit-arrivals-poisson = 푸아송 과정, 늦은 것과 무관
audit-arrivals-constant = 고른 간격, 늦은 것과 무관
audit-arrivals-bursts = 몰림과 뜸함이 번갈아 오는 푸아송 과정, 늦은 것과 무관
audit-arrivals-recorded = 트레이스에 기록된 대로
audit-arrivals-thinking = 작업이 정한 쉼 뒤
audit-null-takes-no-time = ioengine=null은 시간이 걸리지 않음
audit-flushed = 쓰기의 플러시: { $flushes }
audit-flushes-none = 하지 않음
audit-flushes-with-writes = 쓰기마다
audit-flushes-between = 쓰기 사이, 쓰기 지연시간에 들지 않는 시간에
audit-no-amount = TRIM만 함
audit-fill-covers = 채우기는 덮은 범위로 판단함
audit-ended-by-fio = fio가 자체 Steady State에서 작업을 끝냄
audit-ended-by-criterion = 기준 `{ $criterion }`로 끝낼 작업이며 그렇게 끝남
audit-ended-by-short-way = { $ended }, 짧은 길로
audit-ended-by-long-way = { $ended }, 짧은 길에서 이어진 긴 길로
audit-ended-by-operator = 벤치마크가 허용하는 대로 사용자가 작업을 끝냄
audit-lasted = { $lasted } 걸림
audit-lasted-of = { $asked } 중 { $lasted }
audit-share-of-amount = { $lasted }, 정해진 양의 { $share }
audit-amount-unknown = 정해진 양을 알 수 없음: { $why }
audit-ramp-unknown = 램프의 길이는 fio만 앎
audit-no-ramp = 램프 없음
audit-ramp = { $ramp } 램프 뒤 { $measured } 측정
audit-ramp-of-asked = { $ramp }, 요청 { $asked }
audit-no-rate = 요청한 속도 없음
audit-rate-unknown = 속도가 바이트이거나 방향마다 다름
audit-rate = { $asked } IOPS 중 { $done }, { $arrivals }
audit-generator-late = 부하 생성기가 늦은 시간: I/O 99%에서 최대 { $late }
audit-late-generator = 부하 생성기가 늦음: I/O 1%에서 { $late } 이상, 평균 응답 지연시간 { $response }
audit-beyond-drive = 드라이브가 받을 수 있는 것보다 많음, 이 단계가 알아내려는 것
audit-unsubmitted = 예정 시간이 되었으나 자리가 없어 제출되지 못한 I/O { $count }개
audit-job-times = 작업 평균 { $mean }, 최대 { $longest }
audit-duration-unknown = `{ $text }`은 fio만 아는 시간
audit-size-unknown = `{ $text }`은 fio만 아는 크기
audit-blocks-mixed = 작업이 블록 크기를 섞음
audit-blocks-by-direction = 작업에 방향마다 블록 크기가 있음
audit-rates-by-direction = 작업에 방향마다 속도가 있음

## 오프셋

audit-fill-unknown = JSON에 드라이브를 채운다는 말이 없음
audit-no-fill = 채우기 아님
audit-written = { $region } 중 { $written } 씀 ({ $share })
audit-written-independently = { $written }, 오프셋을 따로 뽑아 블록의 약 { $covered }에 도달
audit-written-until-stopped = { $written }, 사용자가 멈춤
audit-sequential = 오프셋이 순차임
audit-uneven-on-purpose = 오프셋을 일부러 고르지 않게 뽑음
audit-blocks-unknown = 영역과 블록의 크기를 함께 알 수 없음
audit-generator-changes = 32비트 생성기, 블록 { $blocks }개: fio가 스스로 64비트로 바꿈
audit-generator-reaches = 32비트 생성기, 블록 { $blocks }개: 그중 { $reached }에 도달
audit-generator-uneven = 32비트 생성기, 블록 { $blocks }개: 일부가 다른 것보다 { $uneven }배 자주 뽑힘
audit-seed-given = `randseed`가 있어 순서를 되풀이할 수 있음
audit-seed-new = `randseed` 없는 `randrepeat=0`: 매번 새 순서라 되풀이할 수 없음
audit-seed-repeated = `randrepeat`가 기본값대로 켜짐: 시작마다 같은 블록을 같은 순서로 다룸
audit-offsets-unknown = 블록 크기나 오프셋은 fio만 앎
audit-blocks-from = { $offset } B부터 { $block } B 블록
audit-no-multiple = { $blocks }: { $logical } B의 배수가 아님
audit-no-jobs-in-file = 한 파일에서 서로 뒤따르는 작업 없음
audit-jobs-apart = 한 파일에 순차 작업 { $jobs }개, 각자 자기 부분
audit-jobs-together = 한 파일에 순차 작업 { $jobs }개, 모두 같은 오프셋부터
audit-region-scaled = 영역이 줄었거나 모델의 것
audit-region-unknown = 영역의 크기는 fio만 앎
audit-fill-visits-once = 채우기는 블록마다 한 번 다룸
audit-working-set = { $region } 안에서 { $moved }: 블록마다 { $passes }번
audit-parts-of-engine = 작업의 부분은 엔진이 정함
audit-norandommap-unsaid = 값 없는 `norandommap`은 JSON에 나타나지 않음
audit-order-sequential = 순차
audit-order-map = 랜덤, 회차마다 블록 한 번
audit-order-permutation = 순열
audit-order-independent = 따로 뽑음

## 측정 도구의 규칙

audit-fio-version-pass = 이 fio의 알려진 결함 중 이 숫자에 영향을 주는 것 없음
audit-fio-version-fail = 이 fio의 완료 지연시간은 sqthread_poll에서 틀림: 3.36 이상 필요
audit-fio-version-unknown = 이 fio의 결함이 완료 지연시간에 영향을 주는지 알 수 없음
audit-fio-version-remedy = fio 3.36 이상을 쓰거나 `sqthread_poll`을 빼고, 이 결과에서는 clat 대신 lat을 쓸 것
audit-fio-steady-state-pass = fio가 계산할 수 있는 구간에서 Steady State를 찾음
audit-fio-steady-state-warn = fio 자체 기준으로는 Steady State가 아니며 `iops_mean`에 빈자리의 0이 섞임
audit-fio-steady-state-fail = 이렇게 긴 구간에서는 fio의 합이 넘침: 판정에 의미 없음
audit-fio-steady-state-unknown = fio가 이 구간으로 계산할 수 있었는지 알 수 없음
audit-fio-steady-state-remedy = Steady State는 로그로 판단하고, fio의 판정을 쓰려면 구간을 표본 1024개 이하로 할 것
audit-fio-polling-pass = 요청대로 장치의 큐를 폴링하여 입출력 완료를 기다림
audit-fio-polling-fail = 비휘발성이어야 할 쓰기가 플러시되지 않음: 숫자가 지나치게 좋음
audit-fio-polling-unknown = 폴링 큐가 없어 커널이 인터럽트를 썼을 수 있음
audit-fio-polling-remedy = 쓰기를 플러시할 때는 `hipri`를 빼고, nvme를 `poll_queues` 0 초과로 올린 뒤 `queue/io_poll`을 확인할 것
audit-fio-group-rates-warn = 그룹의 가장 느린 순간은 그 합이 아님: 합계, 로그, 백분위수만 쓸 것
audit-fio-group-rates-unknown = fio의 최소, 최대, 편차가 작업들의 합일 수 있음
audit-fio-group-rates-remedy = 편차와 최솟값은 모든 작업의 로그를 구간별로 더해서 구할 것
audit-options-dropped-pass = 이 숫자에 영향을 주는 옵션이 빠지지 않음
audit-options-dropped-warn = 방법을 그대로 따르지 못함: 같은 것을 뺀 측정과만 비교할 것
audit-options-dropped-remedy = 더 새로운 fio를 설치하거나, 파일이나 NBD를 거친다면 장치를 직접 측정할 것
audit-options-as-asked-pass = fio에 계획대로 지시함
audit-options-as-asked-fail = fio가 계획과 다른 일을 함: 다른 부하의 숫자임
audit-options-as-asked-unknown = fio가 계획대로 했는지 알 수 없음
audit-options-as-asked-remedy = `job.fio`를 계획과 비교할 것; 결과 묶음이 고쳐졌는가?

## 호스트의 규칙

audit-host-cpu-pass = 프로세서가 드라이브를 제한하지 않음
audit-host-cpu-warn = 호스트가 드라이브를 제한했을 수 있음: 숫자는 하한임
audit-host-cpu-unknown = 호스트가 드라이브를 제한했는지 알 수 없음
audit-host-cpu-remedy = 블록을 키우거나 fio라면 코어가 더 많은 호스트에서 작업 수를 늘리고, 다른 것을 멈출 것
audit-host-page-cache-pass = I/O가 호스트 메모리를 거치지 않음
audit-host-page-cache-warn = 쓰기가 호스트 메모리에 모였다가 플러시됨: 지연시간은 메모리와 플러시의 것
audit-host-page-cache-fail = 호스트 메모리의 숫자이며 드라이브의 오류를 놓쳤을 수 있음
audit-host-page-cache-unknown = 드라이브 대신 호스트 메모리가 답했는지 알 수 없음
audit-host-page-cache-remedy = fio의 기본값이 아닌 `direct=1`로 측정할 것
audit-host-settings-pass = 거버너, 스케줄러, 큐가 방법대로임
audit-host-settings-warn = 호스트가 방법과 다름: 지연시간이 드라이브의 것보다 높음
audit-host-settings-unknown = 호스트가 지연시간에 더한 것을 알 수 없음
audit-host-settings-remedy = 설정할 수 있도록 관리자로 실행할 것; `ssdlab doctor TARGET`이 다른 문제를 알려줌
audit-host-link-pass = 링크가 드라이브의 최대 속도와 폭임
audit-host-link-warn = 링크가 드라이브보다 느리거나 좁음: 대역폭이 링크의 것일 수 있음
audit-host-link-unknown = 링크가 드라이브를 제한했는지 알 수 없음
audit-host-link-remedy = 드라이브에 걸맞은 슬롯에 꽂거나, 이미 그렇다면 다시 꽂을 것
audit-host-power-saving-pass = 링크가 항상 깨어 있음
audit-host-power-saving-warn = 쉰 뒤의 I/O는 링크가 깨기를 기다렸을 수 있음: 낮은 QD의 지연시간이 너무 높음
audit-host-power-saving-unknown = I/O 사이에 링크가 잠들었는지 알 수 없음
audit-host-power-saving-remedy = `echo performance > /sys/module/pcie_aspm/parameters/policy` 또는 커널 명령줄에 `pcie_aspm=off`
audit-host-uninterrupted-pass = 호스트가 측정을 내내 멈추지 않음
audit-host-uninterrupted-fail = 한동안 드라이브에 요청이 없었거나 시간을 재지 못함: 드라이브의 수치가 아님
audit-host-uninterrupted-unknown = 호스트가 측정을 내내 멈추지 않았는지 알 수 없음
audit-host-uninterrupted-remedy = 호스트를 절전에 들지 않게 하고, 가상 머신도 측정의 프로세스도 멈추지 않은 채 다시 측정할 것
audit-series-regular-pass = 시계열에 빈틈이 없음
audit-series-regular-warn = 드라이브나 호스트가 잠시 멈춤: 시계열에 긴 구간 하나로 나타남
audit-series-regular-fail = 작업의 일부가 시계열에 없음: 시간에 따른 값은 믿을 수 없음
audit-series-regular-remedy = 빈틈이 생긴 때의 `dmesg`와 드라이브 온도를 보고 다시 측정할 것
audit-clock-agrees-pass = 측정의 시계와 엔진의 시계에서 작업 시간이 같음
audit-clock-agrees-warn = 시계 하나가 멈췄거나 호스트가 절전에 들어감: 시간은 주의해서 볼 것
audit-clock-agrees-unknown = 시간을 다른 시계와 대조할 수 없음
audit-clock-agrees-remedy = 호스트가 절전에 들지 않게(`systemd-inhibit`) 하고 다시 측정할 것

## 부하의 규칙

audit-queue-littles-law-pass = 요청한 만큼의 I/O가 동시에 진행됨
audit-queue-littles-law-warn = 큐가 요청한 만큼 깊지 않음: 호스트가 시간의 상당 부분을 씀
audit-queue-littles-law-fail = 큐가 요청한 만큼 깊지 않거나 시계가 틀림: 이 QD의 숫자가 아님
audit-queue-littles-law-unknown = 큐가 찼는지 알 수 없음
audit-queue-littles-law-remedy = 기다리지 않는 엔진(`io_uring`, `direct=1`의 `libaio`)을 쓸 것; `psync`의 큐는 항상 하나임
audit-load-duration-pass = 작업이 정해진 끝까지 진행됨
audit-load-duration-warn = 시간보다 양이 먼저 끝남: 대개 캐시 안의 짧은 순간의 숫자임
audit-load-duration-fail = 작업이 시간과 양보다 먼저 끝남: 무언가가 멈춤
audit-load-duration-unknown = 작업이 끝까지 갔는지 알 수 없음
audit-load-duration-remedy = `runtime`과 함께 `time_based=1`이나 더 큰 `size`를 쓰고, 작업이 끝난 이유을 볼 것
audit-load-ramp-pass = 램프는 어느 숫자에도 없으며 로그에서도 볼 수 없음
audit-load-ramp-warn = 작업보다 긴 램프에서 fio는 이상하게 동작하며 측정한 것보다 더 많이 감춤
audit-load-ramp-fail = 램프가 숫자에 들어 있음
audit-load-ramp-unknown = 램프가 숫자에 들어 있는지 알 수 없음
audit-load-ramp-remedy = 램프를 작업보다 짧게 하거나, 빼고 나중에 시계열을 자를 것
audit-load-rate-pass = 늦은 것과 무관하게 I/O가 요청한 속도로 예정됨. 완료가 적은 곳은 단계가 알아내려는 것이며, 원인은 드라이브임
audit-load-rate-warn = 대기가 지연시간에 없거나 속도를 지키지 못함: 부하에서 지연시간이 낮게 나옴
audit-load-rate-unknown = 속도를 지켰는지 알 수 없음
audit-load-rate-remedy = 호스트에서 다른 것을 멈추고, 호스트와 드라이브가 지킬 수 있는 속도를 쓸 것. fio라면 `rate_process=poisson`으로
audit-no-mix = 모든 I/O가 한 종류임
audit-mix = { $kinds }종류의 I/O { $ios }개, χ² { $chi_squared }: 우연히 이만큼 벗어날 확률 { $p }
audit-mix-uncounted = I/O { $ios }개 중 { $counted }개가 혼합에 있는 종류임
audit-mix-farthest = 가장 벗어난 것은 { $part }번째 부분의 { $block }: { $share } 대신 { $found }
audit-mix-shares-pass = I/O의 방향, 길이, 위치가 혼합과 같음
audit-mix-shares-fail = 이름과 다른 부하를 측정함
audit-mix-shares-remedy = 번들과 함께 ssdlab의 결함으로 알릴 것. 이 혼합의 수치를 인용하지 말 것
audit-load-jobs-alike-pass = 모든 작업이 함께 실행됨
audit-load-jobs-alike-warn = 한동안 일부 작업만 실행됨: 속도는 서로 다른 부하의 평균임
audit-load-jobs-alike-remedy = 작업을 시간으로 끝내고(`time_based=1`) 램프 뒤에 측정할 것
audit-point-of-fixed-length = 길이가 미리 정해져 있었음
audit-point-known-pass = 평균을 요구한 만큼 정확히 앎
audit-point-known-warn = 평균을 요구한 것보다 덜 정확히 알거나, 언제 측정했는지에 따라 다름
audit-point-known-remedy = `limit`을 더 길게 할 것; 드라이브가 변하는 중이면 프리컨디셔닝을 더 오래 할 것

## 오프셋의 규칙

audit-coverage-fill-pass = 모든 블록이 쓰임
audit-coverage-fill-warn = 방법 자체가 오프셋을 매번 새로 뽑음: 드라이브 일부는 Purge한 그대로임
audit-coverage-fill-fail = 드라이브 전체가 쓰이지 않음: 이후 단계가 전제하는 상태가 아님
audit-setup-unknown = 작업의 옵션을 알 수 없음
audit-coverage-fill-remedy = 순차로 채우거나, `random_generator=lfsr` 또는 fio의 랜덤 맵을 쓰는 작업 하나로 채울 것
audit-offsets-generator-pass = 모든 블록이 뽑힐 수 있고 어느 것도 훨씬 자주 뽑히지 않음
audit-offsets-generator-warn = 일부 블록이 훨씬 자주 뽑혀 적은 수에 몰림
audit-offsets-generator-fail = 드라이브 일부를 건드리지 않음: 더 작은 드라이브의 숫자임
audit-offsets-generator-unknown = 모든 블록이 뽑힐 수 있었는지 알 수 없음
audit-offsets-generator-remedy = `random_generator=tausworthe64`를 쓰거나, 블록마다 한 번이면 `lfsr`를 쓸 것
audit-offsets-seed-pass = 시드가 정하지 않는 한 두 작업이 같은 블록을 다루지 않음
audit-offsets-seed-warn = 반복이나 쓰기 뒤의 읽기가 앞과 똑같은 블록을 다룸: 캐시에 있거나 이미 정돈됨
audit-offsets-seed-remedy = `randrepeat=0`과 작업마다 다른 `randseed`를 쓸 것
audit-offsets-aligned-pass = 블록의 경계가 드라이브와 같음
audit-offsets-aligned-warn = 블록이 4 KiB 페이지에 걸침: 하나에 두 페이지가 들고 쓰기에는 읽기까지 듦
audit-offsets-aligned-fail = 이 블록 크기는 그대로 드라이브에 갈 수 없음: 호스트가 맞추거나 채우거나 합침
audit-offsets-aligned-unknown = 블록이 드라이브의 블록에 걸치는지 알 수 없음
audit-offsets-aligned-remedy = fio의 `4k`는 4096 바이트, `4KiB`는 4000 바이트임: `4k`와 그 배수의 오프셋을 쓸 것
audit-offsets-shared-pass = 작업마다 자기 블록을 가짐
audit-offsets-shared-warn = 첫 작업 말고는 방금 읽거나 쓴 블록을 다룸: 숫자가 너무 좋음
audit-offsets-shared-unknown = 작업이 서로 뒤따르는지 알 수 없음
audit-offsets-shared-remedy = 작업마다 자기 부분을 갖도록 `offset_increment`를 쓸 것
audit-offsets-working-set-pass = 영역이 드라이브의 메모리보다 크거나 거듭 다루지 않음
audit-offsets-working-set-warn = 드라이브 자체의 메모리가 답했을 수 있음: 플래시의 숫자가 아닐 수 있음
audit-offsets-working-set-unknown = 드라이브 자체의 메모리가 답했는지 알 수 없음
audit-offsets-working-set-remedy = 몇 GiB의 영역에서 측정하거나, 작은 영역이 의도임을 밝힐 것

## 양의 규칙

audit-bytes-logs-agree-pass = 엔진의 로그와 합계가 같은 I/O를 나타냄
audit-bytes-logs-agree-fail = 로그가 이 I/O의 것이 아님: 시간에 따른 값은 믿을 수 없음
audit-bytes-logs-agree-unknown = 로그가 이 I/O의 것인지 알 수 없음
audit-bytes-logs-agree-remedy = 이 측정의 로그를 모두 주고, 작업이 적어도 100구간이 되게 할 것
audit-bytes-series-agrees-pass = 구간의 합이 전체와 같음
audit-bytes-series-agrees-fail = 구간의 합이 전체와 다름: 시간에 따른 값은 믿을 수 없음
audit-bytes-series-agrees-unknown = 구간의 합이 전체와 같은지 알 수 없음
audit-bytes-series-agrees-remedy = 시간에 따른 값은 히스토그램 로그에서 볼 것: fio의 대역폭 로그는 부하에서 구간을 잃거나 겹침
audit-bytes-totals-agree-pass = 엔진의 바이트, I/O, 속도가 서로 맞음
audit-bytes-totals-agree-fail = 바이트, I/O, 속도가 서로 맞지 않음: 하나는 이 부하의 것이 아님
audit-bytes-totals-agree-remedy = fio가 쓴 그대로의 JSON을 쓰고, 영역 끝의 조각 블록을 찾을 것
audit-io-errors-pass = 모든 I/O가 성공함
audit-io-errors-fail = 드라이브나 경로가 실패함: 정상 드라이브의 숫자가 아님
audit-io-errors-remedy = `dmesg`와 드라이브의 오류 기록을 보고, `continue_on_error`를 뺄 것
audit-io-short-pass = 모든 I/O가 전부 전송됨
audit-io-short-warn = 짧은 I/O가 IOPS와 지연시간에서 온전한 것으로 셈됨
audit-io-short-remedy = 영역을 파일이나 장치 안에, 블록 크기의 배수로 둘 것
audit-data-contents-pass = 요청한 것 외에는 압축도 중복 제거도 되지 않는 데이터임
audit-data-contents-warn = 블록 대부분이 반복됨: 압축하는 드라이브나 케이스는 측정되지 않음
audit-data-contents-fail = 데이터가 거의 없음: 압축이나 중복 제거가 할 일이 없었음
audit-data-contents-unknown = 압축하는 드라이브가 할 일이 있었는지 알 수 없음
audit-data-contents-remedy = `refill_buffers=1`로 쓰고, 프로세서가 따라가는지(`host.cpu`) 볼 것

## 커널과 드라이브의 규칙

audit-device-bytes-pass = 센 만큼 장치에 도달함
audit-device-bytes-fail = 다른 것이 답함: 호스트나 파일 시스템의 캐시, 희소 파일의 구멍, 압축
audit-device-bytes-unknown = 모든 I/O가 장치에 도달했는지 알 수 없음
audit-device-bytes-remedy = 읽기 전에 파일 전체를 쓰고, `direct=1`을 지키는 파일 시스템이나 장치를 직접 쓸 것
audit-device-other-io-pass = 다른 것이 장치를 쓰지 않음
audit-device-other-io-warn = 다른 것이 장치를 씀: 숫자는 너무 낮고 지연시간은 너무 높음
audit-device-other-io-unknown = 다른 것이 장치를 썼는지 알 수 없음
audit-device-other-io-remedy = 장치를 쓰는 것을 멈추거나(`iotop`, `lsof`), 다른 것이 없는 장치를 측정할 것
audit-device-temperature-pass = 드라이브 온도가 유지됨
audit-device-temperature-warn = 드라이브가 많이 뜨거워짐: 단계의 끝을 처음과 비교할 수 없음
audit-device-temperature-unknown = 드라이브가 뜨거워졌는지 알 수 없음
audit-device-temperature-remedy = 드라이브를 식히고 예열된 상태로 측정할 것; 알 수 없으면 측정 중에 지켜볼 것(`nvme smart-log`, `smartctl`)
audit-device-throttled-pass = 드라이브가 스스로 느려지지 않음
audit-device-throttled-fail = 드라이브가 스스로 느려짐: 쿨링의 숫자임
audit-device-throttled-unknown = 드라이브가 스스로 느려졌는지 알 수 없음
audit-device-throttled-remedy = 드라이브를 식힐 것; 알 수 없으면 측정 중에 온도를 지켜볼 것(`nvme smart-log`, `smartctl`)
audit-device-link-pass = 끝날 때 링크가 그대로임
audit-device-link-fail = 링크가 바뀜: 두 링크의 숫자임
audit-device-link-unknown = 더 느린 링크였어도 알 수 없음
audit-device-link-remedy = 앞뒤로 링크를 읽을 것(`lspci -vv`); 바뀌었으면 `dmesg`를 보고 드라이브를 다시 꽂고 ASPM을 끌 것
audit-device-error-log-pass = 드라이브에 기록된 오류 없음
audit-device-error-log-warn = 드라이브에 오류가 기록됨: I/O가 반복되었거나 할 수 없는 것을 요청받음
audit-device-error-log-unknown = 드라이브에 오류가 기록되었어도 알 수 없음
audit-device-error-log-remedy = 기록을 읽고(`nvme error-log`, `smartctl -l error`), 드라이브에 묻는 다른 프로그램을 멈출 것
audit-device-kernel-log-pass = 커널이 드라이브에 대해 알린 것 없음
audit-device-kernel-log-warn = 커널이 드라이브에 대해 알림: 시간 초과, 재설정, 링크 오류의 시간이 숫자에 들어 있음
audit-device-kernel-log-unknown = 드라이브의 재설정과 시간 초과가 있었어도 알 수 없음
audit-device-kernel-log-remedy = 그 줄을 볼 것(`dmesg`); 읽을 수 없으면 관리자로 실행할 것

## 지연시간의 규칙

audit-latency-measured-pass = 지연시간을 측정함
audit-latency-measured-warn = 드라이브를 판단할 지연시간이 없고 리틀의 법칙도 쓸 수 없음
audit-latency-measured-remedy = `gtod_reduce`와 `disable_lat`을 뺄 것
audit-latency-clat-within-lat-pass = 완료 지연시간이 전체 지연시간 안에 있음
audit-latency-clat-within-lat-fail = fio의 완료 지연시간이 틀림(3.36 이전 sqthread_poll에서는 무의미함): lat을 쓸 것
audit-clat-unchecked = 완료 지연시간만으로는 전체 지연시간과 대조할 수 없음
audit-latency-clat-within-lat-remedy = lat을 쓰고, fio 3.36 이상이나 `sqthread_poll` 없이 다시 측정할 것
audit-latency-sum-pass = 제출과 완료의 합이 전체와 같음
audit-latency-sum-fail = 지연시간의 부분이 맞지 않음: fio의 시계 하나가 틀림
audit-latency-sum-remedy = lat을 쓰고, 다른 버전의 fio로 다시 측정할 것
audit-latency-clat-low-end-pass = 완료 지연시간의 낮은 쪽이 믿을 만함
audit-latency-clat-low-end-warn = 제출 중에 완료되는 I/O처럼 완료 지연시간이 너무 낮음: lat을 쓸 것
audit-latency-clat-low-end-remedy = lat을 쓰고, fio에 `lat_percentiles=1`로 요청할 것
audit-latency-ordered-pass = 최소, 평균, 백분위수, 최대가 순서대로임
audit-latency-ordered-fail = 최소, 평균, 백분위수, 최대가 모순됨: 같은 I/O의 것이 아님
audit-latency-ordered-remedy = fio가 쓴 그대로의 JSON을 쓰고, 평균한 백분위수는 쓰지 말 것
audit-latency-histogram-whole-pass = 모든 I/O가 지연시간 분포에 있음
audit-latency-histogram-whole-warn = 가장 느린 I/O는 최댓값만 알 수 있어 거기에 이르는 백분위수는 내지 않음
audit-latency-histogram-whole-fail = 지연시간 분포가 모든 I/O의 것이 아님: 백분위수를 믿을 수 없음
audit-latency-histogram-whole-unknown = 백분위수가 모든 I/O의 것인지 알 수 없음
audit-latency-histogram-whole-remedy = fio를 --output-format=json+로 실행할 것; 17초가 넘는 I/O는 최대 지연시간만 알 수 있음
audit-latency-percentile-samples-pass = 더 높은 백분위수는 내지 않음
audit-latency-percentile-samples-warn = 지연시간 백분위수를 내지 않음
audit-latency-percentile-samples-remedy = 더 오래 측정할 것
audit-latency-host-on-time-pass = 가상 드라이브가 모델이 정한 때에 응답함
audit-latency-host-on-time-warn = 지연시간의 일부는 가상 드라이브의 서버를 기다리게 한 호스트의 것: 드라이브는 더 빠름
audit-latency-host-on-time-unknown = 시간 가운데 호스트의 몫이 얼마인지 알 수 없음
audit-latency-host-on-time-remedy = 호스트에서 도는 다른 것을 멈추거나, 늦는 일이 없는 `model:`을 `virtual:` 대신 쓸 것

## 명령줄의 줄

audit-not-made = 감사: 아직 없음: 실행이 완료되면 만들어짐
audit-lost = 감사: 없음, 실패한 검사가 있는지 알 수 없음; `ssdlab show --again`으로 다시 만듦
audit-nothing-checked = 감사: 대조한 것 없음: I/O를 하는 단계가 하나도 끝나지 않음
audit-counted = 감사: { $counts }
audit-count =
    { $outcome ->
        [fail] 실패 { $count }
        [warn] 확인 필요 { $count }
        [unknown] 알 수 없음 { $count }
        [pass] 통과 { $count }
       *[other] 해당 없음 { $count }
    }
audit-line =
    { $outcome ->
        [fail] 실패: { $where }: { $name }: { $finding }
        [warn] 확인 필요: { $where }: { $name }: { $finding }
       *[other] 알 수 없음: { $where }: { $name }: { $finding }
    }
audit-line-of-more =
    { $outcome ->
        [fail] 실패: { $name }: 다른 단계 { $count }개 (`--json`에 모두 있음)
        [warn] 확인 필요: { $name }: 다른 단계 { $count }개 (`--json`에 모두 있음)
       *[other] 알 수 없음: { $name }: 다른 단계 { $count }개 (`--json`에 모두 있음)
    }
audit-to-do = 할 일: { $remedy }
audit-forced-not-asked = 완료 전에 기록이 보장되어야 하는 쓰기가 없음
audit-forced-nothing-written = 아무것도 쓰지 않음
audit-forced-by-construction = 작업과 드라이브 사이에 fio도 커널도 없음
audit-forced = 완료 전에 기록이 보장되어야 하는 쓰기 { $writes }건; { $counted }
audit-forced-by-drive = 드라이브가 센 강제 쓰기와 플러시는 { $count }건
audit-forced-by-fio = fio의 NBD 엔진은 `sync=1`을 무시하며, fio가 센 플러시는 { $count }건
audit-forced-by-kernel = 커널이 { $device }에 보낸 플러시는 { $count }건
audit-forced-nothing-held = { $device }: 미뤄 두는 쓰기가 없다고 밝힘(`queue/write_cache`)
audit-forced-uncounted = 커널이 { $device }에 FUA 쓰기를 보내며(`queue/fua`) 그 수는 세지 않음
audit-writes-forced-pass = 모든 쓰기가 기록이 보장된 뒤에 완료됨
audit-writes-forced-fail = 기록이 보장되기 전에 쓰기가 완료됨: 속도와 지연 시간은 드라이브 버퍼의 것임
audit-writes-forced-unknown = 쓰기가 완료되기 전에 기록이 보장되었는지 알 수 없음
audit-writes-forced-remedy = 엔진이 쓰기를 강제할 수 없으면 쓰기마다 플러시할 것(`fsync=1`)
audit-silence-no-writes = 여기서는 쓰기를 측정하지 않음
audit-silence-meant = 그 앞에 드라이브를 쉬게 하도록 정해져 있음
audit-silence-before = 그 앞에 I/O가 없는 시간 { $silence }, 측정 시간 { $measured }
audit-silence = 단계의 앞뒤에 I/O가 없는 시간 { $silence }, 측정 시간 { $measured }
audit-load-unbroken-pass = 측정 앞뒤의 멈춤이 짧아 영향이 없음
audit-load-unbroken-warn = 측정 전에 멈춘 동안 드라이브가 버퍼를 비우고 가비지 컬렉션을 할 수 있었으므로 쓰기가 실제보다 빠르게 나올 수 있음
audit-load-unbroken-unknown = 이 쓰기 전에 드라이브가 쉬었는지 알 수 없음
audit-load-unbroken-remedy = 더 오래 측정할 것; `quick` 프로필은 측정을 줄이지만 그 앞의 멈춤은 줄지 않음
audit-gap-first = 바로 앞에 측정한 지점이 없음
audit-gap-of-fio = fio는 지점마다 새로 시작함: I/O가 없는 시간 약 { $gap }
audit-gap = 앞 지점 뒤로 I/O가 없는 시간 { $gap }
audit-points-gap-pass = 이 지점과 앞 지점 사이에 드라이브가 쉴 틈이 없었음
audit-points-gap-unknown = 이 지점과 앞 지점 사이에 드라이브가 쉬었는지 알 수 없음
audit-points-gap-remedy = 지점을 더 길게 측정해 간격의 비율을 줄임
audit-power-samples = 단계의 { $missing_percent } %에 전력 계측기의 표본이 없음
audit-power-samples-meaning =
    { $outcome ->
        [pass] 에너지가 빠짐없이 측정됨
       *[warn] 빠진 표본이 나머지와 같다고 본 에너지임; 그 구간은 빠진 표본이 가질 수 있는 값을 나타냄
    }
audit-power-samples-remedy = 계측기 프로그램이 빠른 디스크에 쓰게 하거나 표본 간격을 늘릴 것
audit-power-timed =
    { $timed ->
        [io] 첫 I/O부터 마지막 I/O까지 셈
       *[step] 엔진의 시작과 끝을 포함해 저널의 시간대로 셈
    }
audit-power-time = 전력 계측기의 시계는 ± { $error_ms } ms까지 알 수 있음; { $length_s } s의 단계를 { $timed }
audit-power-time-meaning =
    { $outcome ->
        [pass] 에너지가 이 단계의 것임
       *[warn] 에너지의 백분의 일 넘게 단계의 앞이나 뒤에 속할 수 있음
    }
audit-power-time-remedy = 더 오래 측정하거나 더 높은 표본 속도로 기록할 것
audit-power-range = 단계의 표본 가운데 { $percent } %가 로그 전체의 최댓값임
audit-power-range-meaning =
    { $outcome ->
        [pass] 전력 계측기가 측정 범위 안에 있었음
       *[warn] 전력 계측기가 측정 범위의 끝에 닿아 실제 전력이 더 높았을 수 있음
    }
audit-power-range-remedy = 계측기의 측정 범위를 넓힐 것
