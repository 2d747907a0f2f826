# 보고서의 첫 화면: 모든 숫자는 측정값이다.

verdict-capacity = { $capacity }
verdict-virtual = 가상 드라이브
verdict-firmware = 펌웨어 { $firmware }
verdict-runs = { $count ->
   *[other] 측정 { $count }회: { $status }
}
verdict-imported = ssdlab이 아니라 { $program }의 측정 결과
verdict-label = 요약
verdict-tiles = 주요 수치
verdict-note = 괄호 안과 숫자 아래는 95 % 신뢰 구간입니다.
verdict-median-of-runs = 수치는 이 드라이브를 { $count }번 측정한 중앙값입니다.
verdict-hero-above = “{ $title }” 그림은 이 페이지의 맨 위에 있습니다.

verdict-measured = { $value } ({ $low } ~ { $high })
verdict-labelled = { $label } { $value }
verdict-labelled-unknown = { $label } 알 수 없음({ $why })
verdict-of-point = { $point }: { $quantity }
verdict-place = { $place ->
    [1] { $count }개 중 1위
   *[other] { $count }개 중 { $place }위
}
verdict-places = { $count }개 중 { $first }~{ $last }위, 동급
verdict-folding-speed = 폴딩 중 속도, 1회차
verdict-speed-of-pass = 평균 속도, 1회차
verdict-fresh-speed = FOB { $load }
verdict-fresh-lost = { $load }의 FOB 속도를 잃기까지 쓴 양

verdict-sentence = { $told }.
verdict-within-cache = 1회차({ $state }): SLC 캐시 { $size } 안에서 { $speed }
verdict-cache = { $within }, 캐시 이후 { $after }.
verdict-folding-then-direct = 먼저 폴딩 중 { $folding }, 그다음 직접 쓰기 { $direct }
verdict-direct-then-folding = 먼저 직접 쓰기 { $direct }, 그다음 폴딩 중 { $folding }
verdict-folding = 폴딩 중 { $folding }
verdict-no-cache = SLC 캐시는 알 수 없음: { $why }.
verdict-no-cache-level = 1회차({ $state }): { $speed }로 일정. { $why }.
verdict-no-cache-found = 1회차({ $state }): 평균 { $speed }. { $why }.
verdict-no-cache-mean = 1회차({ $state }): 평균 { $speed }. SLC 캐시는 알 수 없음: { $why }.
verdict-pass = 1회차 전체는 { $duration } 동안 평균 { $mean }이며, 가장 느린 1 % 구간은 { $slowest } 이하입니다.
verdict-later-pass = { $number }회차({ $state }): 평균 { $mean }
verdict-later-pass-cache = { $told }, SLC 캐시 { $size }.

verdict-written = { $label } { $value }
verdict-mixed = { $load } 읽기와 쓰기 혼합 { $value }
verdict-sync = { $load } 동기 쓰기 { $value }
verdict-shallow = 얕은 큐에서: { $parts }.
verdict-reclaim = 캐시 회복: { $parts }.
verdict-reach = 랜덤 읽기는 { $reach } 범위까지 빠릅니다(매핑 캐시의 도달 범위).
verdict-steady = 지속 쓰기: { $parts }.
verdict-fresh = FOB 드라이브, { $load }: { $speed }.
verdict-fresh-until = FOB 드라이브, { $load }: { $written }를 쓸 때까지 { $speed }.
verdict-deep = 동시에 I/O { $depth }개: { $parts }.
verdict-latency = I/O 하나씩일 때의 평균 지연시간: { $parts }.
verdict-profiles = 여러 번 중 최고값: { $parts }.
verdict-boot-passed = BootBench를 통과합니다. 한계 안에서 동시 읽기 작업 { $readers }개로 { $speed }입니다.
verdict-boot-missed = BootBench를 통과하지 못합니다. 한계 안에서 동시 읽기 작업 { $readers }개로 { $speed }입니다.
verdict-boot-none = BootBench를 통과하지 못합니다: { $why }.
verdict-generator-late = 제공한 속도 { $loads }개 중 { $late }개에서 호스트 자신이 I/O를 늦게 제출함: 그 수치는 드라이브가 아니라 호스트 탓일 수 있음.
verdict-within = I/O의 99.9 %를 { $limit } 안에 마치는 최고 속도: { $parts }.
verdict-amplified-counted = 균일 랜덤 쓰기({ $state })는 호스트 1바이트마다 플래시에 { $times }바이트를 씁니다(드라이브 카운터 기준). 여유 공간 { $spare }에 해당하는 값입니다.
verdict-amplified-implied = 균일 랜덤 쓰기({ $state })는 호스트 1바이트마다 플래시에 { $times }바이트를 쓰는 것으로 보입니다(속도에서 추정). 여유 공간 { $spare }에 해당하는 값입니다.
verdict-kept-apart = 핫 데이터와 콜드 데이터를 따로 둡니다. 모두 한 흐름일 때에서 구역마다 따로일 때까지의 { $share } 지점입니다(등급 { $grade }).
verdict-not-kept-apart = 핫 데이터와 콜드 데이터를 따로 두지 않습니다. 모두 한 흐름일 때에서 구역마다 따로일 때까지의 { $share } 지점입니다(등급 { $grade }).
verdict-kept-apart-unclear = 핫 데이터와 콜드 데이터를 따로 두는지 분명하지 않습니다. 모두 한 흐름일 때에서 구역마다 따로일 때까지의 { $share } 지점입니다(등급 { $grade }).

