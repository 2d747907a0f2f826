# What the audit found, what that means for the numbers, and what to do about it.

## Findings of all kinds

audit-together = { $findings }
audit-meaning-unknown = this could not be checked
audit-of-direction =
    { $direction ->
        [read] read: { $finding }
        [write] write: { $finding }
       *[trim] trim: { $finding }
    }
audit-first-of-several = { $step }: { $finding }; others likewise
audit-steps =
    { $left ->
        [0] { $steps }
       *[other] { $steps } and { $left } more
    }
audit-no-io = no I/O was done
audit-no-latency = no latency was measured
audit-virtual = virtual time: { $why }
audit-virtual-no-data = virtual time: no data are written
audit-virtual-no-device = virtual time: there is no device
audit-virtual-no-processor = virtual time: no processor is involved
audit-virtual-no-host-memory = virtual time: no memory of a host is involved
audit-virtual-no-host = virtual time: no host is involved
audit-ioengine = ioengine={ $ioengine }: { $why }
audit-no-block-device = ioengine={ $ioengine }: no block device of this host is involved

## Amounts

audit-logged = logs { $logged }, total { $total } ({ $share })
audit-logged-but-last-window = { $compared }, up to { $unlogged } in the last window
audit-last-window-unknown = what the last window can hold is not known: { $why }
audit-only-logged-windows = there are no windows but those of fio's logs
audit-in-windows = windows { $windows }, total { $total } ({ $share })
audit-totals = { $ios } I/Os, { $total }
audit-totals-of-blocks = { $totals }, blocks of { $block }
audit-mean-length = the I/Os are { $length } long on the mean
audit-bandwidth-differs = fio prints { $printed }, bytes over time give { $computed }
audit-iops-differ = { $iops } IOPS do not give { $ios } I/Os
audit-errors = { $count } errors
audit-short = { $short } of { $ios } I/Os were short
audit-writes-nothing = the job writes nothing
audit-contents-fresh = new random data for each write
audit-contents-scrambled = one buffer, lightly scrambled
audit-contents-repeated = one buffer, again and again
audit-contents-constant = zeros or one pattern
audit-contents-shaped = data with a given share that compresses or repeats
audit-buffers-unsaid = the JSON would name neither a bare `refill_buffers` nor a bare `zero_buffers`

## What kernel and drive say

audit-device-ios = { $ios } I/Os counted, { $device } { $kernel_ios }
audit-device-moved = { $moved } counted, { $device } { $kernel }
audit-neither-read-nor-written = neither read nor written
audit-other-io = { $device } moved { $other } beside the { $job } of the job
audit-other-io-but-ramp = { $other_io }, those of its ramp not counted
audit-temperatures = { $low } to { $high } °C
audit-throttled = throttled for { $seconds } s
audit-link-changed = { $before }, then { $after }
audit-new-entries = { $count } new entries
audit-no-kernel-line = no line names the drive
audit-kernel-lines =
    { $more ->
        [0] { $line }
       *[other] { $line } and { $more } more
    }
audit-no-sensor = fio reads no sensor
audit-never-told = never told

## Host

audit-processor = fio used { $busy } % of a core (jobs: { $jobs }), the host has { $cores }
audit-processor-of-thread = the load engine, one thread for all jobs, used { $busy } % of a core
audit-processor-of-unknown = fio used { $busy } % of a core (jobs: { $jobs }), how many cores the host has is not known
audit-no-processor-time = the engine reports no processor time
audit-cores-unsaid = the host does not say how many cores it has
audit-direct = direct={ $direct }, ioengine={ $ioengine }
audit-direct-with-flushes = direct={ $direct }, ioengine={ $ioengine }, with flushes
audit-no-page-cache = ioengine={ $ioengine } does not go through the page cache
audit-no-windows = there are no windows
audit-windows = { $count } windows of { $length }, { $long } over twice as long
audit-long-windows = { $windows } (the longest { $longest }, { $total } in all)
audit-windows-overlap = windows overlap
audit-end-missing = the last { $missing } are missing
audit-windows-empty = { $count } have no length: fio wrote their time twice
audit-clocks = the job took { $job }, the step { $step }
audit-clock-unrecorded = the run's clock was not recorded
audit-no-standstill = measuring went on all the time
audit-standstills-unsaid = the result does not say whether measuring stood still
audit-host-unsaid = the result does not say how the host was set up
audit-settings = { $settings }
audit-setting = { $knob } { $after }
audit-setting-unknown = unknown
audit-setting-because = { $setting } ({ $why })
audit-nothing-to-set = the kernel offers nothing to set
audit-power-saving-off = off
audit-power-saving-states = the link may enter { $states }

