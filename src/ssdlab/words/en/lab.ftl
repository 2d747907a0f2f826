# Why runs are refused, stopped or not resumed, and what they note.

## Limits
lab-temperature-limit-unknown = `--max-temperature` cannot be kept, the drive's temperature is not known: { $why }
lab-hint-temperature-unknown = leave it out, or make the temperature known
lab-write-limit-unknown = `--max-write` cannot be kept, what the run wrote before is not known: { $why }
lab-hint-new-run = begin a new run with it
lab-write-limit-low = the run writes at least { $least }, and `--max-write` allows { $most }
lab-write-limit-low-resumed = the run writes at least { $least }, { $before } of it before now, and `--max-write` allows { $most }
lab-hint-write-limit-low = allow more, or write less: fewer passes, or a suite or profile that `ssdlab plan` says writes less
lab-write-limit-ahead = { $total } would be written, and `--max-write` allows { $most }
lab-write-limit-reached = { $total } are written, and `--max-write` allows { $most }
lab-hint-write-limit = allow more with `--max-write`
lab-temperature-lost = `--max-temperature` cannot be kept any more: { $why }
lab-hint-dmesg = look at `dmesg`
lab-too-warm = the drive was at { $now } °C, { $time } into the job, and `--max-temperature` allows { $most } °C
lab-too-warm-before = the drive was at { $now } °C, before the job, and `--max-temperature` allows { $most } °C
lab-hint-cool = cool the drive better, and let it rest

## Resuming
lab-probes-not-resumed = probes cannot be resumed: each builds on the state that those before it leave behind
lab-hint-probes-anew = what they said up to the stop is in `{ $path }`; begin anew: `ssdlab probe`
lab-sustain-not-resumed = a sustained write cannot be resumed: the drive has rested since
lab-sustain-again = a sustained write cannot be resumed, as the drive has rested since: begin again with the same command
lab-hint-sustain-anew = its records up to the stop are in `{ $path }`; begin a new one: `ssdlab sustain { $target }`
lab-other-plan = the run was planned by ssdlab { $version }, this one plans other steps for the same suite
lab-hint-other-plan = resume it with ssdlab { $version }, or begin a new run
lab-other-drive = this is not the drive the run was begun on: { $different }
lab-hint-other-drive = connect the drive the run was begun on, or begin a new run
lab-differs-model = model `{ $now }` instead of `{ $before }`
lab-differs-serial = serial number `{ $now }` instead of `{ $before }`
lab-differs-capacity = capacity `{ $now }` instead of `{ $before }`
lab-differs-block = logical block `{ $now }` instead of `{ $before }`
lab-differs-name = name `{ $now }` instead of `{ $before }`
lab-not-own-content = what is on { $what } may not be the run's own: { $why }
lab-hint-erase = if it may be lost: `--erase { $name }`

## Sustained writes
lab-sustain-directory = a sustained write makes files of its own in a directory
lab-not-direct = `{ $path }` cannot be written past the host's cache: { $error }
lab-hint-direct = the file system must offer direct I/O (O_DIRECT); name another, or the drive itself
lab-no-fstrim = the file system cannot be trimmed: { $why }
lab-hint-no-trim = leave `--trim` out
lab-place-gone = `{ $path }` is gone
lab-hint-place-gone = was the file system unmounted or the drive taken out?
lab-holds-tag = `{ $target }` holds data of the tag `{ $tag }`: the same data again would hide a write that was lost
lab-tag-used = data of the tag `{ $tag }` was written on { $date } already (`{ $path }`): the same data again would hide a write that was lost
lab-hint-another-tag = take a tag that was never used: `--tag { $tag }-2`
lab-not-opened = `{ $path }` cannot be opened: { $error }

