# 재생한 트레이스에 따른 드라이브의 점수.

score-no-replay = `{ $run }`: `dependent` 속도로 재생한 트레이스가 없음. 같은 작업에 걸리는 시간은 그 속도에서만 드러남
score-replay-dependent = 스위트의 `replay` 단계에 `pace = "dependent"`를 쓰고 다시 측정할 것
score-run-unfinished = `{ $run }`: 끝까지 가지 못한 실행: { $status ->
        [interrupted] 중단됨
        [failed] 실패함
        [stopped] 정해 준 한도에 이름
       *[unfinished] 아직 진행 중이거나 강제로 종료됨
    }
score-resume = 이어서 할 것: `ssdlab resume { $run }`
score-replay-incomplete = `{ $run }`: 재생 `{ $step }`을 끝까지 하지 못했거나 그 파일이 손상됨
score-show = `ssdlab show { $run }`에 까닭이 있음
score-other-traces = `{ $run }`: 기준과 다른 트레이스를 재생함 (단계, SHA-256의 앞자리): { $theirs }, 기준은 { $ours }
score-other-suite = `{ $run }`: { $theirs }, 기준은 { $ours }. 재생 전의 드라이브 상태는 같은 스위트라야 같아짐
score-suite = 스위트 { $suite } { $version } ({ $sha256 }), 프로필 { $profile }
score-make-reference = 같은 트레이스로 같은 스위트를 내장 드라이브에서 실행하고(`ssdlab run SUITE "model:{ $drive }"`), 출력된 경로를 `--reference`에 지정할 것
score-reference-not-built-in = `{ $run }`: 기준이 될 수 없음. 누구나 다시 만들 수 있는 것, 곧 이 ssdlab의 내장 드라이브를 가상 시간에 측정한 실행이 아님
score-moved = `{ $run }`: `{ $step }`의 바이트 중 { $percent } %가 드라이브의 끝 너머에 있어 다른 곳에서 처리됨. 용량이 다른 기준에서는 { $reference } %이므로 같은 작업이 아님
score-same-size = 드라이브와 같은 용량의 기준을 만들 것: `ssdlab run SUITE "model:{ $drive }?capacity=1TB"`
score-failed-checks = { $model }: 재생에서 실패한 검사: { $checks }. 그 뜻은 `ssdlab show RUN`에 있음
score-head = { $count ->
       *[other] 점수: 기준의 시간을 드라이브의 시간으로 나눈 값, 재생한 트레이스 { $count }개의 기하 평균. 클수록 빠름
    }
score-reference = 점수가 1인 기준: { $drive }, { $size }, 시드 { $seed }, ssdlab { $version }: { $run }
score-the-reference = 기준
score-column-score = 점수
score-column-interval = 95 % 구간
score-column-trace = 트레이스
score-column-time = 시간
score-column-ios = I/O
score-column-rate = 데이터 속도
score-column-mean = 평균 지연 시간
score-column-index = 3DMark의 공식
score-ios = { $which ->
        [read] 읽기
        [write] 쓰기
       *[both] 모두
    }
score-column-phase = 단계
score-column-rounds = 회
score-column-slowest = 가장 느린 회
score-phase = { $phase ->
        [degradation] 저하
        [steady] 정상 상태
       *[recovery] 회복
    }
score-phases-remark = 단계는 PCMark 8의 일관성 시험과 같음: 저하는 매번 더 길어진 쓰기 다음, 정상 상태는 전과 같은 길이의 쓰기 다음, 회복은 휴식만 있은 다음. 그 트레이스는 공개되지 않았으므로 그 시험의 결과가 아님.
score-value = { $value }
score-interval = { $low }~{ $high }
score-no-interval = 없음: { $why }
score-index-remark = 3DMark와 PCMark 10의 공식은 MB/s를 초 단위의 평균 접근 시간으로 나눈 값의 제곱근. MB/s는 I/O가 처리되는 동안의 것인데, 그 시간은 길어야 얼마라는 것만 알 수 있으므로 ≥로 나타냄. UL의 척도는 공개되지 않았으므로 UL의 점수가 아님.
unknown-score-one-run = 실행이 하나뿐임
unknown-score-runs-alike = 모든 실행의 시간이 같음
unknown-score-no-such-ios = 그런 I/O가 없음
unknown-score-no-access-time = 시간이 걸린 I/O가 없음
