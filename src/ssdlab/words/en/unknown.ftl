# Why a value is unknown.

## What was not recorded, or not measured
unknown-not-recorded = it was not recorded
unknown-punctuality = the engine does not say how late it submits
unknown-gap = the engine does not say how long the drive was idle before
unknown-first-job = it was the first job of the engine
unknown-no-look-within = the sensors were asked too seldom while it ran
unknown-not-measured = it was not measured
unknown-not-asked = nobody asked
unknown-no-sensor-read = no sensor was read
unknown-no-fio-json = there is no JSON of fio
unknown-host-settings = the run does not say how the host was set up
unknown-restoration = the run does not say that anything was put back
unknown-before-recorded = the bundle was written before this was recorded
unknown-before-checksums = not checked: written before checksums
unknown-outcome = its outcome was not recorded
unknown-unwatched = nobody watched whether measuring stood still
unknown-no-drive = there is no drive to ask
unknown-run-began = the run began
unknown-bundle-says = the bundle says why
unknown-no-io = it did no I/O
unknown-nothing-read-back = it read nothing back
unknown-nothing-asked = nothing was asked of the drive
unknown-no-target = no target was named
unknown-fio-not-needed = not needed: `model:` measures without fio
unknown-until-ctrl-c = it goes on until Ctrl-C

## Series and phases
unknown-no-slower-phase = no slower phase after the cache: one speed up to the end
unknown-slower-for-a-while = no lasting slower phase after the cache: one speed up to the end, but for { $seconds } s at { $speed }
unknown-no-windows = the pass has no windows
unknown-rhythm = the speed of the beginning comes back as long: a rhythm, not a cache
unknown-no-knee = no knee: the speed falls evenly with the range, or not like that of a mapping cache
unknown-no-rung = no rung of the ladder wrote anything
unknown-inside-cache = the write ended inside the cache
unknown-one-speed = the write never left one speed: no cache, or all of it inside the cache
unknown-no-cache-shows = no cache shows: what is written faster at first is no more than a buffer holds
unknown-beside-folding = the drive goes back to its cache: what it writes in between is beside folding
unknown-as-fast-as-folding = after a cache of all free flash the drive writes as fast as it folds
unknown-only-through-cache = the drive writes only through its cache, as fast as that is folded

## Logs and JSON of fio
unknown-percentiles-of-jobs = percentiles of several jobs cannot be made from theirs: run fio with --output-format=json+
unknown-not-printed = fio did not print it: run fio with --output-format=json+
unknown-averaged-percentiles = fio averaged this log over windows, and averages have no percentiles of I/Os
unknown-averaged-count = fio averaged this log over windows and did not count
unknown-rate-of-each-io = fio writes a rate for every single I/O here, which says nothing about the drive
unknown-only-bins = a histogram log has only bins
unknown-short-log = the log is shorter than a window of 100 ms
unknown-log-silent = logs do not say
unknown-its-logs-silent = its logs do not say
unknown-file-silent = the file does not say
unknown-volume-size = the file gives the size of the volume, not of the drive

## Metrics
unknown-no-total-latency = the engine reports no total latency
unknown-no-run-time = the engine reports no run time
unknown-no-read-completed = no read completed
unknown-search-unfinished = the search did not come to its end
unknown-limit-never-kept = not even { $rate } I/Os a second, the least that was offered, keep the limit
unknown-limit-never-lost = { $rate } I/Os a second, the most that was offered, still keep the limit
unknown-never-submitted = { $count ->
    [one] one I/O was due and never submitted
   *[other] { $count } I/Os were due and never submitted
}: the drive did not keep up
unknown-knee-beyond = rate over mean response latency is largest at the end of what was offered
unknown-no-uniform = uniform writes were not measured
unknown-too-little-written = less was written than the capacity, or there was no sequential pass
unknown-no-counters = the drive does not count what it writes to flash
unknown-counters-late = the drive's counters were brought up to date too seldom
unknown-not-amplified = uniform writes were not amplified
unknown-perhaps-not-amplified = uniform writes may not have been amplified: the 95 % interval goes down to 1
unknown-amplification-scatters = it scatters too much over what was written last: 95 % interval { $low } to { $high }
unknown-no-telling-pattern = no pattern of two zones tells mixed from separated data
unknown-few-windows = too short a time to tell how much neighbouring I/Os have in common
unknown-no-io-completed = no I/O completed
unknown-pass-not-fresh = its first pass did not begin fresh out of the box
unknown-drive-not-fresh = the drive is not known to have been fresh
unknown-never-fulfilled = it was never fulfilled
unknown-not-steady = not steady
unknown-never-steady = not steady after all that the suite allows
unknown-measurement-too-long = a measurement lasts too long to compare several
unknown-operator-ended = not before the operator ended the writing
unknown-no-written-tag = this lab has no run that wrote this tag and read it with chunks of the same size
unknown-nothing-moved = nothing was moved
unknown-no-window-value = no window has a value
unknown-no-distribution = the job did not keep its latency distribution over time
unknown-no-latency = no latency was measured

