# 드라이브가 거부하는 것, 드라이브가 아닌 것, 드라이브에 한 것.

## 블록 장치
drive-forbidden = `{ $path }` 테스트할 수 없음: { $why }
drive-without-name = 그 위의 파일로 테스트하거나(`file:PATH`), 만드는 곳에서 시리얼 번호를 주세요(QEMU: `serial=`)
drive-at-stake = `{ $path }` ({ $known })
drive-on-it = 들어 있는 것: { $loss }
drive-not-named = { $what }의 모든 데이터가 지워지는데, 지울 드라이브로 지정하지 않음
drive-other-named = { $what }의 모든 데이터가 지워지는데, 지울 드라이브로 지정한 `{ $named }` 드라이브가 아님
drive-erase-by = 정말 지우려면: `--erase { $name }`
drive-erase-by-stand-in = { $erase } (시리얼 번호를 알리지 않음. 이것은 { $kind })
drive-name-serial = 시리얼 번호
drive-name-wwid = 고유 식별자
drive-name-backing-file = 아래에 있는 파일의 경로
drive-name-slot = 연결된 PCI 주소
drive-gone = `{ $path }` 사라짐: { $error }
drive-went-away = 드라이브가 사라짐: { $why }
drive-gone-at = 드라이브가 사라짐: `{ $path }`: { $error }
drive-look-at-it = `dmesg`와 연결, 전원을 확인하세요
drive-now-used = `{ $path }` 드라이브가 쓰이기 시작함: { $uses }
drive-became-another = 여는 사이에 `{ $path }` 경로가 다른 장치가 됨
drive-not-exclusive = `{ $path }` 장치를 독점해서 열 수 없음: { $error }
drive-not-the-same = `{ $path }` 장치가 더는 같은 드라이브가 아님: { $different }
drive-differs =
    { $what ->
        [name] 이름
        [number] 번호
        [appearance] 나타난 차례
        [serial] 시리얼 번호
        [wwid] 고유 식별자
        [file] 파일
       *[size] 크기
    } `{ $new }`, 전에는 `{ $old }`
drive-mark-unknown = 알 수 없음
drive-other-untouched = 다른 드라이브에는 아무것도 쓰지 않음
drive-no-poll-queues = 장치에 폴링할 큐가 없음(`queue/io_poll`이 0). NVMe: { $remedy }
drive-no-discard = 커널이 이 장치에 discard를 제공하지 않음
drive-trims-no-files = TRIM은 파일이 아니라 드라이브에만 함
drive-file-system-trims = 무엇을 TRIM할지는 파일 시스템이 정함
drive-nbd-no-trim = 서버가 TRIM을 제공하지 않음
drive-file-not-polled = 파일 시스템의 파일은 폴링할 수 없음

## 경로에서 드라이브까지
drive-list-hint = `ssdlab drives`: 이 호스트의 드라이브와 그것을 쓰는 것의 목록
drive-is-partition = `{ $path }`: `{ $whole }` 드라이브의 파티션. 드라이브 전체만 테스트함
drive-name-whole = 드라이브 전체를 지정하세요, `{ $whole }`: 모든 파티션의 데이터가 지워짐
drive-no-medium = `{ $path }` 매체가 없음: 크기가 0
drive-no-such-path = `{ $path }` 없음
drive-not-examined = `{ $path }` 살펴볼 수 없음: { $error }
drive-is-controller = `{ $path }`: 드라이브가 아니라 NVMe 컨트롤러
drive-of-controller = 드라이브는 아마 `{ $path }n1`
drive-no-block-device = `{ $path }`: 블록 장치가 아님
drive-begun-it = 그 드라이브
drive-begun-named = { $kind } `{ $name }`
drive-several-are-it = { $paths } 모두 측정을 시작한 드라이브라고 알림: { $which }
drive-leave-one = 맞는 드라이브만 연결해 두세요
drive-not-here = 측정을 시작한 드라이브가 없음: { $which }, 그때는 `{ $target }`
drive-connect-it = 연결하세요

