# Logs of fio.

log-json-counts-only = `--json` prints what is counted; `--figure` and `--parquet` write files
log-leave-it-out = leave it out
log-output-without-figure = `-o` names the file of a figure, but none is asked for
log-add-figure = add `--figure tail`
log-window-no-milliseconds = `{ $window }` is not a whole number of milliseconds
log-no-finer-time = fio's logs have no finer time
log-no-kind = `{ $name }` is no kind of log
log-kinds = kinds are { $kinds }
log-audit-alone = `--audit` judges a result, other options count or draw it
log-one-after-other = ask for one after the other
log-no-figure = `{ $name }` is no figure
log-figures = figures are { $figures }
log-no-picture-format = `{ $path }` is neither .svg nor .png
log-end-in-format = end its name in one of the two
log-cannot-write = `{ $path }` cannot be written: { $reason }
log-in-windows = { $kind } in windows of { $window_ms } ms
log-no-file = there is no file `{ $path }`
log-is-directory = `{ $path }` is a directory
log-name-files = name the log files in it: `ssdlab log { $path }/*.log`
log-kind-unsaid = the name of `{ $path }` does not say what it logs
log-say-kind = say it with `--kind lat`, clat, slat, bw or iops
log-unit-unsaid = `{ $path }` does not say whether its latencies are nanoseconds (fio 3) or microseconds (fio 2)
log-say-unit = say it with `--unit ns` or `--unit us`, or import the log with the JSON of its run
log-no-unit = `{ $name }` is no unit of latency logs
log-microseconds-counted-only = `{ $path }` is in microseconds, which are counted but neither drawn nor written
log-count-microseconds = leave `--window`, `--figure` and `--parquet` out
log-whole-microseconds = this fio logged whole microseconds
log-rates-added = the rates of { $logs } logs are added, as of jobs that ran at one time
log-damaged = `{ $path }`, { $error }
log-whole-of-one-run = is it what fio wrote, whole and of one run?
log-unreadable = `{ $path }` cannot be read: { $reason }
log-averaged-no-distribution = `{ $path }` holds averages, which have no distribution
log-run-with-histogram = run fio with write_hist_log, or write_lat_log without log_avg_msec
log-json-no-time = `{ $path }` is JSON, which says nothing over time
log-give-histogram = give a histogram log or a log of every I/O
log-rates = `{ $path }` holds rates and no latencies
log-give-latency = give a latency log
log-no-bins = `{ $path }` has no bins
log-run-with-json-plus = run fio with --output-format=json+
log-odd-bin = { $odd } ns is not the middle of one of fio's { $bins } bins
log-which-fio = which fio wrote this JSON?
log-no-fio-json = `{ $path }` is not fio's JSON: { $error }
log-mixed-alone = `{ $path }` reports reads and writes as one (`unified_rw_reporting`)
log-import-mixed = `ssdlab import { $path }` takes its numbers
log-parquet-twice = two logs would both become `{ $path }`
log-parquet-two-directories = write them into two directories
log-beyond-64-bits = `{ $path }` cannot be made: a log holds numbers beyond 64 bits
log-is-it-fio = is it what fio wrote?
log-parquet-directory = give a directory in place of one file
log-impossible-number = `{ $path }` holds { $largest }, more than any clock or drive tells
log-give-logs = give logs or histogram logs
log-averages-and-ios = `{ $path }` holds averages, other logs every I/O
log-one-kind-then-other = give logs of every I/O and averaged logs one after the other
log-too-many-windows = these logs have more than { $most } windows of { $window_ms } ms
log-try-window = try `--window { $needed_ms }ms`
log-pipe-windows = `{ $path }` has mean and largest of every window, which a pipe cannot give
log-pipe-too-long = `{ $path }` holds more than { $most }, half of what is free where pipes are kept
log-save-first = save it to a file first
log-averaged-no-percentiles = `{ $path }` holds averages, which have no percentiles of I/Os
log-which-job = it cannot be told which of the JSON's { $jobs } jobs `{ $path }` is of
log-name-job = fio ends the name of a log with the number of its job: `_lat.2.log`
log-no-json = there is no JSON of fio among the files
log-audit-begins-with-json = the audit begins with what fio says it did
log-one-json = logs can be held against one JSON only
log-of-file = `{ $path }`: { $fault }
log-parquet-rows-differ = rows of `{ $path }` are { $rows ->
        [ios] I/Os
        [windows] windows
        [bins] bins of windows
       *[job_bins] bins of jobs
    }, of the logs before { $before ->
        [ios] I/Os
        [windows] windows
        [bins] bins of windows
       *[job_bins] bins of jobs
    }
log-cut-off-with = `{ $path }` is cut off inside line { $line }, which is not counted: it has `{ $found }`
log-empty = `{ $path }` is empty
log-rest-unwritten = I/Os after a log's last window are missing from it: fio does not write the rest
log-merged-bins = fio merged { $merged } bins into one, so a percentile is within { $percent } %
log-cut-off = `{ $path }` is cut off inside line { $line }, which is not counted
log-averaged = fio averaged these logs: a mean is that of its windows, which need not hold as many I/Os
log-head = { $name }{ $more ->
        [0] { "" }
       *[other] { " " }and { $more } more
    }: { $kind } from { $form ->
        [lines] log
        [histogram] histogram log
       *[json] json
    }, in { $unit }{ $precision ->
        [unknown] { "" }
        [exact] , percentiles exact
       *[bins] , percentiles to the width of fio's bins
    }
log-row-windows = windows
log-row-ios = I/Os
log-row-bytes = bytes
log-row-mean = mean
log-row-mean-of-windows = mean of windows
log-row-largest = largest
log-row-largest-of-windows = largest of windows
log-missing = { $what ->
        [ios] no I/Os of { $direction }: { $why }
        [bytes] no bytes of { $direction }: { $why }
        [mean] no mean of { $direction }: { $why }
        [largest] no largest of { $direction }: { $why }
       *[other] no { $what } of { $direction } and beyond: { $why }
    }
log-time-of-no-clock = { $paths }: an I/O at about { $end_ms } ms, more than any clock tells
