# The library of runs.

library-not-ranked = not ranked: `{ $name }`, in which measuring stood still
library-skipped = skipped: { $what }
library-signed-by = signed by { $by }
library-other-ranking = not in the same ranking: { $differences }
library-not-plain = `{ $source }` holds `{ $name }`, which is neither a file nor a directory
library-files-alone = a bundle is made of files and directories alone
library-no-bundle = `{ $source }` holds no bundle: there is neither { $run } nor { $journal } in it
library-pack-printed = pack the directory that `ssdlab run` printed
library-too-large = `{ $source }` would unpack to { $files } files with { $total } bytes, { $free } are free
library-head-too-long = `{ $source }` describes a file in { $bytes } bytes: no archive does
library-bomb = `{ $source }` would unpack to { $total } bytes, more than { $ratio } times its size: no bundle does
library-bomb-remedy = do not trust its sender; if it is honest, unpack it yourself and add the directory
library-leads-out = `{ $source }` holds `{ $name }`, which points out of the archive
library-no-trust = do not trust its sender
library-already-there = `{ $source }` is in the library already, as `{ $there }`
library-goes-on = the run `{ $source }` still goes on
library-add-when-over = add it when it is over: `ssdlab attach` shows how far it is
library-beginning-there = of `{ $source }` only the beginning is in the library, as `{ $there }`: the run went on since it was added
library-remove-beginning = remove `{ $there }`, and add the run again
library-same-name = another run in the library is called `{ $name }`
library-no-name = `{ $name }` cannot be what a run of the library is called: that is text, at most 255 bytes long, and does not begin with a dot
library-rename-within = unpack `{ $source }`, rename the directory in it and add that
library-name-no-text = the name of `{ $path }` is not in UTF-8; rename it
library-too-deep = `{ $source }` has more than { $depth } directories within each other: no bundle does
library-within-source = the runs of `{ $lab }` are inside `{ $source }`, which cannot be copied into itself
library-name-lab = name the lab it is to be in: `--lab DIR`
library-rename = rename `{ $source }` and add it again
library-signature-of-nothing = the bundle has a signature and no { $manifest } that it would be of
library-no-source = there is no `{ $source }`
library-file-twice = `{ $source }` holds more than one file called `{ $name }`
library-cannot-unpack = the archive `{ $source }` cannot be unpacked: { $error }
library-no-archive = `{ $source }` is neither a directory nor a zip or tar archive
library-add-takes = name the directory of a run, or what `ssdlab publish` wrote; results of other programs: `ssdlab import FILE`
library-query-no-rows = the query gives no rows
library-query-select = begin it with `select`
library-query-wrong = the query is wrong: { $what }
library-no-run = there is no run under `{ $lab }`
library-add-or-name = `ssdlab library add BUNDLE...` brings some, or name another `--lab DIR`
library-no-directory = there is no directory `{ $path }`
library-give-bundles = give bundles, or the directory of a lab
library-compare-repetitions = all these runs are repetitions on one drive in one host
library-compare-other = name a run of another drive, or of another firmware, host or method, or more than a week later
library-show-lists = `ssdlab show RUN` lists what a run measured
library-no-drive = no drive of the library has `{ $text }` in its model or serial
library-drives-there = there are: { $models }
library-no-metric = no run of the library has a metric `{ $metric }`
library-all-stood-still = measuring stood still in every run that has a number for `{ $metric }`
library-stood-still-remedy = they are not ranked, because check `{ $check }` failed; measure again
library-no-number = no run has a number for `{ $metric }`: { $reason }
library-compare-nothing = the runs have no metric in common
library-compare-nothing-like = the runs have no metric like `{ $pattern }` in common
library-did-you-mean = did you mean { $names }?
library-all-metrics = all there are: `ssdlab library sql "select distinct name from metrics order by name"`
library-compacted-damaged = what was compacted cannot be used: `{ $path }` { $what }
library-compact-again = `ssdlab library compact` makes it anew from the bundles
library-compacted = compacted runs: { $runs }, { $added } of them now; { $parts ->
        [one] one part
       *[other] { $parts } parts
    }, { $size }
library-left-out = left out: { $what }
library-nothing-compacted = no run of `{ $lab }` is compacted
library-not-compacted = { $count ->
        [one] one run is not compacted and is left out
       *[other] { $count } runs are not compacted and are left out
    }
library-compact-first = `ssdlab library compact` compacts all that are not
library-no-step = no compacted run has latencies of a step `{ $step }`
library-all-steps = all there are: `ssdlab library sql "select distinct step from histograms order by step"`
library-column-ios = I/Os
library-column-percentile = { $percent } %
library-other-method = { $model } was measured with { $method }, { $first } with { $other }: not the same method
library-other-nature = { $nature ->
        [real] { $model } is real, { $first } is virtual
       *[virtual] { $model } is virtual, { $first } is real
    }
library-failed-checks = { $model }: { $count } failed checks in { $run }
library-scaled-profile = { $profiles } profile: not comparable with published numbers
library-difference = { $what ->
        [suite] suite
        [profile] profile
        [engine] engine
        [drives] drives
        [state] drive state
       *[unit] unit
    } { $theirs } and not { $ours }
library-other-text = the text of the suite is another ({ $theirs } and not { $ours })
library-damaged = damaged  { $path }
library-sound = sound    { $path }: { $files } files, { $size }
library-unchecked = unknown  { $path }: { $files } files, { $size }; { $why }
library-audit = { $outcome ->
        [failed] { $failed } failed
        [passed] passed
       *[none] none
    }{ $damage ->
        [damaged] , damaged
       *[none] { "" }
    }
library-not-comparable = { $profile } (not comparable)
library-drive = { $model }, serial { $serial }, { $capacity }
library-no-change = no number was measured again by the same method a week or more later
library-tied-places = { $first } to { $last }, tied
library-ranking = { $metric }: { $suite }, profile { $profile }{ $scale ->
        [comparable] { "" }
       *[scaled] , not comparable
    }, { $engine }{ $nature ->
        [real] { "" }
       *[virtual] , virtual drives
    }, drive state { $state }; { $better ->
        [higher] higher is better
        [near_zero] nearer to zero is better
       *[lower] lower is better
    }
library-latency = clat of { $direction ->
        [read] reads
        [write] writes
       *[trim] trims
    } in { $step }: { $suite }, profile { $profile }{ $scale ->
        [comparable] { "" }
       *[scaled] , not comparable
    }, { $engine }{ $nature ->
        [real] { "" }
       *[virtual] , virtual drives
    }, drive state { $state }