## What drives and their kinds do not tell
unknown-drive-reports-not = the drive does not report it
unknown-drive-silent = the drive does not tell
unknown-kernel-and-drive-silent = neither the kernel nor the drive tells
unknown-no-ata-security = the drive has no ATA security
unknown-feature-form = `nvme get-feature` prints another form than known
unknown-security-form = the Security section of `hdparm -I` has another form than known
unknown-no-common-value = SATA and SAS drives have no common value for it
unknown-no-drive-family = neither an NVMe nor a SATA or SAS drive
unknown-no-nvme = no NVMe drive
unknown-no-ata = no ATA drive
unknown-ask-nvme-cli = an NVMe drive: nvme-cli is asked instead
unknown-nvme-no-ata-security = an NVMe drive has no ATA security
unknown-no-generic-device = the kernel has no generic device for it (`modprobe sg`)
unknown-kernel-silent = the kernel does not tell
unknown-nothing-to-tell-apart = it has neither a serial number nor anything else that would tell it from another one
unknown-empty = it is empty
unknown-no-pci-device = it hangs on no PCI device
unknown-no-pcie-link = it hangs on no PCIe link that the kernel tells of
unknown-slot = the kernel does not tell of the slot
unknown-link-speed = the kernel does not tell the link's speed and width
unknown-held-by-ssdlab = ssdlab itself holds it
unknown-content-of-run = what is on it is the run's own by now
unknown-signatures-contradict = `blkid` finds signatures that contradict each other
unknown-swaps-unreadable = `/proc/swaps` cannot be read
unknown-no-block-device = no block device of this host
unknown-target-no-block-device = the target is no block device of this host
unknown-no-block-device-involved = no block device of this host was involved
unknown-nbd-no-block-device = the drive is behind NBD, no block device of this host is involved
unknown-nbd-no-kernel = the drive is behind NBD, the kernel does not know it
unknown-no-single-block-device = the file system is on no single block device whose counters the kernel shows
unknown-below-file = a file does not tell which drive is below it
unknown-below-directory = a directory does not tell which drive is below it
unknown-nbd-none = an NBD export has none
unknown-nbd-no-sensor = an NBD export has no sensor
unknown-sensor-not-asked = no sensor of the drive was asked
unknown-replay-short = a replay is short
unknown-virtual-uncounted = a virtual drive does not count it
unknown-virtual-never-late = virtual time is never late
unknown-virtual-no-thermal = the drive's spec has no section `thermal`
unknown-virtual-no-kernel = virtual time: no kernel is involved
unknown-virtual-no-link = a virtual drive has no link
unknown-virtual-server-ended = the virtual drive's server ended while it was asked
unknown-model-no-data = a drive model holds no data to compare
unknown-no-reply-left = no reply left meanwhile
unknown-replies-by-itself = a drive decides by itself when it replies
unknown-not-asked-often = not asked so often
unknown-not-asked-yet = the drive has not been asked yet
unknown-job-not-begun = the job has not begun
unknown-media-bytes = `nvme ocp smart-add-log` does not say what was written to the media

## What the host does not tell
unknown-memory-available = the kernel does not tell how much memory is available
unknown-processors-busy = the kernel does not tell how busy the processors are
unknown-boost = the kernel does not tell whether processors may exceed their rated frequency
unknown-link-power-saving = the kernel does not tell which power-saving states the link may enter
unknown-counter-unread = the run could not read a counter of its drive
unknown-counter-lower = its counter is lower than when the run read it, as after a loss of power
unknown-cut-off = the run was cut off before it could note what it left there

