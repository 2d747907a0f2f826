# Scores of drives by replayed traces.

score-no-replay = `{ $run }` replays no trace at the pace `dependent`, and that pace alone shows how long the same work takes
score-replay-dependent = give the step `replay` of the suite `pace = "dependent"` and run it again
score-run-unfinished = `{ $run }` did not come to its end: { $status ->
        [interrupted] it was interrupted
        [failed] it failed
        [stopped] it came to a limit it was given
       *[unfinished] it still runs, or was killed
    }
score-resume = go on with it: `ssdlab resume { $run }`
score-replay-incomplete = `{ $run }`: the replay `{ $step }` was not done to its end, or its files are damaged
score-show = `ssdlab show { $run }` says what became of it
score-other-traces = `{ $run }` replayed other traces than the reference (step, first digits of the SHA-256): { $theirs }, the reference { $ours }
score-other-suite = `{ $run }` ran { $theirs }, the reference { $ours }: only one suite brings drives into one state before the replay
score-suite = suite { $suite } { $version } ({ $sha256 }), profile { $profile }
score-make-reference = run the same suite with the same traces on a built-in drive: `ssdlab run SUITE "model:{ $drive }"`, and name what it prints as `--reference`
score-reference-not-built-in = `{ $run }` is no reference: it is not a run on a built-in drive of this ssdlab in virtual time, which everyone can make again
score-moved = `{ $run }`: of the bytes of `{ $step }`, { $percent } % lay beyond the end of the drive and were done elsewhere on it, on the reference, which has another size, { $reference } %: that is not the same work
score-same-size = make a reference of the size of the drive: `ssdlab run SUITE "model:{ $drive }?capacity=1TB"`
score-failed-checks = { $model }: failed checks of the replay: { $checks }; `ssdlab show RUN` says what they mean
score-head = { $count ->
        [one] score: time of the reference over time of the drive for one replayed trace; more is faster
       *[other] score: time of the reference over time of the drive, geometric mean over { $count } replayed traces; more is faster
    }
score-reference = reference, with a score of 1: { $drive }, { $size }, seed { $seed }, ssdlab { $version }: { $run }
score-the-reference = reference
score-column-score = score
score-column-interval = 95 % interval
score-column-trace = trace
score-column-time = time
score-column-ios = I/Os
score-column-rate = data rate
score-column-mean = latency mean
score-column-index = 3DMark's formula
score-ios = { $which ->
        [read] reads
        [write] writes
       *[both] both
    }
score-column-phase = phase
score-column-rounds = rounds
score-column-slowest = slowest round
score-phase = { $phase ->
        [degradation] degradation
        [steady] steady
       *[recovery] recovery
    }
score-phases-remark = Phases as in PCMark 8's consistency test: degradation is after writes that were longer each time, steady after writes as long as before, recovery after rests alone. Its traces are not public: these are not its results.
score-value = { $value }
score-interval = { $low } to { $high }
score-no-interval = none: { $why }
score-index-remark = 3DMark's formula, PCMark 10's too, is the root of MB/s over the mean access time in seconds. The MB/s are those while I/Os are in flight; how long that was is known only to be at most so long, hence the ≥. UL's scale is not public: these are not its scores.
unknown-score-one-run = a single run
unknown-score-runs-alike = all runs took the same time
unknown-score-no-such-ios = there were no such I/Os
unknown-score-no-access-time = no I/O took any time
