# 기록된 I/O의 트레이스.

trace-none =
    `{ $path }`: { $problem ->
        [undecodable] 트레이스가 아니거나 손상된 트레이스
        [metadata] 트레이스가 아님: 트레이스의 메타데이터가 없음
        [version] 다른 버전의 ssdlab이 쓴 트레이스
        [other-columns] 트레이스가 아님: 열이 다름
        [content] 손상된 트레이스: 내용이 서로 모순되거나 어떤 장치에도 있을 수 없는 I/O가 있음
        [no-times] 순서만 있고 시간이 없음
       *[too-much] 기억할 수 있는 것보다 많은 곳에 접근함
    }
trace-hint-times = 시간과 함께 기록할 것: fio는 3.31부터 기록함
trace-hint-import = `ssdlab trace import FILE... -o X.ssdtrace`로 만들 것
trace-packed = `{ $path }`: 끝이 잘렸거나, 첫 바이트가 말하는 gzip이나 Zstandard가 아님
trace-hint-whole = 파일이 온전하고, `--format`이나 첫 줄이 말하는 형식인지 확인할 것
trace-second-device = `{ $path }`, { $at }번째 줄 또는 레코드: 장치 { $first }의 I/O 다음에 장치 { $other }의 I/O가 있음
trace-hint-device = `--device { $first }`처럼 하나를 고를 것: 트레이스는 한 장치의 것임
trace-damaged =
    `{ $path }`, { $at }번째 줄 또는 레코드: { $problem ->
        [columns] 형식과 다른 열
        [number] 숫자가 아니거나 너무 큰 숫자
        [operation] 형식에 없는 동작
        [impossible] 어떤 장치에도 있을 수 없는 I/O
        [too-long] 줄이 끝나지 않음
        [magic] 형식과 다른 시작
        [byte-order] 바이트 순서가 반대인 컴퓨터가 썼으며, 이는 읽지 않음
        [cut-off] 레코드 중간에서 파일이 끝남
        [times] 시간이 없는 I/O들 뒤의 시간이 있는 I/O, 또는 그 반대
       *[other] 읽을 수 없음
    }: `{ $found }`
trace-hint-apart = 시간이 있는 파일과 없는 파일을 따로 가져올 것: 트레이스는 모든 I/O의 시간을 갖거나 하나도 갖지 않음
trace-format-unknown = `{ $path }`: 시작이 어떤 트레이스 형식과도 다름
trace-no-plain-file = `{ $path }`: 일반 파일이 아님
trace-no-format = `{ $name }`: 트레이스 형식이 아님
trace-formats = 형식: { $formats }
trace-hint-format = `--format`으로 형식을 지정할 것: { $formats }
trace-no-device = 장치 `{ $device }`의 I/O가 없음
trace-device-as-named = 파일에 있는 이름대로 쓸 것
trace-cut-empty = `{ $path }`: 그 시간에 도착한 I/O가 없음
trace-show-times = `ssdlab trace show { $path }`가 도착 시간을 보여 줌
trace-cut-backwards = `--from { $begin }`이 `--to { $end }`보다 앞서지 않음
trace-cut-order = 더 이른 시간을 `--from`에 쓸 것
trace-no-speed = `--speed { $speed }`: 속도가 아님
trace-speeds = 1/{ $most }부터 { $most } 사이의 수를 쓸 것
trace-no-export-format = `{ $name }`: 트레이스를 내보낼 수 있는 형식이 아님
trace-export-formats = 가능한 형식은 fio-iolog와 blkparse
trace-file-name = `{ $name }`: fio가 로그에서 읽을 수 있는 이름이 아님
trace-file-name-hint = 공백이 없는 255바이트 이하의 이름을 쓸 것
trace-exported = I/O { $count ->
       *[other] { $ios }
    }개
trace-export-left-out = { $format }에 해당하는 말이 없어 I/O { $count ->
       *[other] { $ios }
    }개를 뺌
trace-made = { $format }에서 I/O { $count ->
       *[other] { $ios }
    }개, { $size }, I/O당 { $each } B
trace-head = { $path }: { $format }에서 I/O { $count ->
       *[other] { $ios }
    }개, 관측 위치: { $captured ->
        [application] 응용 프로그램
        [queue] 블록 계층에 들어갈 때
        [issue] 드라이버에 넘길 때
        [device] 장치가 받을 때
       *[unknown] 알 수 없음, 원본에 없기 때문
    }
trace-times = 도착 시간 { $span }, 정밀도 { $resolution }
trace-device = 장치 { $device }
trace-device-size = 장치 크기 { $size }
trace-no-times = 시간 없음: 원본에는 순서만 있음
trace-no-ios = I/O가 하나도 없음: 기록된 것이 없거나, 거기 있는 것 중 I/O로 인식되는 것이 없음
trace-lost = 기록에서 이벤트가 적어도 { $lost }개 빠져 있음
trace-left-out =
    { $kind ->
        [operation-unnamed] 뺀 것, 동작이 없는 줄: { $count }
        [waits] 뺀 것, 언제 이어질 수 있는지만 말하는 wait: { $count }
        [commands-of-no-block-io] 뺀 것, 블록을 읽거나 쓰지 않는 명령: { $count }
        [completions-without-begin] 뺀 것, 기록 전에 시작된 I/O의 완료: { $count }
        [cut-off-record] 뺀 것, 기록이 그 안에서 끊긴 마지막 항목: { $count }
        [latencies-without-completion] 완료가 없어 지연 시간을 알 수 없는 I/O: { $count }
       *[other] 뺀 것, { $kind }: { $count }
    }