## fio

audit-virtual-no-fio = { $engine }: virtual time, no fio
audit-own-writer = { $engine }: ssdlab's own writer, no fio
audit-own-load = { $engine }: ssdlab's own engine, no fio
audit-engine-unknown = engine `{ $engine }` is not known
audit-fio-maybe-polling = fio { $version }; it measured no submission latency, as with `sqthread_poll`, which the JSON would not name
audit-fio-and-polling = fio { $version }, sqthread_poll { $polled }
audit-flag-on = on
audit-flag-off = off
audit-flag-unsaid = unsaid
audit-no-steady-state-asked = fio was not asked to find a steady state
audit-steady-window = { $outcome }, window of { $samples } samples
audit-steady-window-of-fio = { $claim } in fio { $version }
audit-attained = attained
audit-not-attained = not attained
audit-no-window = the JSON names no window
audit-no-hipri = `hipri` is not among the options
audit-hipri-and-flushes = `hipri` together with flushes, which a polled queue rejects and fio drops
audit-queues-to-poll = the device has queues to poll: `queue/io_poll` was { $io_poll } during the run
audit-queues-to-poll-unknown = `hipri` was asked for; whether the device has queues that can be polled was not recorded
audit-no-group-rates = no number of ours is made from fio's `bw_min`, `iops_stddev` and the like
audit-jobs-of-entry-unknown = how many jobs stand behind an entry is not known
audit-one-job-an-entry = no entry of the JSON stands for several jobs
audit-group-rates = { $jobs } jobs in one entry: `bw_min`, `bw_max`, `bw_dev`, `iops_min`, `iops_max`, `iops_stddev` are sums
audit-none-dropped = none
audit-dropped = { $option }: { $why }
audit-no-plan = no plan to hold fio's options against
audit-not-as-asked = { $option }: { $asked } asked, { $done } done
audit-option-unknown = unknown ({ $why })
audit-option-absent = none
audit-several-block-sizes = several block sizes
audit-order-unknown = unknown order
audit-load = { $block }, QD { $queue_depth }, { $order }
audit-no-method = no method was promised
audit-plan-unknown = nobody's plan is known
audit-json-unsaid = fio's JSON does not say it
audit-no-json = there is no JSON of fio
audit-no-options = the JSON has no options of the job
audit-jobs-unsaid = the JSON does not say how many jobs stand behind it
audit-rates-of-jobs = each job has rates of its own
audit-no-bins-of = the JSON has no bins of { $kind }
audit-device-shared = several jobs shared the device, which fio counts for all together
audit-too-short-for-counters = the job was too short for fio to look at the kernel's counters
audit-device-last-look = fio may have looked at the kernel's counters a quarter of a second before the end: { $finding }
audit-merged-jobs = one entry is asked to be { $jobs } jobs, and the times of { $behind } are behind it: jobs were reported as one, and may differ
audit-no-single-device = fio counted no single block device
audit-kernel-ios-only = this fio prints the kernel's I/Os, not bytes
audit-no-submission-latency = fio measured no submission latency
audit-no-bins-of-submission = fio keeps no bins of it
audit-no-rates-in-bytes = this fio prints no rates in bytes
audit-no-job-runtime = this fio does not print how long a job was on
audit-no-time-of-jobs = this fio prints no time of each job
audit-one-job = there is one job
audit-no-size = the JSON names no `size`
audit-logs-without-bytes = the logs that were given do not count bytes
audit-direction-not-logged = the logs have no line of this direction
audit-no-logs = no logs were given
audit-histogram-windows = a histogram log has windows of its own

## Latency

audit-none-measured = fio measured none
audit-measured = { $kinds }
audit-clat-or-lat-only = the engine reports only one of clat and lat
audit-mean-clat-and-lat = mean clat { $clat }, mean lat { $lat }
audit-median-clat-and-lat = median clat { $clat }, median lat { $lat }
audit-latency-parts = mean slat { $slat } + clat { $clat }, lat { $lat }
audit-too-few-for-median = too few I/Os for a median
audit-no-median = fio printed no median of { $kind } (`{ $kind }_percentiles=1`)
audit-no-percentile = fio printed no percentile { $percent }
audit-latency-range = { $kind } { $low } to { $high }
audit-mean-outside = the mean of { $kind }, { $mean }, is outside
audit-percentiles-fall = percentiles of { $kind } do not rise
audit-percentile-above-largest = a percentile of { $kind }, { $percentile }, is above the largest
audit-in-bins = { $total } of { $ios } I/Os in the { $kind } bins
audit-largest-not-in-bin = the largest, { $largest }, is not in the last bin used
audit-no-bins-in-json = the JSON has no latency bins
audit-beyond-bins = { $count } of them above { $seconds } s, the last bin
audit-no-percentile-of-ramp = no percentile is given of a ramp
audit-too-few-ios = { $ios } I/Os: too few even for a median
audit-highest-percentile = { $ios } I/Os: percentiles up to { $highest } % have 10 samples above them
audit-no-latency-beside-replies = no latency was measured that replies could be held against
audit-replies-late = replies left { $late } late on the mean, { $share } of the latency
audit-replies-late-tail = 99 % by { $late }, { $share } of that percentile