## With values
unknown-fill = { $percent } % full
unknown-few-ranges = { $ranges } ranges, the two levels need at least { $needed } with reads in each
unknown-no-drop = no drop within the drive: the speed falls by less than { $least }
unknown-few-ios-above = fewer than { $least } I/Os lie above it
unknown-pipe-latencies = between { $low } and { $high } ns: too many different latencies for one pass over a pipe, a file can be read again
unknown-ranges-measured = { $done } of { $planned } ranges measured
unknown-few-reads-above = { $above } of { $reads } reads lie above it, a percentile needs { $needed }
unknown-passes-finished = { $done } of { $planned } passes finished
unknown-later-not-shown = { $share } of the drive was written, what comes later did not show
unknown-latency-not-kept = of { $passes } passes no latency is kept
unknown-several-latency-kinds = of some passes the latency with submission is kept, of others without
unknown-no-latency-kind = the engine reports no { $kind }
unknown-runs-finished = { $done } of { $planned } runs finished
unknown-rests-measured = { $done } of { $planned } rests measured
unknown-short-pass = the pass took less than { $least_s } s
unknown-points-known = { $known } of { $planned } points of the weighted curve are known
unknown-point-not-measured = QD{ $depth } at { $share } % reads is not measured
unknown-never-fell = the speed never fell by { $share } for good
unknown-end-not-steady = at the very end the speed is not within { $share } of the steady one
unknown-few-samples-above = { $above ->
        [0] no sample lies
        [one] { $above } sample lies
       *[other] { $above } samples lie
    } above it, a percentile needs { $needed }
unknown-few-of-samples-above = fewer than { $least } of { $samples } samples lie above it
unknown-runs-for-error = { $runs } of the 2 runs that a standard error needs
unknown-mean-no-share = the mean of the runs is { $mean }: no share of it can be given
unknown-runs-for-trimmed-mean = { $runs } of the 3 runs that a mean without the largest and the smallest needs
unknown-no-drive-answer = the bundle holds no `{ $name }` of the { $moment ->
        [start] start
       *[end] end
    }
unknown-no-smart = the bundle holds no SMART of the { $moment ->
        [start] start
       *[end] end
    }
unknown-signature-unchecked = the signature was not checked: `{ $program }` is not installed (package openssh-client)
unknown-no-signers = there is no `{ $path }`
unknown-signer = `{ $path }` does not name it
unknown-no-io-of = the job did no I/O of the kind { $direction }
unknown-format-in-use = `nvme id-ns` says that format { $used } is in use and lists { $listed }
unknown-no-json = `{ $program }` did not print JSON
unknown-form-at = `{ $program }` printed another form than known: { $place }: { $fault }
unknown-form = `{ $program }` printed another form than known
unknown-unreadable = it cannot be read: { $error }
unknown-kernel-says = the kernel says `{ $text }`
unknown-processes-hidden = `{ $path }` hides the processes of others
unknown-open-files = what process { $process } has open cannot be seen: { $error }
unknown-blkid = `blkid` cannot read it: { $fault }
unknown-program-failed = `{ $program }` failed: { $fault }
unknown-not-opened = `{ $path }` cannot be opened: { $error }
unknown-few-replies-above = fewer than { $least } of { $replies } replies lie above it
unknown-path-unreadable = `{ $path }` cannot be read: { $error }
unknown-no-ocp-page = the drive has no OCP log page C0: { $why }
unknown-kernel-log = the kernel's log cannot be read: { $error }
unknown-not-installed = `{ $program }` is not installed (package { $package })
unknown-no-answer = `{ $program }` did not answer within { $limit_s } s
unknown-not-started = `{ $program }` cannot be started: { $error }
unknown-multipath-not-counted = this kernel counts no I/O of an NVMe drive with native multipath; a newer one does, and this one with `nvme_core.multipath=N` on its command line
unknown-kernel-counters = the kernel's counters cannot be read: { $error }
unknown-path-empty = `{ $path }` says nothing
unknown-path-says = `{ $path }` says `{ $text }`
unknown-link-rate = the kernel says `{ $speed }`, { $lanes } lanes
unknown-no-queue = the drive has no queue: { $error }
unknown-policy = { $why }; the policy is { $policy ->
        [unknown] unknown
       *[other] { $policy }
    }
