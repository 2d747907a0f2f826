# Figures: titles, captions, axes, legends, labels, tables.

# Parts that many figures share
figure-axis = { $what } ({ $unit })
figure-axis-log-unit = { $what } ({ $unit }, log scale)
figure-axis-log = { $what } (log scale)
figure-log-scale = { $what }, log scale
figure-sentence = { $what }.
figure-range = { $low } to { $high }
figure-percent = { $percent } %
figure-drive = drive
figure-drives = { $count } drives
figure-runs-of-drives = { $runs } runs of { $drives ->
    [one] one drive
   *[other] { $drives } drives
}
figure-virtual-drive = virtual drive
figure-virtual-drives = virtual drives
figure-some-virtual = { $count } of them virtual
figure-drive-run = { $drive }, run { $run }
figure-not-comparable = { $profile } profile: not comparable
figure-drive-state = drive state: { $state }
figure-state-then = { $before }, then { $state }
figure-state-fob = FOB
figure-state-filled-once = filled once
figure-state-filled-twice = filled twice
figure-state-partly-filled = partly filled
figure-state-random-written = filled twice, then its first part in random order
figure-state-preconditioned = preconditioned
figure-state-steady = steady
figure-state-not-steady = not steady
figure-state-three-quarters-full = 75 % full
figure-state-as-found = as found
figure-state-region-in-order = its region written in order
figure-state-left-by-probes = as earlier probes left it
figure-state-unknown = unknown
figure-checks-failed = { $value }, failed { $checks }
figure-no-value = No value: { $drives }.
figure-without = without { $left_out }
figure-title-without = { $title }, without { $left_out }
figure-why-without = Drawn a second time without { $left_out }, beside which the others are squeezed; colours and symbols are those of the figure before.
figure-first-drives = Shown: the first { $shown } of { $count } drives.
figure-not-measured = not measured
figure-not-drawn = not drawn
figure-unknown = unknown
figure-none = none
figure-yes = yes
figure-no = no
figure-random = random
figure-sequential = sequential
figure-random-first = Random
figure-sequential-first = Sequential
figure-patterned = { $pattern } { $what }
figure-pattern-io = { $pattern } I/O
figure-read = read
figure-write = write
figure-trim = trim
figure-mix = { $reads }/{ $writes } mix
figure-blocks-of = { $block } { $mix }
figure-blocks-of-jobs = { $done }, { $jobs } jobs
figure-load-called = { $load } ({ $name })
figure-load-read-intensive = read intensive
figure-load-mainstream = mainstream
figure-load-write-intensive = write intensive
figure-load-ai = AI
figure-mix-at-depth = { $mix } at QD{ $depth }
figure-done-at-depth = { $work } { $mix } at QD{ $depth }
figure-work-at-qd1 = { $work } at QD1
figure-io-at-qd1 = { $pattern } I/O at QD1
figure-io = { $work } I/O
figure-reads = { $pattern } { $block } reads
figure-by-percentile = { $done }: latency by percentile
figure-by-block-size = { $done } by block size
figure-by-ratio = { $work } by read/write ratio
figure-speed-against-latency = { $work }: speed against latency
figure-writes = Writes
figure-fill = { $pattern } { $block } writes at QD{ $depth } over the whole drive
figure-fill-part = { $pattern } { $block } writes at QD{ $depth } over the first { $share } of the drive
figure-queue-depth = queue depth
figure-column-queue-depth = queue depth
figure-block-size = block size
figure-latency = latency
figure-completion-latency = completion latency
figure-submission-latency = submission latency
figure-total-latency = total latency
figure-mean-completion-latency = mean completion latency
figure-write-latency = { $kind ->
    [clat] write completion latency
    [lat] write total latency
   *[both] write latency
 }
figure-bandwidth = bandwidth
figure-read-bandwidth = read bandwidth
figure-write-bandwidth = write bandwidth
figure-write-speed = write speed
figure-speed = speed
figure-rate = rate
figure-ratio = ratio
figure-percentile-of-ios = percentile of I/Os
figure-too-few-above = too few I/Os above
figure-too-few-not-drawn = A percentile with fewer than { $count } I/Os above it is not drawn.
figure-written-in-pass = written in the pass
figure-time-since-pass = time since the pass began
figure-time-since-first-pass = time since the first pass began
figure-time-since-log = time since the log began
figure-rest = rest
figure-rests = Shaded, with a grey line: rest without any I/O.
figure-column-mean = mean
figure-column-line = line
figure-column-pass = pass
figure-column-value = value
figure-column-to = to
figure-column-unit = unit
figure-column-workload = workload
figure-column-time = time
figure-column-time-middle = time, middle
figure-column-written-middle = written, middle
figure-column-slowest-window = slowest window
figure-column-fastest-window = fastest window
figure-column-smallest-window = smallest window
figure-column-largest-window = largest window
figure-column-slowest-io = slowest I/O
figure-column-ios-of = I/Os of
figure-column-reads = { $percent } % reads
figure-column-interval = 95 % interval
figure-column-interval-from = 95 % from
figure-table-points = the value of each point
figure-table-depths = every queue depth
figure-table-percentiles = percentiles of each line
figure-table-some-percentiles = latency at some percentiles
figure-table-slices = the time in at most { $rows } slices
figure-table-rows-a-line = all windows, summed up in at most { $rows } rows a line
figure-table-rows-a-drive = all windows, summed up in at most { $rows } rows a drive
figure-table-rows-a-pass = windows summed up in at most { $rows } rows a pass
figure-table-windows = { $windows } windows of { $window } summed up in at most { $rows } rows a pass
figure-every-window-of = every { $window } window
figure-every-window = every window
figure-slices-of-a-pass = slowest and fastest { $window } window of each of { $slices } slices of a pass
figure-slices = slowest and fastest of each of { $slices } slices
figure-point-a-window = One point a { $window } window.
figure-band-whole = Line: mean; band: slowest to fastest { $window } window, none left out.
figure-band = Line: mean; band: slowest to fastest { $window } window.
figure-slowest-io-of-window = slowest I/O of each window
figure-mean-of-window = mean of each window

