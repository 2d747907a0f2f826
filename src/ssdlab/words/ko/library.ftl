# 실행의 라이브러리.

library-not-ranked = 순위에서 제외: `{ $name }`, 측정이 멈춘 적이 있음
library-skipped = 건너뜀: { $what }
library-signed-by = 서명: { $by }
library-other-ranking = 같은 순위에 두지 않음: { $differences }
library-not-plain = `{ $source }`: 파일도 디렉터리도 아닌 `{ $name }`이 있음
library-files-alone = 결과 묶음은 파일과 디렉터리로만 이루어짐
library-no-bundle = `{ $source }`: 결과 묶음이 아님: { $run }도 { $journal }도 없음
library-pack-printed = `ssdlab run`이 출력한 디렉터리를 압축할 것
library-too-large = `{ $source }`: 풀면 파일 { $files }개, { $total }바이트인데 빈 공간은 { $free }바이트임
library-head-too-long = `{ $source }`: 파일 하나를 { $bytes }바이트로 설명함: 이런 아카이브는 없음
library-bomb = `{ $source }`: 풀면 { $total }바이트로 크기의 { $ratio }배가 넘음: 이런 결과 묶음은 없음
library-bomb-remedy = 보낸 사람을 믿지 말 것; 믿을 수 있으면 직접 풀어서 디렉터리를 추가할 것
library-leads-out = `{ $source }`: 아카이브 밖을 가리키는 `{ $name }`이 있음
library-no-trust = 보낸 사람을 믿지 말 것
library-already-there = `{ $source }`: 이미 라이브러리에 `{ $there }`(으)로 있음
library-goes-on = 실행 `{ $source }`이 아직 진행 중임
library-add-when-over = 끝난 뒤에 추가할 것: 진행 상황은 `ssdlab attach`가 보여 줌
library-beginning-there = `{ $source }`의 처음 부분만 라이브러리에 `{ $there }`(으)로 있음: 추가한 뒤에도 실행이 계속됨
library-remove-beginning = `{ $there }`을 지우고 실행을 다시 추가할 것
library-same-name = 라이브러리에 이름이 `{ $name }`인 다른 실행이 있음
library-no-name = `{ $name }`은 라이브러리에 있는 실행의 이름이 될 수 없음: 이름은 255바이트 이하의 글이고 점으로 시작하지 않음
library-rename-within = `{ $source }`을 풀어 그 안의 디렉터리 이름을 바꾸고 그것을 추가할 것
library-name-no-text = `{ $path }`의 이름이 UTF-8이 아님; 이름을 바꿀 것
library-too-deep = `{ $source }`: 디렉터리가 { $depth }단계보다 깊음: 이런 결과 묶음은 없음
library-within-source = `{ $lab }`의 실행이 `{ $source }` 안에 있음: 자기 안으로는 복사할 수 없음
library-name-lab = 추가할 랩을 지정할 것: `--lab DIR`
library-rename = `{ $source }`의 이름을 바꾸고 다시 추가할 것
library-signature-of-nothing = 결과 묶음에 서명은 있으나 서명의 대상인 { $manifest }이 없음
library-no-source = `{ $source }`: 없음
library-file-twice = `{ $source }`: 이름이 `{ $name }`인 파일이 둘 이상임
library-cannot-unpack = 아카이브 `{ $source }`을 풀 수 없음: { $error }
library-no-archive = `{ $source }`: 디렉터리도 zip이나 tar 아카이브도 아님
library-add-takes = 측정의 디렉터리나 `ssdlab publish`가 쓴 파일을 지정하세요. 다른 프로그램의 결과: `ssdlab import FILE`
library-query-no-rows = 질의 결과에 행이 없음
library-query-select = `select`로 시작할 것
library-query-wrong = 질의가 잘못됨: { $what }
library-no-run = `{ $lab }` 아래에 실행이 없음
library-add-or-name = `ssdlab library add BUNDLE...`로 추가하거나 다른 `--lab DIR`을 지정할 것
library-no-directory = 디렉터리 `{ $path }`이 없음
library-give-bundles = 결과 묶음이나 랩의 디렉터리를 지정할 것
library-compare-repetitions = 모든 실행이 한 호스트의 한 드라이브에서 되풀이한 것임
library-compare-other = 다른 드라이브, 또는 다른 펌웨어, 호스트, 방법의 실행이나 일주일 넘게 뒤의 실행을 지정할 것
library-show-lists = `ssdlab show RUN`이 실행에서 측정한 것을 보여 줌
library-no-drive = 모델명이나 시리얼에 `{ $text }`이 있는 드라이브가 라이브러리에 없음
library-drives-there = 있는 것: { $models }
library-no-metric = 라이브러리에 지표 `{ $metric }`이 있는 실행이 없음
library-all-stood-still = `{ $metric }`의 값이 있는 모든 실행에서 측정이 멈춘 적이 있음
library-stood-still-remedy = 검사 `{ $check }`에 실패하여 순위에서 제외됨; 다시 측정할 것
library-no-number = `{ $metric }`의 값이 있는 실행이 없음: { $reason }
library-compare-nothing = 실행에 공통인 지표가 없음
library-compare-nothing-like = 실행에 `{ $pattern }`에 맞는 공통 지표가 없음
library-did-you-mean = { $names }인가요?
library-all-metrics = 모든 지표: `ssdlab library sql "select distinct name from metrics order by name"`
library-compacted-damaged = 모아 둔 파일을 쓸 수 없음: `{ $path }` { $what }
library-compact-again = `ssdlab library compact`가 결과 묶음에서 새로 만듦
library-compacted = 모아 둔 실행: { $runs }개, 그중 이번에 { $added }개; 부분 { $parts }개, { $size }
library-left-out = 제외함: { $what }
library-nothing-compacted = `{ $lab }`에 모아 둔 실행이 없음
library-not-compacted = 모아 두지 않은 실행 { $count }개는 제외됨
library-compact-first = `ssdlab library compact`가 아직 모으지 않은 실행을 모두 모음
library-no-step = 모아 둔 실행 가운데 단계 `{ $step }`의 지연이 있는 것이 없음
library-all-steps = 모든 단계: `ssdlab library sql "select distinct step from histograms order by step"`
library-column-ios = I/O
library-column-percentile = { $percent } %
library-other-method = { $model }: { $method }, { $first }: { $other }(으)로 측정함: 같은 방법이 아님
library-other-nature = { $nature ->
        [real] { $model }: 실제 드라이브, { $first }: 가상 드라이브
       *[virtual] { $model }: 가상 드라이브, { $first }: 실제 드라이브
    }
