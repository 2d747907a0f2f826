# 벤치마크의 측정 방법, 단계마다 한 문장.

method-sentences = { $sentences }.
method-purge = FOB로 Purge.
method-purge-and-rest = FOB로 Purge, 이후 { $rest } 휴식.
method-rest = { $time } 휴식: 호스트 I/O 전혀 없음.
method-fill = { $part }를 { $writes }로 { $times } 씀.
method-fill-with-rests = { $part }를 { $writes }로 { $times } 씀, 사이에 { $rest } 휴식.
method-used-state = 앞 { $amount }를 { $writes }로 쓰고 드라이브의 마지막 { $share }를 TRIM. 이후 랜덤 테스트는 그 부분만, 순차 테스트는 사용 중인 나머지만 다룸.
method-steady-state = 속도가 Steady State가 될 때까지 드라이브 전체에 { $writes }: 사용자 용량의 최소 { $least }배, 최대 { $most }배.
method-steady-ends = { $account } 드라이브 전체에 { $writes }: 사용자 용량의 최소 { $least }배, 최대 { $ends }.
method-steady-ends-first = { $account } 드라이브 전체에 { $writes }: 사용자 용량의 최소 { $least }배, 최대 { $ends } 중 먼저 되는 것.
method-steady-held = 속도가 Steady State가 될 때까지
method-steady-window = 마지막 용량만큼을 고른 속도로 쓸 때까지
method-steady-snia = 연속한 반 시간 다섯 번의 마지막 1분이 그 평균의 20 % 안에, 그 최적 직선이 10 % 안에 들 때까지
method-steady-times = 그 { $times }배
method-steady-short-way = 짧은 길: 퍼지한 드라이브를 { $parts }부분으로 나누어 차례로 한 번 채우고, 매번 그때까지 채운 부분을 드라이브에 용량보다 { $spare } 많은 공간이 있는 것처럼 랜덤으로 덮어쓰고, 가비지 컬렉션이 보일 때까지 오래된 부분을 더 많이 이어서 덮어쓴 뒤(많아야 { $most } 많은 것처럼), 용량의 { $share }를 고른 속도로 쓸 때까지 아래의 쓰기를 계속함. 용량의 { $limit } 안에 그렇게 되지 않으면 긴 길이 이어짐. { $long }
method-reclaim = { $rests }의 휴식마다: Purge, { $purge_rest } 휴식, 드라이브의 { $share }를 { $writes }로 채움, 그만큼 휴식, 이후 같은 방식으로 { $time } 쓰기.
method-trim = 드라이브의 마지막 { $amount }를 TRIM.
method-trim-region = { $region ->
    [file] 파일
    [sequential] 순차
    [random] 랜덤
   *[other] { $region }
} 영역의 마지막 { $amount }를 TRIM.
method-search = 드라이브 전체를 { $fill }로 { $times } 씀. 이후 { $write_rate } 쓰기와 { $trim_rate } TRIM 중에 읽기의 99 %가 { $p99 } 이내, 99.9 %가 { $p99_9 } 이내, 전부가 { $longest } 이내인 가장 많은 읽기 작업을 찾음({ $least } ~ { $most }개의 { $reads }, 각 QD1): { $double }씩 두 배로, { $bisect }씩 이분 탐색, { $confirm } 동안 { $confirmed } 확인; 초당 읽기 { $iops }이면 통과.
method-search-reads = 랜덤 { $block } 읽기
method-load-latency = { $work }를 { $depths }의 닫힌 루프로 각각 { $ladder } 동안 수행해 드라이브의 최대치를 찾음: { $mixes }. 이후 그 { $least }부터 { $most }까지의 부하 { $loads }개를 임의의 순서로, 드라이브를 기다리지 않고 { $arrivals } 도착으로 제공하며, 각각 I/O { $ios }개가 올 때까지 { $shortest }에서 { $longest } 동안 지속함. I/O의 99.9 %가 예정 시각부터 { $limits } 안에 끝나는 속도를 알 때까지 그 사이와 그 너머의 부하를 더 제공함.
method-arrivals-poisson = 임의의 시각에 오는
method-arrivals-constant = 같은 간격으로 오는
method-arrivals-bursts = 임의의 버스트로(평균 2 ms 동안 속도의 2.5배, 평균 6 ms 동안 절반) 오는
method-load-work = { $pattern } { $block } I/O
method-mixes = I/O 혼합을 하나씩: { $mixes }. 각각 { $depths }의 닫힌 루프로 { $time } 동안.
method-replay = 트레이스 `{ $trace }` 재생: { $pace }, 동시에 최대 { $depth }개.
method-replay-timed = 각 I/O를 기록된 시각에
method-replay-idle = 각 I/O를 기록된 시각에, 긴 공백은 { $pause }로 줄여서
method-replay-as-fast = 기록된 순서대로, 자리가 나는 즉시
method-replay-dependent = 각 I/O를 기록 당시 기다렸던 I/O가 끝난 뒤 그때와 같은 간격으로
method-mixes-ramp = { $measured } 각각 앞에 같은 부하를 { $ramp } 동안 수행하며, 이는 세지 않음.
method-write-amplification = { $block } QD{ $depth }로 쓰기: 순차로 한 번, 이어서 임의 패턴을 하나씩 드라이브가 정상 상태가 될 때까지 용량의 { $least }배에서 { $most }배까지: 균일; 블록의 { $cold }는 쓰지 않음; 쓰기의 { $hot }를 나머지 블록에; 지수 { $zipf }의 zipf.

