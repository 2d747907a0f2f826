# Facts that the operator states beside the lab.

stated-not-printable = 제어 문자, 줄바꿈 또는 다른 글자를 숨기거나 뒤집는 문자가 있음
stated-unreadable = `{ $text }`은(는) 읽을 수 없음
stated-one-quantity = 값에는 `speed`, `iops`, `consistency`, `latency` 중 하나만 적음. 여기에는 { $count }개가 있음
stated-speed-or-iops = 순차 부하는 `speed`로, 임의 부하는 `iops`로 적음
stated-percentile-of-latency = `percentile`은 `latency`와 함께 적음
stated-state-of-writes = `state`는 쓰기의 `speed` 또는 `iops`와 함께 적음
stated-photo-too-long = 사진이 { $most }바이트보다 큼
stated-photo-too-large = 사진이 { $most }픽셀보다 큼
stated-photo-unreadable = 해독할 수 있는 PNG나 JPEG가 아님
stated-photo-elsewhere = 사진은 이 파일과 같은 디렉터리에 있어야 함. 디렉터리 없이 이름만 적을 것
stated-not-utf8 = UTF-8 텍스트가 아님
stated-no-file = `{ $path }`은(는) 파일이 아님
stated-cannot-be-read = `{ $path }`을(를) 읽을 수 없음: { $why }
stated-too-long = { $most }바이트보다 김

stated-title = 운영자가 밝힌 사실
stated-line = 운영자가 밝힌 사실: { $facts }
stated-class = 제품군
stated-class-client = 소비자용 드라이브
stated-class-enterprise = 엔터프라이즈 드라이브
stated-class-industrial = 산업용 드라이브
stated-class-external = 외장 드라이브
stated-controller = 컨트롤러
stated-flash = 플래시
stated-heatsink = 방열판
stated-purged-by = 사전 초기화 도구
stated-price = 가격
stated-per-gb = GB당 가격
stated-amount = { $amount } { $currency }
stated-amount-on = { $amount } { $currency } ({ $day })
stated-amount-per-gb = { $amount } { $currency }/GB
stated-price-and-per-gb = { $price }, { $per_gb }
stated-notes = 비고
stated-photo-of = { $drive } 사진
stated-ambient = 주변 온도
stated-memory = 메모리 모듈
stated-slot = 드라이브 슬롯
stated-adapter = 어댑터
stated-boot-drive = 부팅 드라이브
stated-power-supply = 전원 공급 장치
stated-case = 케이스
stated-driver = 드라이버

stated-datasheet = 데이터시트
stated-datasheet-of = { $drive } 데이터시트
stated-datasheet-caption = 데이터시트의 값과 측정값의 비교. “충족”: 95% 구간에 데이터시트의 값이 들어 있거나 둘의 차이가 3% 이하임. 구간이 없는 일관성은 차이가 1.5% 미만임.
stated-datasheet-label = 데이터시트의 값
stated-column-stated = 데이터시트
stated-column-measured = 측정값
stated-column-of = 측정 방법
stated-column-promise = 데이터시트 대비
stated-exceeds = 초과
stated-meets = 충족
stated-misses = 미달
stated-untold = 판단할 수 없음
stated-summary = 데이터시트: { $counts }
stated-count = { $promise ->
    [exceeded] 초과 { $count }
    [met] 충족 { $count }
    [missed] 미달 { $count }
   *[untold] 판단 불가 { $count }
}
stated-not-measured = 이 실행에서 측정하지 않음
stated-check-failed = 이 수치의 검증 항목이 실패함: { $checks }
stated-sequential-read = 순차 읽기
stated-sequential-write = 순차 쓰기
stated-random-read = 임의 읽기
stated-random-write = 임의 쓰기
stated-within-cache = 캐시 내
stated-sustained = 지속
stated-latency-mean = 평균 지연 시간
stated-latency = { $percent }% 지연 시간
stated-at-point = { $load } ({ $point })
stated-endurance = 내구성
stated-between = { $low }~{ $high }
stated-by-wear = 드라이브가 집계한 마모 1%당 쓰기량의 100배
stated-too-little-wear = 드라이브가 집계한 마모가 { $used }%임. 1% 단위 카운터로는 { $least }%부터 판단할 수 있음
