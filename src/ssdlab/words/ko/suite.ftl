# 벤치마크의 오류, 필요하지 않은 단계의 까닭.

## 필요하지 않은 단계
suite-skip-beyond-end = 범위의 끝이 드라이브 용량 { $capacity }을(를) 넘음
suite-skip-small-blocks = 블록이 드라이브의 논리 블록 { $block }보다 작음
suite-skip-large-drive = 드라이브가 { $capacity }, 벤치마크는 { $limit }까지만 함
suite-skip-settled = 최근 { $runs }회의 RSE { $error } % < { $limit } %
suite-choose = 다음 중에서 고를 것: { $known }
suite-did-you-mean = `{ $guess }`인가요? 다음 중에서 고를 것: { $known }
suite-none-such = 스위트 `{ $name }`이 없음
suite-own-file = 직접 만든 스위트를 실행하려면 TOML 파일의 경로를 지정할 것
suite-too-long = `{ $path }`: { $most } 바이트보다 길어 스위트가 아님
suite-no-utf-8 = `{ $path }`: { $at }번째 바이트부터 UTF-8 텍스트가 아님 ({ $why })
suite-unreadable = `{ $path }`을 읽을 수 없음: { $why }
suite-builtin-are = 내장 스위트: { $names }
suite-no-profile = 스위트 `{ $suite }`에 프로필 `{ $profile }`이 없음
suite-no-engine = 스위트 `{ $suite }`: 측정 엔진은 { $engines }이며 { $engine }은 쓸 수 없음
suite-needs-load-engine = 이 단계가 요구하는 것은 ssdlab의 자체 엔진만 함: `[suite]` 아래에 `engine = "load"`라고 쓸 것
suite-needs-live-windows = `until`은 측정하는 동안 1초에 열 번 판단하는데 fio는 그렇게 자주 알려 주지 않음: `[suite]` 아래에 `engine = "load"`라고 쓸 것
suite-until-without-limit = 없음; `until`에는 그만둘 시간 `limit`이 필요함
suite-until-with-amount = 끝을 이미 정함; `until`은 `limit`하고만 씀
suite-until-repeated = 평균을 알 때까지 측정하므로 `repeat`로 할 것이 없음
suite-tail-and-budget = 없음; `tail`과 `budget`은 함께 써야 함
suite-tail-without-until = 없음; `tail`은 `until`로 끝날 측정점을 무엇 때문에 계속할지 정하는 것임
suite-budget-below-limit = `limit`보다 짧음; 그보다 길어야 함
suite-at-most-below-least = `at_least`보다 짧음
suite-fault = { $place }: { $where }: { $fault }
suite-missing = 없음
suite-not-allowed = `{ $found }`: 여기에 쓸 수 없음; 쓸 수 있는 것: { $expected }
suite-no-whole-number = `{ $found }`: 정수가 아님
suite-number-in-quotes = `"{ $found }"`: 텍스트임; 숫자를 따옴표 없이 쓸 것
suite-no-text = `{ $found }`: 텍스트가 아님; 따옴표 안에 쓸 것
suite-too-small = `{ $found }`: 너무 작음; 최소 { $least }
suite-too-large = `{ $found }`: 너무 큼; 최대 { $most }
suite-text-too-long = `{ $found }`: 너무 김; 최대 { $most }자
suite-no-name = `{ $found }`: 여기에 쓸 수 없는 이름; `{ $pattern }`에 맞아야 함
suite-empty = 비어 있음; 단계마다 `[[step]]` 아래에 쓸 것
suite-no-table = `{ $found }`: 테이블이 아님
suite-no-steps = `{ $found }`: 목록이 아님; 단계마다 `[[step]]` 아래에 쓸 것
suite-with-hints = { $fault } ({ $hints })
suite-no-kind = `{ $kind }`: 단계의 종류가 아님 ({ $choice })
suite-kind-missing = 없음 ({ $choice })
suite-unknown-key = 알 수 없는 키 ({ $choice })
suite-found = { $fault }, 찾은 값 `{ $found }`
suite-absurd = 숫자가 수천 자리이거나 테이블이 수천 겹임
suite-no-such-profile = `{ $profile }`: 이 스위트에 없는 프로필임; { $choice }
suite-profile-needs-load = 측정하는 동안 1초에 열 번 판단하는데 fio는 그렇게 자주 알려 주지 않음: 프로필에 `engine = "load"`라고 쓸 것
suite-profile-tail-without-until = 없음; `tail`은 이것으로 끝날 측정점을 무엇 때문에 계속할지 정하는 것임
suite-standard-profile = 스위트 그대로를 뜻함; 다른 이름을 고를 것
suite-same-name = { $line }행의 단계도 이름이 `{ $name }`임; 다른 이름을 줄 것
suite-unfit = 스위트 `{ $suite }`는 `{ $target }`에 맞지 않음: { $faults }
suite-quick-fits = `--profile quick`은 맞음: 크기와 시간을 줄이며, 결과는 비교할 수 없음
suite-larger-drive = 가상 드라이브는 크기를 바꿀 수 있음: `{ $example }`
suite-too-many-steps = 단계가 { $most }개를 넘음
suite-too-much-time = { $time } 걸림: 10년이 넘음
suite-unit-unknown = 단계 `{ $step }`은 드라이브의 간접 단위 크기의 블록을 쓰는데, `{ $target }`에서 그 크기를 알 수 없음
suite-write-unit = 스위트를 복사해 `IU` 대신 `bs = "16KiB"`처럼 크기를 쓸 것

