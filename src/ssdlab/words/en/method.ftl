# How a suite measures, a sentence or more a step.

method-sentences = { $sentences }.
method-purge = Purge to fresh out of the box.
method-purge-and-rest = Purge to fresh out of the box, then rest { $rest }.
method-rest = Rest { $time }: no host I/O at all.
method-fill = Write { $part } { $times } with { $writes }.
method-fill-with-rests = Write { $part } { $times } with { $writes }, resting { $rest } in between.
method-used-state = Write the first { $amount } with { $writes }, and trim the last { $share } of the drive. From here on random tests touch only that part, and sequential tests only the rest of what is in use.
method-steady-state = Keep up { $writes } over the whole drive until its speed is steady: at least { $least } and at most { $most } times the user capacity.
method-steady-ends = Keep up { $writes } over the whole drive until { $account }: at least { $least } times the user capacity, and at most { $ends }.
method-steady-ends-first = Keep up { $writes } over the whole drive until { $account }: at least { $least } times the user capacity, and at most { $ends }, whichever is first.
method-steady-held = its speed is steady
method-steady-window = the last capacity was written at an even speed
method-steady-snia = the last minutes of five half hours in a row are within 20 % of their mean and the best line through them within 10 % of it
method-steady-times = { $times } times that
method-steady-short-way = The short way: fill the purged drive once, { $parts } parts one after the other, and after each overwrite those so far at random as if the drive had { $spare } more than its capacity; overwrite on, the older parts more, until the drive is seen to collect, as if it had { $most } more at most; then keep up the writes below until { $share } of the capacity were written at an even speed. Where that is not so within another { $limit }, the long way follows. { $long }
method-reclaim = For each rest of { $rests }: purge, rest { $purge_rest }, fill { $share } of the drive with { $writes }, rest that long, then write in the same way for { $time }.
method-trim = Trim the last { $amount } of the drive.
method-trim-region = Trim the last { $amount } of the { $region } region.
method-search = Write the whole drive { $times } with { $fill }. Then find the most readers ({ $least } to { $most } jobs of { $reads }, one in flight each) beside writes of { $write_rate } and trims of { $trim_rate } with which 99 % of the reads take at most { $p99 }, 99.9 % at most { $p99_9 } and all at most { $longest }: doubling for { $double } each, bisecting for { $bisect } each, confirmed { $confirmed } for { $confirm }; { $iops } reads a second pass.
method-search-reads = random { $block } reads
method-load-latency = Find what the drive does at most by { $work } in closed loops of { $depths } for { $ladder } each: { $mixes }. Then offer { $loads } loads from { $least } to { $most } of it in random order, as arrivals { $arrivals } that do not wait for the drive, each until { $ios } I/Os have come, for { $shortest } to { $longest }. More are offered between and beyond them until it is known at which rate 99.9 % of the I/Os are done within { $limits } of when they were due.
method-arrivals-poisson = at random times
method-arrivals-constant = at equal distances
method-arrivals-bursts = in random bursts, two and a half times the rate for 2 ms and half of it for 6 ms in the mean,
method-load-work = { $pattern } { $block } I/O
method-mixes = Mixes of I/O, one after the other: { $mixes }. Each in closed loops of { $depths } for { $time }.
method-replay = Do again what the trace `{ $trace }` recorded: { $pace }, with at most { $depth } in flight.
method-replay-timed = each I/O at its recorded time
method-replay-idle = each I/O at its recorded time, but with longer pauses cut to { $pause }
method-replay-as-fast = in its order, as soon as there is room
method-replay-dependent = each I/O when those are over that it waited for when it was recorded, and as long after them as then
method-mixes-ramp = { $measured } Before each, the same for { $ramp }, which does not count.
method-write-amplification = Write { $block } at QD{ $depth }: one sequential pass, then random patterns one after the other, each until the drive is steady, for { $least } to { $most } times the capacity: uniform; { $cold } of the blocks not written; { $hot } of the writes to the rest of the blocks; zipf with exponents { $zipf }.

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
method-writes-by-jobs = { $writes } by each of { $jobs } jobs
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

method-until = Under the profile { $profile } a point has no ramp of its own and ends once half of the 95 % interval of its mean rate is { $within } % or less; the times below are the longest.
method-tail = Where every I/O is kept it goes on until { $percent } % latency can be told, for { $budget } at most.
method-reads-first = Points that only read come first, then those that write the largest share.
method-first-again = The first point of each step is measured once more at its end.
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

method-tracked-iops = IOPS
method-tracked-bandwidth = bandwidth
method-tracked-latency = mean latency
method-tracked-cell = { $block } with { $reads }/{ $writes } reads/writes
method-rounds = Rounds of { $pattern } I/O, { $jobs ->
    [1] one job
   *[other] { $jobs } jobs
} at QD{ $depth }: { $shares }, and of each { $sizes }, { $time } a cell. They end once in five rounds in a row the { $quantity } of { $cells } is within 20 % of its mean and its best line within 10 % of it, at most after { $most } rounds; the mean of the last five counts.

published-at-second-hand = the parameters of SNIA PTS 2.0.2 are taken from published implementations and quotations: its full text was not at hand
published-cache-disabled = disabled
published-cache-enabled = enabled
published-cache-left = the write cache of the drive is left as it was found, as ssdlab does not switch it; the method wants it { $wanted }
published-purge-unproven = nothing proves that the purge left the drive as if nothing had been written to it, which the method wants
published-scaled = profile { $profile } runs shorter than the method says
published-small-blocks = step `{ $step }` leaves out what is smaller than a logical block of the drive, { $block }
published-not-while-fresh = step `{ $step }` does not end before { $least } times the user capacity is written: minutes of a drive that is still fresh are flat, too

method-idle-recovery = { $pattern } writes of { $block }, { $jobs ->
    [1] one job
   *[other] { $jobs } jobs
} at QD{ $depth }: for each wait of { $waits } { $cycles } bursts of { $time } with the drive left alone that long after each, then { $baseline } without a rest. The last third of these is the speed that the bursts are compared with.
method-cross-stimulus = { $before }; straight after them { $across }; and straight after those the first ones again. The drive has recovered with the first minute in which it has 95 % of its mean speed before.
method-stimulus = { $pattern } writes of { $block } at QD{ $depth } for { $time }
published-rests-between-jobs = step `{ $step }` runs each burst as a job of its own: in real time the drive is left alone beside the wait while the next job starts

method-demand = Writes with { $most } in flight in rounds of { $saturate }, of which the first { $cell } count, until five in a row are within 20 % of their mean and their best line within 10 % of it. Then rounds, each of { $prewrite } of these writes and { $work } by { $jobs } jobs at QD{ $depths }, { $cell } each, until the rate with the most in flight is flat likewise; at most { $rounds } of either. Last three operating points after { $before } of writes each, { $point } long: the highest rate whose mean response time is below { $limit }, the least that is asked, and the nearest to the middle of both that keeps the limit, too.
method-demand-work = { $pattern } { $block } with { $reads }/{ $writes } reads/writes
method-demand-mix = the mix `{ $mix }`
published-response-of-mix = step `{ $step }` writes before the measurements what the mix has but its reads
published-recovery-share = step `{ $step }` calls a drive recovered at 95 % of its mean speed before: the method waits for all of it, which a fast beginning on the fresh drive can put out of reach
