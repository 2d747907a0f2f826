# What the command line says.

cli-swapped = the arguments are swapped
cli-caution = caution: { $caution }
cli-no-drives = this host shows no block device with a size
cli-usage = usage is `{ $usage }`
cli-help-says-more = `{ $command } --help` says more
cli-report-fault-file = please report it with what is in `{ $path }`
cli-report-fault = please report it with this:
cli-all-will-be-lost = everything on { $what } will be lost
cli-import-not-again = `{ $path }` was measured by { $program }, whose numbers cannot be computed anew
cli-import-originals = the files as they were given are in `{ $original }`
cli-failed-check = failed: { $step }: { $name }: { $finding }
cli-failed-check-again =
    { $count ->
        [one] failed: { $name }: { $count } more time
       *[other] failed: { $name }: { $count } more times
    }
cli-damaged = damaged: { $fault }
cli-note = note: { $note }
cli-too-little-memory = `ulimit -v` allows { $allowed } of memory, ssdlab needs { $needed }
cli-allow-more-memory = allow more: `ulimit -v unlimited`
cli-plan-room = the bundle is likely to take { $likely }; while it is written, fio's logs included, at most { $most }
cli-no-endurance = `{ $text }` is no endurance
cli-write-endurance = write it as the data sheet does: `--endurance 600TBW`
cli-warning = warning: { $text }
cli-no-block-device = `{ $target }` is no block device
cli-others-purge-themselves = other targets are made anew, or purged by the run itself
cli-purge-unproven = this does not prove that the drive is fresh out of the box
cli-no-run-for-post = there is no run of ssdlab to write a post on
cli-name-a-run = name at least one beside the imported results
cli-nothing-left = nothing is left to do: every step of this run is over
cli-steps-left = { $left } steps are left, { $again } of them again: { $reason }
cli-audit-failed = audit: { $step }: { $name }: { $finding }
cli-more-steps = { $count } more steps `{ $name }...` are kept as totals (`--json` has them)
cli-resumed = resumed { $at }: { $count } steps done again: { $reason }
cli-no-directory = there is no directory `{ $target }`
cli-make-directory = make it: `mkdir -p { $target }`
cli-trim-and-verify = `--trim` would do away with the data that `--verify-tag` reads
cli-leave-trim-out = leave `--trim` out
cli-used-drive-note = note: a drive that was in use before may be slower; `--trim --rest 15min` gives its blocks back and lets it settle
cli-write-only-and-tag = data that is left needs a name, and a name needs data that is left
cli-give-both = give both: `--write-only --tag T`
cli-passes-no-number = `--passes { $text }` is no number
cli-passes-number = give a number, or `forever`
cli-unknown-choice = `{ $option } { $text }` is unknown
cli-allowed-choices = allowed are: { $allowed }
cli-verify-tag-only-reads = `--verify-tag` only reads
cli-leave-write-only-out = leave `--write-only` and `--tag` out
cli-error = error: { $what }
cli-hint = hint: { $what }
cli-next = next: `{ $command }`
cli-own-fault = ssdlab itself is at fault: { $kind }: { $what }
cli-column-metric = metric
cli-column-ratio = ratio
cli-name-of-runs = { $name } ({ $runs } runs)
cli-not-measured = not measured
cli-compared = { $outcome ->
        [faster] faster
        [slower] slower
        [larger] larger
        [smaller] smaller
        [alike] level in practice
        [better] better
        [worse] worse
        [untold] cannot be told
        [excluded] not counted, as measuring stood still
       *[level] level
    }
cli-compared-count = { $rows ->
        [one] { $name }: { $counts } (of { $rows } number)
       *[other] { $name }: { $counts } (of { $rows } numbers)
    }
cli-compared-outcome = { $count } { $outcome }
cli-compared-rule = Level: the numbers differ by no more than { $percent } %; level in practice: by no more than that, though their 95 % intervals do not overlap. Cannot be told: they differ by more, but the intervals overlap.
cli-compared-more = numbers not shown: { $items }; `--all` has them
cli-compared-hidden = { $what ->
        [differing] { $count } more that differ
        [untold] { $count } of which it cannot be told
        [excluded] { $count } not counted
       *[level] { $count } in which no drive differs from the first
    }
cli-compared-unmatched = { $count ->
        [one] not compared: { $count } number that only the first drive has, or lacks
       *[other] not compared: { $count } numbers that only the first drive has, or lacks
    }
cli-column-first-drive = first
cli-column-least = least
cli-column-most = most
cli-column-value = value
cli-also-measured = also measured: { $more } (`--json` has them)
cli-failed = FAILED { $check }
cli-steps-of-status = { $count } { $status }
cli-step-status = { $status ->
        [planned] planned
        [started] started
        [interrupted] interrupted
        [failed] failed
        [skipped] skipped
       *[finished] finished
    }