# Passes of a fill
figure-pass = pass { $number }
figure-pass-in-state = pass { $number }, { $state }
figure-over-bytes-title = Bandwidth over bytes written
figure-over-bytes-described = Line chart: write bandwidth against bytes written, { $passes } passes over the drive
figure-plateaus = Dashed: the level of each plateau; disc: end of the SLC cache.
figure-level-cache-size = pass { $number }: cache { $size }
figure-level-cache = pass { $number }: cache { $size } at { $speed }
figure-level-cache-speed = at { $speed }
figure-level-folding = pass { $number }: folding { $speed }
figure-level-direct = pass { $number }: direct { $speed }
figure-cache-ends = pass { $number }: the cache ends after { $size }
figure-bandwidth-over-time-title = Bandwidth over time
figure-bandwidth-over-time-described = Line chart: write bandwidth against time, { $passes } passes over the drive
figure-with-temperature = { $described }; below it the temperature
figure-means = Dashed: mean of the pass.
figure-passes-unnamed = The passes follow each other without names.
figure-pass-mean = pass { $number }: mean
figure-pass-mean-of = pass { $number }: mean { $mean }
figure-fills-over-bytes-described = Line charts: write bandwidth against bytes, { $drives } drives
figure-fills-over-time-described = Line charts: write bandwidth against time, { $drives } drives
figure-lines-of-windows = Lines: mean of the { $window } windows of each column.
figure-latency-distribution-title = Write latency over time, every I/O
figure-latency-over-time-title = Latency over time
figure-latency-over-time-caption = { $done }; mean { $kind ->
    [clat] completion latency
    [lat] total latency
   *[both] latency
 } of the I/Os completed in each { $window } window.
figure-latency-over-time-described = Line chart: write latency against time, { $passes } passes over the drive
figure-thin-slowest = Thin, above: the slowest I/O of each window.

# Temperature
figure-temperature = temperature of the drive
figure-temperature-throttled = Below: the drive's temperature; on amber the drive throttled itself.
figure-temperature-below = Below: the drive's temperature.
figure-throttled = throttled
figure-throttled-from = throttled from { $begin } to { $end }

# Heat maps and figures over time
figure-heat-map = Heat map: { $latency } against time, the number of I/Os as colour
figure-cell-size = { $length } by { $percent } %
figure-ios-in-cell = I/Os in a cell
figure-against-time = Line chart: { $what } against time
figure-over-time = { $what } over time

# Random reads by active range
figure-active-range-title = Random reads by active range
figure-active-range = active range
figure-active-range-flat = No drop within the drive: { $drives }.
figure-active-range-caption = { $block } random reads at QD{ $depth }, each range from the first byte on. Dashed: reach of the mapping cache, shaded its 95 % interval: beyond it a read has to fetch its mapping first.
figure-active-range-described = Line chart: IOPS of random reads against the active range, { $drives } drives
figure-inside-range = { $drive }, inside { $range }: { $value }
figure-cache-reaches = { $drive }: the mapping cache reaches over { $reach }
figure-reach = reach { $size }
figure-table-ranges = random reads inside each range

# Profiles of desktop benchmarks
figure-desktop-title = Desktop benchmark profiles
figure-desktop-how = Through fio, best of { $runs } runs.
figure-table-desktop = best run of each profile
figure-in-table-only = { $profiles } is in the table only.
figure-sorted-by-read = Sorted by { $profile } read.
figure-profile-of = { $profile } { $direction }
figure-profiles-described = Bar charts: read and write bandwidth of { $profiles } profiles, { $drives } drives

# Latency by percentile
figure-percentile-caption = { $kind ->
    [clat] Completion latency
    [lat] Total latency
   *[both] Latency (with submission where the legend says lat)
 } of every single I/O of all runs, nearest rank; a percentile has at least { $count } I/Os above it.
figure-percentile-unequal = The drives did not do the same number of I/Os a second: the legend says how many.
figure-percentile-described = Line chart: latency against percentile, { $drives } drives
figure-percentile-point = { $drive } at { $percent } %: { $value }
figure-tail-described = Line chart: percentile of I/Os against { $latency }, { $count } lines
figure-tail-point = { $line }: { $latency } at { $percent } %: { $value }
figure-tail-stated = datasheet, { $line }: { $percent } % within { $latency }
figure-tail-qd1-hint = Each step up is ten times rarer: at 99.9, 1 I/O in 1,000 was slower. Upright lines are even, those further left faster
figure-tail-qd1-caption = { $kind ->
    [clat] Completion latency
    [lat] Total latency
   *[both] Latency (with submission where the legend says lat)
 } of every single I/O, reads and writes together, by nearest rank; a percentile with fewer than { $count } I/Os above it is not drawn. The lines have different IOPS: the legend says how many.

