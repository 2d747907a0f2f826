# What a metric's number is, beside it.

metric-remarks = { $remarks }
metric-every-io = of every single I/O, exact
metric-all-ios = all I/Os of { $runs } runs
metric-both-directions = reads and writes together
metric-mean-over-last = mean over the last { $time }
metric-mean-over-last-capacity = mean over the last capacity written
metric-however-little = however little was written before
metric-flat-for = flat over the last { $capacities } of { $written } capacities written: a rhythm of { $capacities } capacities or longer would not have been seen
metric-still-changes = still changing by { $drift } a capacity written
metric-may-change = a change by up to { $drift } a capacity written, up or down, cannot be excluded
metric-measurements-differ = stretches as long as a measurement differ by up to { $apart } from their mean
metric-slower-rhythms-unseen = a rhythm of { $capacities } capacities or longer would not have been seen; { $written } were written
metric-drift-a-capacity = change of the speed a capacity written
metric-measurement-apart = of a stretch as long as a measurement from the mean of all such stretches, at most
metric-mean-of-mixed = mean of the weighted curve without pure reads and pure writes
metric-mean-of-curve = mean of the whole weighted curve
metric-fresh-speed-ends = where the speed of the fresh drive ends
metric-steady-from = from here on within { $share } of the steady speed
metric-at-least = at least { $limit }
metric-at-most = at most { $limit }
metric-at-depth = at QD{ $depth }
metric-at-depth-of-busy-host = at QD{ $depth }, with the core of the load engine { $busy } % busy: it may be the host that is slow
metric-generator-late = the host submitted up to { $late } late in 99 of 100 I/Os: it may be the host that is slow
metric-limit = limit { $limit }
metric-no-limit-missed = limits missed: none
metric-limits-missed = limits missed: { $limits }
metric-passed = passed
metric-too-slow = too slow
metric-below-floor = below a floor
metric-all-bytes = all bytes over all time
metric-all-bytes-without-rests = all bytes over all time, rests left out
metric-slowest-second = slowest second
metric-of-seconds = of the seconds
metric-time-below = of the time under { $percent } % of the median
metric-time-at-least = of the time at least { $need }/s
metric-day-of-writing = of the day of writing ({ $date })
metric-flatness = { $within } % of the seconds within { $allowed } % of the median, { $needed } % needed; best fit moves by { $excursion } %, { $allowed } % allowed
metric-last-reading-stopped = of all readings, the last of which was stopped before its end
metric-all-readings = of all readings
metric-class = { $meaning }: { $finding }
metric-mean-of-windows = mean of the window means: every moment counts the same
metric-of-latency-kind = { $kind }, { $note }
metric-mean-of-ios = mean of all I/Os: every I/O counts the same
metric-rank = { $rank ->
        [1] slowest
        [2] second slowest
        [3] third slowest
        [4] fourth slowest
        [5] fifth slowest
       *[other] rank { $rank }, counted from the slowest,
    } of { $windows } windows of { $window_ms } ms
metric-at-cache-speed = bytes written at the speed of the cache
metric-whole-pass = the whole pass
metric-only-phase = the only phase after the cache: direct writing or folding, one level cannot tell
metric-of-them-at-cache-speed = of them at the speed of the cache
metric-silence = silence before the cache comes back
metric-cache-a-second = cache that then comes back a second
metric-rested = after { $rest_s } s of rest
metric-slowest-windows = slowest 0.1 % of { $windows } windows of 100 ms over their mean
metric-point-enough = enough after { $seen }: the mean is known to ± { $reach }, asked for was ± { $within }
metric-point-not-reached = not reached in { $seen }: the mean is known to ± { $reach }, asked for was ± { $within }
metric-point-no-narrower = ended after { $seen }: the mean is known to ± { $reach }, asked for was ± { $within }, and going on to the limit would hardly have narrowed it, as the drive's speed varied before more slowly than that
metric-point-not-enough = not enough in { $seen }, although the mean is known to ± { $reach } and asked for was ± { $within }: { $why ->
        [rhythm] four periods of its rhythm take longer
        [ramp] what does not count is more than a third of it
       *[once] it was not so at two looks in a row, or its halves differ by more
    }