cli-status-because = { $status }: { $reason }
cli-after-about = { $status }, after about { $done } of { $whole }
cli-suite = { $suite } { $version } (profile { $profile })
cli-suite-not-comparable = { $suite } { $version } (profile { $profile }, not comparable)
cli-on-target = { $suite } on { $target }
cli-into-bundle = { $suite } -> { $bundle }
cli-published-copy = published copy: identity withheld by its owner
cli-signed-checked = signed by { $by }, checked { $at }
cli-run-status = { $status ->
        [finished] finished
        [interrupted] interrupted
        [failed] failed
        [stopped] stopped
       *[unfinished] unfinished: still running, or ended without a word (killed, power lost)
    }
cli-profiles = profiles: { $profiles }
cli-vdrive-capacity = capacity
cli-vdrive-largest-cache = largest SLC cache
cli-vdrive-smallest-cache = smallest SLC cache
cli-column-day = day
cli-column-drive = drive
cli-column-serial = serial
cli-column-suite = suite
cli-column-profile = profile
cli-column-engine = engine
cli-column-status = status
cli-column-audit = audit
cli-column-run = run
cli-column-firmware = firmware
cli-column-host = host
cli-column-first = first
cli-column-last = last
cli-column-change = change
cli-column-times = times
cli-column-median = median
cli-column-runs = runs
cli-column-spread = spread
cli-column-measured = measured
cli-unknown = unknown
cli-from-to = { $low } to { $high }
cli-run-status-brief = { $status ->
        [finished] finished
        [interrupted] interrupted
        [failed] failed
        [stopped] stopped
        [unfinished] unfinished
        [imported] imported
       *[other] { $status }
    }
cli-directions-apart = reads and writes apart
cli-so-much-of = { $done } of { $whole }
cli-time-left = { $left } left
cli-skipped = skipped, { $why }
cli-all-done = { $done } done{ $skipped ->
        [0] { "" }
       *[other] , { $skipped } not needed
    }, in { $took }
cli-ctrl-c-ends = (Ctrl-C ends this step and keeps it)
cli-passes-of = bundle { $bundle }, passes of { $length }
cli-no-temperature = no temperature: { $why }
cli-drive-rests = the drive rests for { $rest }
cli-sustain-record = { $phase ->
        [read] read
       *[write] write
    } { $number }  { $done } of { $whole }  { $speed } MB/s, worst { $worst }
cli-time-in-all = { $left } in all
cli-time-left-in-all = { $left } left in all
cli-plan-step = step
cli-plan-jobs = jobs
cli-plan-writes = writes
cli-plan-rests = rests
cli-plan-slow-drive = slow drive
cli-plan-fast-drive = fast drive
cli-plan-twin = twin
cli-plan-state-before = state before
cli-plan-if-interrupted = if interrupted
cli-plan-skipped = skipped
cli-plan-redo = only what was not finished
cli-plan-from-purge = all since its purge
cli-plan-and-more = { $jobs ->
        [0] { "" }
       *[other] { $jobs }
    } and more
cli-plan-skip = { $extent ->
        [part] in part skipped
       *[whole] skipped
    }, { $reason }
cli-plan-repeats = { $points } points, { $least } runs each, and up to { $most } until the RSE of the last three is under { $limit } %
cli-plan-until-steady = ends once the drive is steady, not before { $least }{ $ctrl_c ->
        [run] { "" }
       *[step] , or at Ctrl-C
    }; the time is that of all it may write
cli-plan-pass = the pass of the short way: it overwrites until the drive is seen to collect, at most as much as here
cli-plan-short-way = the short way: where the speed is not flat soon after the pass before, it goes on the long way, not ending before { $least } are written in all
cli-no-extra = this command needs packages that are not installed: the extra `{ $extra }`
cli-hint-extra = install them with `pip install 'ssdlab[{ $extra }]'`
cli-plan-by-fio = as published, by fio and of fixed length
cli-plan-until-known = each point ends once its mean is known to ± { $within } %; the time is that of the longest points
cli-plan-tail = each point goes on until the { $percent } % latency of each direction can be told: { $ios } I/Os
cli-plan-of-points = { $note }; of these points alone: { $points }
cli-plan-of-more-points = { $note }; of these points alone: { $points } and { $more } more
cli-plan-expected = some of it ends by itself: likely { $on_slow } and { $slow } on a slow drive, { $on_fast } and { $fast } on a fast one; all above is the longest
cli-plan-asks = asks for run after run while it goes on, seldom more than { $jobs }, which take { $took }
cli-plan-too-little = `--max-write` allows { $allowed }: too little, it writes at least { $least }
cli-plan-may-stop = `--max-write` allows { $allowed }: it may be stopped, it writes { $least } to { $most }{ $ends ->
        [time] { " " }on a fast drive, and more on a faster one
       *[amount] { "" }
    }
