power-sampled-slowly = 로그의 표본 간격은 { $period_ms } ms이나, 200 ms 부하의 경계를 찾으려면 적어도 { $most_ms } ms마다 하나가 필요함
power-log-short = 로그는 { $log_s } s에 걸치나 실행은 표시 사이에 { $run_s } s가 걸림
power-log-long = 로그가 { $hours }시간을 넘음
power-log-empty = 로그에 값이 있는 표본이 없음
power-no-marks =
    { $place ->
        [start] 실행이 시작할 때 전력 표시를 남기지 않음
       *[end] 실행이 끝날 때 전력 표시를 남기지 않음
    }
power-marks-not-found =
    { $place ->
        [start] 로그에서 실행 시작의 표시를 찾을 수 없음
       *[end] 로그에서 실행 끝의 표시를 찾을 수 없음
    }
power-marks-apart = 로그에 표시와 비슷한 것이 있으나 실행에서처럼 { $apart_s } s 떨어진 곳이 없음: 가장 가까운 둘이 { $off_s } s 어긋남
power-marks-ambiguous = 표시가 로그의 여러 곳에 똑같이 잘 맞음
power-marks-noisy =
    { $place ->
        [start] 실행 시작의 표시에서 잡음보다 뚜렷하고 서로 맞는 경계가 { $edges }개이나 { $needed }개가 필요함
       *[end] 실행 끝의 표시에서 잡음보다 뚜렷하고 서로 맞는 경계가 { $edges }개이나 { $needed }개가 필요함
    }
power-marks-one-sided =
    { $place ->
        [start] 실행 시작의 표시에서 부하의 시작 { $rises }개와 끝 { $falls }개가 서로 맞으나 각각 { $needed }개가 필요함
       *[end] 실행 끝의 표시에서 부하의 시작 { $rises }개와 끝 { $falls }개가 서로 맞으나 각각 { $needed }개가 필요함
    }
power-clock-unsure = 로그의 시간을 ± { $error_ms } ms까지만 알 수 있으나 ± { $most_ms } ms까지 허용됨
power-drift-impossible = 계측기의 시계가 { $drift_ppm } ppm 어긋난 셈인데, 그런 수정 발진기는 없음
power-hint-rate = 더 높은 표본 속도로 기록할 것
power-hint-whole-run = 실행이 시작하기 전부터 끝난 뒤까지 멈추지 말고 기록할 것
power-hint-cut = 로그를 실행 시간만큼 자를 것
power-hint-marks = `ssdlab run --power-marks`로 끝까지 다시 측정할 것
power-hint-not-found = 이 실행과 측정한 드라이브의 전원을 기록한 로그인지 확인하고 더 높은 표본 속도로 기록할 것
power-hint-other-run = 이 실행의 로그이고 중단되지 않았는지 확인할 것
power-log-unknown = { $file }: ssdlab이 읽을 수 있는 전력 로그가 아님
power-line-damaged = { $file }, 머리글 다음 { $line }번째 줄: 머리글의 이름만큼 수가 있는 표본이 아님
power-head-damaged = { $file }: 표본을 설명하는 부분이 손상됨
power-not-closed = { $file }: 기록이 닫히지 않았거나 아직 진행 중임
power-no-order = { $file }, 머리글 다음 { $line }번째 줄: 시간이 앞줄보다 늦지 않음
power-impossible = { $file }, 표본 { $line }: 어떤 드라이브도 쓰지 않는 전력
power-no-mean = { $file }: 순간 전력이 `{ $column }` 열에만 있는데, 이는 평균이 아님
power-hint-mean = 에너지 계산에 쓰이는 평균 전력을 저장할 것
power-no-columns = { $file }: 시간의 열이 없거나, 전력의 열도 전압과 전류의 쌍도 없음
power-columns-unclear = { $file }: 열의 이름으로는 어느 열이 전력을 이루는지 알 수 없음: 한 채널의 같은 양에 열이 여럿이거나, 채널이 없는 전력이 채널과 함께 있음
power-two-totals = { $file }: 모듈 여럿의 합계가 있음
power-no-period = { $file }: 표본 간격을 알 수 없음
power-no-pyjls = { $file }: Joulescope의 리더가 필요한 JLS 파일
power-hint-kinds = 읽을 수 있는 것: { $kinds }
power-hint-as-saved = 계측기 프로그램이 저장한 그대로의 파일을 줄 것
power-hint-close = 기록을 끝낼 것. 기록이 중간에 끊겼다면 파일의 사본을 계측기 프로그램으로 열어 복구한 뒤 그 사본을 줄 것
power-hint-channels = 드라이브 전원의 전력이나 전압과 전류를 머리글과 함께 저장할 것
power-hint-one-channel = 측정하는 드라이브의 채널만 저장할 것
power-hint-one-power = 채널마다 전력의 열 하나나 전압과 전류의 열 하나씩, 또는 합계만 저장할 것
power-hint-period = 설정한 대로 지정할 것, 예: `--period 4us`
power-hint-pyjls = `pip install 'ssdlab[power]'`로 설치할 것
power-imported = { $path }: 다른 프로그램의 결과임
power-probes = { $path }: 탐침이 만든 것임
power-resumed = 실행이 멈췄다가 이어졌고, 그 사이의 시간은 실행의 시계에 들지 않음
