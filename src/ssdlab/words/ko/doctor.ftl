# `ssdlab doctor`가 찾는 것.

## 이전 측정이 남긴 것
doctor-run = { $at }에 시작한 { $device } 측정(프로세스 { $process })
doctor-run-left-host = { $run }: 호스트를 되돌리지 않고 끝남
doctor-run-live = { $run }: 이 호스트에서 측정 중
doctor-run-undone-by-start = { $run }: 호스트를 되돌리지 않고 끝났으나 그 뒤의 재부팅이 되돌림
doctor-remedy-restore = `ssdlab doctor --restore`. 다음 측정도 되돌림
doctor-remedy-wait = 끝날 때까지 기다리세요: 두 측정이 프로세서와 메모리를 나누어 쓰게 됨
doctor-record-unreadable = `{ $path }` 읽을 수 없음: { $why }
doctor-remedy-record = 측정이 설정한 것이 적힌 파일. 손으로 되돌린 뒤 파일을 지우세요
doctor-password = { $model }(시리얼 번호 { $serial }, 당시 `{ $device }`) 소거가 { $at }에 중단되어 암호가 남았을 수 있음
doctor-remedy-password = 드라이브를 연결하고 `ssdlab doctor --restore`
doctor-records-stuck = 이전 측정이 `{ $directory }`에 적은 것을 바꿀 수 없음: { $error }

## fio
doctor-fio-no-nbd = { $fio }에 드라이브에 접근할 nbd 엔진이 없음
doctor-remedy-fio-nbd = Fedora와 Rocky에서는 `fio-engine-nbd`를 설치하세요. 직접 빌드한 fio에는 `./configure --enable-libnbd`가 필요함
doctor-fio-sqpoll = { $fio }은 `sqthread_poll`과 함께 쓰면 지연시간을 잘못 알려 이 옵션을 빼므로, I/O를 낼 때마다 시스템 호출을 함
doctor-remedy-fio-newer = fio { $version } 이상을 설치하세요

## 대상
doctor-no-medium = `{ $path }` 매체가 없음
doctor-forbidden = 테스트할 수 없음: { $why }
doctor-drive-warns = 드라이브의 경고: { $warnings }
doctor-remedy-drive-warns = 이상이 있는 드라이브를 재게 됨. `nvme smart-log`나 `smartctl -a`로 더 알 수 있음
doctor-space = 파일 크기 { $size }, 빈 공간 { $free }
doctor-file-system-memory = 파일 시스템이 { $kind }: 드라이브가 아니라 메모리
doctor-remedy-directory-on-drive = 드라이브에 있는 디렉터리를 지정하세요
doctor-file-system-caches = 파일 시스템이 { $kind }: 데이터가 드라이브로 가는 도중에 남거나 바뀔 수 있음
doctor-remedy-ext4 = ext4나 XFS에 있는 디렉터리를 지정하세요
doctor-not-direct = { $directory }의 파일은 페이지 캐시를 거치지 않고 열 수 없음: { $error }
doctor-remedy-direct = ext4나 XFS처럼 그럴 수 있는 파일 시스템의 디렉터리를 지정하세요
doctor-remedy-writable = 쓸 수 있는 디렉터리를 지정하세요
doctor-one-processor = 프로세서가 하나뿐이라 fio와 가상 드라이브의 서버가 나누어 쓰게 됨
doctor-remedy-model = `virtual:` 대신 가상 시간을 쓰는 `model:`을 측정하세요
doctor-drive-in-memory = 드라이브가 쓴 데이터를 메모리에 최대 { $capacity } 두는데, 쓸 수 있는 메모리는 { $free }
doctor-remedy-smaller = 더 작게 만들거나(`?capacity=4GiB`) 덜 쓰세요
