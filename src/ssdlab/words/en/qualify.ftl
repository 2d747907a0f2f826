# Drives held against limits and against their siblings.

qualify-no-amount = `{ $text }` is no amount of a metric
qualify-no-bound = a limit says `at_least` or `at_most`
qualify-no-limit = there is no limit in the file: write `[[limit]]` with suite, metric and `at_least` or `at_most`
qualify-stood-still = measuring stood still while it was taken
qualify-no-repetition = { $serial }: its runs `{ $first }` and `{ $last }` by { $suite }, profile { $profile }, do not repeat each other: another firmware, host, engine or text of the suite, or more than a week apart
qualify-name-what-counts = name the runs that count
qualify-limit-zero = the limit is 0
qualify-no-run = no run of { $suite }, profile { $profile }
qualify-no-such-number = its run has no such number
qualify-no-metric = line { $line }: no run of { $suite }, profile { $profile }, has a number `{ $metric }`
qualify-other-unit = line { $line }: `{ $metric }` is { $unit ->
        [none] a number without a unit
       *[other] in { $unit }
    }, and `{ $amount }` is of something else
qualify-say-unit = { $unit ->
        [none] write it like `1.5`
       *[other] write the limit in { $unit } or a multiple of it
    }
qualify-too-few = { $count ->
        [one] one drive has it
       *[other] { $count } drives have it
    }, and of fewer than { $least } nothing is said
qualify-has-zeros = it is 0 or less of some drives, and of that there is no logarithm
qualify-failed-checks = checks of the audit failed of numbers that were held against limits: { $checks }; they are marked ✗
qualify-no-serial = serial unknown, run { $run }
qualify-name = { $name }
qualify-verdict = { $verdict ->
        [failed] fails
        [not_measured] not measured
       *[passed] passes
    }
qualify-bound = { $side ->
        [at_least] at least { $value }
       *[at_most] at most { $value }
    }
qualify-unmeasured = not measured: { $why }
qualify-reason = { $serial }, { $metric }: { $reason }
qualify-value = { $marked ->
        [yes] { $value } ✗
       *[no] { $value }
    }
qualify-margin = { $told ->
        [no] { $percent } % (within its interval)
       *[yes] { $percent } %
    }
qualify-no-margin = -
qualify-odd = { $metric } { $ratio } × median, { $deviations } σ
qualify-not-odd = -
qualify-odd-first = { $more ->
        [0] { $first }
       *[other] { $first }, and { $more } more
    }
qualify-more = and { $count } more
qualify-head = { $count ->
        [one] one drive
       *[other] { $count } drives
    }, { $limits ->
        [one] one limit
       *[other] { $limits } limits
    }: { $passed ->
        [one] one passes
       *[other] { $passed } pass
    }, { $failed ->
        [one] one fails
       *[other] { $failed } fail
    }, { $unmeasured ->
        [one] one is not measured
       *[other] { $unmeasured } are not measured
    }; { $odd ->
        [one] one is odd
       *[other] { $odd } are odd
    }
qualify-size = { $size }
qualify-size-unknown = size unknown
qualify-of = { $model }, { $size }, suite { $suite }, profile { $profile }
qualify-batch = { $who }: { $odd } of { $drives } drives odd, by { $numbers ->
        [one] one number
       *[other] { $numbers } numbers
    }{ $others ->
        [0] {""}
        [one] , one more not judged
       *[other] , { $others } more not judged
    }; none is called odd that is less than { $reach } σ of the others away
qualify-batch-few = { $who }: { $drives ->
        [one] one drive
       *[other] { $drives } drives
    }; which is odd is said from { $least } drives on
qualify-test = Odd is what the generalized ESD test (Rosner 1983) on logarithms finds and what differs from its siblings by more than { $percent } %, from { $least } drives on. The level is that of all drives and numbers together: if healthy numbers scatter normally, at most one in { $batches } healthy batches has any odd drive by chance. σ is the standard deviation of the others.
qualify-title = { $drives ->
        [one] One drive qualified
       *[other] { $drives } drives qualified
    }
qualify-drives = Drives
qualify-drives-caption = The worst first; each with the number that is farthest outside its limit, or least inside.
qualify-siblings = Siblings
qualify-each = Each drive
qualify-runs = Runs: { $runs }
qualify-column-verdict = verdict
qualify-column-worst = worst number
qualify-column-limit = limit
qualify-column-margin = margin
qualify-column-odd = odd by
qualify-strips-about = { $drives ->
        [one] one drive
       *[other] { $drives } drives
    }
qualify-strips-left-out = { $count ->
        [one] One more number is not drawn.
       *[other] { $count } more numbers are not drawn.
    }
qualify-remark-fails = fails: { $bound }
qualify-remark-odd = odd: { $deviations } σ
figure-strips-title = Each drive beside its siblings
figure-strips-caption = A tick a drive, at how many times the median of all its number is; the median stands beside the name. Orange, with their names: drives that fail a limit or are odd. Tall green: limits.
figure-strips-described = Strip plots of { $numbers } numbers of up to { $drives } drives, each as a multiple of the median.
figure-strips-axis = multiple of the median
figure-strips-words = { $drive }, { $metric }: { $value }, { $remark }
figure-strips-metric = metric
figure-strips-remark = stands out
figure-strips-table = A row for each number of each drive.
qualify-imported = `{ $run }` is a result of another program, and limits are of suites
qualify-name-runs = name runs of `ssdlab run`