metric-point-whole = measured for all of { $seen }, as too little is known of how this drive writes: the mean is known to ± { $reach }, asked for was ± { $within }
metric-point-ramp = the first { $ramp } do not count
metric-point-rhythm = { $known ->
        [longer] a rhythm of { $rhythm } was seen, and what counts lasted less than two of its periods
       *[shorter] a rhythm of { $rhythm } was seen
    }
metric-point-drifts = measured for { $seen }, asked for was ± { $within }: how well the mean is known is unknown, because the speed drifts
metric-point-past-drift = the drive drifted before, by { $drift } over what is known of its writes
metric-point-drift = drifts, by { $drift } from the beginning of what counts to its end
metric-ramp-included = with its ramp, the first { $ramp }, which rate and consistency leave out
metric-interval-open-above = no interval, as its upper end lies above all I/Os that completed
metric-silence-gaps =
    { $gaps ->
        [one] of one gap
       *[other] mean of { $gaps } gaps
    }
metric-rse = relative standard error of the last { $last } of { $runs } runs
metric-direct-first = direct came first, folding last
metric-own-counters = by the drive's own counters
metric-by-sequential-speed = by the speed, against the sequential pass of this run
metric-by-theory = theory, with the spare space that uniform writes have shown
metric-spare-of-uniform = of the capacity, by the write amplification of uniform writes
metric-median-of-patterns = median of { $count } patterns
metric-slower = reads over the whole drive are { $drop } slower
metric-class-direct-then-fold = writes directly until free flash runs out, then as fast as it folds its cache
metric-class-fold-then-direct = folds its cache beside writing first, then writes directly
metric-class-sawtooth = goes back to its cache whenever a part of it is folded
metric-class-direct = a small cache, then writes directly up to the end
metric-class-whole-drive = takes all free flash as cache, then writes as fast as it folds
metric-class-cache-only = writes only through its cache, as fast as that is folded
metric-class-teeth = the speed of the cache comes back, { $teeth } times in one pass
metric-class-slower-first = the slower of the two phases after the cache comes first
metric-class-slower-last = the slower of the two phases after the cache comes last
metric-class-large-cache = one phase follows, and the cache holds { $share } of the drive, more than can stay beside data written directly
metric-class-small-cache = one phase follows a small cache (class F would look the same without a reclaim ladder)
metric-class-comes-back-faster = { $pace } at least come back in silence, more than it writes after the cache
metric-class-comes-back-slower = { $pace } at least come back in silence, no more than it writes after the cache
metric-of-passes = { $note }; { $passes } passes, the state is that before the first
metric-at-cache-speed-after = bytes written at the speed of the cache, after { $slower } written slower
metric-at-cache-speed-stalled = bytes written before the speed fell, { $stalled } of them in a stall at the beginning: a cache that ended in it would not show
metric-without-stall-first = without the stall at the beginning
metric-without-stalls = { $count ->
        [one] without a stall of { $lasted } in it
       *[other] without { $count } stalls in it, { $lasted } together
    }
metric-rse-below = { $of }, below { $limit_percent } %
metric-rse-not-below = { $of }, not below { $limit_percent } %
metric-named-by-class = class { $letter }: { $meaning }
metric-slower-common = reads over the whole drive are { $drop } slower; inside it link or controller are the limit and hide the first misses: the mapping cache may cover as little as { $hidden }
metric-slower-unknown = reads over the whole drive are { $drop } slower; if inside it something other than flash is the limit, the mapping cache may cover as little as { $hidden }
metric-slowest-of-runs = { $runs ->
        [1] one run
       *[other] slowest of { $runs } runs
    }
metric-one-run = one run
metric-median-of-last = median of the last { $last } of { $runs } runs
metric-trimmed-mean = mean without the largest and the smallest of { $runs } runs
metric-best = best of { $runs } runs

# What a metric is of.