## 드라이브로 쓰는 파일
drive-file-gone = `{ $path }` 사라졌거나 크기가 바뀜
drive-not-made = `{ $path }` 만들 수 없음: { $error }
drive-file-no-room = `{ $path }` 크기를 { $size }로 만들 수 없음: { $error }
drive-file-exists = `{ $path }` 이미 있음. ssdlab은 파일을 덮어쓰지 않음
drive-file-exists-hint = 없는 파일이나 디렉터리를 지정하세요
drive-file-is-device = `{ $path }`: 파일이 아니라 블록 디바이스
drive-file-is-device-hint = 시험하려면 `file:`을 빼세요: `{ $path }`
drive-no-directory = `{ $path }`: 디렉터리가 아님
drive-name-directory = 마운트된 파일 시스템의 디렉터리를 지정하세요
drive-too-little-free = `{ $path }`에 빈 공간이 { $free } 있는데 { $wanted } 요청했고 { $reserve } 남아 있어야 함
drive-ask-for-less = 더 작게 요청하세요: `file:{ $path }?size=1GiB`
drive-file-too-small = `{ $path }` 크기가 { $size }밖에 되지 않음
drive-more-room = 빈 공간이 더 많은 파일 시스템을 지정하세요

## 지속 쓰기의 파일
drive-no-tag = `{ $path }`에 태그 `{ $tag }` 데이터가 없음
drive-write-tag = `ssdlab sustain { $place } --write-only --tag { $tag }`
drive-tag-gone = `{ $path }`에 데이터가 더는 없음: 파일이 사라짐
drive-takes-no-files = `{ $path }`에 파일을 만들 수 없음: { $error }
drive-not-removed = `{ $path }` 지울 수 없음: { $error }
drive-removed-later = 그곳의 다음 측정이 지움. 직접 지워도 됨
drive-files-in-use = 다른 ssdlab이 `{ $path }` 사용 중
drive-wait-for-it = 끝날 때까지 기다리거나 Ctrl-C로 멈추세요
drive-files-not-ours = `{ $path }`에 ssdlab의 것이 아닌 것이 있음: { $why }
drive-mark-missing = 표시가 없음
drive-move-away = 옮기거나 다른 디렉터리를 지정하세요
drive-files-kept = `{ $path }`에 남겨 두기로 한 데이터가 있음
drive-remove-by = 더는 필요 없으면: `rm -r { $path }`

## NBD 내보내기와 가상 드라이브
drive-export = 내보내기 `{ $name }` ({ $size })
drive-export-read-only = 내보내기 `{ $name }`: 읽기 전용
drive-export-start-writable = 서버를 쓸 수 있게 시작하세요
drive-export-resized = 내보내기의 크기가 { $before } B에서 { $now } B로 바뀜
drive-export-not-trimmed = 내보내기를 TRIM할 수 없음: { $error }
drive-no-export = `{ $socket }`에 NBD 내보내기가 없음: { $error }
drive-no-export-named = `{ $socket }`에 NBD 내보내기 `{ $export }` 없음: { $error }
drive-export-hint = 서버가 실행 중인가요?
drive-model-no-fio = model: 드라이브는 가상 시간에 있어 fio로 접근할 수 없음
drive-use-virtual = `model:` 대신 `virtual:`을 쓰세요
drive-virtual-not-started = 가상 드라이브를 시작하지 못함: { $why }
drive-virtual-ended = 가상 드라이브의 서버가 상태 { $status }로 끝남
drive-virtual-silent = 가상 드라이브의 서버가 `{ $what }`에 답하지 않음: { $error }
drive-virtual-refuses = 가상 드라이브가 `{ $what }` 거부함: { $why }
drive-virtual-long-path = `{ $directory }`에 있는 가상 드라이브 소켓의 경로가 { $length }바이트인데 최대 { $most }바이트
drive-shorter-path = 경로가 더 짧은 디렉터리를 지정하세요: `TMPDIR=/tmp ssdlab ...`
drive-spec-faults = 사양 `{ $name }`에 오류 { $count }개