library-failed-checks = { $model }: { $run }에서 실패한 검사 { $count }개
library-scaled-profile = 프로필 { $profiles }: 공개된 수치와 비교할 수 없음
library-difference = { $what ->
        [suite] 스위트
        [profile] 프로필
        [engine] 엔진
        [drives] 드라이브
        [state] 드라이브 상태
       *[unit] 단위
    } { $ours } 대신 { $theirs }
library-other-text = 스위트의 텍스트가 다름 ({ $ours } 대신 { $theirs })
library-damaged = 손상  { $path }
library-sound = 정상  { $path }: 파일 { $files }개, { $size }
library-unchecked = 모름  { $path }: 파일 { $files }개, { $size }; { $why }
library-audit = { $outcome ->
        [failed] { $failed }개 실패
        [passed] 통과
       *[none] 없음
    }{ $damage ->
        [damaged] , 손상
       *[none] { "" }
    }
library-not-comparable = { $profile } (비교할 수 없음)
library-drive = { $model }, 시리얼 { $serial }, { $capacity }
library-no-change = 일주일 이상 지나 같은 방법으로 다시 측정한 값이 없음
library-tied-places = { $first }~{ $last }, 동급
library-ranking = { $metric }: { $suite }, 프로필 { $profile }{ $scale ->
        [comparable] { "" }
       *[scaled] , 비교할 수 없음
    }, { $engine }{ $nature ->
        [real] { "" }
       *[virtual] , 가상 드라이브
    }, 드라이브 상태 { $state }; { $better ->
        [higher] 높을수록 좋음
        [near_zero] 0에 가까울수록 좋음
       *[lower] 낮을수록 좋음
    }
library-latency = { $step }의 { $direction ->
        [read] 읽기
        [write] 쓰기
       *[trim] TRIM
    } clat: { $suite }, 프로필 { $profile }{ $scale ->
        [comparable] { "" }
       *[scaled] , 비교할 수 없음
    }, { $engine }{ $nature ->
        [real] { "" }
       *[virtual] , 가상 드라이브
    }, 드라이브 상태 { $state }
