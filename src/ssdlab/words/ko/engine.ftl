# 엔진이 할 수 없는 것, fio에 요청하지 않은 것.

## 방법이 요구하지만 작업이 쓸 수 없던 옵션
engine-drop-capped = I/O를 모두 기록하는데 호스트 메모리의 절반에 들어가는 것은 이 { $ios }개까지여서 작업이 일찍 끝남
engine-drop-nbd = 드라이브가 NBD 뒤에 있어 { $interface } 쓰지 않음
engine-drop-nbd-page-cache = 드라이브가 NBD 뒤에 있어 호스트의 페이지 캐시를 거치지 않음
engine-drop-trim-waits = TRIM은 커널 호출이 끝나기를 기다림. fio 3.38 이후는 io_uring이 받지 않은 TRIM의 시간을 잘못 재고, Linux 6.12 전에는 io_uring이 TRIM을 받지 않음
engine-drop-sqpoll = fio { $version }은 이것과 함께 쓰면 완료 지연시간을 잘못 알림. { $needed } 이상 필요
engine-drop-load = load 엔진에는 필요 없음: 드라이브의 인터럽트가 올 때까지 잠듦
engine-drop-no-polled-flush = 폴링 큐는 내구성 있는 쓰기를 마치는 플러시를 받지 않음
engine-drop-histograms = 작업이 오래 걸려 fio의 히스토그램이 호스트 메모리를 채울 수 있으므로 { $interval } ms마다 하나만 둠. 그 사이의 I/O는 fio의 대역폭 로그로 나눔
engine-drop-window-value = fio { $version }은 구간의 평균 지연시간과 최대 지연시간 중 하나만 기록함. 최댓값은 히스토그램에서 읽으며 실제보다 최대 6 % 큼
engine-drop-log-entries = fio { $version }에는 이 옵션이 없음. I/O를 하나씩 적는 로그가 찰 때마다(처음에는 1,024개 후) 진행 중인 I/O가 모두 끝나기를 기다린 뒤에 자리를 늘림
engine-drop-locked = 진행 중인 I/O에 { $needed }가 필요하지만 이 사용자는 메모리를 { $most }까지만 잠글 수 있어(`ulimit -l`) 버퍼를 커널에 등록하지 않음
engine-drop-log-registers-late = fio는 I/O 로그의 파일을 차례가 되어야 열어서 등록하기에는 늦음
engine-drop-log-unregistered = 등록된 파일이 필요한데 I/O 로그의 파일은 등록되지 않음
engine-drop-nbd-force = fio의 nbd 엔진: 드라이브까지 전할 방법이 없어 보통 쓰기로 함
engine-drop-flushed = fio의 nbd 엔진은 쓰기를 강제로 기록하게 할 수 없어 쓰기마다 플러시(`fsync=1`)를 보냄: 속도에는 플러시가 포함되지만 fio가 따로 재므로 쓰기와 플러시를 합친 시간은 알 수 없음

## 설치된 fio
engine-install-fio = 설치하세요: `apt-get install fio` (Debian, Ubuntu), `dnf install fio fio-engine-nbd` (Fedora, Rocky)
engine-setpriv-hint = `setpriv`는 util-linux에 들어 있음. 이것이 있으면 ssdlab이 끝난 뒤 fio가 남지 않음
engine-not-installed = `{ $program }` 설치되지 않음
engine-no-fio = `{ $path }`: fio가 아님. `--version`의 답은 `{ $said }`
engine-fio-too-old = fio { $version } 설치됨. ssdlab에는 { $oldest } 이상이 필요함
engine-fio-silent = `{ $command }`의 답이 없음: { $error }
engine-fio-without = { $path }의 fio { $version }에 { $engine } 엔진이 없음
engine-hint-io-uring = 배포판의 fio를 설치하세요. 직접 빌드한 fio에는 Linux 5.1 이상의 헤더가 필요함
engine-hint-libaio = Fedora와 Rocky에서는 `fio-engine-libaio`를 설치하세요. 직접 빌드한 fio에는 libaio의 헤더가 필요함
engine-fio-options = { $path }의 fio { $version }에 { $options } 옵션이 없음
engine-hint-newer-fio = 더 새로운 fio를 설치하세요. 내장 벤치마크에는 Debian 12의 3.33이면 충분함