# Rankings
figure-ratios-mixed = the mixed ratios
figure-ratios-all = all ratios
figure-ranking-share-title = { $work } by read/write ratio: weighted mean
figure-ranking-share-axis = weighted mean of { $work } I/O
figure-ranking-share-caption = Mean of the weighted curve over { $over }; weights { $weights }.
figure-ranking-boot-title = Boot drive: reads a second within all limits
figure-ranking-boot-axis = random { $block } reads beside writes and trims
figure-ranking-boot-caption = With the most readers that keep the limits of latency and the floors. { $iops } pass. A drive that keeps them with no number of readers has no value.
figure-ranking-fill-title = Filling the drive: mean speed
figure-ranking-fill-axis = mean write bandwidth over { $passes ->
        [1] the pass
        [2] both passes
       *[other] { $passes } passes
    }
figure-ranking-fill-caption = All bytes of { $passes ->
        [1] the pass
        [2] both passes
       *[other] { $passes } passes
    } over their time, rests left out.
figure-ranking-slowest-title = Filling the drive: slowest 1 %
figure-ranking-slowest-axis = write bandwidth in the slowest 1 % of pass 1
figure-ranking-slowest-caption = 99 % of the 100 ms windows of the first pass were at least as fast.
figure-ranking-sync-title = Sync write: { $work }
figure-ranking-sync-axis = { $work } sync writes at QD{ $depth }
figure-ranking-sync-caption = Each write is durable before it counts as done. A burst on a used consumer drive, no steady state.
figure-enterprise-left-out = Left out, being enterprise drives by what is stated of them: { $drives }.
figure-ranking-described = Bar chart: { $axis }, { $drives } drives
figure-bar-intervals = Line at the end of a bar: 95 % interval, where it is wide enough to see.
figure-table-best-first = { $metric }, best first

# Read/write ratio
figure-share-of-reads = share of reads
figure-share-described-depths = Line chart: speed against the share of reads, { $depths } queue depths
figure-share-described-drives = Line charts: speed against the share of reads, { $drives } drives
figure-share-point = { $drive }, QD{ $depth }, { $percent } % reads: { $value }
figure-share-median = { $work }, median of the runs of each point.
figure-share-trimmed-mean = { $work }, mean without the largest and the smallest of the runs of each point.
figure-share-best = { $work }, best of the runs of each point.
figure-share-in-mib = In bandwidth, { $iops } IOPS are 1 MiB/s.
figure-ranking-share-unsettled = RSE: the largest relative standard error of the last three runs of a point in it, where it is { $limit } % or more.
figure-share-hollow = Hollow: the last three runs still had a relative standard error (RSE) of { $limit } % or more.
figure-share-settled = The last three runs of every point have a relative standard error under { $limit } %.
figure-weighted-title = { $work } by read/write ratio, weighted
figure-weighted-caption = { $work }, each point { $weights }.
figure-weighted-hollow = Hollow: the last three runs of a point in it still had a relative standard error (RSE) of { $limit } % or more; the largest stands beside it.
figure-weighted-io = weighted { $work } I/O
figure-weighted-described = Line chart: weighted speed against the share of reads, { $drives } drives
figure-weighted-point = { $drive }, { $percent } % reads: { $value }
figure-table-weighted = the weighted value at each share

# SLC cache reclaimed in a rest
figure-reclaim-title = SLC cache reclaimed in a rest
figure-reclaim-caption = Each bar: purge, { $share } % of the drive filled, the rest below the bar, then as much as could be written in { $seconds } s from the first byte of the drive on. A drive whose bars grow has won cache back.
figure-reclaim-described = Bar chart: bytes written after rests of different length, { $drives } drives
figure-written-in-seconds = written in { $seconds } s
figure-rest-before = rest before the write
figure-after-rest = { $drive }, after { $rest } s of rest: { $value }
figure-reclaim-series-title = Write speed after each rest
figure-reclaim-series-caption = The writes of the reclaim one by one, from the end of their rests on. Where a line falls, what the rest had won of the cache is used up.
figure-reclaim-series-left-out = Not drawn, as there are as many lines as colours: { $rests }.
figure-rest-of = { $seconds } s of rest
figure-time-since-rest = time since the rest
figure-column-after = after { $rest } s
figure-table-reclaim = bytes written after each rest

# Block sizes
figure-block-size-caption = { $count } block sizes from { $smallest } to { $largest } on the whole drive. Bandwidth is IOPS times block size: where the one is flat, the other has the drive's limit.
figure-block-size-described = Line charts: bandwidth and IOPS against block size, { $lines } lines

