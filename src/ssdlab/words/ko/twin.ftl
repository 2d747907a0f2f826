# 쌍둥이: 측정한 드라이브처럼 움직이는 가상 드라이브.

twin-nothing-measured = 실행에 가상 드라이브를 맞출 채우기도 측정점도 없음
twin-hint-runs = 한 드라이브에서 끝난 `ssdlab run`과 `ssdlab probe`의 실행을 지정할 것. `client`와 `probe all`을 함께 주면 가장 많은 것을 알 수 있음
twin-nothing-trusted = 실행의 채우기와 측정점 가운데 가상 드라이브를 맞출 수 있으면서 검사을 통과한 것이 없음. 실패한 검사: { $checks }
twin-hint-audit = 검사이 무엇을 찾았고 무엇을 해야 하는지는 `ssdlab show RUN`이 알려 줌
twin-impossible = 이 실행들이 말하는 것으로는 { $size } 가상 드라이브를 만들 수 없음: { $faults }
twin-hint-structure = 드라이브의 짜임은 `ssdlab probe all`이 알려 줌. 알려 주지 않는 것은 1TB 드라이브와 같다고 보는데, 몇 MB짜리 드라이브에는 그런 블록이 들어갈 자리가 없음
twin-several-drives = `{ $run }`, `{ $other }`: 한 쌍둥이에 속하지 않음. { $difference }
twin-differing-mark = { $mark ->
        [model] 모델이
        [serial] 일련번호가
       *[firmware] 펌웨어가
    } 하나는 `{ $one }`, 다른 하나는 `{ $other }`
twin-differing-size = 드라이브의 용량이 하나는 { $one }, 다른 하나는 { $other }
twin-differing-spec = 가상 드라이브의 사양이 서로 다름
twin-other-size = `{ $run }`: 쌍둥이와 용량이 다른 드라이브의 실행
twin-size-of-another = 쌍둥이의 용량은 { $twin }, 드라이브의 용량은 { $drive }
twin-hint-own-twin = 이 드라이브나 모델과 용량이 같은 드라이브에 맞춘 쌍둥이를 지정할 것
twin-hint-one-drive = 펌웨어가 같은 한 드라이브의 실행을 지정할 것
twin-same-run = `{ $run }`, `{ $other }`: 같은 측정
twin-hint-once = 실행마다 한 번만 지정할 것
twin-damaged = 참고: `{ $run }`: 손상됨, 읽을 수 없는 것은 뺌: { $fault }
twin-unfinished = `{ $run }`: 끝까지 가지 못한 실행
twin-imported = `{ $run }`: 다른 프로그램의 결과라서 다시 해 볼 수 없음
twin-not-toml = 가상 드라이브는 TOML 파일로 적는데, `{ $path }`는 .toml로 끝나지 않음
twin-hint-last = 쌍둥이는 맨 끝에 쓸 것: `ssdlab twin check RUN... drive.toml`
twin-hint-toml = `drive.toml`처럼 지을 것
twin-error = { $kind ->
        [speed] 속도
        [latency] 평균과 중앙값 지연 시간
       *[tail] 90 이상의 백분위수
    } { $median } % (최대 { $worst } %)
twin-stated = { $kind ->
        [speed] 속도
        [latency] 평균과 중앙값 지연 시간
       *[tail] 90 이상의 백분위수
    } { $share } %