## fio가 할 수 없는 작업
engine-too-many-ios = 작업 `{ $job }`의 I/O { $ios }개를 모두 기록해야 하는데 호스트 메모리의 절반에는 { $most }개까지 들어감
engine-hint-smaller-amount = 양을 줄이거나, 백분위수의 오차가 0.8 % 이내인 구간과 히스토그램을 기록하게 하세요
engine-batches-differ = fio는 크기가 같은 묶음만 처리하는데 크기가 서로 다름
engine-pauses-differ = fio는 명령마다 같은 시간을 쉬는데 쉬는 시간이 서로 다름
engine-hint-on-model = 이런 진단은 `model:` 드라이브로 실행하세요
engine-no-job-name = fio가 `{ $name }`이라는 작업 이름을 받지 않음
engine-hint-job-name = 글자와 숫자 120자 이내로 지으세요
engine-fio-has-no-words = fio로는 작업 `{ $job }`의 부하를 나타낼 수 없음: ssdlab의 자체 엔진만 실행함
engine-misread-line = fio가 `{ $line }`을(를) 다른 뜻으로 읽게 됨
engine-hint-short-name = 드라이브에 글자와 숫자로 된 짧은 이름을 주세요

## fio가 쓴 것
engine-no-fio-json = fio의 JSON이 아님: { $why }
engine-hint-json = fio를 --output-format=json+로 실행하세요
engine-file-changed = `{ $path }`: 읽는 동안 내용이 바뀜
engine-hint-no-writer = 먼저 복사하거나, 쓰는 프로그램이 없을 때 다시 읽으세요
engine-json-unreadable = fio의 JSON을 읽을 수 없음: { $why }
engine-hint-json-kept = 파일은 fio가 쓴 그대로 결과 묶음에 있음
engine-no-log = fio가 `{ $name }` 파일을 쓰지 않음
engine-hint-disk-full-journal = 호스트의 디스크가 가득 찼나요? fio의 메시지는 저널에 있음
engine-log-damaged = `{ $name }` 파일이 손상됨: { $error }
engine-hint-disk-full = 호스트의 디스크가 가득 찼나요?
engine-commands-logged = fio가 명령 { $asked }개 중 { $logged }개를 기록함
engine-flushes-counted = fio가 플러시 { $asked }개 중 { $counted }개를 셈
engine-other-offsets = fio의 로그에 요청하지 않은 오프셋이 있음