cli-plan-enough = `--max-write` allows { $allowed }: enough, it writes up to { $most }
cli-plan-writes-so-much = writes { $written } to the drive
cli-plan-writes-timed = writes { $written } to the drive and { $timed } at full speed ({ $low } to { $high })
cli-plan-and-rests = { $writes }, rests { $rest }
cli-plan-endurance = { $ends ->
        [time] uses up to { $share } of the { $rated } the drive is rated for if it is a fast drive, and more if it is faster
       *[amount] uses up to { $share } of the { $rated } the drive is rated for
    }
cli-plan-takes = takes { $took } on a { $drive } drive: { $speed } MiB/s, { $io } µs for a single I/O
cli-missing-argument = missing argument { $name }
cli-missing-option = missing option { $name }
cli-no-such-option = no such option: { $name }
cli-no-such-option-but = no such option: { $name } (possible options: { $others })
cli-bad-value = invalid value for { $name }: { $why }
cli-type-name = to go on type its { $kind }, { $name }
cli-plan-refused = a run would be refused now: { $why }
cli-plan-erases = a run erases { $what } and takes `--erase { $name }`
cli-plan-lost = { $erases }; lost with it: { $losses }
cli-column-model = model
cli-column-size = size
cli-column-link = link
cli-column-temperature = temperature
cli-column-may-test = may it be tested?
cli-may-not = no
cli-may-if-lost = if its content may be lost
cli-may = yes, nothing is on it and nothing uses it
cli-drive-forbids = forbids: { $what }
cli-drive-would-be-lost = would be lost: { $what }
cli-link-best = { $now } (best { $best })
cli-doctor-target = target
cli-doctor-kernel = kernel
cli-doctor-board = board
cli-doctor-cpu = cpu
cli-doctor-fio = fio
cli-doctor-queue = queue
cli-doctor-link = link
cli-doctor-board-bios = { $board }, BIOS { $bios }
cli-doctor-cpu-settings = governor { $governor }, boost { $boost }, SMT { $smt }
cli-info = info: { $what }
cli-to-do = to do: { $remedy }
cli-doctor-unfit = do not measure now: the numbers would mislead
cli-doctor-fit-but = fit to measure, with what is warned of
cli-doctor-fit = fit to measure
cli-undone-by-start = the kernel was started since, which undid everything
cli-put-back = { $path }: { $before } { $outcome }
cli-put-back-because = { $back } ({ $why })
cli-erase-interrupted = the interrupted erase of { $model } (serial number { $serial }) at { $at }
cli-no-password = it has no password
cli-maybe-password = it may have a password: { $why }
cli-nothing-to-put-back = no run left anything to put back
cli-probe-not-done = not done: { $why }
cli-probe-state = state of the drive
cli-column-probe = probe
cli-probe-not-possible = not possible: { $why }
cli-need-any = any
cli-need-written = written
cli-need-in-order = written in order
cli-need-purged = purged
cli-option-empty = `--{ $what }` says nothing
cli-fill-at-most = a drive is full to at most `100%`
cli-not-imported = not imported: { $why }
cli-no-reason = `{ $text }` is no reason: write `--reason RUN=WORDS`
cli-no-name = `{ $text }` is no name of a drive: write `--name RUN=WORDS`
cli-without-none = `{ $path }` is to be left out, and is not among the runs
cli-without-too-few = no figure would be left with two drives to compare
cli-without-leave-two = leave out fewer drives, or give more runs of their suite
cli-name-for-none = there is a name for `{ $path }`, which is not among the runs
cli-name-for-import = `{ $path }` is an imported result, whose drive `--name` does not name
cli-name-on-import = name the drive when importing: `ssdlab import FILE --model NAME`
cli-several-names = the drive of `{ $path }` has { $count } names
cli-one-name = give one for one of its runs
cli-compare-one = only one run is named, and nothing to compare it with
cli-compare-another = name a run of another drive: `ssdlab compare { $run } RUN`; `ssdlab library list` has them
cli-option-after = `{ $name }` stands after the command
cli-power-fit = { $meter }: meter's clock { $offset_s } s at the start of the run, { $drift_ppm } ppm, known to ± { $error_ms } ms by { $used } of { $edges } edges
cli-style-without-pictures = `--size`, `--theme` and `--watermark` are of pictures: add `--png DIR`
cli-goes-on-alone = the run goes on by itself as process { $process }; end it in good order: `kill { $process }`
cli-next-attach = follow it: `ssdlab attach { $path }`
cli-written-by = process { $process } does this run; Ctrl-C only leaves it alone, `kill { $process }` ends it in good order
cli-left-alone = the run goes on without you; follow it again: `ssdlab attach { $path }`
cli-run-lost = `{ $path }` has no word of its end, and no process writes it: it was killed, or power was lost