# Readers of a boot drive
figure-boot-title = Boot drive: readers served in time beside writes and trims
figure-boot-caption = Every run of every candidate; the line goes through the last one of each. Hollow: a limit was missed. Dashed: limits. Passed is the largest number of readers that keep those of latency and the floors of writes and trims, if it comes to { $iops } reads a second.
figure-boot-described = Line charts: reads a second and their latency against the number of readers, { $lines } lines
figure-boot-reads-within = { $percent } % of reads
figure-boot-longest-read = longest read
figure-boot-reads-a-second = reads a second
figure-boot-none-found = no number of readers found
figure-boot-found = { $readers } readers: { $rate }
figure-boot-point = { $drive }, { $readers } readers ({ $run }), { $what }: { $value }
figure-boot-readers = readers, one read in flight each
figure-boot-limit = limit
figure-boot-limit-of = limit of { $what }: { $value }
figure-boot-limit-label = { $name }: { $value }
figure-boot-limit-rate = { $rate } reads/s
figure-boot-too-few = too few reads above
figure-boot-column-run = run
figure-boot-column-readers = readers
figure-boot-column-slowest-writes = slowest writes
figure-boot-column-slowest-trims = slowest trims
figure-boot-column-within-limits = within limits
figure-boot-table = every run, in the order of the search
figure-load-title = Response latency at each rate that is offered
figure-load-caption = I/Os come { $arrivals } whatever the drive does, and latency counts from when each was due. Dashed: limits for 99.9 % of the I/Os. Bars: 95 % intervals; where one goes on beyond its arrow, the tip of the point has its ends. Hollow: a check failed. Rates at which a latency is beyond three times the largest limit are in the table alone.
figure-load-poisson = at random times
figure-load-constant = at equal distances
figure-load-bursts = in bursts, two and a half times the mean rate for 2 ms and half of it for 6 ms in the mean,
figure-load-described = Line charts: response latency against the offered rate, { $lines } lines
figure-load-point = { $drive }, { $rate } IOPS offered, { $percent } %: { $value }
figure-load-interval = { $value }, 95 % interval { $low } to { $high }
figure-load-rate = { $mix } { $rate }
figure-load-within = 99.9 % within { $limit }: { $rates }
figure-load-none-within = 99.9 % within { $limit }: not known
figure-load-limit = limit of { $percent } %: { $value }
figure-load-offered = offered rate (IOPS)
figure-response-latency = response latency
figure-load-column-mix = load
figure-load-column-reached = rate reached
figure-load-column-response = response, { $percent } %
figure-load-column-service = service, { $percent } %
figure-load-unknown = unknown
figure-load-table = every rate that was offered

figure-mixes-bandwidth-title = Bandwidth under mixes of I/O
figure-mixes-bandwidth = bandwidth
figure-mixes-bandwidth-caption = Bytes read and written together. The mixes differ in the mean length of an I/O, so bars compare drives under one mix, not mixes with each other.
figure-mixes-latency-title = 99 % latency under mixes of I/O
figure-mixes-latency = latency
figure-mixes-latency-caption = 99 % of all I/Os, reads and writes together, were done within this time after they were issued. Shorter is better.
figure-mixes-described = Bar charts, one a queue depth: { $mixes } mixes of I/O, { $drives } drives
figure-mixes-in-table = In the table alone: { $depths }.
figure-mixes-bar = { $drive }, { $mix } at QD{ $depth }: { $value }
figure-mixes-column = mix
figure-mixes-table = every mix at every queue depth

figure-waf-title = Write amplification by where the writes go
figure-waf-caption = Bytes written to flash for each byte of the host, over the last capacity written. Theory has the spare space that uniform writes have shown: one stream for all data, and each zone apart with its best share. A drive near the lower line keeps hot and cold data apart. Bars: 95 % intervals. Hollow: not steady, or a check failed.
figure-waf-described = Line charts: write amplification against skew, { $lines } lines
figure-waf-point = { $name }, { $pattern }: { $value }
figure-waf-hot = two zones
figure-waf-cold = a part is not written
figure-waf-zipf = zipf
figure-waf-axis-hot = writes to the smaller zone (%)
figure-waf-axis-cold = blocks not written (%)
figure-waf-axis-zipf = exponent
figure-waf-axis = write amplification
figure-waf-measured = measured
figure-waf-mixed = theory, mixed
figure-waf-separated = theory, separated
figure-waf-pattern-uniform = uniform
figure-waf-pattern-zipf = zipf { $exponent }
figure-waf-pattern-cold = { $percent } % of the blocks not written
figure-waf-pattern-hot = { $writes } % of the writes to { $blocks } % of the blocks
figure-waf-column-pattern = pattern
figure-waf-table = every pattern

# Consistency
figure-consistency = consistency
figure-consistency-title = Consistency of speed
figure-consistency-of-pattern = { $pattern } I/O: consistency of speed
figure-consistency-described-workloads = Line chart: consistency of speed against queue depth, { $workloads } workloads
figure-consistency-described-drives = Line charts: consistency of speed against queue depth, { $drives } drives
figure-consistency-meaning = Consistency: the speed of the slowest 0.1 % of all 100 ms samples, in percent of their mean; 100 % is a speed that never changes.
figure-consistency-random-one = Random I/O at QD1 is left to the figure of latency by percentile, which knows every single I/O.
figure-consistency-stated = datasheet: { $percent } % ({ $of })
figure-point-measured-for = Each point is measured for { $length }.
figure-column-drive-and-workload = drive and workload

