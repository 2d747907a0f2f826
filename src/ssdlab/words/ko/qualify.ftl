# 한도, 그리고 같은 모델의 다른 드라이브와 견준 드라이브.

qualify-no-amount = `{ $text }`: 지표의 값이 아님
qualify-no-bound = 한도에는 `at_least`나 `at_most`가 있어야 함
qualify-no-limit = 파일에 한도가 없음: `[[limit]]` 아래에 suite, metric, 그리고 `at_least`나 `at_most`를 쓸 것
qualify-stood-still = 측정이 멈춘 동안 잰 값
qualify-no-repetition = { $serial }: { $suite }, 프로필 { $profile }의 실행 `{ $first }`와 `{ $last }`는 서로의 반복이 아님. 펌웨어, 호스트, 엔진, 스위트의 내용이 다르거나 일주일 넘게 떨어져 있음
qualify-name-what-counts = 쓸 실행만 지정할 것
qualify-limit-zero = 한도가 0임
qualify-no-run = { $suite }, 프로필 { $profile }의 실행이 없음
qualify-no-such-number = 실행에 그런 값이 없음
qualify-no-metric = { $line }행: { $suite }, 프로필 { $profile }의 어느 실행에도 `{ $metric }` 값이 없음
qualify-other-unit = { $line }행: `{ $metric }`: { $unit ->
        [none] 단위 없는 수
       *[other] 단위 { $unit }
    }. `{ $amount }`는 다른 것의 값임
qualify-say-unit = { $unit ->
        [none] `1.5`처럼 쓸 것
       *[other] 한도를 { $unit } 또는 그 배수로 쓸 것
    }
qualify-too-few = { $count ->
       *[other] 값이 있는 드라이브 { $count }개
    }, { $least }개가 안 되면 아무 말도 하지 않음
qualify-has-zeros = 0 이하인 드라이브가 있어 로그를 취할 수 없음
qualify-failed-checks = 한도와 견준 값에서 실패한 검사: { $checks }. ✗로 표시됨
qualify-no-serial = 일련번호 모름, 실행 { $run }
qualify-name = { $name }
qualify-verdict = { $verdict ->
        [failed] 불합격
        [not_measured] 측정되지 않음
       *[passed] 합격
    }
qualify-bound = { $side ->
        [at_least] { $value } 이상
       *[at_most] { $value } 이하
    }
qualify-unmeasured = 측정되지 않음: { $why }
qualify-reason = { $serial }, { $metric }: { $reason }
qualify-value = { $marked ->
        [yes] { $value } ✗
       *[no] { $value }
    }
qualify-margin = { $told ->
        [no] { $percent } % (구간 안)
       *[yes] { $percent } %
    }
qualify-no-margin = -
qualify-odd = { $metric } 중앙값의 { $ratio }배, { $deviations } σ
qualify-not-odd = -
qualify-odd-first = { $more ->
        [0] { $first }
       *[other] { $first } 외 { $more }개
    }
qualify-more = 외 { $count }개
qualify-head = 드라이브 { $count ->
       *[other] { $count }개
    }, 한도 { $limits ->
       *[other] { $limits }개
    }: 합격 { $passed ->
       *[other] { $passed }개
    }, 불합격 { $failed ->
       *[other] { $failed }개
    }, 측정되지 않음 { $unmeasured ->
       *[other] { $unmeasured }개
    }. 유별난 드라이브 { $odd ->
       *[other] { $odd }개
    }
qualify-size = { $size }
qualify-size-unknown = 용량 모름
qualify-of = { $model }, { $size }, 스위트 { $suite }, 프로필 { $profile }
qualify-batch = { $who }: 드라이브 { $drives }개 중 { $odd }개가 유별남. 판정한 값 { $numbers ->
       *[other] { $numbers }개
    }{ $others ->
        [0] {""}
       *[other] , 판정하지 않은 값 { $others }개
    }. 나머지의 { $reach } σ보다 가까운 드라이브는 유별나다고 하지 않음
qualify-batch-few = { $who }: { $drives ->
       *[other] 드라이브 { $drives }개
    }. 유별난 드라이브는 { $least }개부터 가려냄
qualify-test = 유별남: 로그에 대한 일반화 ESD 검정(Rosner 1983)에서 드러나고 나머지와 { $percent } % 넘게 다른 것. 드라이브 { $least }개부터. 유의 수준은 모든 드라이브와 모든 값에 걸친 것임: 정상인 값이 정규 분포로 흩어진다면, 정상인 묶음 { $batches }개 중 많아야 하나에서 우연히 유별난 드라이브가 나옴. σ는 나머지의 표준 편차.
qualify-title = { $drives ->
       *[other] 드라이브 { $drives }개의 합격 판정
    }
qualify-drives = 드라이브
qualify-drives-caption = 나쁜 것부터. 한도를 가장 많이 벗어났거나 여유가 가장 적은 값과 함께.
qualify-siblings = 같은 모델끼리
qualify-each = 드라이브별
qualify-runs = 실행: { $runs }
qualify-column-verdict = 판정
qualify-column-worst = 가장 나쁜 값
qualify-column-limit = 한도
qualify-column-margin = 여유
qualify-column-odd = 유별난 값
qualify-strips-about = { $drives ->
       *[other] 드라이브 { $drives }개
    }
qualify-strips-left-out = { $count ->
       *[other] 그리지 않은 값이 { $count }개 더 있음.
    }
qualify-remark-fails = 불합격: { $bound }
qualify-remark-odd = 유별남: { $deviations } σ
figure-strips-title = 같은 모델의 드라이브 사이에서
figure-strips-caption = 눈금 하나가 드라이브 하나. 그 값이 전체 중앙값의 몇 배인지를 보이며, 중앙값은 이름 옆에 있음. 주황색과 이름: 한도를 벗어났거나 유별난 드라이브. 긴 초록색: 한도.
figure-strips-described = 최대 { $drives }개 드라이브의 값 { $numbers }개를 중앙값의 배수로 나타낸 스트립 그림.
figure-strips-axis = 중앙값의 배수
figure-strips-words = { $drive }, { $metric }: { $value }, { $remark }
figure-strips-metric = 지표
figure-strips-remark = 눈에 띄는 까닭
figure-strips-table = 드라이브마다 값마다 한 행.
qualify-imported = `{ $run }`: 다른 프로그램의 결과이고, 한도는 스위트의 것임
qualify-name-runs = `ssdlab run`의 실행을 지정할 것
