# What drives refuse, what they are not, and what became of them.

## Block devices
drive-forbidden = `{ $path }` may not be tested: { $why }
drive-without-name = test it through a file on it (`file:PATH`), or give it a serial number where it is made (QEMU: `serial=`)
drive-at-stake = `{ $path }` ({ $known })
drive-on-it = on it: { $loss }
drive-not-named = everything on { $what } would be lost, and it was not named to be erased
drive-other-named = everything on { $what } would be lost, and it is not the `{ $named }` that was named to be erased
drive-erase-by = if that is meant: `--erase { $name }`
drive-erase-by-stand-in = { $erase } (it tells no serial number; this is the { $kind })
drive-name-serial = serial number
drive-name-wwid = world-wide identifier
drive-name-backing-file = path of the file below it
drive-name-slot = PCI address it is found at
drive-gone = `{ $path }` went away: { $error }
drive-went-away = the drive went away: { $why }
drive-gone-at = the drive went away: `{ $path }`: { $error }
drive-look-at-it = look at `dmesg`, at its seat and its power
drive-now-used = somebody began to use `{ $path }`: { $uses }
drive-became-another = `{ $path }` became another device while it was opened
drive-not-exclusive = `{ $path }` cannot be opened exclusively: { $error }
drive-not-the-same = `{ $path }` is no longer the drive it was: { $different }
drive-differs =
    { $what ->
        [name] name
        [number] number
        [appearance] appearance
        [serial] serial number
        [wwid] world-wide identifier
        [file] file
       *[size] size
    } `{ $new }` instead of `{ $old }`
drive-mark-unknown = unknown
drive-other-untouched = nothing was written to the other one
drive-no-poll-queues = the device has no queues to poll (`queue/io_poll` is 0); NVMe: { $remedy }
drive-no-discard = the kernel offers no discard on it
drive-trims-no-files = files are not trimmed, only drives
drive-file-system-trims = a file system decides what of it is trimmed
drive-nbd-no-trim = the server offers no trim
drive-file-not-polled = a file on a file system cannot be polled

## From a path to a drive
drive-list-hint = `ssdlab drives` lists the drives of this host, and what uses them
drive-is-partition = `{ $path }` is a partition of `{ $whole }`, and only whole drives are tested
drive-name-whole = name the whole drive, `{ $whole }`: everything on all of its partitions is then lost
drive-no-medium = `{ $path }` has no medium: its size is 0
drive-no-such-path = there is no `{ $path }`
drive-not-examined = `{ $path }` cannot be looked at: { $error }
drive-is-controller = `{ $path }` is an NVMe controller
drive-of-controller = its drive is probably `{ $path }n1`
drive-no-block-device = `{ $path }` is no block device
drive-begun-it = it
drive-begun-named = the one with the { $kind } `{ $name }`
drive-several-are-it = { $paths } all say that they are the drive the run was begun on: { $which }
drive-leave-one = leave only the right one connected
drive-not-here = the drive the run was begun on is not here: { $which }, then `{ $target }`
drive-connect-it = connect it

## Files as drives
drive-file-gone = `{ $path }` is gone, or its size has changed
drive-not-made = `{ $path }` cannot be made: { $error }
drive-file-no-room = `{ $path }` cannot be given { $size }: { $error }
drive-file-exists = `{ $path }` exists, and ssdlab does not overwrite files
drive-file-exists-hint = name a new file, or a directory to put one in
drive-file-is-device = `{ $path }` is a block device, not a file
drive-file-is-device-hint = to test it, leave out `file:`: `{ $path }`
drive-no-directory = `{ $path }` is no directory
drive-name-directory = name a directory on a mounted file system
drive-too-little-free = `{ $path }` has { $free } free, { $wanted } were asked for and { $reserve } must stay free
drive-ask-for-less = ask for less: `file:{ $path }?size=1GiB`
drive-file-too-small = `{ $path }` would be only { $size }
drive-more-room = name a file system with more room