# Until steady, and write saturation
figure-time-since-begin = time since the writing began
figure-series-over-time = { $work } writes at QD{ $depth } until steady, over time
figure-series-beginning = { $work } writes at QD{ $depth }: the first { $seconds } s
figure-series-described = Line charts: speed and latency against time
figure-table-time-slices = means of { $rows } slices of the time
figure-written-multiples = written (multiples of the capacity)
figure-times = { $count } x
figure-unit-capacities = x capacity
figure-random-writes = random writes
figure-preconditioning-title = { $work } writes at QD{ $depth } until steady
figure-preconditioning-described = Line chart: speed and latency against what was written, with marks where criteria called it steady
figure-stopped-before-steady = stopped by the operator after { $written } the capacity, before it was steady
figure-not-steady-after = not steady after { $written } the capacity, where the suite ends
figure-ended-by = ended by the criterion { $criterion } after { $written } the capacity, { $took }
figure-by-then-not = { $ending }; by then not { $criteria }
figure-verdicts = When each criterion called the drive steady: { $verdicts }.
figure-fired-after = { $criterion } after { $after }, { $took }
figure-fired-never = { $criterion } never
figure-fired-too-early = { $criterion } not after the { $least } that must be written
figure-first-held = { $verdict } (first held at { $at })
figure-fired-described = { $criterion } after { $after } the capacity, { $bytes }, { $took }
figure-fired-and-ended = { $fired }, which ended it
figure-ended-it = ended it
figure-stopped = stopped
figure-compared-caption = { $work } writes at QD{ $depth } over the whole drive; each line ends, with a symbol, where the writing did. { $endings }.
figure-compared-described = Line chart: speed against what was written, { $drives } drives
figure-drive-ending = { $drive } { $ending }
figure-wsat-title = Write saturation: { $work } writes at QD{ $depth }
figure-wsat-described = Line chart: IOPS and latency against what was written, from fresh out of the box to steady
figure-wsat-caption = { $work } writes at QD{ $depth } over the whole drive from fresh out of the box.
figure-wsat-transition = transition
figure-wsat-no-transition = no transition: the speed never fell for good
figure-wsat-transition-from = transition from { $at }
figure-wsat-steady-never = steady never
figure-wsat-steady-from = steady from { $at } the capacity
figure-wsat-phases = Shaded: the transition. Dashed: the speed of a phase ({ $parts }).

# Quality of service
figure-qos-title = { $work }: latency by queue depth
figure-qos-hint = So many of all I/Os took at most that long
figure-qos-line-a-percentile = A line a percentile of the completion latency of all I/Os, in fio's bins (0.8 %).
figure-qos-plot-a-percentile = A plot a percentile of the completion latency of all I/Os, in fio's bins (0.8 %).
figure-qos-point = { $drive }, { $work }, QD{ $depth }: { $percent } % of I/Os within { $value }
figure-qos-described = Line charts: completion latency against queue depth, { $lines } lines
figure-percent-of-ios = { $percent } % of I/Os

# Speed against latency
figure-on-linear-axes = The same on linear axes
figure-two-in-one-hint = Each point a queue depth (QD); lower and further right is better
figure-two-in-one-hint-left-out = Each point a queue depth (QD); lower and further right is better; { $count ->
        [1] 1 point
       *[other] { $count } points
    } of 1 ms or more left out
figure-two-in-one-caption = A line's points are its queue depths, the shallowest at its lower left.
figure-two-in-one-left-out = Left out, because they took 1 ms or more: { $count } of { $total } points ({ $points }).
figure-two-in-one-all-slow = None of the { $total } points took less than 1 ms, so all of them are shown.
figure-two-in-one-none-left-out = All { $total } points took less than 1 ms, so none is left out.
figure-two-in-one-described = Line chart: { $latency } against { $speed }, a point a queue depth, { $lines } lines
figure-two-in-one-point = { $line }, QD{ $depth }: { $speed }, { $latency } { $value }
figure-over-depth = { $work }: speed and latency by queue depth
figure-over-depth-caption = The same points as in speed against latency, none left out. Where the speed is flat and the latency grows, a deeper queue only waits.
figure-over-depth-described = Line charts: speed and mean completion latency against queue depth, { $lines } lines
figure-shown = shown
figure-left-out = left out
figure-column-in-figure = in the figure

# Results of other programs
figure-unknown-drive = unknown drive of { $file }
figure-drive-result = { $drive }, result { $result }
figure-drive-full = { $drive }, { $percent } % full
figure-day-unknown = day unknown
figure-level-empty = 0 % full
figure-level-three-quarters = 75 % full
figure-only-larger-shown = Where the results at 0 % and at 75 % full differ by no more than { $percent } %, only the larger is shown.
figure-some-through-fio = { $count } of them through fio
figure-not-measured-alike = not measured alike: { $methods }
figure-unknown-version = of unknown version
figure-as-program-says = As { $program } says: { $notes }.
figure-marked-through-fio = What is marked was measured by ssdlab through fio, not by CrystalDiskMark.
figure-program-profiles = { $program } profiles
figure-table-program-profiles = what { $program } says of each profile
figure-drive-through-fio = { $drive } (through fio)
figure-drive-through-fio-run = { $drive } (through fio, { $run })
figure-threedmark-title = 3DMark Storage score
figure-threedmark-caption = Seven traces of games; the root of 2^20 times bandwidth over access time, more is better.
figure-score = score
figure-spec-title = SPECworkstation WPCstorage ratio
figure-spec-ratio = ratio to SPEC's reference machine
figure-spec-caption = Geometric mean of the workloads with equal weights, by ssdlab; SPEC weighs them.
figure-total-described = Bar chart: { $total } of { $drives } drives
figure-table-row-a-drive = one row a drive
figure-table-row-a-workload = one row a workload and drive
figure-spec-workloads-title = SPECworkstation WPCstorage ratio by workload
figure-spec-workloads-described = Bar chart: ratio of { $workloads } workloads, { $drives } drives
figure-spec-workloads-caption = Traces of applications, replayed; more is better.