## 실패
engine-command-refused = 드라이브가 명령을 거부함: { $error }
engine-trace-unreadable = 작업 `{ $job }`이(가) 재생할 `{ $path }`을(를) 읽을 수 없음: { $why }
engine-other-trace = 작업 `{ $job }`이(가) 재생할 `{ $path }`이(가) 실행을 계획했을 때와 다른 파일임
engine-hint-other-trace = 트레이스를 되돌려 놓거나 새로 실행
engine-model-cannot = 모델이 작업 `{ $job }` 실행할 수 없음: { $error }
engine-io-refused = 드라이브가 작업 `{ $job }`의 I/O를 거부함: { $error }
engine-no-time = 작업 `{ $job }`에 시간이 걸리지 않음: 이 드라이브에는 지연시간이 없어 가상 시간으로는 잴 것이 없음
engine-hint-virtual = 이것으로 호스트를 재려면 `virtual:`을 쓰세요
engine-not-written = 드라이브에 쓸 수 없음: { $error }
engine-drive-gone = 드라이브가 사라짐: { $error }
engine-nothing-done = `{ $job }` 작업을 하나도 하지 못함
engine-io-uring-forbidden = 커널이 io_uring을 금지함(`kernel.io_uring_disabled`: { $value })
engine-hint-allow-io-uring = 측정하는 동안 허용하세요: `sysctl kernel.io_uring_disabled=0`
engine-fio-hangs = fio가 { $time } 동안 데이터를 옮기지 않아 끝냄
engine-hint-hangs = 드라이브가 답하지 않거나 fio가 정지됨: `dmesg`와 프로세스 목록을 확인하세요
engine-load-cannot = load 엔진이 작업 `{ $job }` 실행할 수 없음: { $why }
engine-load-field = 작업의 `{ $field }` 값이 드라이브나 엔진에 맞지 않음
engine-load-streams = 작업과 함께 도는 스트림을 지원하지 않음
engine-load-interface = { $interface } 지원하지 않음
engine-load-trim = TRIM은 NBD를 통해서만 보냄
engine-load-force = 서버에 쓰기를 강제로 기록하는 내보내기가 없음
engine-load-block = I/O 하나에 최대 { $most }까지만 가능, 요청: { $block }
engine-hint-load-cannot = 스위트가 엔진을 정하지 않았다면(`engine = "any"`) fio로 측정하세요
engine-hint-load-replay = 드라이브의 NBD 내보내기(예: `qemu-nbd --discard=unmap`)에서 재생할 것
engine-load-hangs = { $time } 동안 완료된 I/O가 없음, 진행 중 { $count }개
engine-hint-load-hangs = 드라이브가 답하지 않음: `dmesg`를 확인하세요
engine-load-stuck = 더는 완료되는 I/O가 없음: { $why }
engine-load-gone = 드라이브와의 연결이 끊어짐: { $reason }
engine-load-not-opened = load 엔진이 드라이브를 열 수 없음: { $error }
engine-fio-stuck = fio가 더는 데이터를 옮기지 않음: { $why }
engine-nothing-counts = 이 단계의 결과는 하나도 쓰이지 않음
engine-fio-killed = fio가 { $signal } 신호로 종료됨
engine-hint-killed = 메모리가 부족했나요? `dmesg`에 나옴. 이 단계의 결과는 하나도 쓰이지 않음
engine-fio-ended = fio가 상태 { $status }로 끝남: { $said }
engine-fio-no-reason = 이유를 알리지 않음
engine-hint-nbd-gone = NBD 서버가 사라졌거나 거부함. 이 단계의 결과는 하나도 쓰이지 않음
engine-hint-free-space = 결과 묶음이나 테스트 파일이 있는 곳에 공간을 비우세요
engine-hint-no-o-direct = 파일 시스템이 O_DIRECT를 지원하지 않음. tmpfs가 아니라 디스크에 있는 것을 쓰세요
engine-hint-block-size = 파일 시스템이 이 블록 크기의 O_DIRECT를 지원하지 않을 수 있음
engine-hint-permission = 그곳에 쓸 수 있는 사용자로 실행하세요
engine-hint-io-uring-not-permitted = io_uring이 금지되었을 수 있음: `sysctl kernel.io_uring_disabled`
engine-hint-locked-memory = 잠금 메모리 한도를 높이세요: `ulimit -l`
engine-io-medium = 매체나 매체로 가는 경로가 나쁨: `dmesg`와 드라이브의 로그(`nvme error-log`, `smartctl -l error`)를 볼 것
engine-io-denied = 드라이브가 거부함: 수명이 다한 드라이브는 읽기 전용이 됨
engine-io-read-only = 수명이 다한 드라이브처럼 읽기 전용이 됨
engine-io-drive-gone = 드라이브가 사라짐: `dmesg`, 장착 상태, 전원을 볼 것
engine-io-own-error = 드라이브가 자체 오류를 알림: `dmesg`를 볼 것
engine-io-bad-place = 그 위치의 매체가 나쁨: 드라이브의 로그(`nvme error-log`, `smartctl -l error`)를 볼 것
engine-io-late = 드라이브가 제때 응답하지 않음: `dmesg`를 볼 것
engine-io-no-space = 시험할 파일을 둔 곳의 공간을 비울 것
engine-io-failed = `{ $device }`: { $at }번째 바이트에서 { $length }의 { $kind } 실패: { $error }
engine-flush-failed = `{ $device }`: 플러시 실패: { $error }
engine-io-failed-more = { $failed }, 그 뒤 { $more }개의 I/O도 실패
## 작업이 도는 동안
engine-stood-still =
    { $cause ->
        [engine_stopped] fio가 { $time } 동안 멈춤
        [host_suspended] 호스트가 { $time } 동안 절전
       *[held_up] ssdlab이 { $time } 동안 실행되지 못함
    }