## Load

audit-nothing-waited = the job took no time, so nothing waited
audit-nothing-over-time = the job took no time, so nothing of it is seen over time
audit-no-time = the job took no time
audit-no-lat-or-runtime = the engine reports no total latency or no run time
audit-in-flight = QD { $asked } asked, IOPS x mean latency gives { $in_flight }
audit-arrivals = I/Os come { $arrivals }
audit-arrivals-closed-loop = as soon as one completes
audit-arrivals-even = evenly spaced, and a late one delays those after it
audit-arrivals-poisson = by a Poisson process, whatever is late
audit-arrivals-constant = evenly spaced, whatever is late
audit-arrivals-bursts = by a Poisson process in bursts and lulls, whatever is late
audit-arrivals-recorded = as a trace recorded them
audit-arrivals-thinking = after pauses of the job's own
audit-null-takes-no-time = ioengine=null takes no time
audit-flushed = writes are flushed { $flushes }
audit-flushes-none = never
audit-flushes-with-writes = with each write
audit-flushes-between = between writes, in time that no write's latency counts
audit-no-amount = it only discards
audit-fill-covers = a fill is judged by what it covers
audit-ended-by-fio = fio ended the job at its own steady state
audit-ended-by-criterion = the job was to be ended by the criterion `{ $criterion }`, and was
audit-ended-by-short-way = { $ended }, on the short way
audit-ended-by-long-way = { $ended }, on the long way, to which the short one led
audit-ended-by-operator = the operator ended the job, as its suite allows
audit-lasted = lasted { $lasted }
audit-lasted-of = lasted { $lasted } of { $asked }
audit-share-of-amount = { $lasted }, { $share } of the amount
audit-amount-unknown = how much was to be done is not known: { $why }
audit-ramp-unknown = how long the ramp was only fio knows
audit-no-ramp = there was no ramp
audit-ramp = a ramp of { $ramp }, then { $measured } measured
audit-ramp-of-asked = { $ramp }, of { $asked } asked
audit-no-rate = no rate was asked for
audit-rate-unknown = the rate is one of bytes, or of each direction
audit-rate = { $done } of { $asked } IOPS, { $arrivals }
audit-generator-late = the generator was late by at most { $late } in 99 of 100 I/Os
audit-late-generator = late generator: { $late } in 1 of 100 I/Os, mean response latency { $response }
audit-beyond-drive = more than the drive takes, which this step is to find out
audit-unsubmitted =
    { $count ->
        [one] 1 I/O that fell due found no room and was never submitted
       *[other] { $count } I/Os that fell due found no room and were never submitted
    }
audit-job-times = jobs ran { $mean } on the mean, { $longest } at the longest
audit-duration-unknown = `{ $text }` is a duration only fio can tell
audit-size-unknown = `{ $text }` is a size only fio can tell
audit-blocks-mixed = the job mixes block sizes
audit-blocks-by-direction = the job has a block size for each direction
audit-rates-by-direction = the job has a rate for each direction

## Offsets