# Logs
figure-log-tail-title = Latency by percentile
figure-log-tail-hint = Each step up is ten times rarer: at 99.9, 1 I/O in 1,000 was slower
figure-log-tail-caption = Percentiles with fewer than ten I/Os above them are not drawn.
figure-log-every-one = { $count } I/Os, every one logged
figure-log-in-bins = { $count } I/Os, counted in fio's bins (0.8 %)
figure-log-some-in-bins = { $count } I/Os, logged one by one, or counted in fio's bins (0.8 %)
figure-log-windows = { $files } · windows of { $windows }
figure-log-peaks = { $windows } · latency: mean, and thin the slowest I/O of each window
figure-log-heat-title = Latency over time, every I/O
figure-log-ios = { $count } I/Os
figure-files-and-more = { $file } and { $count } more

# Probes
figure-not-identifiable = { $what }: not identifiable: { $why }
figure-conclusion = { $what }: { $value }, grade { $grade }
figure-burst-title = Write buffer: bytes taken after a silence
figure-burst-caption = Random writes of 16 KiB, eight in flight.
figure-burst-intercept = Where the line of the drain meets the beginning of the burst is the buffer.
figure-burst-taken = taken, median of { $count } bursts
figure-burst-drain = drain, from its intercept on
figure-burst-size-taken = { $size } taken
figure-since-burst = since the burst began
figure-bytes-taken = bytes taken
figure-write-buffer = Write buffer
figure-column-taken = taken
figure-table-bursts = Median of all bursts
figure-pairs = pairs
figure-pair-time = time of the pair together, over that of its slower page alone
figure-collisions-title = Units: pairs of reads at once
figure-collisions-caption = { $pairs } pairs of random pages, each the median of its repeats. Two pages of one unit wait for each other: one pair in as many as there are units.
figure-read-units = Independent read units
figure-column-ratio-from = ratio from
figure-table-collisions = Bins without a pair are left out
figure-corner-random-read = random read
figure-corner-sequential-read = sequential read
figure-corner-sequential-write = sequential write
figure-corner-random-write = random write
figure-request-size = size of the request
figure-corners-title = Four corners: speed by size of request
figure-one-in-flight = one request in flight
figure-corners-caption = Median response time of each size. Two runs of the same drive, months apart, say how it has aged.
figure-column-corner = corner
figure-column-size = size
figure-table-corners = Medians
figure-response-time = response time
figure-times-of-reads = Reads: response time by size of request
figure-times-of-writes = Writes: response time by size of request
figure-times-described = Line charts: response time against size of request, { $lines } lines
figure-corners-beside-caption = Median response time of each size with its 95 % interval. The table has each time over that of { $drive }, too.
figure-ageing-times-caption = Median response time of each size with its 95 % interval, at the first and at the last date.
figure-column-over-first = times that of { $first }
figure-ageing-title = Ageing: how much longer requests take
figure-ageing-dates = { $drive } · { $first } and { $last }
figure-ageing-counts = of { $count } sizes and corners { $slower } surely take 5 % longer and more, { $faster } shorter
figure-ageing-caption = Median response time of the later run over that of the earlier one; 1 is no change.
figure-ageing-ratio = later time / earlier time
figure-column-earlier = earlier
figure-column-later = later
figure-column-surely = surely 5 %
figure-table-ageing = Medians of both runs
figure-probe-refused = { $probe }: { $why }
figure-portrait-title = Portrait of the drive
figure-portrait-known = { $known } of { $count } answers can be relied on: A and B · C is a hint · ? not identifiable · said: a claim
figure-portrait-caption = What the data does not say has its reason; ≠ is what the drive says of itself instead.
figure-portrait-not-done = Not done: { $refused }.
figure-drive-says = the drive says { $value } ({ $claim })
figure-grade-said = said
figure-grade-none = not identifiable
figure-grade-claimed = claimed
figure-column-answer = answer
figure-column-grade = grade
figure-column-drive-says = the drive says otherwise
figure-column-note = note
figure-table-portrait = A row an answer; where it is not identifiable, its value is the reason
figure-ranges-first = ranges from the first byte on
figure-ranges-last = ranges up to the last byte
figure-thousand-reads = thousand reads a second
figure-reach-title = Reach of the mapping cache: random reads by range
figure-reach-of = Reach
figure-reach-caption = Random reads of 4 KiB, 256 in flight, after as many that are not counted.
figure-shaded-interval = Shaded: the 95 % interval.
figure-range-size = size of the range
figure-column-range = range
figure-column-from-first = from the first byte on
figure-column-to-last = up to the last byte
figure-table-reach = A row is a range at each end
figure-begin-inside-block = begin of the write inside the block of { $size }
figure-begin-inside-chunk = begin of the write inside the chunk
figure-shift-title = Shift write: what a write costs by where it begins
figure-shift-caption = Each point is a shift: the median of all chunks, relative to the median of its size of write.
figure-shift-folded = All shifts are folded into one block; those that cover a block in part cost a copy.
figure-shift-arm = { $size } writes, shifted by { $step }
figure-management-block = Management block
figure-relative-time = time, relative to the median
figure-unit-relative = relative
figure-column-writes = writes
figure-column-begin = begin inside the block
figure-table-shift = Median of all shifts that begin at that place; larger blocks show one place in several
figure-middle-of = middle of { $count }
figure-reads-count = { $count } reads
figure-reads-range = { $least } to { $most } reads
figure-fitted-law = fitted law
figure-placement-page = page { $value }
figure-placement-channels = channels { $value }
figure-placement-kind = placement { $value }
figure-staircase-title = Placement: read time by size
figure-staircase-caption = Single reads at fresh places that are whole MiB.
figure-staircase-law = The line is that of the paper's equations (1) and (2), whole and partial stripes.
figure-unit-of = Unit
figure-read-time = read time
figure-read-size = size of the read
figure-column-read = read
figure-column-middle = middle
figure-table-staircase = A row stands for { $count }