metric-label-iops = I/Os a second
metric-label-bandwidth = bandwidth
metric-label-consistency = consistency
metric-label-rse = relative standard error
metric-label-clat = completion latency at { $percent } %
metric-label-lat = total latency at { $percent } %
metric-label-clat-mean = mean completion latency
metric-label-lat-mean = mean total latency
metric-label-clat-max = clat max
metric-label-write-amplification = write amplification
metric-label-waf-counted = steady write amplification
metric-label-waf-implied = write amplification implied by speed
metric-label-waf-mixed = write amplification if data are mixed
metric-label-waf-separated = write amplification if data are separated
metric-label-effective-spare = effective spare space
metric-label-separates = hot and cold data kept apart
metric-label-separation = from mixed to separated
metric-label-grade = grade of the verdict
metric-label-duration = time
metric-label-moved = bytes done elsewhere than recorded
metric-label-cache-bytes = SLC cache
metric-label-cache-bandwidth = speed within the cache
metric-label-folding-bandwidth = speed while folding
metric-label-direct-bandwidth = speed past the cache
metric-label-bandwidth-mean = mean speed
metric-label-bandwidth-p1 = slowest 1 % of windows
metric-label-latency-mean-over-time = mean latency over time
metric-label-latency-mean-over-ios = mean latency over I/Os
metric-label-after-cache = what follows the cache
metric-label-reach-bytes = reach of the mapping cache
metric-label-bytes = written
metric-label-delay = delay before reclaiming
metric-label-rate = rate of reclaiming
metric-label-criterion = what ended the writing
metric-label-steady-at-bytes = written until steady by { $by }
metric-label-steady-after = time until steady by { $by }
metric-label-first-at-bytes = written when first fulfilled: { $by }
metric-label-steady-bandwidth = speed at its end
metric-label-steady-iops = steady I/Os a second
metric-label-route = way to steady
metric-short-way = { $passed } of the capacity by the pass, then an even speed over { $share } of it: slower rhythms are not seen
metric-short-way-left = { $passed } of the capacity by the pass, after which the speed was not even soon
metric-short-way-unproven = the pass was left out: the purge proves nothing
metric-label-flat-bytes = written at one speed
metric-label-drift = drift of the speed
metric-label-measurement-apart = scatter of measurements
metric-label-fob-iops = fresh I/Os a second
metric-label-transition-at-bytes = written when the fresh speed was lost
metric-label-steady-from-bytes = written when the speed was steady
metric-label-jobs = jobs
metric-label-offered-iops = offered rate
metric-label-response = response latency at { $percent } %
metric-label-response-mean = mean response latency
metric-label-late = submitted late at { $percent } %
metric-label-unsubmitted = never submitted
metric-label-saturation-iops = saturation
metric-label-iops-within = rate with { $percent } % of the responses within the limit
metric-label-knee-iops = knee
metric-label-knee-load = knee as a share of saturation
metric-label-pass = pass
metric-label-write-floor = write floor
metric-label-trim-floor = trim floor
metric-label-bandwidth-min = worst second
metric-label-bandwidth-median = median of the seconds
metric-label-time-below = time under { $percent } % of the median
metric-label-flat = flat
metric-label-need-met = time as fast as needed
metric-label-speed-retained = speed against the day of writing
metric-label-bad-bytes = bytes not as written
metric-label-rank = weighted mean, ranks drives
metric-label-margin = margin
metric-label-reads = reads: { $quantity }
metric-label-writes = writes: { $quantity }
metric-label-silence = silence between points
metric-mean = mean of { $runs } runs
metric-mean-of-all = mean of all runs
metric-best-of-all = best of all runs
metric-label-energy = energy
metric-label-power-mean = mean power
metric-label-energy-per-gib = energy per GiB
metric-label-iops-per-watt = IOPS per watt
metric-label-power-max-1s = highest power over 1 s
metric-label-power-max-100us = highest power over 100 µs
metric-power-runs = of { $runs } runs together
metric-power-idle = the drive left alone; in which of its power states is not recorded

metric-label-rounds = rounds
metric-label-window-range = range of five rounds
metric-label-window-excursion = excursion of the best line of five rounds
metric-window-of-rounds = rounds { $first } to { $last }
metric-window-of-minutes = the last minutes of half hours { $first } to { $last }
metric-mean-of-minutes = mean of the last minutes of the last { $rounds } half hours
metric-mean-of-rounds = mean of the last { $rounds } rounds
metric-largest-of-rounds = the largest in the last { $rounds } rounds

metric-label-idle-gain = change of speed by idle time
metric-label-recovery = time to recovery
metric-first-stretch = end of the first { $time } with { $share } of the mean speed before
metric-begin-of-round = the beginning of the round, as long as a cell