audit-fill-unknown = the JSON does not say that this was to fill the drive
audit-no-fill = no fill
audit-written = { $written } of { $region } written ({ $share })
audit-written-independently = { $written }, at offsets drawn independently, which reach about { $covered } of the blocks
audit-written-until-stopped = { $written }, stopped by the operator
audit-sequential = offsets are sequential
audit-uneven-on-purpose = offsets are drawn unevenly on purpose
audit-blocks-unknown = size of region and block together are not known
audit-generator-changes = 32-bit generator on { $blocks } blocks: fio changes to 64 bits by itself
audit-generator-reaches = 32-bit generator on { $blocks } blocks: it reaches { $reached } of them
audit-generator-uneven = 32-bit generator on { $blocks } blocks: some are drawn { $uneven } times as often as others
audit-seed-given = `randseed` is given: the order can be had again
audit-seed-new = `randrepeat=0` without `randseed`: a new order each time, which nobody can repeat
audit-seed-repeated = `randrepeat` is on, as by default: each start visits the same blocks in the same order
audit-offsets-unknown = block size or offset are known only to fio
audit-blocks-from = blocks of { $block } B from { $offset } B on
audit-no-multiple = { $blocks }: no multiple of { $logical } B
audit-no-jobs-in-file = no jobs that follow each other through one file
audit-jobs-apart = { $jobs } sequential jobs on one file, each with its own part
audit-jobs-together = { $jobs } sequential jobs on one file, all from the same offset
audit-region-scaled = regions are scaled down, or those of a model
audit-region-unknown = how large the region is only fio knows
audit-fill-visits-once = a fill visits each block once
audit-working-set = { $moved } within { $region }: each block { $passes } times
audit-parts-of-engine = the parts of the jobs are the engine's own affair
audit-norandommap-unsaid = the JSON would not name a bare `norandommap`
audit-order-sequential = sequential
audit-order-map = random, each block once a pass
audit-order-permutation = permutation
audit-order-independent = independent draws

## Rules of the instrument

audit-fio-version-pass = no known fault of this fio touches these numbers
audit-fio-version-fail = completion latencies of this fio are wrong with sqthread_poll: it needs 3.36 or newer
audit-fio-version-unknown = whether a fault of this fio touches the completion latencies is not known
audit-fio-version-remedy = use fio 3.36 or newer, or leave out `sqthread_poll`; of this result use lat, not clat
audit-fio-steady-state-pass = fio found a steady state in a window it can compute with
audit-fio-steady-state-warn = the drive was not steady by fio's own criterion, and `iops_mean` averages padding zeros
audit-fio-steady-state-fail = fio's sums overflow in a window this long: its verdict means nothing
audit-fio-steady-state-unknown = whether fio could compute with this window is not known
audit-fio-steady-state-remedy = judge steadiness from the logs; for fio's own verdict keep the window at 1024 samples or fewer
audit-fio-polling-pass = I/Os were waited for by polling the device's queues, as asked
audit-fio-polling-fail = writes that should have been durable were not flushed: the numbers are far too good
audit-fio-polling-unknown = without poll queues the kernel may have used interrupts instead
audit-fio-polling-remedy = leave out `hipri` where writes are flushed; load nvme with `poll_queues` above 0 and read `queue/io_poll`
audit-fio-group-rates-warn = the slowest moment of the group is not that sum: use totals, logs and percentiles only
audit-fio-group-rates-unknown = fio's smallest, largest and spread of the rates may be sums over jobs
audit-fio-group-rates-remedy = take spread and minima from logs of all jobs added up window by window
audit-options-dropped-pass = no option was left out that these numbers depend on
audit-options-dropped-warn = the method could not be followed to the letter: compare only with runs that dropped the same
audit-options-dropped-remedy = install a newer fio, or measure the device itself where a file or NBD stands in the way
audit-options-as-asked-pass = fio was told what the plan says
audit-options-as-asked-fail = fio did something else than the plan says: the numbers are of another load
audit-options-as-asked-unknown = whether fio did what the plan says is not known
audit-options-as-asked-remedy = compare `job.fio` with the plan; was the bundle edited?

## Rules of the host

