# fio의 로그.

log-json-counts-only = `--json`은 센 것을 출력하고, `--figure`와 `--parquet`은 파일을 씀
log-leave-it-out = 빼고 실행할 것
log-output-without-figure = `-o`는 그림의 파일 이름인데, 그림을 요청하지 않음
log-add-figure = `--figure tail`을 추가할 것
log-window-no-milliseconds = `{ $window }`: 밀리초의 정수배가 아님
log-no-finer-time = fio 로그의 시간은 더 세밀하지 않음
log-no-kind = `{ $name }`: 로그의 종류가 아님
log-kinds = 종류: { $kinds }
log-audit-alone = `--audit`은 결과를 판정하고, 다른 옵션은 세거나 그림을 그림
log-one-after-other = 하나씩 차례로 요청할 것
log-no-figure = `{ $name }`: 그림의 종류가 아님
log-figures = 그림: { $figures }
log-no-picture-format = `{ $path }`: .svg도 .png도 아님
log-end-in-format = 이름이 둘 중 하나로 끝나게 할 것
log-cannot-write = `{ $path }`에 쓸 수 없음: { $reason }
log-in-windows = { $kind }, { $window_ms } ms 구간
log-no-file = 파일 `{ $path }`이 없음
log-is-directory = `{ $path }`: 디렉터리
log-name-files = 그 안의 로그 파일을 지정하세요: `ssdlab log { $path }/*.log`
log-kind-unsaid = `{ $path }`: 이름에서 로그의 종류를 알 수 없음
log-say-kind = `--kind lat`, clat, slat, bw, iops로 지정할 것
log-unit-unsaid = `{ $path }`: 지연 시간이 나노초(fio 3)인지 마이크로초(fio 2)인지 알 수 없음
log-say-unit = `--unit ns`나 `--unit us`로 지정하거나 그 실행의 JSON과 함께 가져올 것
log-no-unit = `{ $name }`: 지연 시간 로그의 단위가 아님
log-microseconds-counted-only = `{ $path }`: 마이크로초 로그는 집계만 되고 그림이나 파일로 만들지 않음
log-count-microseconds = `--window`, `--figure`, `--parquet` 없이 실행할 것
log-whole-microseconds = 이 fio는 마이크로초 단위로 기록함
log-rates-added = 로그 { $logs }개의 속도를 동시에 실행된 작업의 것으로 보고 더함
log-damaged = `{ $path }`, { $error }
log-whole-of-one-run = fio가 쓴 그대로이며 온전하고 한 실행의 것인지 확인할 것
log-unreadable = `{ $path }`: 읽을 수 없음: { $reason }
log-averaged-no-distribution = `{ $path }`: 평균이므로 분포가 없음
log-run-with-histogram = fio를 write_hist_log로, 또는 log_avg_msec 없이 write_lat_log로 실행할 것
log-json-no-time = `{ $path }`: JSON이므로 시간에 따른 값이 없음
log-give-histogram = 히스토그램 로그나 모든 I/O의 로그를 줄 것
log-rates = `{ $path }`: 속도이며 지연시간이 없음
log-give-latency = 지연시간 로그를 줄 것
log-no-bins = `{ $path }`: 구간이 없음
log-run-with-json-plus = fio를 --output-format=json+로 실행할 것
log-odd-bin = { $odd } ns는 fio의 구간 { $bins }개의 중앙값이 아님
log-which-fio = 어떤 fio가 이 JSON을 썼는지 확인할 것
log-no-fio-json = `{ $path }`: fio의 JSON이 아님: { $error }
log-mixed-alone = `{ $path }`: 읽기와 쓰기가 하나로 보고됨(`unified_rw_reporting`)
log-import-mixed = `ssdlab import { $path }`로 수치를 가져올 수 있음
log-parquet-twice = 두 로그가 모두 `{ $path }`이 됨
log-parquet-two-directories = 두 디렉터리에 나누어 쓸 것
log-beyond-64-bits = `{ $path }`: 로그에 64비트가 넘는 수가 있어 만들 수 없음
log-is-it-fio = fio가 쓴 것인지 확인할 것
log-parquet-directory = 파일 하나 대신 디렉터리를 지정할 것
log-impossible-number = `{ $path }`: 시계나 드라이브가 알릴 수 있는 값을 넘는 { $largest }이 있음
log-give-logs = 로그나 히스토그램 로그를 줄 것
log-averages-and-ios = `{ $path }`: 평균인데, 다른 로그에는 모든 I/O가 있음
log-one-kind-then-other = 모든 I/O의 로그와 평균 로그를 차례로 줄 것
log-too-many-windows = 이 로그에는 { $window_ms } ms 구간이 { $most }개보다 많음
log-try-window = `--window { $needed_ms }ms`로 해 볼 것
log-pipe-windows = `{ $path }`: 모든 구간의 평균과 최댓값은 파이프로 얻을 수 없음
log-pipe-too-long = `{ $path }`: 파이프를 보관할 곳의 남은 용량의 절반인 { $most }을(를) 넘음
log-save-first = 먼저 파일로 저장할 것
log-averaged-no-percentiles = `{ $path }`: 평균이므로 I/O의 백분위수가 없음
log-which-job = `{ $path }`이 JSON의 작업 { $jobs }개 중 어느 것의 것인지 알 수 없음
log-name-job = fio는 로그 이름 끝에 작업 번호를 붙임: `_lat.2.log`
log-no-json = 파일 중에 fio의 JSON이 없음
log-audit-begins-with-json = 감사는 fio가 알리는 것에서 시작함
log-one-json = 로그는 JSON 하나에만 대조할 수 있음
log-of-file = `{ $path }`: { $fault }
log-parquet-rows-differ = `{ $path }`의 행: { $rows ->
        [ios] I/O
        [windows] 구간
        [bins] 시간 구간의 지연시간 구간
       *[job_bins] 작업의 지연시간 구간
    }, 앞선 로그의 행: { $before ->
        [ios] I/O
        [windows] 구간
        [bins] 시간 구간의 지연시간 구간
       *[job_bins] 작업의 지연시간 구간
    }