## Files of a sustained write
drive-no-tag = `{ $path }` holds no data of the tag `{ $tag }`
drive-write-tag = `ssdlab sustain { $place } --write-only --tag { $tag }`
drive-tag-gone = `{ $path }` holds no data any more: its files are gone
drive-takes-no-files = `{ $path }` takes no files: { $error }
drive-not-removed = `{ $path }` could not be removed: { $error }
drive-removed-later = the next run there removes it, or you may
drive-files-in-use = another ssdlab is using `{ $path }`
drive-wait-for-it = wait until it ends, or stop it with Ctrl-C
drive-files-not-ours = `{ $path }` exists and is not ssdlab's alone: { $why }
drive-mark-missing = its mark is missing
drive-move-away = move it away, or name another directory
drive-files-kept = `{ $path }` holds data that was to be kept
drive-remove-by = if it is not needed any more: `rm -r { $path }`

## NBD exports and virtual drives
drive-export = the export `{ $name }` ({ $size })
drive-export-read-only = the export `{ $name }` is read-only
drive-export-start-writable = start its server writable
drive-export-resized = the export now has { $now } bytes instead of { $before }
drive-export-not-trimmed = the export cannot be trimmed: { $error }
drive-no-export = no NBD export at `{ $socket }`: { $error }
drive-no-export-named = no NBD export `{ $export }` at `{ $socket }`: { $error }
drive-export-hint = is the server running?
drive-model-no-fio = a model drive lives in virtual time, fio cannot reach it
drive-use-virtual = use `virtual:` instead of `model:`
drive-virtual-not-started = the virtual drive did not start: { $why }
drive-virtual-ended = the virtual drive's server has ended with status { $status }
drive-virtual-silent = the virtual drive's server does not answer `{ $what }`: { $error }
drive-virtual-refuses = the virtual drive refuses `{ $what }`: { $why }
drive-virtual-long-path = a virtual drive's sockets in `{ $directory }` would have paths of { $length } bytes, and { $most } is the most
drive-shorter-path = name a directory of a shorter path: `TMPDIR=/tmp ssdlab ...`
drive-spec-faults =
    { $count ->
        [one] the spec `{ $name }` has 1 fault
       *[other] the spec `{ $name }` has { $count } faults
    }

