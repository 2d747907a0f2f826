# Twins: virtual drives that behave like a measured one.

twin-nothing-measured = the runs hold neither a fill nor a point that a virtual drive could be fitted to
twin-hint-runs = name finished runs of `ssdlab run` and `ssdlab probe` on one drive; `client` and `probe all` together say most
twin-nothing-trusted = of all fills and points of the runs, none that a virtual drive could be fitted to passed its checks; these failed: { $checks }
twin-hint-audit = `ssdlab show RUN` says what the checks found, and what to do about it
twin-impossible = no virtual drive of { $size } can be made of what these runs say: { $faults }
twin-hint-structure = `ssdlab probe all` says how the drive is built; what it does not say is taken as in a drive of a terabyte, and a drive of some megabytes has no room for its blocks
twin-several-drives = `{ $run }` and `{ $other }` do not belong to one twin: { $difference }
twin-differing-mark = the { $mark ->
        [model] model
        [serial] serial number
       *[firmware] firmware
    } is `{ $one }` in the one and `{ $other }` in the other
twin-differing-size = the drive has { $one } in the one and { $other } in the other
twin-differing-spec = their virtual drives have different specifications
twin-other-size = `{ $run }` is of a drive of another size than the twin
twin-size-of-another = the twin has { $twin }, and the drive { $drive }
twin-hint-own-twin = name a twin that was fitted to this drive, or to one of its model and size
twin-hint-one-drive = name runs of one drive, made with one firmware
twin-same-run = `{ $run }` and `{ $other }` are of the same measurement
twin-hint-once = name each run once
twin-damaged = note: `{ $run }` is damaged, and what cannot be read of it is left out: { $fault }
twin-unfinished = `{ $run }` did not come to its end
twin-imported = `{ $run }` holds results of another program, which cannot be done again
twin-not-toml = a virtual drive is described in a TOML file, and `{ $path }` does not end in .toml
twin-hint-last = the twin comes last: `ssdlab twin check RUN... drive.toml`
twin-hint-toml = call it `drive.toml`
twin-error = { $kind ->
        [speed] speed
        [latency] mean and median latency
       *[tail] percentiles from 90 on
    } { $median } % (worst { $worst } %)
twin-stated = { $kind ->
        [speed] speed
        [latency] mean and median latency
       *[tail] percentiles from 90 on
    } { $share } %
twin-description = Twin of { $model }, fitted to { $suites }; on { $points } points held out it was off by, in the median: { $errors }; of a suite that asks something else, reckon with errors up to: { $elsewhere }
twin-description-unheld = Twin of { $model }, fitted to { $suites }; no point could be held out, so that its errors are not known
twin-drift = its speed changes by { $change } % of what it was at first each hour, which is known to { $error } %
twin-drift-none = no drift of its speed was seen, of which { $error } % an hour would have been
twin-drift-unknown = whether its speed drifts by the hour is not known: { $reason }
twin-drift-few-points = { $points ->
    [0] no point was
    [one] only one point was
   *[other] only { $points } points were
} measured three times or more, and { $least } are the least that tell
twin-drift-vague = the runs of its points would not show { $error } % an hour
twin-drift-no-times = results of other programs do not say when each was measured
twin-fitted = fitted to { $passes ->
        [one] one pass over the drive
       *[other] { $passes } passes over the drive
    } and { $points ->
        [one] one point
       *[other] { $points } points
    }
twin-distrusted = left out: { $where }, because the check `{ $check }` failed; `ssdlab show RUN` says what it found
twin-held = errors on { $points ->
        [one] one point that the fit did not see
       *[other] { $points } points that the fit did not see
    }:
twin-kind = { $kind ->
        [speed] speed
        [latency] mean, median
       *[tail] 90 % to 99.9 %
    }
twin-column-count = numbers
twin-column-median = median
twin-column-most = nine of ten
twin-column-worst = worst
twin-column-metric = metric
twin-column-drive = drive
twin-column-twin = twin
twin-column-off = off by
twin-value = { $value }
twin-silent = not told by these runs, and left as in a usual drive: { $keys }
twin-at-bound = at the end of what was tried, so doubtful: { $keys }
twin-unheld = too few points to hold any out, so that nothing says what it is off by
twin-next = what it does where nothing was measured: `ssdlab run SUITE model:{ $twin }`; how far off it is: `ssdlab twin check RUN... { $twin }`
twin-foreign-next = what it does where nothing was measured: `ssdlab run SUITE model:{ $twin }`
twin-grade = grade { $grade ->
        [A] A: half of { $metrics } metrics are off by 5 % at most, nine of ten by 15 %
        [B] B: half of { $metrics } metrics are off by 10 % at most, nine of ten by 30 %
        [C] C: half of { $metrics } metrics are off by 25 % at most
       *[none] none: more than half of { $metrics } metrics are off by more than 25 %, or there are none
    }