audit-host-cpu-pass = the processor did not limit the drive
audit-host-cpu-warn = the host may have limited the drive: the numbers are a lower bound
audit-host-cpu-unknown = whether the host limited the drive is not known
audit-host-cpu-remedy = take a larger block size, or with fio more jobs on a host with more cores; stop what else runs
audit-host-page-cache-pass = the I/O went past the memory of the host
audit-host-page-cache-warn = writes were collected in the host's memory and flushed: latencies are those of memory and flushes
audit-host-page-cache-fail = the numbers are those of the host's memory, and errors of the drive can have gone unseen
audit-host-page-cache-unknown = whether the host's memory answered in place of the drive is not known
audit-host-page-cache-remedy = measure with `direct=1`, which fio does not do by itself
audit-host-settings-pass = governor, scheduler and queue were as the method wants them
audit-host-settings-warn = the host was not as the method wants it: latencies are higher than those of the drive
audit-host-settings-unknown = what the host added to the latencies is not known
audit-host-settings-remedy = run as root, so that the settings can be made; `ssdlab doctor TARGET` says what else is in the way
audit-host-link-pass = the link was as fast and as wide as the drive can
audit-host-link-warn = the link was slower or narrower than the drive can: bandwidths may be those of the link
audit-host-link-unknown = whether the link limited the drive is not known
audit-host-link-remedy = put the drive into a slot as good as it is; reseat it where the slot is
audit-host-power-saving-pass = the link was always awake
audit-host-power-saving-warn = what came after a pause may have waited for the link to wake: latencies at a low QD are too high
audit-host-power-saving-unknown = whether the link slept between I/Os is not known
audit-host-power-saving-remedy = `echo performance > /sys/module/pcie_aspm/parameters/policy`, or `pcie_aspm=off` on the kernel's command line
audit-host-uninterrupted-pass = the host let the measurement go on all the time
audit-host-uninterrupted-fail = for a while nothing was asked of the drive, or nobody timed it: these numbers are not those of the drive
audit-host-uninterrupted-unknown = whether the host let the measurement go on all the time is not known
audit-host-uninterrupted-remedy = keep the host awake, pause neither its virtual machine nor a process of the run, then measure again
audit-series-regular-pass = the series has no gaps
audit-series-regular-warn = the drive or the host stood still for a while: the series shows it as one long window
audit-series-regular-fail = a part of the job is not in the series: what is seen over time cannot be trusted
audit-series-regular-remedy = look at `dmesg` and the drive's temperature for the time of the gap, then measure again
audit-clock-agrees-pass = the job took as long on the run's clock as on the engine's
audit-clock-agrees-warn = one of the clocks stood still or the host was suspended: look at durations with care
audit-clock-agrees-unknown = durations cannot be checked against a second clock
audit-clock-agrees-remedy = keep the host from sleeping (`systemd-inhibit`), then measure again

## Rules of the load

audit-queue-littles-law-pass = as many I/Os were in flight as asked for
audit-queue-littles-law-warn = the queue was not quite as deep as asked: the host takes a noticeable part of the time
audit-queue-littles-law-fail = the queue was not as deep as asked, or a clock is wrong: the numbers are not those of this queue depth
audit-queue-littles-law-unknown = whether the queue was full is not known
audit-queue-littles-law-remedy = use an engine that does not wait (`io_uring`, `libaio` with `direct=1`); `psync` has a queue of one whatever is asked
audit-load-duration-pass = the job came to the end it was given
audit-load-duration-warn = the amount ran out before the time: the number is one of a moment, often inside a cache
audit-load-duration-fail = the job ended before its time and its amount: something stopped it
audit-load-duration-unknown = whether the job came to its end is not known
audit-load-duration-remedy = set `time_based=1` beside `runtime`, or a larger `size`; ask what ended the job
audit-load-ramp-pass = the ramp is in none of the numbers, and nothing of it can be seen in the logs
audit-load-ramp-warn = fio does odd things with a ramp longer than the job, and hides more than it measures
audit-load-ramp-fail = the ramp is in the numbers
audit-load-ramp-unknown = whether the ramp is in the numbers is not known
audit-load-ramp-remedy = keep the ramp shorter than the job, or leave it out and cut the series afterwards
audit-load-rate-pass = I/Os fell due at the rate asked for, whatever was late; where less was done, the step meant to find that out, and it was the drive
audit-load-rate-warn = waiting is not in the latencies, or the rate was missed: under load latency is under-reported
audit-load-rate-unknown = whether the rate was kept is not known
audit-load-rate-remedy = stop what else runs on the host; ask for a rate that host and drive keep, with fio by `rate_process=poisson`
audit-no-mix = all I/Os are of one kind
audit-mix = { $ios } I/Os of { $kinds } kinds, χ² { $chi_squared }: as far off as this in { $p } of all cases by chance
audit-mix-uncounted = { $counted } of { $ios } I/Os were of a kind of the mix
audit-mix-farthest = farthest off is { $block } of part { $part }: { $found } in place of { $share }
audit-mix-shares-pass = directions, lengths and places of the I/Os are those of the mix
audit-mix-shares-fail = another load was measured than the one it is called after
audit-mix-shares-remedy = report it as a fault of ssdlab, with the bundle; do not quote the numbers of this mix
audit-load-jobs-alike-pass = all jobs ran beside each other
audit-load-jobs-alike-warn = for a part of the time only some jobs ran: the rates are means of different loads
audit-load-jobs-alike-remedy = end jobs by time (`time_based=1`) and measure after a ramp
audit-point-of-fixed-length = its length was fixed before
audit-point-known-pass = the mean is as well known as was asked for
audit-point-known-warn = the mean is known less well than was asked for, or depends on when it was measured
audit-point-known-remedy = give it a longer `limit`; where the drive drifts, precondition it for longer