method-sequential = 순차
method-random = 랜덤
method-sequential-first = 순차
method-random-first = 랜덤
method-mix-read = 읽기
method-mix-write = 쓰기
method-reads = 읽기
method-writes = 쓰기
method-reads-and-writes = 읽기와 쓰기
method-mixture = 읽기 { $reads } %와 쓰기 { $writes } %
method-writes-at = { $pattern } { $block } QD{ $depth } 쓰기
method-writes-by-jobs = 작업 { $jobs }개 각각의 { $writes }
method-load = { $pattern } { $direction }
method-load-of-size = { $pattern } { $size } { $direction }
method-load-at-depth = { $pattern } QD{ $depth } { $direction }
method-load-of-size-at-depth = { $pattern } { $size } QD{ $depth } { $direction }
method-load-jobs = { $load }, 작업 { $jobs }개
method-load-region = { $region ->
    [file] 파일
    [sequential] 순차
    [random] 랜덤
   *[other] { $region }
} 영역에서 { $load }
method-load-sync = { $load }, 쓰기마다 비휘발성으로 저장되어야 셈
method-load-end = { $load }, 지점마다 { $end }
method-load-first-end = { $load }, 지점마다 { $end } 중 먼저 끝나는 쪽
method-load-ramp = { $ramp } 램프 뒤 { $load }
method-load-end-ramp = { $load }, { $ramp } 램프 뒤 지점마다 { $end }
method-load-first-end-ramp = { $load }, { $ramp } 램프 뒤 지점마다 { $end } 중 먼저 끝나는 쪽

method-measured-at = { $axis }에서 측정
method-measured-at-combinations = { $axes }의 모든 조합에서 측정
method-block-sizes = 블록 크기 { $sizes }
method-depths = QD { $depths }
method-read-shares = 읽기 비율(%) { $shares }
method-steps = { $first } ~ { $last } ({ $step } 간격)
method-doubling = { $first } ~ { $last } (두 배씩)
method-range-doubling = 앞 { $first }만 다루고 매번 두 배씩 { $last }까지
method-range = 앞 { $ranges }만 다룸
method-each-point = 지점마다 { $times }; { $taken }
method-each-point-until = 지점마다 { $times }, 마지막 세 번의 RSE가 { $percent } % 미만이 될 때까지 최대 { $most }번; { $taken }
method-median-counts = 마지막 세 번의 중앙값을 씀
method-trimmed-mean-counts = 최댓값과 최솟값을 뺀 측정의 평균을 씀
method-best-counts = 가장 좋은 측정을 씀
method-rest-between = 측정 사이 { $rest } 휴식
method-weighted = { $weights }의 가중 곡선; 모든 지점의 평균으로 순위를 매김
method-weighted-mixed = { $weights }의 가중 곡선; 혼합 지점만의 평균으로 순위를 매김
method-every-io = 벤치마크가 요구하는 곳에서는 모든 I/O의 지연시간을 보관

method-until = 프로필 { $profile }에서는 점마다 따로 램프가 없고, 평균 속도의 95 % 신뢰구간의 절반이 { $within } % 이하가 되면 끝남; 아래 시간은 가장 긴 것임.
method-tail = 모든 I/O를 남기는 점은 { $percent } % 지연 시간을 말할 수 있을 때까지 이어 가되 { $budget }을 넘지 않음.
method-reads-first = 읽기만 하는 점이 먼저이고, 그다음은 쓰기 비율이 큰 점부터임.
method-first-again = 단계마다 첫 점을 끝에 한 번 더 잼.
method-scaled = 프로필 { $profile }은 단계를 줄여서 실행함: { $scaled }.
method-scaled-times = 시간 { $numerator }/{ $denominator }
method-scaled-rests = 휴식 { $numerator }/{ $denominator }
method-scaled-amounts = 절대량 { $numerator }/{ $denominator }
method-scaled-runs = 지점마다 최대 { $times }
method-scaled-least = Pre-Conditioning은 용량의 최소 { $times ->
    [1] 한 배
    [2] 두 배
   *[other] { $times }배
}
method-scaled-most = Pre-Conditioning은 용량의 최대 { $times ->
    [1] 한 배
    [2] 두 배
   *[other] { $times }배
}