twin-worst = off most:
twin-no-such-metric = it has no such metric
twin-lone = { $metrics ->
        [one] one number
       *[other] { $metrics } numbers
    } only one of the two has; each counts as off by more than any grade allows:
twin-lone-line = { $metric }: { $side ->
        [drive] { $value } of the drive, none of the twin
       *[twin] { $value } of the twin, none of the drive
    } ({ $reason })
twin-lone-more = and { $metrics } more; `--json` has all
twin-unasked = a search goes on by what it has found, so only one of the two was measured at { $where }; that is not compared
twin-apart = what the twin does not express:
twin-apart-line = - { $what }
twin-apart-word = { $metric } is { $drive }, of the twin { $twin }
twin-apart-no-word = { $metric } is { $drive }, and of the twin it is not known: { $reason }
twin-apart-scatter = { $step }: the speed differs from window to window by { $drive } %, of the twin by { $twin } %; what makes it do so is not fitted
twin-apart-tail = the shape of the tail: at { $point } the 99.9th percentile is { $drive } times the median, of the twin { $twin } times; the like at { $count } of { $of } points. A virtual drive has a log-normal spread and one kind of outlier
twin-passed-over = probes have answers and no metrics; not compared: { $run }
twin-is-asked = doing it on the twin `{ $twin }` in virtual time; a large drive takes minutes
twin-foretells = on the twin it takes { $took }, writes { $written } to the drive and { $media } to its flash, and { $heat }
twin-heat = the drive gets { $most } °C warm
twin-heat-unknown = how warm it gets is not known: twins have no heat unless their specification is given one
twin-foretells-wear = on the twin it uses { $share } of the { $rated } the drive is rated for
twin-says-of-itself = the twin: { $description }
twin-description-foreign = Twin of { $model }, fitted to results of { $programs }; { $part ->
        [1] as large as the drive
       *[other] 1/{ $part } of the drive in size, so that speeds and latencies are the drive's, and times of passes over it 1/{ $part } of the drive's
    }; on { $points } points held out it was off by, in the median: { $errors }
twin-description-foreign-unheld = Twin of { $model }, fitted to results of { $programs }; { $part ->
        [1] as large as the drive
       *[other] 1/{ $part } of the drive in size, so that speeds and latencies are the drive's, and times of passes over it 1/{ $part } of the drive's
    }; no point could be held out, so that its errors are not known
twin-foreign-part = the twin is 1/{ $part } of the drive in size: speeds and latencies are the drive's, and times of passes over it 1/{ $part } of the drive's
twin-foreign-left-out = left out: { $job }: { $reason }
twin-foreign-more = and { $jobs } more jobs
twin-foreign-both = runs of ssdlab and results of other programs are not fitted to together: `{ $run }` is imported, `{ $other }` is not
twin-foreign-program = `{ $run }` holds results of { $program }, which do not say what load each number is of
twin-foreign-no-json = no JSON of fio is in `{ $run }`, and nothing else says what load each number is of
twin-hint-foreign = a twin can be fitted to results of fio and of bench-fio that were imported from JSON (`--output-format=json+`)
twin-foreign-none = of no job in these results a twin could be made; the first: { $reason }
twin-foreign-several = the results do not belong to one twin, as for { $mark } they say: { $said }
twin-foreign-no-size = `{ $run }` does not say how large the drive is, and without that it is not known what share of it was written
twin-hint-foreign-size = import it again with `--capacity`, such as `--capacity 2TB`
twin-foreign-size = no twin is made of a drive of { $size }
twin-foreign-much = these results write so often over the drive that a twin would have to do { $ios } writes in each trial, and { $most } are the most
twin-hint-foreign-much = import fewer of them, such as those of one step
twin-foreign-option = `{ $option }={ $text }` makes another load of it than a twin is fitted to
twin-foreign-value = `{ $option }={ $text }` is nothing that could be done again
twin-foreign-cached = it did not bypass the page cache (`direct=1`), so its numbers are not those of the drive
twin-foreign-check = the check `{ $check }` failed
twin-foreign-together = other jobs ran at the same time
twin-foreign-no-options = fio did not print its options
twin-foreign-nothing = it says of no direction how fast it was
twin-foreign-queue = its speed and its latency contradict the { $depth } in flight that its options say
twin-hint-check-runs = a twin is held against runs of `ssdlab run`; what it was off by on results of other programs, `ssdlab twin fit` says