## Rules of offsets

audit-coverage-fill-pass = every block was written
audit-coverage-fill-warn = the method itself draws each offset anew: a part of the drive stays as the purge left it
audit-coverage-fill-fail = the drive was not written whole: it is not in the state later steps take it to be in
audit-setup-unknown = the options of the job are not known
audit-coverage-fill-remedy = fill with sequential passes, or one job with `random_generator=lfsr` or fio's random map
audit-offsets-generator-pass = every block can be drawn, and none much oftener than another
audit-offsets-generator-warn = some blocks are drawn much oftener than others, which makes a small set of them hot
audit-offsets-generator-fail = a part of the drive was never touched: the numbers are those of a smaller drive
audit-offsets-generator-unknown = whether every block could be drawn is not known
audit-offsets-generator-remedy = set `random_generator=tausworthe64`, or `lfsr` where each block is to come once
audit-offsets-seed-pass = no two jobs visit the same blocks unless the seed says so
audit-offsets-seed-warn = a repetition, or a read after a write, finds exactly the blocks of the one before: in a cache, or already in order
audit-offsets-seed-remedy = set `randrepeat=0` and a `randseed` of its own for each job
audit-offsets-aligned-pass = blocks begin and end where the drive's do
audit-offsets-aligned-warn = blocks straddle pages of 4 KiB: each costs the drive two, and writes a read besides
audit-offsets-aligned-fail = this block size cannot reach the drive as it is: the host rounds, pads or merges it
audit-offsets-aligned-unknown = whether blocks straddle those of the drive is not known
audit-offsets-aligned-remedy = fio's `4k` is 4096 bytes and its `4KiB` is 4000: write `4k`, and offsets that are multiples of it
audit-offsets-shared-pass = each job has blocks of its own
audit-offsets-shared-warn = all but the first job find blocks that were just read or written: the numbers are too good
audit-offsets-shared-unknown = whether jobs follow each other is not known
audit-offsets-shared-remedy = set `offset_increment`, so that each job has its part
audit-offsets-working-set-pass = the region is too large for a memory of the drive, or was not visited again and again
audit-offsets-working-set-warn = the drive's own memory may have answered: the numbers may not be those of its flash
audit-offsets-working-set-unknown = whether the drive's own memory may have answered is not known
audit-offsets-working-set-remedy = measure in a region of several GiB, or say that the small one is meant

## Rules of amounts

audit-bytes-logs-agree-pass = the engine's logs and its totals describe the same I/O
audit-bytes-logs-agree-fail = the logs are not those of this I/O: what is seen over time cannot be trusted
audit-bytes-logs-agree-unknown = whether the logs are of this I/O is not known
audit-bytes-logs-agree-remedy = give all logs of this one run; let a job last at least a hundred windows
audit-bytes-series-agrees-pass = the windows add up to the total
audit-bytes-series-agrees-fail = the windows do not add up to the total: what is seen over time cannot be trusted
audit-bytes-series-agrees-unknown = whether the windows add up to the total is not known
audit-bytes-series-agrees-remedy = take what is seen over time from histogram logs: fio's bandwidth logs lose and double windows under load
audit-bytes-totals-agree-pass = bytes, I/Os and rates of the engine fit together
audit-bytes-totals-agree-fail = bytes, I/Os and rates do not fit together: one of them is not of this load
audit-bytes-totals-agree-remedy = use the JSON as fio wrote it; look for partial blocks at the end of the region
audit-io-errors-pass = every I/O succeeded
audit-io-errors-fail = the drive or the path to it failed: the numbers are not those of a working drive
audit-io-errors-remedy = look at `dmesg` and the drive's error log; leave out `continue_on_error`
audit-io-short-pass = every I/O moved all its bytes
audit-io-short-warn = short I/Os count as whole ones in IOPS and latency
audit-io-short-remedy = keep the region inside the file or device, and a multiple of the block size
audit-data-contents-pass = what was written could be neither compressed nor deduplicated, beyond what was asked
audit-data-contents-warn = almost all of each block repeats: a drive or enclosure that compresses was not measured
audit-data-contents-fail = there was hardly any data: whatever compresses or deduplicates had nothing to do
audit-data-contents-unknown = whether a drive that compresses had anything to do is not known
audit-data-contents-remedy = write with `refill_buffers=1`, and see that the processor keeps up (`host.cpu`)

## Rules of kernel and drive

