analyse-time-restarts = { $path }: the time starts again in line { $line }
analyse-one-run-a-file = give each run by itself: two runs in one file are no series
analyse-time-twice = { $path }: { $count ->
        [one] one line has
       *[other] { $count } lines have
    } the time of another, first line { $line }
analyse-one-job-a-file = if these are several jobs, give each a file of its own: their rates are then added
analyse-too-large = { $path } is larger than 256 MiB
analyse-empty = { $path } holds no series
analyse-columns-differ = { $path }, line { $line }: { $count } columns, { $expected } in the first line
analyse-decimal-points = write numbers with decimal points, or part columns by semicolons
analyse-which-columns = { $path } has { $count } columns
analyse-say-columns = say `--columns TIME,RATE` with two of: { $columns }
analyse-no-column = { $path } has no column { $name }
analyse-unit-contradicts = { $path } says { $own } at the head of the column, the option says { $said }
analyse-leave-unit-out = leave the option out, or mend the title of the column
analyse-rate-unit-unsaid = { $path } does not say the unit of its rates
analyse-say-unit = say `--unit` with one of: { $units }
analyse-time-unit-unsaid = { $path } does not say the unit of its times
analyse-say-time = say `--time` with one of: { $units }
analyse-no-number = { $path }, line { $line }: { $text } is no number
analyse-mark-unclear = { $path }: the mark in { $text } may stand before decimals or part thousands
analyse-line-too-long = { $path }: line { $line } has more than { $most } characters
analyse-time-impossible = { $path }, line { $line }: the time is more than a century
analyse-negative = { $path }, line { $line }: a negative number
analyse-is-it-a-series = a series has a time since the beginning and a rate in each line
analyse-no-time = { $path }, line { $line }: no time
analyse-tables-and-logs = { $path } is a table, other files are logs of fio
analyse-one-form = give the logs of one run, all of one form
analyse-other-job = { $path } is of a job of which there is no log of bandwidth
analyse-one-kind = give logs of one kind, bandwidth or IOPS, for all jobs
analyse-no-rates = no log of bandwidth or IOPS in windows, and no log of every I/O
analyse-give-rates = give what fio writes with `write_bw_log` or `write_iops_log`
analyse-no-writes = the log holds no writes
analyse-block-unsaid = { $path } counts I/Os, and does not say how large they are
analyse-say-block = say `--block`, such as 4KiB
analyse-was-unordered = { $path }: lines were out of order, and were put in the order of their times
analyse-times-are-begins = the first time is 0, so times are taken for the beginnings of windows
analyse-few-windows = { $path } has { $count } windows of writes, at least { $least } are needed
analyse-finer-windows = a log with shorter windows is needed, such as fio's with `log_avg_msec=1000` or less
analyse-rate-impossible = { $path }: the fastest window is { $fastest } a second, more than any drive does
analyse-is-unit = is the unit right?
analyse-irregular = { $path }: its lines are not evenly apart in time
analyse-even-windows = windows of one length are needed; jobs that share a file must be parted
analyse-begins-late = { $path } begins { $at } after its time zero: what was written before is not known
analyse-holes = { $path }: { $share } of the time is missing, { $longest } at once; at most { $most } may be
analyse-whole-log = a log without holes is needed
analyse-missing = { $count ->
        [one] one stretch of windows is missing, { $lost }
       *[other] { $count } stretches of windows are missing, { $lost } in all
    }: counted as if nothing was written then, which may be too little by { $bytes }
analyse-jobs-apart = the jobs begin up to { $apart } apart: the load changed when the last one joined
analyse-one-run-a-call = give the logs of one run at a time
analyse-few-shared-windows = the jobs have { $count } windows in common, at least { $least } are needed
analyse-job-ended = a job ended after { $after }, another after { $lasted }: from then on the load was another, and what follows is left out
analyse-jobs-added = the rates of { $count } jobs are added
analyse-first-pass-only = the log writes { $multiple } times the capacity; only the first pass is analysed
analyse-part-of-pass = the log writes { $share } of the drive: a larger cache would not show
analyse-too-coarse = { $count } windows, at least { $least } are needed to tell phases apart
analyse-windows-wide = windows of { $window }, at most { $most } can be analysed
analyse-fall-if-purged = the speed first falls after { $candidate }, which is the end of a cache only if the drive was purged before; say `--purged` if it was
analyse-phase-if-purged = phases have these names only on a drive that was purged before
analyse-noted-phase-if-purged = { $note }; phases have these names only on a drive that was purged before
analyse-interruptions = { $count ->
        [one] one interruption
       *[other] { $count } interruptions, the longest
    }: { $longest } at { $speed }/s, after { $at }
analyse-too-short = the log writes { $multiple } times the capacity ({ $written }): less than one says nothing of steadiness
analyse-longer = a log of { $minimum } capacities or more is needed; is `--capacity` right?
analyse-never = not in the { $multiple } capacities of the log
analyse-left = `held` was fulfilled after { $at } capacities, but by { $later } the speed had left the steady one: the mean of what follows is { $share } of it
analyse-criterion-windows = windows of { $window } cannot tell: it needs at most { $most }
analyse-held-coarse = with windows of { $window } `held` is judged by whole capacities alone: changes within half a minute are not seen
analyse-criterion-short = the log lasts { $lasted }, five rounds { $least }
analyse-reclaim-shorter = only the first { $lasted } after each rest are compared: not every log lasts a minute
analyse-rest-as-stated = the rest as it was stated
analyse-unknown-purged = was the drive purged before? Nobody says so, and without it a fall is no cache
analyse-unknown-fill-load = block size, queue depth, and whether the writes were sequential and over the whole drive: a fill is
analyse-unknown-preconditioning = what was written before the log began, and whether the drive was purged
analyse-unknown-zones = whether all of the drive is written alike: where a part is hardly ever written, the speed may fall long after it looked steady
analyse-unknown-block = block size: `fio` is judged on KiB/s, not on IOPS
analyse-unknown-windows = what happened within the windows of { $window }, which are means
analyse-unknown-drive = temperature, power state and host: nothing was recorded of them
analyse-unknown-rests = whether the drive was really left alone for the rests stated, and purged and half filled before each
analyse-head = { $files ->
        [one] { $file }
       *[other] { $file } and { $more } more
    }: { $written } in { $lasted }, { $count } windows of { $window }
analyse-cannot-know = cannot be known: { $what }
analyse-no-analysis = no analysis { $name }
analyse-analyses = analyses: { $names }
analyse-no-unit = no unit { $name }
analyse-no-time-unit = no unit of time { $name }
analyse-two-columns = `--columns` takes two, not { $count }
analyse-rests-missing = `--as reclaim` needs `--rests`, one for each file
analyse-say-rests = such as `--rests 5s,10s,15s,30s,60s,120s,240s`
analyse-rests-differ = { $rests } rests, { $files } files
analyse-rests-twice = the same rest stands twice in `--rests`
analyse-size-zero = `{ $option }` must be at least 1 B
analyse-rests-elsewhere = `--rests` is for `--as reclaim`
analyse-purged-elsewhere = `--purged` is for `--as fill`
analyse-figure-recorded = Recorded by others: { $file }
analyse-figure-purged = stated to have been purged
analyse-figure-unpurged = not known to have been purged
analyse-figure-multiple = { $multiple } times the capacity of { $capacity } written
analyse-figure-left = left
analyse-figure-left-said = After the verdict the speed left the steady one.
analyse-figure-nowhere = no criterion was fulfilled
analyse-figure-windows = The line is of windows of { $window }, which are means.