log-cut-off-with = `{ $path }`: { $line }번째 줄 중간에서 끊겨 그 줄은 세지 않음: 내용은 `{ $found }`
log-empty = `{ $path }`: 비어 있음
log-rest-unwritten = 로그의 마지막 구간 이후의 I/O는 로그에 없음: fio는 나머지를 쓰지 않음
log-merged-bins = fio가 지연시간 구간 { $merged }개를 하나로 합쳤으므로 백분위수의 오차는 { $percent } % 이내임
log-cut-off = `{ $path }`: { $line }번째 줄 중간에서 끊겨 그 줄은 세지 않음
log-averaged = fio가 평균을 낸 로그임: 평균은 구간들의 평균이며, 구간마다 I/O의 수가 다를 수 있음
log-head = { $name }{ $more ->
        [0] { "" }
       *[other] { " " }외 { $more }개
    }: { $form ->
        [lines] 로그
        [histogram] 히스토그램 로그
       *[json] JSON
    }의 { $kind }, 단위 { $unit }{ $precision ->
        [unknown] { "" }
        [exact] , 정확한 백분위수
       *[bins] , 백분위수는 fio의 지연시간 구간 너비까지
    }
log-row-windows = 구간
log-row-ios = I/O
log-row-bytes = 바이트
log-row-mean = 평균
log-row-mean-of-windows = 구간의 평균
log-row-largest = 최대
log-row-largest-of-windows = 구간의 최대
log-missing = { $what ->
        [ios] { $direction }의 I/O 수 없음: { $why }
        [bytes] { $direction }의 바이트 없음: { $why }
        [mean] { $direction }의 평균 없음: { $why }
        [largest] { $direction }의 최대 없음: { $why }
       *[other] { $direction }의 { $what } 이상 없음: { $why }
    }
log-time-of-no-clock = { $paths }: 약 { $end_ms } ms에 I/O가 있음, 어떤 시계로도 나올 수 없는 시간
