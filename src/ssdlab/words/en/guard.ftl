# Who uses a block device, and what would be lost on it.

## What a device is called in a sentence
guard-it = it
guard-device = `{ $name }`
guard-its-file = its file `{ $path }`
guard-other-path = `{ $name }`, another path to it by its world-wide identifier,
guard-device-below = `{ $name }`, on which it stands,
guard-device-mapped = `{ $name }`, of which it is a part or a mapping,
guard-process = process { $process } (`{ $command }`)

## What forbids a test
guard-mounted = { $device } is mounted at { $place }
guard-in-namespace = { $mounted } in the mount namespace of { $process }
guard-system = the running system or what boots it is on it
guard-swap = { $device } is active swap
guard-swap-unknown = whether it is swapped to is not known: { $why }
guard-held =
    { $device } is held by `{ $holder }`, { $kind ->
        [lvm] an LVM volume
        [encrypted] an encrypted volume
        [multipath] a multipath device
        [device-mapper] a device-mapper volume
        [md] an md array
        [bcache] a bcache device
       *[other] another device
    }
guard-loop = `{ $loop }` uses { $backing } too
guard-writer = `{ $what }` is open for writing in { $process }
guard-writer-unknown = whether a program has it open for writing is not known: { $why }
guard-claimed = the kernel or a program has { $device } open exclusively
guard-claim-unknown = whether { $device } is in use is not known: { $why }
guard-read-only = `{ $name }` is read-only
guard-content-unknown = what is on { $device } is not known: { $why }
guard-member = { $device } { $why }
guard-is-lvm = is a physical volume of LVM
guard-is-md = is a member of an md array
guard-is-luks = is a LUKS container
guard-is-bitlocker = is a BitLocker container
guard-is-bcache = belongs to bcache
guard-is-zfs = belongs to a ZFS pool
guard-is-btrfs = belongs to a btrfs file system, which may reach over several drives
guard-is-swap = is a swap area, which the next start may use
guard-is-suspended = holds the memory of a suspended system
guard-is-multipath = is a path of a multipath device
guard-is-drbd = belongs to DRBD
guard-is-ceph = belongs to Ceph
guard-is-member = is a member of something larger (`{ $content }`)

## What would be lost
guard-file-system = { $device } holds { $kind }
guard-file-system-called = { $device } holds { $kind } called `{ $label }`
guard-partitions = has a partition table with { $partitions }
guard-partitions-of-table = has a partition table ({ $table }) with { $partitions }
guard-no-partition = no partition

## What to do
guard-remedy-unknown = as root more can be seen; what cannot be found out forbids a test
guard-remedy-system = test it from another system, such as one started from a USB stick
guard-remedy-mounted = `umount` what is mounted, in the mount namespace it is mounted in
guard-remedy-swap = `swapoff` the area, and take it out of /etc/fstab
guard-remedy-holder = take down what is built on it: `vgchange -an`, `cryptsetup close`, `mdadm --stop`, `dmsetup remove`
guard-remedy-multipath = a drive with several paths is not tested; `multipath -f` takes the paths apart
guard-remedy-loop = detach the other loop device: `losetup --detach`
guard-remedy-writer = end the program that writes to it, or have it let go: a virtual machine, a database; `lsof` shows what it has open
guard-remedy-claimed = see who has it open: `lsof`, `fuser -v`; another run of ssdlab, a virtual machine, a mount that is not seen from here
guard-remedy-read-only = make it writable: `blockdev --setrw`; a drive that does it to itself is at its end
guard-remedy-member = if nothing needs it any more, wipe the mark: `wipefs --all`