## Programs, samples, purges
drive-command = the command was `{ $command }`
drive-program-failed = `{ $program }` failed: { $fault }
drive-too-small-to-sample = a drive of { $capacity } bytes is too small to be sampled
drive-not-opened = the drive cannot be opened: { $error }
drive-no-marks = the drive takes no writes before its purge: { $error }
drive-forgets-marks = the drive does not keep what is written to it: of { $total } sampled blocks { $seen }
drive-broken = it is broken, or smaller than it says
drive-block-size-unseen = `{ $path }` was formatted, and the kernel does not see blocks of { $size } bytes
drive-rescan = `nvme ns-rescan { $controller }`, or start the host anew
drive-sanitizes-on = `{ $controller }` has been sanitizing for a day
drive-sanitize-log = look at `nvme sanitize-log { $controller }`
drive-sanitize-failed = `{ $controller }` says after its sanitize: { $state }
drive-leave-failed = `nvme sanitize { $controller } --sanact=1` lets it leave the failed state
drive-sanitize-unknown = how far the sanitize is, is not known: { $why }
drive-sanitize-inside = it goes on inside the drive
drive-discard-refused = `{ $path }` refused a discard: { $error }
drive-ata-refuses = `{ $path }` cannot erase itself: { $why }
drive-ata-no-serial = `{ $path }` tells no serial number, so its password could not be noted: { $why }
drive-ata-no-password = `{ $path }` took no password, without which it does not erase itself
drive-password-not-noted = that `{ $path }` gets a password cannot be noted in `{ $directory }` ({ $error }), so it gets none and is not erased
drive-make-room = make room there
drive-security-unknown = the ATA security of `{ $path }` is not known: { $why }
drive-password-stays = `{ $path }` has the password `{ $password }`, and it cannot be taken off: { $why }
drive-password-still = it says that it still has one
drive-unlock-by = `hdparm --user-master u --security-unlock { $password } { $path }`, if `hdparm -I { $path }` says that it is locked
drive-disable-by = then `hdparm --user-master u --security-disable { $password } { $path }`
drive-thaw = if it is frozen: suspend the machine to memory and wake it, or plug the drive out and in, and try again
drive-password-gone = no drive of this host has that serial number
drive-connect-to-sata = connect it to a SATA port of this host, and try again
drive-format-unknown = the format in use of `{ $path }` is not known: { $why }
drive-no-format = `{ $path }` has no format with blocks of { $size } bytes
drive-formats = it offers { $sizes }
drive-no-plain-format = it offers none without metadata
drive-seen-all = all
drive-seen-some = { $count }
drive-seen-marks = { $count } still hold what was written before
drive-seen-zeros = { $count } read as zeros
drive-seen-ones = { $count } read as ones
drive-seen-other = { $count } read as other data
drive-seen-unreadable = { $count } cannot be read
drive-purge-nothing = the purge erased nothing: `{ $path }` reported success of its { $method }, and of { $total } sampled blocks that were written before, { $seen }
drive-purge-part = the purge erased only a part: `{ $path }` reported success of its { $method }, and of { $total } sampled blocks that were written before, { $seen }
drive-cannot-purge-by = `{ $path }` cannot be purged by `{ $method }`: { $why }
drive-no-method = no `{ $method }`: { $why }
drive-not-nvme = it is no NVMe drive
drive-not-scsi = it is no SATA or SAS drive
drive-offers = what it offers: { $targets }
drive-offers-no-other = it offers no other way
drive-offers-no-other-either = it offers no other way either
drive-controller-unknown = what the controller offers is not known: { $why }
drive-no-format-command = the controller offers no Format command
drive-current-format-unknown = the format in use is not known: { $why }
drive-format-reaches-all = a format reaches every namespace of the controller
drive-sanitize-reaches-all = a sanitize reaches every namespace of the drive
drive-no-sanitize = the controller offers no sanitize by { $way }
drive-block-erase = block erase
drive-crypto-erase = crypto erase
drive-namespaces-unknown = { $because }, and how many there are is not known: { $why }
drive-namespaces = { $because }, and there are { $count }
drive-usb-bridge = a USB bridge that loses an erase halfway leaves the drive locked; connect it to a SATA port
drive-no-serial-for-password = its serial number is not known, so a password could not be noted for it
drive-no-ata-security = the drive has no ATA security
drive-security-frozen = its security is frozen by the firmware of the host; suspending the machine to memory and waking it thaws it
drive-locked = it is locked by a password
drive-has-password = it has a password
drive-no-enhanced-erase = the drive offers no enhanced erase
drive-discard-unknown = whether it takes discards is not known: { $why }
drive-takes-no-discards = it takes no discards
## How a drive was purged
drive-method-nvme-format = NVMe format with user-data erase
drive-method-sanitize-block = NVMe sanitize by block erase
drive-method-sanitize-crypto = NVMe sanitize by crypto erase
drive-method-ata-erase = ATA SECURITY ERASE UNIT
drive-method-ata-erase-enhanced = ATA SECURITY ERASE UNIT, enhanced
drive-method-discard = discard of the whole drive
drive-method-asked-for = { $method } (as it was asked for)
drive-method-for-want = { $method } ({ $better })
drive-purged-nothing = nothing, the drive offers no purge ({ $why })
drive-purged-to-blocks = to blocks of { $size } bytes: { $method }
drive-purged-samples = of { $total } sampled blocks that were written before, { $seen }
drive-purged-below-unseen = what the drive below made of it cannot be seen
drive-purged-model = the model's format command
drive-purged-file = the file was made anew; `fstrim` decides what the drive below learns of it
drive-purged-no-trim = nothing: the server offers no trim
drive-purged-export = the whole export was trimmed; of { $total } sampled blocks { $kept ->
    [0] all read as zeros
   *[other] { $kept } still hold data
}

## What drives say of a run
drive-late = virtual drive: { $count } completions left after their due time by { $late }
drive-late-by = { $late } µs ({ $which ->
    [p50] median
    [p99] 99 %
   *[max] largest
})
drive-left-files-removed = removed { $size } that a run before had left in `{ $path }`
drive-described-block = the block device `{ $path }`
drive-described-file = a file of { $size } on the file system at { $place }
drive-described-files = files of { $size } in a directory of a mounted file system
drive-described-export = NBD export `{ $export }` at { $socket }