method-times = { $count ->
    [1] 한 번
    [2] 두 번
   *[other] { $count }번
}
method-hours = { $count }시간
method-minutes = { $count }분
method-seconds = { $count }초
method-unit-blocks = IU 크기 블록
method-part-first = 앞 { $amount }
method-part-whole = 드라이브 전체
method-part-share = 드라이브의 { $share }
method-used-state-with-rest = 앞 { $amount }를 { $writes }로 쓰고 { $rest } 쉰 뒤 드라이브의 마지막 { $share }를 TRIM. 이후 랜덤 테스트는 그 부분만, 순차 테스트는 사용 중인 나머지만 다룸.

method-tracked-iops = IOPS
method-tracked-bandwidth = 대역폭
method-tracked-latency = 평균 지연 시간
method-tracked-cell = 읽기/쓰기 { $reads }/{ $writes }의 { $block }
method-rounds = { $pattern } I/O의 라운드, 작업 { $jobs }개, QD{ $depth }: { $shares }, 각각 { $sizes }, 셀마다 { $time }. 연속 다섯 라운드에서 { $cells }의 { $quantity }이 평균의 20 % 이내이고 최적 직선이 그 10 % 이내이면 끝남. 최대 라운드 { $most }회, 마지막 다섯의 평균을 사용함.

published-at-second-hand = SNIA PTS 2.0.2의 매개변수는 공개된 구현과 인용에서 가져옴: 전문을 확인하지 못함
published-cache-disabled = 꺼짐
published-cache-enabled = 켜짐
published-cache-left = ssdlab은 드라이브의 쓰기 캐시를 바꾸지 않아 발견된 그대로 둠. 방법이 요구하는 상태: { $wanted }
published-purge-unproven = 방법이 요구하는 대로 퍼지 후 아무것도 쓰지 않은 상태라는 증거가 없음
published-scaled = 프로필 { $profile }은 방법이 정한 것보다 짧게 실행함
published-small-blocks = 단계 `{ $step }`에서 드라이브의 논리 블록 { $block }보다 작은 것은 제외함
published-not-while-fresh = 단계 `{ $step }`는 사용자 용량의 { $least }배를 쓰기 전에는 끝나지 않음: 아직 FOB인 드라이브의 분도 고름

method-idle-recovery = { $pattern } { $block } 쓰기, 작업 { $jobs }개, QD{ $depth }: { $waits }의 각 대기 시간마다 { $time }짜리 쓰기를 { $cycles }번 하고 매번 그만큼 쉰 뒤, 쉬지 않고 { $baseline } 씀. 이 마지막 3분의 1이 비교 기준 속도임.
method-cross-stimulus = { $before }, 바로 이어서 { $across }, 다시 바로 이어서 처음의 쓰기. 1분 평균이 처음 평균의 95 %에 이르면 회복한 것임.
method-stimulus = { $pattern } { $block } 쓰기, QD{ $depth }, { $time }
published-rests-between-jobs = 단계 `{ $step }`는 쓰기마다 별도의 작업으로 실행함: 실제 시간에서는 대기 시간 외에도 다음 작업이 시작되는 동안 드라이브가 쉼

method-demand = 동시에 { $most }개를 두고 { $saturate }짜리 라운드로 쓰며(라운드마다 첫 { $cell }만 셈), 연속 다섯 라운드가 평균의 20 % 이내이고 최적 직선이 그 10 % 이내이면 끝남. 그 뒤 라운드마다 이 쓰기 { $prewrite }와 { $work }, 작업 { $jobs }개, QD{ $depths }, 각각 { $cell }: 동시 수가 가장 많은 속도가 같은 기준으로 고를 때까지, 각각 최대 라운드 { $rounds }회. 마지막으로 쓰기 { $before } 뒤에 { $point }씩 세 동작점: 평균 응답 시간이 { $limit }보다 짧은 가장 높은 속도, 가장 적은 요구, 역시 한도를 지키면서 둘의 중간에 가장 가까운 점.
method-demand-work = 읽기/쓰기 { $reads }/{ $writes }의 { $pattern } { $block }
method-demand-mix = 혼합 부하 `{ $mix }`
published-response-of-mix = 단계 `{ $step }`는 측정 전에 혼합 부하에서 읽기를 뺀 쓰기를 함
published-recovery-share = 단계 `{ $step }`는 이전 평균 속도의 95 %에서 회복한 것으로 봄: 방법은 평균 전체를 기다리지만, FOB 상태의 빠른 시작 때문에 이르지 못할 수 있음