# Sustained writes
figure-passes-title = Speed of each pass over bytes written
figure-passes-described = Line chart: write speed against bytes written, { $passes } passes over each other
figure-point-a-second = One point a second, mean of each pass in the legend.
figure-point-each = One point each { $length }, mean of each pass in the legend.
figure-passes-named = Of { $count } passes the first, the slowest and the last have names; thin: { $which }; grey: all of them.
figure-passes-others = the others
figure-passes-picked = { $count } of the others, evenly picked
figure-passes-not-drawn = Another { $count } passes are kept as totals, and not drawn.
figure-pass-first = first
figure-pass-slowest = slowest
figure-pass-last = last
figure-pass-speed = pass { $number }: { $speed }
figure-pass-ranked-speed = pass { $number }, { $rank }: { $speed }
figure-all-passes = all passes
figure-speed-needed = needed: { $speed }
figure-pass-falls = pass { $number } falls after { $after }
figure-table-passes = A row a pass that was kept whole; seconds, or windows of a pass of only a few seconds
figure-column-slowest-second = slowest second
figure-column-fastest-second = fastest second
figure-column-verdict = verdict
figure-every-second = every second of these passes
figure-bad-title = Where data was read back wrong
figure-bad-caption = A bar a range of bytes, at least two pixels wide; the symbol of a kind stands on each range where there are few.
figure-bad-outlined = Outlined: where data belongs that was found elsewhere.
figure-bad-latest = Shown: the latest { $shown } of { $count } kinds of readings.
figure-bad-kept = Of a reading the first { $count } ranges are kept.
figure-bad-described = Map of a drive with a lane for each of { $kinds } kinds of wrong data
figure-bad-place = place on the drive
figure-bad-found = what was found
figure-bad-range = 1 range, { $length }
figure-bad-ranges = { $count } ranges, { $length }
figure-bad-of-reading = { $kind }, reading { $reading }
figure-bad-of-pass = of pass { $number }
figure-bad-elsewhere = elsewhere
figure-bad-corrupted = corrupted
figure-bad-stale = stale
figure-bad-zero = zero
figure-bad-foreign = foreign
figure-bad-unreadable = unreadable
figure-bad-table = A row a range of bytes, all of them in `{ $file }` of the step
figure-bad-table-first = A row a range of bytes; the first { $shown } of { $count }, all of them in `{ $file }` of the step
figure-bad-column-reading = reading
figure-bad-column-found = found
figure-bad-column-begins = begins at
figure-bad-column-length = length
figure-bad-column-belongs = belongs at
figure-bad-column-more = more
figure-no-percentile = no log has more than ten I/Os, so there is no percentile to draw
figure-too-many-lines = { $count } lines are more than a reader can tell apart
figure-hint-fewer-logs = give logs with at most { $most }
figure-logs-short = these logs are too short: no window is whole, and there are no latencies above 0
figure-logs-empty = these logs are empty