trace-licence = 라이선스 { $licence }
trace-anonymised = 익명: 16 MiB 구간이 무작위로 자리를 바꾸었고, 이름과 날짜는 뺌
trace-column-ios = I/O
trace-column-share = 비율
trace-column-bytes = 바이트
trace-column-sizes = 가장 흔한 크기
trace-column-sequential = 순차
trace-column-mean = 지연 시간 평균
trace-column-longest = 최대
trace-column-from = 시작
trace-column-in-flight = 진행 중
trace-size = { $size } { $share }
trace-value = { $value }
trace-too-much = 알 수 없음, 기억하기에 너무 많기 때문
trace-too-few = 알 수 없음, 그보다 큰 것이 열 개 미만이기 때문
trace-working-set = 작업 집합 { $all }: 읽기 { $read }, 쓰기 { $written }
trace-reuse-unknown = 재사용: 알 수 없음, 따라가기에는 블록 접근이 너무 많기 때문
trace-reused = 4 KiB 블록 접근의 { $share } %는 전에 접근한 블록임
trace-reuse = 재사용 거리(그 사이 다른 블록의 바이트): 중앙값 { $half }, 90 % { $most }{ $exact ->
        [yes] {""}
       *[no] , 블록의 { $sampled } %에서
    }
trace-no-latencies = 진행 중인 I/O와 생각 시간: 알 수 없음, 원본에 모든 I/O의 지연 시간이 있지 않기 때문
trace-in-flight = 진행 중: 평균 { $mean }, 최대 { $most }
trace-think = 시간의 { $share } %는 쉼: 진행 중인 I/O가 없을 때 도착 { $count }번, 마지막 완료 후 평균 { $mean }
trace-record-begins = { $path }({ $device })을(를) `{ $journal }`에 기록하는 중; Ctrl-C를 누르면 트레이스를 만듦
trace-record-on-itself = 기록을 { $path } 자신에 쓰므로, 그 쓰기도 트레이스에 들어감
trace-record-left = `{ $path }`: 끝까지 가지 못한 이전 기록이 남긴 파일
trace-record-hint-left = `ssdlab trace import { $path } -o { $out }`로 트레이스를 만든 뒤 지울 것
trace-record-no-requests = { $path }: 다른 장치로 이루어져 있어 커널이 요청을 알려 주지 않음
trace-record-hint-below = 그 아래에 있는 장치를 기록할 것: { $below }
trace-record-gone = { $path }: 사라져서 기록이 끝남
trace-record-hint-gone = 그때까지 기록한 것은 `{ $out }`에 있음
tracing-not-root = 커널의 추적은 root만 볼 수 있음
tracing-hint-root = `sudo`로 실행할 것
tracing-none = 이 커널은 추적할 수 없음
tracing-no-events = 이 커널은 블록 장치의 동작을 추적하지 않음
tracing-hint-kernel = 배포판의 커널처럼 CONFIG_FTRACE와 CONFIG_BLK_DEV_IO_TRACE가 있는 커널을 쓸 것
tracing-locked-down = 이 커널은 추적을 허용하지 않음: 잠겨 있거나, 컨테이너에 허용되지 않음
tracing-hint-lockdown = 호스트에서 직접 실행할 것; `cat /sys/kernel/security/lockdown`이 [confidentiality]이면 안 되며, 이는 커널을 시작할 때 정해짐
tracing-not-mounted = `{ $path }`에 tracefs가 마운트되어 있지 않음
tracing-hint-mount = `mount -t tracefs tracefs { $path }`
trace-page-title = 트레이스 { $name }
trace-page-about = 트레이스 정보
trace-page-operations = 작업
trace-page-file = { $name }(SHA-256 { $sha256 }…)에서 만듦
trace-figure-places-title = 시간에 따른 위치
trace-figure-places-caption = 행은 건드린 가장 낮은 위치부터 셈. I/O 하나는 걸치는 모든 칸에서 셈.
trace-figure-places-described = 히트맵: 시간에 대한 위치, 색은 I/O 수
trace-figure-cell = 한 칸은 { $length } × { $size }.
trace-figure-cell-ios = 한 칸은 I/O { $ios }개 × { $size }.
trace-figure-time = 첫 I/O부터의 시간
trace-figure-order = 순서대로 센 I/O
trace-figure-place-from = { $begin }부터의 위치
trace-figure-table-columns = 그림의 열마다 한 행.
trace-figure-reads = 읽기
trace-figure-writes = 쓰기
trace-figure-rows-touched = 건드린 행
trace-figure-all-ios = 모든 I/O
trace-figure-over-time-title = 시간에 따른 속도, 대역폭, 처리 중인 I/O
trace-figure-window = 각 { $length }의 평균.
trace-figure-up-to = { $size }까지
trace-figure-bars-title = { $of ->
        [sizes] I/O의 크기
       *[reuse] 재사용 거리
    }
trace-figure-bars-subtitle = { $of ->
        [sizes] 읽기와 쓰기 각각에서 가장 흔한 것.
       *[reuse] 4 KiB 블록 하나를 두 번 건드리는 사이에 있는 다른 블록의 바이트.
    }
trace-figure-bars-caption = { $of ->
        [sizes] 100 %에서 모자라는 것은 다른 크기임.
       *[reuse] 마지막에 건드린 것을 두는 그 크기의 캐시라면 들어 있을 것.
    }
trace-figure-bars-axis = { $of ->
        [sizes] I/O의 비율
       *[reuse] 다시 건드린 것의 비율
    }
trace-figure-bars-column = { $of ->
        [sizes] 크기
       *[reuse] 거리
    }
