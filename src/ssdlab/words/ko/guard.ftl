# 누가 블록 장치를 쓰는지, 무엇을 잃게 되는지.

## 문장에서 장치를 부르는 말
guard-it = 이 드라이브
guard-device = `{ $name }`
guard-its-file = 같은 파일 `{ $path }`
guard-other-path = `{ $name }`(고유 식별자가 같은 다른 경로)
guard-device-below = `{ $name }`(드라이브 아래의 장치)
guard-device-mapped = `{ $name }`(드라이브가 그 일부이거나 매핑인 장치)
guard-process = 프로세스 { $process }(`{ $command }`)

## 테스트를 막는 것
guard-mounted = { $device }: { $place }에 마운트됨
guard-in-namespace = { $mounted } ({ $process }의 마운트 네임스페이스)
guard-system = 실행 중인 시스템이나 그 부팅에 필요한 것이 들어 있음
guard-swap = { $device }: 쓰이고 있는 스왑
guard-swap-unknown = 스왑으로 쓰이는지 알 수 없음: { $why }
guard-held =
    { $device }: `{ $holder }` 장치가 사용 중, { $kind ->
        [lvm] LVM 볼륨
        [encrypted] 암호화 볼륨
        [multipath] 멀티패스 장치
        [device-mapper] device-mapper 볼륨
        [md] md 배열
        [bcache] bcache 장치
       *[other] 다른 장치
    }
guard-loop = 루프 장치 `{ $loop }`도 { $backing }을(를) 사용함
guard-writer = `{ $what }`: { $process } 안에 쓰기용으로 열려 있음
guard-writer-unknown = 쓰기용으로 연 프로그램이 있는지 알 수 없음: { $why }
guard-claimed = { $device }: 커널이나 프로그램이 독점해서 열고 있음
guard-claim-unknown = { $device }: 사용 중인지 알 수 없음: { $why }
guard-read-only = `{ $name }`: 읽기 전용
guard-content-unknown = { $device }: 무엇이 들어 있는지 알 수 없음: { $why }
guard-member = { $device }: { $why }
guard-is-lvm = LVM의 물리 볼륨
guard-is-md = md 배열의 구성 장치
guard-is-luks = LUKS 컨테이너
guard-is-bitlocker = BitLocker 컨테이너
guard-is-bcache = bcache의 장치
guard-is-zfs = ZFS 풀의 장치
guard-is-btrfs = 여러 드라이브에 걸쳐 있을 수 있는 btrfs 파일 시스템의 장치
guard-is-swap = 다음 부팅 때 쓰일 수 있는 스왑 영역
guard-is-suspended = 절전에 들어간 시스템의 메모리가 들어 있음
guard-is-multipath = 멀티패스 장치의 경로
guard-is-drbd = DRBD의 장치
guard-is-ceph = Ceph의 장치
guard-is-member = 더 큰 구성의 일부(`{ $content }`)

## 잃게 되는 것
guard-file-system = { $device }: { $kind } 파일 시스템
guard-file-system-called = { $device }: 이름이 `{ $label }`인 { $kind } 파일 시스템
guard-partitions = 파티션 테이블, { $partitions }
guard-partitions-of-table = 파티션 테이블({ $table }), { $partitions }
guard-no-partition = 파티션 없음

## 할 일
guard-remedy-unknown = root로 실행하면 더 알 수 있음. 알아낼 수 없는 것이 있으면 테스트하지 않음
guard-remedy-system = USB 메모리로 부팅하는 등 다른 시스템에서 테스트하세요
guard-remedy-mounted = 마운트된 네임스페이스에서 `umount`를 실행하세요
guard-remedy-swap = 그 영역을 `swapoff`로 끄고 /etc/fstab에서 빼세요
guard-remedy-holder = 그 위에 만든 것을 해제하세요: `vgchange -an`, `cryptsetup close`, `mdadm --stop`, `dmsetup remove`
guard-remedy-multipath = 경로가 여럿인 드라이브는 테스트하지 않음. `multipath -f`로 경로를 나누세요
guard-remedy-loop = 다른 루프 장치를 떼세요: `losetup --detach`
guard-remedy-writer = 쓰고 있는 프로그램(가상 머신, 데이터베이스 등)을 끝내거나 드라이브를 놓게 하세요. 열린 것은 `lsof`로 볼 수 있음
guard-remedy-claimed = 누가 열고 있는지 `lsof`, `fuser -v`로 확인하세요: 다른 ssdlab 실행, 가상 머신, 여기서 보이지 않는 마운트 등
guard-remedy-read-only = `blockdev --setrw`로 쓸 수 있게 하세요. 스스로 읽기 전용이 되는 드라이브는 수명이 다한 것
guard-remedy-member = 더는 필요 없으면 표시를 지우세요: `wipefs --all`
