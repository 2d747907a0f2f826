# What `ssdlab doctor` finds.

## What earlier runs left
doctor-run = a run on { $device } of { $at } (process { $process })
doctor-run-left-host = { $run } ended without putting the host back
doctor-run-live = { $run } is measuring on this host
doctor-run-undone-by-start = { $run } ended without putting the host back; the start of the kernel since then did
doctor-remedy-restore = `ssdlab doctor --restore`; the next run does it too
doctor-remedy-wait = wait until it ends: two runs share processors and memory
doctor-record-unreadable = `{ $path }` cannot be read: { $why }
doctor-remedy-record = it says what a run had set; put that back by hand, then remove the file
doctor-password = an erase of { $model } (serial number { $serial }, then `{ $device }`) was interrupted at { $at }, and may have left it with a password
doctor-remedy-password = `ssdlab doctor --restore`, with the drive connected
doctor-records-stuck = what earlier runs noted in `{ $directory }` cannot be changed: { $error }

## fio
doctor-fio-no-nbd = { $fio } was built without its nbd engine, which reaches the drive
doctor-remedy-fio-nbd = on Fedora and Rocky install `fio-engine-nbd`; a fio built by hand needs `./configure --enable-libnbd`
doctor-fio-sqpoll = { $fio } reports wrong latencies with `sqthread_poll`, which is dropped: each submission is a system call
doctor-remedy-fio-newer = install fio { $version } or newer

## The target
doctor-no-medium = `{ $path }` has no medium
doctor-forbidden = it may not be tested: { $why }
doctor-drive-warns = the drive warns: { $warnings }
doctor-remedy-drive-warns = what it measures is a drive in trouble; `nvme smart-log` or `smartctl -a` tells more
doctor-space = the file would be { $size } of { $free } that are free
doctor-file-system-memory = the file system is { $kind }, which is memory and no drive
doctor-remedy-directory-on-drive = name a directory on a drive
doctor-file-system-caches = the file system is { $kind }, which may keep or change data on their way to a drive
doctor-remedy-ext4 = name a directory on ext4 or XFS
doctor-not-direct = a file in { $directory } cannot be opened past the page cache: { $error }
doctor-remedy-direct = name a directory on a file system that can, such as ext4 or XFS
doctor-remedy-writable = name a directory you may write to
doctor-one-processor = there is one processor, which fio and the virtual drive's server would share
doctor-remedy-model = measure `model:` instead of `virtual:`, in virtual time
doctor-drive-in-memory = the drive keeps what is written in memory, up to { $capacity }; { $free } are available
doctor-remedy-smaller = make it smaller (`?capacity=4GiB`), or write less to it