## 프로그램, 표본, 퍼지
drive-command = 실행한 명령: `{ $command }`
drive-program-failed = `{ $program }` 실패: { $fault }
drive-too-small-to-sample = { $capacity } B 드라이브는 너무 작아 표본을 고를 수 없음
drive-not-opened = 드라이브를 열 수 없음: { $error }
drive-no-marks = 퍼지 전에 드라이브에 쓸 수 없음: { $error }
drive-forgets-marks = 드라이브에 쓴 것이 남지 않음: 표본 블록 { $total }개 중 { $seen }
drive-broken = 고장 났거나 알리는 용량보다 작음
drive-block-size-unseen = `{ $path }` 포맷했지만 커널이 { $size } B 블록을 보지 못함
drive-rescan = `nvme ns-rescan { $controller }`, 또는 호스트를 다시 시작하세요
drive-sanitizes-on = `{ $controller }` 하루째 sanitize 중
drive-sanitize-log = `nvme sanitize-log { $controller }`를 확인하세요
drive-sanitize-failed = `{ $controller }` sanitize 뒤의 상태: { $state }
drive-leave-failed = `nvme sanitize { $controller } --sanact=1`로 실패 상태에서 벗어남
drive-sanitize-unknown = sanitize가 얼마나 되었는지 알 수 없음: { $why }
drive-sanitize-inside = 드라이브 안에서 계속됨
drive-discard-refused = `{ $path }` discard 거부함: { $error }
drive-ata-refuses = `{ $path }` 스스로 소거할 수 없음: { $why }
drive-ata-no-serial = `{ $path }` 시리얼 번호를 알리지 않아 암호를 기록할 수 없음: { $why }
drive-ata-no-password = `{ $path }` 암호를 받지 않음. 암호 없이는 스스로 소거하지 않음
drive-password-not-noted = `{ $path }`의 암호를 `{ $directory }`에 기록할 수 없어({ $error }) 암호를 주지 않고 소거하지 않음
drive-make-room = 그곳에 공간을 만드세요
drive-security-unknown = `{ $path }`의 ATA 보안을 알 수 없음: { $why }
drive-password-stays = `{ $path }`에 암호 `{ $password }` 있고 풀 수 없음: { $why }
drive-password-still = 아직 암호가 있다고 알림
drive-unlock-by = `hdparm -I { $path }`가 잠겼다고 하면 `hdparm --user-master u --security-unlock { $password } { $path }`
drive-disable-by = 그다음 `hdparm --user-master u --security-disable { $password } { $path }`
drive-thaw = 동결되어 있으면: 컴퓨터를 절전 모드로 보냈다 깨우거나 드라이브를 뺐다 꽂고 다시 해 보세요
drive-password-gone = 이 호스트에 그 시리얼 번호의 드라이브가 없음
drive-connect-to-sata = 이 호스트의 SATA 포트에 연결하고 다시 해 보세요
drive-format-unknown = `{ $path }`의 현재 포맷을 알 수 없음: { $why }
drive-no-format = `{ $path }`에 블록 크기 { $size } B인 포맷이 없음
drive-formats = 제공하는 블록 크기: { $sizes }
drive-no-plain-format = 메타데이터 없는 포맷을 제공하지 않음
drive-seen-all = 모두
drive-seen-some = { $count }개
drive-seen-marks = { $count } 전에 쓴 것이 남음
drive-seen-zeros = { $count } 0으로 읽힘
drive-seen-ones = { $count } 1로 읽힘
drive-seen-other = { $count } 다른 데이터로 읽힘
drive-seen-unreadable = { $count } 읽을 수 없음
drive-purge-nothing = 퍼지가 아무것도 지우지 않음: `{ $path }`가 { $method } 성공했다고 알렸으나, 전에 쓴 표본 블록 { $total }개 중 { $seen }
drive-purge-part = 퍼지가 일부만 지움: `{ $path }`가 { $method } 성공했다고 알렸으나, 전에 쓴 표본 블록 { $total }개 중 { $seen }
drive-cannot-purge-by = `{ $path }`을(를) `{ $method }`로 퍼지할 수 없음: { $why }
drive-no-method = `{ $method }` 없음: { $why }
drive-not-nvme = NVMe 드라이브가 아님
drive-not-scsi = SATA나 SAS 드라이브가 아님
drive-offers = 제공하는 것: { $targets }
drive-offers-no-other = 다른 방법을 제공하지 않음
drive-offers-no-other-either = 다른 방법도 제공하지 않음
drive-controller-unknown = 컨트롤러가 무엇을 제공하는지 알 수 없음: { $why }
drive-no-format-command = 컨트롤러가 Format 명령을 제공하지 않음
drive-current-format-unknown = 현재 포맷을 알 수 없음: { $why }
drive-format-reaches-all = 포맷이 컨트롤러의 모든 네임스페이스에 미침
drive-sanitize-reaches-all = sanitize가 드라이브의 모든 네임스페이스에 미침
drive-no-sanitize = 컨트롤러가 { $way } sanitize를 제공하지 않음
drive-block-erase = 블록 소거
drive-crypto-erase = 암호키 소거
drive-namespaces-unknown = { $because }. 네임스페이스가 몇 개인지 알 수 없음: { $why }
drive-namespaces = { $because }. 네임스페이스 { $count }개
drive-usb-bridge = USB 브리지가 소거를 도중에 놓치면 드라이브가 잠긴 채 남음. SATA 포트에 연결하세요
drive-no-serial-for-password = 시리얼 번호를 알 수 없어 암호를 기록할 수 없음
drive-no-ata-security = 드라이브에 ATA 보안이 없음
drive-security-frozen = 호스트의 펌웨어가 보안을 동결함. 컴퓨터를 절전 모드로 보냈다 깨우면 풀림
drive-locked = 암호로 잠겨 있음
drive-has-password = 암호가 있음
drive-no-enhanced-erase = 드라이브가 강화 소거를 제공하지 않음
drive-discard-unknown = discard를 받는지 알 수 없음: { $why }
drive-takes-no-discards = discard를 받지 않음
## 드라이브를 퍼지한 방법
drive-method-nvme-format = 사용자 데이터를 지우는 NVMe 포맷
drive-method-sanitize-block = 블록 소거 방식 NVMe sanitize
drive-method-sanitize-crypto = 암호키 소거 방식 NVMe sanitize
drive-method-ata-erase = ATA 보안 소거(SECURITY ERASE UNIT)
drive-method-ata-erase-enhanced = ATA 강화 보안 소거(SECURITY ERASE UNIT)
drive-method-discard = 드라이브 전체 discard
drive-method-asked-for = { $method } (지정한 대로)
drive-method-for-want = { $method } ({ $better })
drive-purged-nothing = 하지 않음: 드라이브가 퍼지를 제공하지 않음 ({ $why })
drive-purged-to-blocks = { $size }바이트 블록으로: { $method }
drive-purged-samples = 전에 쓴 표본 블록 { $total }개 중 { $seen }
drive-purged-below-unseen = 아래의 드라이브가 어떻게 했는지는 알 수 없음
drive-purged-model = 모델의 포맷 명령
drive-purged-file = 파일을 새로 만듦; 아래의 드라이브에 알려지는 것은 `fstrim`에 달림
drive-purged-no-trim = 하지 않음: 서버가 TRIM을 제공하지 않음
drive-purged-export = 익스포트 전체를 TRIM함; 표본 블록 { $total }개 중 { $kept ->
    [0] 모두 0으로 읽힘
   *[other] { $kept }개에 아직 데이터가 있음
}

## 드라이브가 측정에 대해 알리는 것
drive-late = 가상 드라이브: 제때보다 늦게 나간 완료 응답 { $count }개, 지연 { $late }
drive-late-by = { $late } µs ({ $which ->
    [p50] 중앙값
    [p99] 99 %
   *[max] 최대
})
drive-left-files-removed = 이전 측정이 `{ $path }`에 남긴 { $size }를 지움
drive-described-block = 블록 장치 `{ $path }`
drive-described-file = { $place }에 마운트된 파일 시스템의 { $size } 파일
drive-described-files = 마운트된 파일 시스템의 디렉터리에 있는 { $size }의 파일
drive-described-export = NBD 익스포트 `{ $export }`, { $socket }