audit-device-bytes-pass = what was counted reached the device
audit-device-bytes-fail = something else answered: a cache of the host or file system, a hole in a sparse file, or compression
audit-device-bytes-unknown = whether all I/O reached the device is not known
audit-device-bytes-remedy = write the file whole before reading it; use a file system that honours `direct=1`, or the device itself
audit-device-other-io-pass = nothing else used the device
audit-device-other-io-warn = somebody else used the device: the numbers are too low, the latencies too high
audit-device-other-io-unknown = whether anything else used the device is not known
audit-device-other-io-remedy = stop what uses the device (`iotop`, `lsof`), or measure one that holds nothing else
audit-device-temperature-pass = the drive kept its temperature
audit-device-temperature-warn = the drive warmed up a good deal: the end of the step is not comparable with its beginning
audit-device-temperature-unknown = whether the drive got hot is not known
audit-device-temperature-remedy = cool the drive, and measure it warm; where it is not known, watch it beside the run (`nvme smart-log`, `smartctl`)
audit-device-throttled-pass = the drive did not slow itself down
audit-device-throttled-fail = the drive slowed itself down: the numbers are those of its cooling
audit-device-throttled-unknown = whether the drive slowed itself down is not known
audit-device-throttled-remedy = cool the drive; where it is not known, watch the temperature beside the run (`nvme smart-log`, `smartctl`)
audit-device-link-pass = the link was the same at the end
audit-device-link-fail = the link changed: the numbers are those of two links
audit-device-link-unknown = a slower link would have gone unseen
audit-device-link-remedy = read the link before and after (`lspci -vv`); where it changed, look at `dmesg`, reseat the drive, switch ASPM off
audit-device-error-log-pass = the drive logged no error
audit-device-error-log-warn = the drive logged errors: I/Os may have been repeated, or somebody asked it for what it cannot do
audit-device-error-log-unknown = errors that the drive logged would have gone unseen
audit-device-error-log-remedy = read the log (`nvme error-log`, `smartctl -l error`); stop other programs that ask the drive
audit-device-kernel-log-pass = the kernel had nothing to say of the drive
audit-device-kernel-log-warn = the kernel spoke of the drive: timeouts, resets and link errors cost time that is in the numbers
audit-device-kernel-log-unknown = resets and timeouts of the drive would have gone unseen
audit-device-kernel-log-remedy = look at the lines (`dmesg`); run as root if they cannot be read

## Rules of latency

audit-latency-measured-pass = latency was measured
audit-latency-measured-warn = there is no latency to judge the drive by, and Little's law cannot be asked
audit-latency-measured-remedy = leave out `gtod_reduce` and `disable_lat`
audit-latency-clat-within-lat-pass = completion latency lies within total latency, as it must
audit-latency-clat-within-lat-fail = fio's completion latencies are wrong (before 3.36 with sqthread_poll they are garbage): use lat
audit-clat-unchecked = completion latency alone cannot be checked against total latency
audit-latency-clat-within-lat-remedy = use lat; measure again with fio 3.36 or newer, or without `sqthread_poll`
audit-latency-sum-pass = submission and completion add up to the total
audit-latency-sum-fail = the parts of the latency do not add up: one of fio's clocks is wrong
audit-latency-sum-remedy = use lat; measure again with another version of fio
audit-latency-clat-low-end-pass = completion latency is credible at its low end
audit-latency-clat-low-end-warn = completion latency undershoots, as it can when I/Os complete while they are submitted: use lat
audit-latency-clat-low-end-remedy = use lat; ask fio for it with `lat_percentiles=1`
audit-latency-ordered-pass = smallest, mean, percentiles and largest stand in order
audit-latency-ordered-fail = smallest, mean, percentiles and largest contradict each other: they are not of one set of I/Os
audit-latency-ordered-remedy = use the JSON as fio wrote it, and never percentiles that were averaged
audit-latency-histogram-whole-pass = every I/O is in the latency distribution
audit-latency-histogram-whole-warn = the slowest I/Os are known only by the largest of them; percentiles that reach them are not given
audit-latency-histogram-whole-fail = the latency distribution is not that of all I/Os: percentiles cannot be trusted
audit-latency-histogram-whole-unknown = whether the percentiles are those of all I/Os is not known
audit-latency-histogram-whole-remedy = run fio with --output-format=json+; for I/Os above 17 s only their largest latency is known
audit-latency-percentile-samples-pass = higher percentiles are not given
audit-latency-percentile-samples-warn = no latency percentile is given
audit-latency-percentile-samples-remedy = measure longer
audit-latency-host-on-time-pass = the virtual drive replied when its model said
audit-latency-host-on-time-warn = a part of these latencies is the host's, which let the virtual drive's server wait: the drive is faster
audit-latency-host-on-time-unknown = how much of the time was the host's is not known
audit-latency-host-on-time-remedy = stop what else runs on the host, or take `model:` in place of `virtual:`, whose time is never late

