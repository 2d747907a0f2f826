# 읽을 수 없는 양.

unit-no-share = `{ $text }`: 비율이 아님
unit-write-share = `75%`나 `1/128`처럼 쓸 것
unit-no-bandwidth = `{ $text }`: 대역폭이 아님
unit-add-unit = 단위를 붙일 것: `1350MB/s`
unit-no-quantity = `{ $text }`: { $asked ->
        [size] 크기가 아님
       *[duration] 시간이 아님
    }
unit-too-large = `{ $text }`: { $asked ->
        [size] 크기로는 너무 큼
       *[duration] 시간으로는 너무 큼
    }
unit-write-with-unit = `{ $example }`처럼 쓸 것; 단위: { $units }
unit-form = `{ $form }`
unit-write-one-of = { $forms }처럼 쓰세요
unit-write-like = `{ $example }`처럼 쓸 것
unit-has-none = `{ $text }`: 단위가 없음
unit-write-in-quotes = `{ $example }`처럼 따옴표 안에 쓸 것
unit-nothing = `{ $text }`: 0임
unit-write-size = `128KiB`처럼 0보다 큰 크기를 쓸 것
unit-write-duration = `30s`처럼 0보다 긴 시간을 쓸 것
unit-out-of-range = `{ $text }`: 범위를 벗어남
unit-share-range = 비율은 0보다 크고 `100%` 이하
unit-no-multiple = `{ $text }`: 배수가 아님
unit-write-multiple = 드라이브를 몇 번 쓰는지 `2x`처럼 쓸 것
unit-no-rate = `{ $text }`: 속도가 아님
unit-write-rate = 초당 바이트를 `15MiB/s`처럼 쓸 것
unit-no-read-share = `{ $text }`: 읽기 비율이 아님
unit-write-read-share = `0%`부터 `100%`까지의 정수 퍼센트로 쓸 것
unit-no-load = `{ $text }`: 부하가 아님
unit-write-load = 포화점에 대한 비율을 `0.5%`부터 `200%`까지, 0.01% 단위로 쓸 것
unit-no-percentile = `{ $text }`: 백분위수가 아님
unit-write-percentile = `99.9%`처럼 `50%`부터 `99.9999%`까지 쓸 것
unit-no-mix = `{ $text }`: 읽기와 쓰기의 비율이 아님
unit-write-mix = `read`, `write`, 또는 `r70w30`처럼 두 비율을 쓸 것
unit-no-depth = `{ $text }`: 큐 깊이가 아님
unit-write-depth = `256`처럼 1부터 { $most }까지의 정수를 쓸 것
unit-list-repeats = 목록이 비었거나 같은 값이 두 번 있음
unit-name-once = 값마다 한 번씩 쓸 것
unit-no-series = `{ $text }`: 일련의 값이 아님
unit-write-list-or = 목록 또는 `{ $example }`로 쓸 것
unit-series-length = `{ $text }`: 1개에서 { $most }개까지의 일련의 값이 아님
unit-series-short = `{ $text }`: `{ $end }`에서 끝나 `{ $last }`이 빠짐
unit-series-write = `{ $series }` 또는 값의 목록으로 쓸 것
unit-step-meets = 간격 `{ $step }`이면 `{ $last }`에 닿음
unit-no-ranges = `{ $text }`: 일련의 범위가 아님
unit-no-list = `{ $text }`: 목록이 아님
unit-write-list = 값을 쉼표로 나누어 대괄호 안에 쓸 것