## Where bundles are made
lab-no-bundle = no bundle can be made in `{ $lab }`: { $error }
lab-hint-space = free space, or put the bundle elsewhere with `--lab DIR`
lab-engine-virtual-time = drive models are measured in virtual time by a driver of their own, not by { $engine }
lab-same-names = `{ $lab }` has { $count } runs of this name
lab-hint-elsewhere = put the bundle elsewhere with `--lab DIR`
lab-little-space = `{ $place }` has { $free } free, this run may need { $needed } for its bundle
lab-little-space-beside = `{ $place }` has { $free } free once the passes fill it, this run may need { $needed } for its bundle
lab-hint-leave-more = leave more with `--leave`, or put the bundle elsewhere with `--lab DIR`
lab-interrupted = the run was interrupted; what was finished is in the bundle
lab-hint-show = look at it: `ssdlab show { $path }`
lab-stopped = the run was stopped: { $why }
lab-kept = what was finished is in `{ $path }`
lab-not-written = the bundle cannot be written: { $why }; { $kept }
lab-counter-more = { $grown } were written to the drive since the run read its counter, at most { $allowed } of them by the run
lab-counter-agrees = { $grown } were written to the drive since the run read its counter, and the run may have written { $allowed }
lab-content-changed = blocks that the run noted at its end hold something else now
lab-content-same = all blocks that the run noted at its end are as it left them
lab-host-left = { $run } ended without putting the host back; the start of the kernel since then did
lab-host-put-back = { $run } ended without putting the host back; its settings: { $outcomes }
lab-host-so-many = { $count } { $outcome }
lab-hint-resume = go on with it: `ssdlab resume { $path }`
lab-drive-moved = the drive that was `{ $before }` is now `{ $now }`
lab-meanwhile-unknown = whether anybody else wrote to the drive meanwhile cannot be told: { $why }
lab-forgets = the drive keeps nothing once ssdlab ends
lab-again-from = { $why }, so the run begins again at `{ $step }`
lab-again-halfway = `{ $first }` stopped halfway and needs the drive as before, so the run begins again at `{ $step }`
lab-again-unsteady = `{ $unsteady }` writes to a steady drive and this one has rested, so the run begins again at `{ $step }`
lab-again-step = `{ $step }` stopped halfway and is done again
lab-nothing-again = no step has to be done again
## What a run notes
lab-by-operator = stopped by the operator
lab-by-operator-in-browser = stopped by the operator, in the browser
lab-no-such-writer = process { $process } of this host does not write the run
lab-hint-its-host = stop it on the host and in the container where it runs
lab-writer-not-reached = process { $process }, which writes the run, has just ended or belongs to another user
lab-kernel-said = kernel, during `{ $step }`: { $line }
lab-temperature-between-jobs = this drive cannot be asked under load without holding up its I/O: `--max-temperature` is checked before each job only
lab-host-not-set = { $names } could not be set: { $why }
lab-host-not-put-back = { $path } could not be put back to { $before }: { $why }
lab-purge-proves-nothing = the drive's state is unknown from here on, its purge proves nothing: { $how }
lab-done-again = `{ $step }` is done again, because measuring stood still: { $why }
lab-stood-still = in `{ $step }` measuring stood still: { $why }
lab-not-steady = not steady after `{ $step }` has written all that the suite allows: what follows is marked so
lab-stopped-before-steady = the operator stopped `{ $step }` before the drive was steady: what follows is marked so
lab-short-way-unproven = `{ $step }` goes the long way: the purge proves nothing, and the short one means nothing on a drive that may not be fresh
lab-short-way-left = `{ $step }` went on the long way: after the pass of the short one its speed was not flat
lab-tail-untold = `{ $step }` ended at its budget after { $ios } I/Os: the { $percent } % latency needs { $needed }
lab-drifts = `{ $first }` was { $change } off when it was measured once more at the end of `{ $step }`, which is more than both intervals allow: the drive drifts, and so may all points between the two
lab-probe-not-done = not done: { $why }
lab-no-io = no I/O
lab-moved = { $amount } in { $time }, mean { $mean }
lab-moved-at = { $count } bytes at { $rate } MB/s
lab-bad-bytes = { $count } bytes are not what was written
lab-search-open = not yet found
lab-loads-offered = { $loads } loads offered, at most { $rate } I/Os a second
lab-search-not-found = not found: { $why }
lab-search-passed = { $jobs } jobs, { $rate } reads a second: passed
lab-search-missed = { $jobs } jobs, { $rate } reads a second: { $limit } were to be reached
lab-marks-no-power = power marks are bursts of reads by a drive that draws power, and this one is virtual or on the network
lab-marks-nothing-to-read = power marks are bursts of reads, and there is less than a mebibyte to read
lab-marks-unread = power marks are bursts of reads, and the drive cannot be read: { $why }
lab-hint-marks-real = leave out `--power-marks`, or name a block device
lab-hint-marks-fill = write to the file first, or name a block device

lab-rounds-steady = steady after { $rounds } rounds
lab-rounds-not-steady = not steady after { $rounds } rounds