## Lines of the command line

audit-not-made = audit: not made yet: it is made when the run is finished
audit-lost = audit: not there, so nothing says whether a check failed; `ssdlab show --again` makes it again
audit-nothing-checked = audit: nothing was checked: no step that does I/O was finished
audit-counted = audit: { $counts }
audit-count =
    { $outcome ->
        [fail] { $count } failed
        [warn] { $count } to look at
        [unknown] { $count } unknown
        [pass] { $count } passed
       *[other] { $count } not applicable
    }
audit-line =
    { $outcome ->
        [fail] fail: { $where }: { $name }: { $finding }
        [warn] warn: { $where }: { $name }: { $finding }
       *[other] unknown: { $where }: { $name }: { $finding }
    }
audit-line-of-more =
    { $outcome ->
        [fail] fail: { $name }: { $count } more steps (`--json` has them all)
        [warn] warn: { $name }: { $count } more steps (`--json` has them all)
       *[other] unknown: { $name }: { $count } more steps (`--json` has them all)
    }
audit-to-do = to do: { $remedy }
audit-forced-not-asked = no write had to be durable before it counted
audit-forced-nothing-written = nothing was written
audit-forced-by-construction = no fio and no kernel lie between the job and its drive
audit-forced = { $writes } writes had to be durable; { $counted }
audit-forced-by-drive = the drive counted { $count } forced writes and flushes
audit-forced-by-fio = fio's nbd engine ignores `sync=1`, and fio counted { $count } flushes
audit-forced-by-kernel = the kernel sent { $device } { $count } flushes
audit-forced-nothing-held = { $device } says that it holds no write back (`queue/write_cache`)
audit-forced-uncounted = the kernel sends { $device } writes with force unit access (`queue/fua`), which it does not count
audit-writes-forced-pass = each write was durable before it counted
audit-writes-forced-fail = writes counted before they were durable: rates and latencies are those of the drive's buffer
audit-writes-forced-unknown = whether writes were durable before they counted is not known
audit-writes-forced-remedy = where the engine cannot force a write, let a flush follow each (`fsync=1`)
audit-silence-no-writes = no writes are measured here
audit-silence-meant = the drive was to rest before it
audit-silence-before = { $silence } without I/O before it, { $measured } measured
audit-silence = { $silence } without I/O at the ends of the step, { $measured } measured
audit-load-unbroken-pass = pauses around the measurement are too short to matter
audit-load-unbroken-warn = in the pause before it the drive could empty its buffer and collect garbage, so these writes may come out too fast
audit-load-unbroken-unknown = whether the drive had a pause before these writes is not known
audit-load-unbroken-remedy = measure for longer; profile `quick` shortens measurements, but not the pauses before them
audit-gap-first = no measured point came straight before it
audit-gap-of-fio = fio starts anew for each point: about { $gap } without I/O
audit-gap = { $gap } without I/O since the point before
audit-points-gap-pass = the drive had no time of its own between this point and the one before
audit-points-gap-unknown = whether the drive had time of its own between this point and the one before is not known
audit-points-gap-remedy = measure longer points, of which the gap is a smaller share
audit-power-samples = the power meter has no samples for { $missing_percent } % of the step
audit-power-samples-meaning =
    { $outcome ->
        [pass] the energy is measured throughout
       *[warn] the energy assumes that the missing samples are like the others; its interval says what they may have been
    }
audit-power-samples-remedy = let the meter's program write to a fast disk, or sample less often
audit-power-timed =
    { $timed ->
        [io] counted from its first I/O to its last
       *[step] counted as the journal has it, the start and the end of the engine included
    }
audit-power-time = the clock of the power meter is known to ± { $error_ms } ms; the step of { $length_s } s is { $timed }
audit-power-time-meaning =
    { $outcome ->
        [pass] the energy is that of the step
       *[warn] more than a hundredth of the energy may belong to what was before or after the step
    }
audit-power-time-remedy = measure longer, or record with a higher sampling rate
audit-power-range = { $percent } % of the step's samples have the highest value of the whole log
audit-power-range-meaning =
    { $outcome ->
        [pass] the power meter was within its range
       *[warn] the power meter may have been at the end of its range, and the power higher than it says
    }
audit-power-range-remedy = set the meter to a larger range