twin-description = { $model }의 쌍둥이, { $suites }에 맞춤. 따로 떼어 둔 측정점 { $points }개에서 오차의 중앙값: { $errors }. 다른 것을 묻는 스위트에서는 다음 오차까지 예상: { $elsewhere }
twin-description-unheld = { $model }의 쌍둥이, { $suites }에 맞춤. 떼어 둘 측정점이 없어 오차를 알 수 없음
twin-drift = 속도가 한 시간에 처음 속도의 { $change } %씩 바뀌며, 그 오차는 { $error } %
twin-drift-none = 속도의 흐름은 보이지 않았음. 한 시간에 { $error } %였다면 보였을 것임
twin-drift-unknown = 시간에 따라 속도가 바뀌는지 알 수 없음: { $reason }
twin-drift-few-points = 세 번 이상 측정된 측정점이 { $points }개뿐이며 적어도 { $least }개가 필요함
twin-drift-vague = 측정점의 반복 실행은 한 시간에 { $error } %의 변화를 드러내지 못함
twin-drift-no-times = 다른 프로그램의 결과는 언제 측정했는지 말하지 않음
twin-fitted = 맞춘 것: 드라이브 전체 쓰기 { $passes }회, 측정점 { $points }개
twin-distrusted = 뺀 것: { $where }. 검사 `{ $check }` 실패. 무엇을 찾았는지는 `ssdlab show RUN`이 알려 줌
twin-held = 맞출 때 보지 않은 측정점 { $points }개에서의 오차:
twin-kind = { $kind ->
        [speed] 속도
        [latency] 평균, 중앙값
       *[tail] 90 %~99.9 %
    }
twin-column-count = 개수
twin-column-median = 중앙값
twin-column-most = 열에 아홉
twin-column-worst = 최대
twin-column-metric = 지표
twin-column-drive = 드라이브
twin-column-twin = 쌍둥이
twin-column-off = 오차
twin-value = { $value }
twin-silent = 이 실행들로는 알 수 없어 보통 드라이브의 값으로 둔 것: { $keys }
twin-at-bound = 시도한 범위의 끝에 있어 의심스러운 것: { $keys }
twin-unheld = 떼어 둘 측정점이 없어 얼마나 어긋나는지 알 수 없음
twin-next = 측정하지 않은 것을 어떻게 하는지: `ssdlab run SUITE model:{ $twin }`. 얼마나 어긋나는지: `ssdlab twin check RUN... { $twin }`
twin-foreign-next = 측정하지 않은 것을 어떻게 하는지: `ssdlab run SUITE model:{ $twin }`
twin-grade = 등급 { $grade ->
        [A] A: 지표 { $metrics }개의 절반이 5 % 이내, 열에 아홉이 15 % 이내
        [B] B: 지표 { $metrics }개의 절반이 10 % 이내, 열에 아홉이 30 % 이내
        [C] C: 지표 { $metrics }개의 절반이 25 % 이내
       *[none] 없음: 지표 { $metrics }개의 절반 넘게 25 %를 넘어 어긋나거나 비교할 지표가 없음
    }
twin-worst = 가장 어긋난 것:
twin-no-such-metric = 그런 지표가 없음
twin-lone = 둘 중 하나에만 있는 숫자 { $metrics }개. 저마다 어느 등급의 한도보다 크게 어긋난 것으로 셈:
twin-lone-line = { $metric }: { $side ->
        [drive] 드라이브는 { $value }, 쌍둥이에는 없음
       *[twin] 쌍둥이는 { $value }, 드라이브에는 없음
    } ({ $reason })
twin-lone-more = 그 밖에 { $metrics }개. 모두 `--json`에 있음
twin-unasked = 탐색은 찾은 것에 따라 나아가므로 둘 중 하나만 측정한 곳: { $where }. 비교하지 않음
twin-apart = 쌍둥이가 나타내지 못하는 것:
twin-apart-line = - { $what }
twin-apart-word = { $metric }: 드라이브는 { $drive }, 쌍둥이는 { $twin }
twin-apart-no-word = { $metric }: 드라이브는 { $drive }, 쌍둥이에서는 알 수 없음: { $reason }
twin-apart-scatter = { $step }: 속도가 구간마다 { $drive } % 달라짐, 쌍둥이는 { $twin } %. 그 원인은 맞추지 않음
twin-apart-tail = 꼬리의 모양: { $point }에서 99.9 백분위수가 중앙값의 { $drive }배, 쌍둥이는 { $twin }배. 측정점 { $of }개 중 { $count }개가 이러함. 가상 드라이브에는 로그 정규 분포의 퍼짐과 한 종류의 이상값만 있음
twin-passed-over = 프로브에는 답만 있고 지표가 없어 비교하지 않음: { $run }
twin-is-asked = 쌍둥이 `{ $twin }`에서 가상 시간으로 실행 중; 큰 드라이브는 몇 분 걸림
twin-foretells = 쌍둥이에서는 { $took } 걸리고, 드라이브에 { $written }, 플래시에 { $media }을 씀; { $heat }
twin-heat = 드라이브 온도는 { $most } °C까지 오름
twin-heat-unknown = 온도가 얼마나 오르는지는 알 수 없음: 사양에 열을 적어 넣지 않은 쌍둥이는 열을 모름
twin-foretells-wear = 쌍둥이에서는 드라이브의 보증 쓰기량 { $rated } 중 { $share }을 씀
twin-says-of-itself = 쌍둥이: { $description }
twin-description-foreign = { $model }의 쌍둥이, { $programs }의 결과에 맞춤. { $part ->
        [1] 크기는 드라이브와 같음
       *[other] 크기는 드라이브의 1/{ $part }이라 속도와 지연 시간은 드라이브와 같고 전체를 쓰는 시간은 1/{ $part }임
    }. 따로 떼어 둔 측정점 { $points }개에서 오차의 중앙값: { $errors }
