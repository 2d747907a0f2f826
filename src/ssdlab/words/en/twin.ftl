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
twin-unfinished = `{ $run }` did not come to its end
twin-imported = `{ $run }` holds results of another program, which cannot be done again
twin-not-toml = a virtual drive is described in a TOML file, and `{ $path }` does not end in .toml
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
twin-next = what it does where nothing was measured: `ssdlab run SUITE model:{ $twin }`; how far off it is: `ssdlab twin check RUN... { $twin }`
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