figure-mean-latency = mean latency
figure-cell = { $block } { $mix }
figure-rounds-title = { $pattern } I/O in rounds until steady
figure-rounds-steady = The drive was steady in rounds { $first } to { $last }: of each tracked cell the range is within { $spread } of the mean, and the best line changes by at most { $excursion } of it.
figure-rounds-not-steady = Not steady: in rounds { $first } to { $last }, the last ones, the range of a tracked cell is beyond { $spread } of its mean, or its best line changes by more than { $excursion } of it.
figure-rounds-too-few = { $rounds } whole rounds are too few to tell whether the drive is steady.
figure-rounds-described = Line chart: what was tracked against the round, { $lines } lines
figure-round = round
figure-round-point = { $cell }, round { $round }: { $value }
figure-column-cell = cell
figure-column-rounds = rounds
figure-column-average = average
figure-column-window-range-allowed = range allowed
figure-column-window-range = range
figure-column-excursion-allowed = excursion allowed
figure-column-excursion = excursion
figure-column-best-line = best line over round R
figure-table-window = Measurement window
figure-half-hours-title = { $work } writes at QD{ $depth } in rounds until steady
figure-half-hours-caption = A round is { $round } of writes, and its value the mean of its last { $sample }.
figure-half-hours-coarse = fio's status lines, which ended the writing, were flat in rounds { $first } to { $last }; the windows that it left behind are not.
figure-response-caption = Completion latency of { $ios } I/Os in bins of 0.8 %: mean { $mean }, longest { $longest }. The line ends where fewer than { $count } I/Os are slower.
figure-cells-title = { $pattern } I/O by block size and share of reads
figure-cells-caption = Means of the last { $rounds } rounds, { $jobs ->
    [1] one job
   *[other] { $jobs } jobs
} at QD{ $depth }. The bars are 95 % intervals of those means.
figure-cells-described = Line chart: what was tracked against block size, { $lines } shares of reads
figure-table-cells = Means of the measurement window by share of reads and writes

figure-idle-title = { $work } writes at QD{ $depth } with idle time between, then without
figure-idle-clock-title = { $work } writes at QD{ $depth } with waits of growing length, as they were done
figure-idle-time-of-writing = time of writing, waits left out
figure-idle-clock = time since the first burst, waits included
figure-idle-wait = { $seconds } s idle
figure-idle-caption = For each wait { $bursts } bursts of { $time } with the drive left alone after each, every one a sample; then writes without a rest. The speed of the bursts is that of all but the first, which no wait comes before; the speed without a rest is the mean of the last third.
figure-idle-column-wait = wait
figure-idle-column-bursts = bursts
figure-idle-column-baseline = without a rest
figure-idle-column-gain = change
figure-idle-table = Bursts beside writes without a rest
figure-idle-beside-title = { $work } writes at QD{ $depth }: speed after idle time
figure-idle-beside-wait = idle time before each burst
figure-idle-beside-speed = speed, of that without a rest
figure-idle-beside-whole = without a rest
figure-idle-beside-point = { $drive }, { $wait }: { $value }
figure-idle-beside-caption = Bursts of writes after each wait, in per cent of the speed of the same writes without a rest. What lies above 100 % is what idle time gives back; where the start of the next job has made a wait longer, it is as long as it was measured.
figure-idle-beside-described = Line chart: speed of bursts after idle time against its length, { $lines } drives
figure-stimulus-beside-said = { $drive }: { $said }
figure-stimulus-title = Writes of one kind, of another, and of the first again
figure-stimulus-before = { $work }, first
figure-stimulus-after = { $work }, again
figure-stimulus-recovered = Back at 95 % of the mean speed before { $after } after the other writes ended.
figure-stimulus-not-recovered = Not recovered: { $why }.

figure-demand-work = { $work } { $mix }
figure-demand-title = { $work }: response time against rate
figure-demand-caption = A line a number of jobs, a symbol a queue depth: means of the last { $rounds } rounds. MAX is the highest rate with a mean below { $limit }, MIN the least that is asked, MID the nearest to the middle of both that keeps it too; what is said of these three elsewhere was measured once more afterwards.
figure-demand-beside-caption = A line a drive: of all numbers of jobs and queue depths those that no other one beats, in means of the last { $rounds } rounds; every other has a lower rate than one that is answered as soon.
figure-demand-beside-described = Line chart: mean response time against rate, { $lines } drives
figure-demand-beside-point = { $drive }, { $told }
figure-demand-beside-depth = queue depth
figure-demand-described = Scatter plot with lines: mean response time against rate, { $lines } numbers of jobs
figure-demand-limit = mean response time of { $value }, which MAX keeps
figure-demand-jobs = { $jobs ->
    [1] 1 job
   *[other] { $jobs } jobs
}
figure-demand-point = { $jobs ->
    [1] 1 job
   *[other] { $jobs } jobs
} at QD{ $depth }: { $rate }, { $latency }
figure-demand-column-jobs = jobs
figure-demand-column-depth = QD{ $depth }, IOPS / µs
figure-demand-table = Rate and mean response time by number of jobs and queue depth
figure-demand-variation-title = { $work }: rate by number of jobs and queue depth
figure-demand-variation-caption = Means of the last { $rounds } rounds with 95 % intervals, a line a queue depth.
figure-demand-variation-described = Line chart: rate against the number of jobs, { $lines } queue depths
figure-demand-response-title = { $work }: latency by percentile at the operating points
figure-demand-response-caption = Completion latency of { $ios } I/Os in bins of 0.8 %, each point after writes with as many in flight. The lines end where fewer than { $count } I/Os are slower.
figure-demand-operating = { $name }: { $jobs ->
    [1] 1 job
   *[other] { $jobs } jobs
} at QD{ $depth }
figure-demand-rounds-title = { $work }: rounds until steady
figure-demand-saturation = writes before
figure-demand-tracked = { $jobs ->
    [1] 1 job
   *[other] { $jobs } jobs
} at QD{ $depth }
figure-stimulus-beginning = The same writes at first, and again after other ones