unknown-no-mount = no mount holds `{ $path }`
unknown-no-date-ms = the file says { $time_ms } ms after 1970, which is no date
unknown-no-date = the file says `{ $text }`, which is no date
unknown-ended-before-steady = stopped by the operator before it was steady
unknown-criterion-ended = not before `{ $criterion }` ended the writing
unknown-no-fall = no cache found: the speed never falls by { $share } for good; one of less than { $shortest_s } s would not show
unknown-no-fall-after-stall = the speed never falls by { $share } for good after a stall at the beginning, in which { $stalled } were written: a cache that ended in it would not show
unknown-gradual-fall = the speed falls little by little from { $fast } to { $slow }, between { $low } and { $high } written: no byte at which a cache ends
unknown-fall-as-a-wave = the speed falls after { $candidate }, but no faster than a wave of the noise does, which lasts for seconds here: the end of a cache, or noise
unknown-fall-perhaps-earlier = the speed falls after { $candidate }, and may have fallen already after { $earlier }, which the noise hides: either may be the end of the cache
unknown-fall-hidden = no lasting fall stands out, but the noise would hide one of less than { $share }: there may be a cache or none
unknown-fall-at-end = the speed falls only at the very end, after { $candidate }: too little is left to tell the end of a cache
unknown-fall-late = the speed falls after { $candidate }, { $share } of the drive: more than a cache can hold
unknown-fall-throttled = the speed falls after { $candidate }, when the drive throttles: heat, or the end of a cache at the same moment
unknown-fall-hot = the speed falls after { $candidate }, at { $celsius } °C, the hottest of the pass, and the drive stays so: heat, or the end of a cache
unknown-slump = for a while the speed is far lower than before: if that is a phase of the drive, its cache ends after { $phase }, if it is a stall, after { $stall }
unknown-slump-as-phase = for a while the speed is far lower than before: if that is a phase of the drive, its cache ends after { $candidate }, if it is a stall, there is no end of a cache
unknown-slump-as-stall = for a while the speed is far lower than before: if that is a stall, the cache ends after { $candidate }, if it is a phase of the drive, there is no end of a cache
unknown-end-in-stall = after { $phase } the speed is far lower for a while: if that is a phase of the drive, its cache ends there, if it is a stall, anywhere up to { $stall }
unknown-cache-stalled = the drive was stalled in, or beside, every window in which the cache was written
unknown-phase-or-stall = for a while after the cache the speed is far lower: if that is a phase of the drive, { $phase }; if it is a stall, { $stall }
unknown-if-phases = { $count ->
        [one] one speed follows the cache: { $speeds }
       *[other] { $count } speeds follow the cache, one after the other: { $speeds }
    }
unknown-if-teeth = { $teeth ->
        [one] the speed of the cache comes back once
       *[other] the speed of the cache comes back { $teeth } times
    }
unknown-fall-after-slow-start = the speed falls after { $candidate }, but the drive began slower: a cache that ended in the first { $slow } would not show
unknown-fall-faster-later = the speed falls after { $candidate }, but later on { $faster } are written faster than before this fall: a cache is where a drive is fastest
unknown-one-tooth = the speed of the cache comes back once, and within two seconds: the drive goes back to its cache, or something held it up
unknown-several-phases = more than two speeds follow the cache, one after the other: { $speeds }
unknown-phases-hidden = the noise would hide another phase after the cache, were it slower by less than { $share }
unknown-few-rests = { $rests } rests show how much cache came back, a delay and a rate need { $needed }
unknown-no-more-cache = no more cache after { $longest_s } s than after { $shortest_s } s: nothing comes back, or all at once
unknown-longer-rests = no more cache after { $longest_s } s than after { $shortest_s } s: the write ended inside the cache after longer rests
unknown-rests-too-few-between = the rests do not pin it down: too few of them lie between the first and the last cache that came back
unknown-below-floor = writes or trims fell below their floor with { $jobs } jobs, which ends the published procedure
unknown-limits-not-kept = even { $jobs } jobs do not keep the limits
unknown-status = status { $status }
unknown-flushes-uncounted = the drive does not tell how often it was flushed
unknown-flushes-unrecorded = flushes were not recorded
unknown-kernel-counts-no-flushes = the kernel counts no flushes, which it does since Linux 5.5
unknown-kernel-write-cache = the kernel does not say how it makes writes to the device durable
unknown-power-step-short = it lasted { $length_ms } ms, and the meter's clock is known to ± { $error_ms } ms
unknown-power-period = the meter has a sample every { $period_ms } ms only
unknown-power-under-second = it lasted less than a second
unknown-power-100us = the meter has a sample every { $period_us } µs; two are needed in 100 µs
unknown-power-uneven = the samples of the meter are not { $period_us } µs apart, as its log or `--period` says
unknown-power-missing = the meter has no samples for { $percent } % of the time
unknown-power-nothing-moved = nothing was read or written
unknown-no-power-log = no power log was added to the run

unknown-not-recovered = not back at { $share } of the mean speed before within { $lasted }
