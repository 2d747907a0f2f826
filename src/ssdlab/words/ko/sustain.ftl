# 지속 쓰기의 요약.

sustain-flat-means = 매초 값의 { $share } %가 중앙값의 { $within } % 이내이고, 추세선이 회차 처음부터 끝까지 평균의 { $within } % 이내로 움직이면 평탄한 회차.
sustain-flat = 평탄
sustain-not-flat = 평탄하지 않음
sustain-flat-unknown = 평탄한지 알 수 없음: { $why }
sustain-pass = { $number }회차: 평균 { $mean }, { $verdict }
sustain-pass-because = { $number }회차: 평균 { $mean }, { $verdict } ({ $why })
sustain-worst = { $number }회차: 가장 느린 1초 { $worst }; 중앙값의 { $shares }인 시간
sustain-share = { $share } % 미만 { $value } %
sustain-fell = { $number }회차: { $written } 이후에 떨어짐
sustain-need = { $number }회차: 시간의 { $met } %, { $need }
sustain-need-least = 적어도 { $met } %, { $need }
sustain-passes = { $count }회: 평균 { $slowest } ~ { $fastest }, { $flat }
sustain-too-short = 너무 짧아 평탄한지 알 수 없음
sustain-so-many-flat = 평탄 { $flat }회
sustain-so-many-flat-of = 판정할 만큼 긴 { $judged }회 중 평탄 { $flat }회
sustain-totals = 그중 { $count }회는 합계만 남김: { $extremes }
sustain-slowest-pass = 가장 느린 회차 { $speed } ({ $number }회차)
sustain-fastest-pass = 가장 빠른 회차 { $speed } ({ $number }회차)
sustain-worst-second = 가장 느린 1초 { $speed } ({ $number }회차)
sustain-retained = { $speed }로 다시 읽음, { $percent } %: { $of }
sustain-retained-unknown = { $speed }로 다시 읽음; 쓴 날에 대한 속도는 알 수 없음: { $why }
sustain-verified-unknown = 검증: 알 수 없음: { $why }
sustain-verified-bad = 검증: { $count }바이트가 쓴 것과 다름
sustain-not-verified = 검증되지 않음: 읽은 데까지는 쓴 그대로이나, 끝까지 읽기 전에 멈춤
sustain-verified = 검증: 모든 바이트가 쓴 그대로임

sustain-column-mean = 평균
sustain-column-worst = 가장 느린 1초
sustain-column-under = { $share } % 미만
sustain-column-flat = 평탄
sustain-column-fell = 떨어진 지점
sustain-row = { $number }회차
sustain-bad-kind = { $kind }: { $meaning }
sustain-elsewhere = 다른 위치
sustain-stale = 이전 데이터
sustain-zero = 0
sustain-corrupted = 손상
sustain-foreign = 모르는 데이터
sustain-unreadable = 읽을 수 없음
sustain-means-elsewhere = 다른 위치의 온전한 데이터
sustain-means-stale = 이전 회차나 이전 측정의 온전한 데이터
sustain-means-zero = 0뿐임
sustain-means-corrupted = 맞는 데이터이나 틀린 비트가 있음
sustain-means-foreign = 이 측정이나 ssdlab의 다른 측정이 쓴 것이 아님
sustain-means-unreadable = 데이터 대신 오류
sustain-chunk-odd = { $size }의 청크는 한 번에 쓸 수 없음
sustain-hint-chunk = 1 GiB까지의 4 KiB의 배수를 지정할 것: `--chunk 64MiB`
sustain-record-small = 기록 { $record }이 청크 { $chunk }보다 작음
sustain-hint-record = 기록을 더 크게 하거나 청크를 더 작게 할 것
sustain-no-passes = { $passes } 패스로는 아무것도 쓰지 않음
sustain-hint-passes = 1 이상의 수나 `forever`를 지정할 것
sustain-tag-odd = 태그 `{ $tag }`는 이름에 쓸 수 없음
sustain-hint-tag = 영문자, 숫자, `-`, `_`, `.`를 쓸 것: `--tag shelf-2`
sustain-no-room = { $room }을 쓸 수 있는 곳에 { $asked }을 쓸 수 없음
sustain-hint-room = `--total`을 줄이거나 `--leave`를 줄일 것

## 할 일
sustain-will-read = { $size }를 읽음
sustain-will-go-on = Ctrl-C를 누를 때까지 { $size }를 거듭 { $verify ->
    [none] 씀
   *[other] 쓰고 다시 읽음
}
sustain-will-write = { $size }를 { $times ->
    [1] { "" }
   *[other] { $times }번{ " " }
}씀{ $verify ->
    [none] { "" }
    [after] , 마지막에 한 번 다시 읽음
   *[each-pass] , 쓸 때마다 다시 읽음
}
sustain-will-write-nothing = 아무것도 쓰지 않음
sustain-will-make-files = `{ $directory }`에 자기 파일을 만들고 다른 것은 건드리지 않음
sustain-will-lose = `{ $target }`에 있는 것을 잃음: 처음 { $size }에 덮어씀
sustain-will-trim-and-lose = `{ $target }`에 있는 것을 잃음: 먼저 모든 블록을 TRIM하고 처음 { $size }에 덮어씀
sustain-takes = 100 MiB/s로 { $slow }, 1000 MiB/s로 { $fast } 걸림
sustain-pass-takes = 한 회차에 100 MiB/s로 { $slow }, 1000 MiB/s로 { $fast } 걸림
sustain-takes-again = { $time } 걸림, { $at }
sustain-pass-takes-again = 한 회차에 { $time } 걸림, { $at }
sustain-at-speeds = { $date }의 속도로: 쓰기 { $write }, 읽기 { $read }
sustain-with-rests = { $took }, 그중 휴식 { $rest }
