# How a suite measures, a sentence or more a step.

method-sentences = { $sentences }.
method-purge = Purge to fresh out of the box.
method-purge-and-rest = Purge to fresh out of the box, then rest { $rest }.
method-rest = Rest { $time }: no host I/O at all.
method-fill = Write { $part } { $times } with { $writes }.
method-fill-with-rests = Write { $part } { $times } with { $writes }, resting { $rest } in between.
method-used-state = Write the first { $amount } with { $writes }, and trim the last { $share } of the drive. From here on random tests touch only that part, and sequential tests only the rest of what is in use.
method-steady-state = Keep up { $writes } over the whole drive until its speed is steady: at least { $least } and at most { $most } times the user capacity.
method-reclaim = For each rest of { $rests }: purge, rest { $purge_rest }, fill { $share } of the drive with { $writes }, rest that long, then write in the same way for { $time }.
method-trim = Trim the last { $amount } of the drive.
method-trim-region = Trim the last { $amount } of the { $region } region.
method-search = Write the whole drive { $times } with { $fill }. Then find the most readers ({ $least } to { $most } jobs of { $reads }, one in flight each) beside writes of { $write_rate } and trims of { $trim_rate } with which 99 % of the reads take at most { $p99 }, 99.9 % at most { $p99_9 } and all at most { $longest }: doubling for { $double } each, bisecting for { $bisect } each, confirmed { $confirmed } for { $confirm }; { $iops } reads a second pass.
method-search-reads = random { $block } reads
method-load-latency = Find what the drive does at most by { $work } in closed loops of { $depths } for { $ladder } each: { $mixes }. Then offer { $loads } loads from { $least } to { $most } of it in random order, as arrivals at random times that do not wait for the drive, each until { $ios } I/Os have come, for { $shortest } to { $longest }. More are offered between and beyond them until it is known at which rate 99.9 % of the I/Os are done within { $limits } of when they were due.
method-load-work = { $pattern } { $block } I/O

method-sequential = sequential
method-random = random
method-sequential-first = Sequential
method-random-first = Random
method-mix-read = read
method-mix-write = write
method-reads = reads
method-writes = writes
method-reads-and-writes = reads and writes
method-mixture = { $reads } % reads and { $writes } % writes
method-writes-at = { $pattern } { $block } writes at QD{ $depth }
method-load = { $pattern } { $direction }
method-load-of-size = { $pattern } { $size } { $direction }
method-load-at-depth = { $pattern } { $direction } QD{ $depth }
method-load-of-size-at-depth = { $pattern } { $size } { $direction } QD{ $depth }
method-load-jobs = { $load }, { $jobs } jobs
method-load-region = { $load } in the { $region } region
method-load-sync = { $load }, each write durable before it counts
method-load-end = { $load }, { $end } a point
method-load-first-end = { $load }, { $end } a point, whichever is first
method-load-ramp = { $load } after a ramp of { $ramp }
method-load-end-ramp = { $load }, { $end } a point after a ramp of { $ramp }
method-load-first-end-ramp = { $load }, { $end } a point, whichever is first after a ramp of { $ramp }

method-measured-at = Measured at { $axis }
method-measured-at-combinations = Measured at every combination of { $axes }
method-block-sizes = block sizes { $sizes }
method-depths = QD { $depths }
method-read-shares = read shares of { $shares } %
method-steps = { $first } to { $last } in steps of { $step }
method-doubling = { $first } to { $last }, doubling
method-range-doubling = Only the first { $first } is touched, then twice as much each time up to { $last }
method-range = Only the first { $ranges } is touched
method-each-point = Each point { $times }; { $taken }
method-each-point-until = Each point { $times }, at most { $most } until the relative standard error (RSE) of the last three is under { $percent } %; { $taken }
method-median-counts = the median of the last three runs counts
method-trimmed-mean-counts = the mean of the runs without the largest and the smallest counts
method-best-counts = the best run counts
method-rest-between = Rest of { $rest } between runs
method-weighted = Weighted curve of { $weights }; its mean over all points ranks the drives
method-weighted-mixed = Weighted curve of { $weights }; its mean over mixed points only ranks the drives
method-every-io = The latency of every single I/O is kept where the suite asks for it

method-scaled = The profile { $profile } ran the steps scaled down: { $scaled }.
method-scaled-times = times to { $numerator }/{ $denominator }
method-scaled-rests = rests to { $numerator }/{ $denominator }
method-scaled-amounts = absolute amounts to { $numerator }/{ $denominator }
method-scaled-runs = at most { $times } a point
method-scaled-least = conditioning of at least { $times ->
    [1] once
    [2] twice
   *[other] { $times } times
} the capacity
method-scaled-most = conditioning of at most { $times ->
    [1] once
    [2] twice
   *[other] { $times } times
} the capacity

method-times = { $count ->
    [1] once
    [2] twice
   *[other] { $count } times
}
method-hours = { $count } h
method-minutes = { $count } min
method-seconds = { $count } s
method-unit-blocks = blocks of the indirection unit
method-part-first = the first { $amount }
method-part-whole = the whole drive
method-part-share = { $share } of the drive
method-used-state-with-rest = Write the first { $amount } with { $writes }, rest { $rest }, and trim the last { $share } of the drive. From here on random tests touch only that part, and sequential tests only the rest of what is in use.