verdict-pass-number = { $number }회차
verdict-pass-in-state = { $number }회차({ $state })
verdict-sustained-mean = { $begun }: 평균 { $mean }.
verdict-sustained-short = { $begun }: 평균 { $mean }. 평탄한지는 알 수 없음: { $why }.
verdict-sustained = { $begun }: 평균 { $mean }, 가장 느린 1초 { $worst }
verdict-sustained-flat = { $speeds }. 평탄함.
verdict-sustained-uneven = { $speeds }. 평탄하지 않음.
verdict-sustained-fell = { $speeds }. SLC 캐시 { $fell } 이후 느려짐.
verdict-bad-bytes = 다시 읽기: { $count }가 쓴 것과 다릅니다.
verdict-read-back-unknown = 다시 읽기: 쓴 그대로인지 알 수 없음: { $why }.
verdict-all-as-written = 다시 읽기: 모든 바이트가 쓴 그대로입니다.
verdict-as-written-so-far = 일부 다시 읽기: 읽은 것은 쓴 그대로입니다.

verdict-program = { $program } 측정값: { $parts }.

verdict-portrait-open = 먼저 말할 만큼 확실한 답이 없습니다. 이유는 아래에 있습니다.
verdict-portrait-cache = SLC 캐시: { $facts }.
verdict-portrait-inside = 구조: { $facts }.
verdict-portrait-buffer = 버퍼: { $facts }.

verdict-of-first-pass = 1회차: { $quantity }
verdict-slc-on-empty = 빈 드라이브에서 { $size }
verdict-slc-on-full = 가득 찬 드라이브에서 { $size }
verdict-slc-largest = SLC 캐시, 빈 드라이브
verdict-slc-smallest = SLC 캐시, 가득 찬 드라이브
verdict-reclaim-rate = SLC 캐시 회복 속도
verdict-management-block = 매핑 단위
verdict-units = 병렬 유닛
verdict-channels = 채널
verdict-mapping-reach = 매핑 캐시 범위
verdict-read-page = 읽기 페이지
verdict-stripe = 스트라이프
verdict-write-buffer = 쓰기 버퍼
verdict-drain-rate = 쓰기 버퍼를 비우는 속도
verdict-flush-cost = 플러시
verdict-read-buffer = 읽기 버퍼
verdict-spare = 여유 플래시 비율
verdict-reads-beside-writes = 쓰기 중 읽기 p99

verdict-idle = 유휴 시간을 둔 { $load }를 쉬지 않는 쓰기와 비교하면: { $parts }.
verdict-recovered = 다른 종류의 쓰기 뒤 { $after } 안에 이전 속도의 95 %를 되찾음.
verdict-not-recovered = 다른 종류의 쓰기 뒤 회복되지 않음: { $why }.
verdict-recovery-unknown = 다른 종류의 쓰기 뒤 회복되었는지 알 수 없음: { $why }.
verdict-operating = { $label } { $rate }, 평균 응답 { $response }
verdict-demand = 동작점: { $parts }.
verdict-demand-not-steady = 아직 안정되지 않은 드라이브의 동작점: { $parts }.