twin-description-foreign-unheld = { $model }의 쌍둥이, { $programs }의 결과에 맞춤. { $part ->
        [1] 크기는 드라이브와 같음
       *[other] 크기는 드라이브의 1/{ $part }이라 속도와 지연 시간은 드라이브와 같고 전체를 쓰는 시간은 1/{ $part }임
    }. 떼어 둘 측정점이 없어 오차를 알 수 없음
twin-foreign-part = 쌍둥이의 크기는 드라이브의 1/{ $part }임. 속도와 지연 시간은 드라이브와 같고 전체를 쓰는 시간은 1/{ $part }임
twin-foreign-left-out = 뺀 것: { $job }: { $reason }
twin-foreign-more = 그 밖에 작업 { $jobs }개
twin-foreign-both = ssdlab의 실행과 다른 프로그램의 결과에는 함께 맞추지 않음: `{ $run }`만 가져온 결과이고 `{ $other }`는 아님
twin-foreign-program = `{ $run }`: { $program }의 결과라서 어느 값이 어떤 부하의 것인지 적혀 있지 않음
twin-foreign-no-json = `{ $run }`에 fio의 JSON이 없고, 어느 값이 어떤 부하의 것인지 달리 알 수 없음
twin-hint-foreign = JSON에서 가져온 fio와 bench-fio의 결과에는 쌍둥이를 맞출 수 있음(`--output-format=json+`)
twin-foreign-none = 이 결과에는 쌍둥이를 만들 수 있는 작업이 없음. 첫째: { $reason }
twin-foreign-several = 한 쌍둥이의 결과가 아님. { $mark }의 값이 서로 다름: { $said }
twin-foreign-no-size = `{ $run }`에 드라이브의 용량이 없음. 용량을 모르면 얼마만큼을 썼는지 알 수 없음
twin-hint-foreign-size = `--capacity 2TB`처럼 `--capacity`를 주어 다시 가져올 것
twin-foreign-size = { $size } 드라이브의 쌍둥이는 만들지 않음
twin-foreign-much = 드라이브를 너무 여러 번 덮어쓴 결과라서 시도마다 쓰기 { $ios }번이 필요함. 최대는 { $most }번
twin-hint-foreign-much = 한 단계의 결과처럼 더 적은 결과를 가져올 것
twin-foreign-option = `{ $option }={ $text }`: 쌍둥이를 맞추지 않는 부하
twin-foreign-value = `{ $option }={ $text }`: 다시 해 볼 수 없는 값
twin-foreign-cached = 페이지 캐시를 거쳐(`direct=1` 아님) 드라이브의 값이 아님
twin-foreign-check = 검사 `{ $check }` 실패
twin-foreign-together = 동시에 다른 작업도 실행됨
twin-foreign-no-options = fio가 옵션을 출력하지 않음
twin-foreign-nothing = 어느 방향의 속도도 적혀 있지 않음
twin-foreign-queue = 속도와 지연 시간이 옵션의 동시 요청 { $depth }개와 맞지 않음
twin-hint-check-runs = 쌍둥이는 `ssdlab run`의 실행과 견줌. 다른 프로그램의 결과에서 벗어난 정도는 `ssdlab twin fit`이 알려 줌