## 드라이브에 맞지 않는 것
suite-writes-beyond = 단계 `{ $step }`은 { $amount } 쓰는데 드라이브는 { $capacity }임
suite-too-little-to-write = 단계 `{ $step }`은 적어도 { $needed } 써야 하는데 드라이브 { $capacity } 중 { $given }만 쓰게 됨
suite-no-whole-blocks = 단계 `{ $step }`의 { $block }바이트 블록은 드라이브 블록({ $logical }바이트)의 배수가 아님
suite-trims-beyond = 단계 `{ $step }`은 { $whole } 중 { $wanted }을 TRIM함
suite-trims-too-little = 단계 `{ $step }`은 { $whole } 중 1 MiB보다 적게 TRIM함
suite-trims-too-little-of-drive = 단계 `{ $step }`은 드라이브 { $capacity } 중 1 MiB보다 적게 TRIM함
suite-no-sequential-region = 단계 `{ $step }` 뒤에 순차 영역이 남지 않음: 드라이브 { $capacity } 중 처음 { $random }은 랜덤 측정에 쓰고 마지막 { $free }은 비움
suite-drive-too-small = 단계 `{ $step }`은 적어도 { $needed } 필요한데 드라이브는 { $capacity }임
suite-too-many-runs = 단계 `{ $step }`은 지점마다의 측정이 모두 { $count }번: { $most }번을 넘음
suite-too-little-room = 단계 `{ $step }`의 영역 { $room }은 { $block } 블록 { $jobs }개에 너무 작음

## 벤치마크 안에서 서로 맞지 않는 것
suite-unknown-region = `{ $region }`: 앞 단계가 만든 영역이 아님 ({ $choice })
suite-same-pattern = 같은 종류의 앞 단계와 패턴이 같음; 측정값의 이름이 겹침
suite-at-most-low = `{ $most }x`: `at_least`인 `{ $least }x`보다 크지 않음
suite-steady-without-end = 없음: `at_most`나 `limit` 또는 둘 다 지정할 것
suite-jobs-in-order = 여러 작업이 같은 바이트부터 순서대로 쓰게 됨: 랜덤 쓰기만 작업이 여럿일 수 있음
suite-short-way-unpurged = 짧은 길은 퍼지한 드라이브에서 시작함: 이 단계 바로 앞에 `purge`를 넣거나 `route`를 뺄 것
suite-window-at-random = 고르게 쓴 용량 하나는 순차 쓰기에서만 말해 줌: 랜덤 쓰기의 느린 리듬은 극값 근처에서 똑같이 고름
suite-short-way-in-order = 짧은 길은 순차 쓰기가 아니라 랜덤 쓰기의 균형에 이르는 길임
suite-short-way-by = 짧은 길은 한 번 채운 뒤의 쓰기로 판정하고 이어서 `held`로 판정함. `{ $by }`로는 판정하지 않음
suite-short-way-collects = 드라이브가 이미 가비지 컬렉션을 함: 용량 밖의 여유 공간을 모두 씀
suite-short-way-unproven = 짧은 길은 새것 상태의 드라이브에서 시작하는데 퍼지한 상태를 확인할 수 없음: 긴 길로 감
suite-say-or-sweep = 없음; 여기에 쓰거나 sweep에 넣을 것
suite-swept-already = 이미 `sweep.{ $key }`에 있음; 한 곳에만 쓸 것
suite-reads-swept-already = 읽기 비율은 이미 `sweep.read`에 있음; 한 곳에만 쓸 것
suite-job-without-end = 없음; 작업에는 `amount`나 `limit`, 또는 둘 다 필요함
suite-go-together = 없음; `at_most`와 `until_rse`는 함께 씀
suite-at-most-times = `{ $most }`: `times`보다 크지 않음
suite-times-too-few = `{ $times }`: 너무 작음; 오차는 마지막 세 번의 것임
suite-weights-without-curve = 읽기 비율에 따른 곡선이 필요함; `read`를 sweep에 넣을 것
suite-weights-differ = 가중치는 { $weighed }, sweep의 `qd`는 { $swept }
suite-missing-depths = 없음
suite-weights-sum = 가중치의 합이 { $total } %
suite-column = { $column }번째 글자
suite-syntax = 문법

suite-rounds-nothing-tracked = 단계 `{ $step }`에서 추적하는 셀 중 블록이 { $block }인 드라이브가 할 수 있는 것이 없음
suite-tracked-not-measured = 스윕의 셀이 아님

## 혼합
suite-replay-small-drive = 트레이스 재생은 16 MiB 이상의 드라이브에서만 가능
suite-replay-empty = `{ $path }`에 데이터를 옮기는 I/O가 없음
suite-replay-no-sectors = `{ $path }`의 위치나 길이는 { $step }의 배수일 뿐이고 섹터가 { $sector }보다 작은 드라이브는 없음: 블록 장치에서 기록한 트레이스를 재생할 것
suite-replay-other-sectors = `{ $path }`의 위치나 길이는 { $step }의 배수일 뿐이고 이 드라이브의 섹터는 { $sector }임: 섹터가 { $step } 이하인 드라이브에서 재생할 것. `ssdlab purge --block-size`로 그렇게 포맷할 수 있는 드라이브도 있음
suite-replay-discards = `{ $path }`에 discard가 있으나 이 드라이브에는 보낼 수 없음: { $why }
suite-replay-no-times = `{ $path }`에 I/O 도착 시각이 없음: `as_fast`만 가능
suite-replay-no-latencies = `{ $path }`에 각 I/O의 소요 시간이 없어 의존 관계를 알 수 없음: `dependent` 이외의 pace를 선택
suite-replay-pause = `longest_pause`는 pace `idle`에만 해당
suite-replay-unwritten = 트레이스가 읽는 곳은 먼저 써져 있어야 함: 이 단계 앞에 `fill`을 추가
mix-none-such = 혼합 `{ $name }` 없음
mix-too-long = `{ $path }`: { $most } 바이트보다 길어 혼합이 아님
mix-no-length = `{ $text }`는 I/O 길이가 아님: 1 MiB까지 512 B의 배수를 "4KiB"처럼 쓸 것
mix-title-ours = { $title } (자체)
mix-too-little-room = 혼합 `{ $mix }`의 한 부분이 그 I/O 하나({ $length }바이트)보다 짧음
mix-no-whole = `{ $key }`의 비율 합이 { $total } %임, 100 %여야 함
mix-uneven-reads = 모든 스트림의 읽기를 합친 비율이 정수 퍼센트가 아님
mix-zipf-in-order = zipf 법칙은 임의 블록에만 해당함: `order = "random"`으로 쓸 것
suite-mix-or-block = `mix` 또는 `pattern`, `bs`, `read`를 지정할 것
