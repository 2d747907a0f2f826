# Results of other programs.

foreign-as-ssd-heading = `{ $name }` does not begin with `AS SSD Benchmark` and a version
foreign-nothing-above-zero = `{ $name }` has no result above 0
foreign-save-after-test = save the text after a test has finished
foreign-cdm-heading = `{ $name }` has no heading of CrystalDiskMark with its version
foreign-cdm-version = `{ $name }` is of CrystalDiskMark { $version }, whose profiles and text differ
foreign-cdm-readable = 3 to 9 can be read
foreign-kdm-heading = `{ $name }` has no heading of KDiskMark with its version
foreign-cdm-long-line = `{ $name }` has a line of { $longest } characters, no line of this program's is longer than 100
foreign-cdm-no-rows = `{ $name }` is of { $program }, and has no row of results
foreign-dirty-few-rows = `{ $name }` has { $rows } rows of remaining capacity and speed, too few for a curve
foreign-dirty-impossible = `{ $name }` has a row with { $most } % left or { $fastest } MiB/s, which cannot be
foreign-log-no-io = `{ $path }` has no row of an I/O
foreign-log-rates-of-each = `{ $path }` has a rate of each single I/O, from which no rate of the drive follows
foreign-log-rates-instead = give the latency log or the JSON of the run; rates of windows need `log_avg_msec`
foreign-cannot-judge = `{ $path }` cannot be judged: { $error }
foreign-fio-whole = is it what fio wrote, whole?
foreign-fio-no-io = `{ $name }` is fio's, and no job in it did any I/O
foreign-fio-no-result = `{ $path }` is what fio printed, and holds no result: its jobs failed, or it was cut off
foreign-fio-no-result-instead = see what fio says in it, run the job again, and give its whole output
foreign-fio-error = the job `{ $job }` ended with error { $error }, so its numbers are not those of a whole run
foreign-fio-short = { $count ->
    [one] one I/O of the job `{ $job }` moved less than it was asked to
   *[other] { $count } I/Os of the job `{ $job }` moved less than they were asked to
}
foreign-terse-repeated = several terse lines are of the job `{ $job }`: they may be copies of it, snapshots or later runs, and are not added up
foreign-no-fio-json = the directory `{ $name }` has no JSON of fio in it
foreign-give-bench-fio = give what bench-fio wrote, or a FILE
foreign-no-job-io = no job in `{ $name }` did any I/O
foreign-unknown-program = `{ $path }` is of no program whose results ssdlab reads
foreign-looked-at = only its first { $size } were looked at: what stands before fio's JSON or text may be cut off
foreign-logs-of-many = the logs may be of any of { $count } JSON files
foreign-one-json-then-next = give one JSON with its logs, then the next
foreign-atto = `{ $path }` is of ATTO Disk Benchmark, which does not document the form of its files
foreign-atto-instead = ssdlab measures speed over transfer sizes itself: `ssdlab suite enterprise-sweep`
foreign-elbencho-table = `{ $path }` is the table that elbencho prints, which does not tell all of its settings
foreign-elbencho-table-instead = give what elbencho wrote with `--csvfile` or `--jsonfile`
foreign-too-many-files = `{ $directory }` has { $count } JSON files, too many for one result
foreign-too-long = `{ $path }` holds more than { $most } bytes, the most that is read
foreign-cannot-unpack = `{ $path }` cannot be unpacked: { $reason }
foreign-followed = after the packed data of `{ $path }`, which are whole, stand bytes that are no gzip
foreign-followed-remedy = unpack it with `gzip -dc`, which passes them over with a warning, and give what comes out
foreign-ends-early = `{ $path }` ends too early: it was cut off
foreign-unreadable = `{ $path }` cannot be read: { $reason }
foreign-fill-impossible = `{ $name }` says that { $fill } % of the volume are in use, which cannot be
foreign-value-impossible = `{ $name }` says { $value } for `{ $metric }`, which cannot be
foreign-whole = is it whole?
foreign-no-text = `{ $name }` is no text: { $reason } at byte { $start }
foreign-not-as-written = `{ $name }` is not as its program writes it: { $error }
foreign-no-workload = `{ $name }` has no ratio of a storage workload that ssdlab knows
foreign-known-workloads = known are: { $workloads }
foreign-no-csv = `{ $name }` is no CSV: { $error }
foreign-no-json = `{ $name }` is no JSON: { $error }
foreign-too-many-cells = `{ $name }` has more than { $most } cells, no result does
foreign-3dmark-no-result = `{ $name }` has no Result.xml
foreign-3dmark-give-file = give the *.3dmark-result file itself
foreign-3dmark-no-score = `{ $name }` has no score of 3DMark's storage test
foreign-3dmark-others = other tests of 3DMark are not read
foreign-3dmark-too-large = { $wanted } in `{ $name }` unpacks to more than { $most } bytes, no result does
foreign-archive-followed = what stands after the packed data of `{ $archive }` is no gzip and is not read; what is packed is whole
foreign-archive-locked = it is locked by a password
foreign-archive-member = `{ $member }` in `{ $archive }` is not read: { $why }
foreign-archive-no-file = it is a link or another thing that is no plain file
foreign-archive-nothing = `{ $archive }` holds no file
foreign-archive-packing = it is neither stored nor packed with deflate; pack it anew with deflate, which every program for zip files can
foreign-archive-parts = unpack it, and give the files
foreign-archive-twice = the archive lists several files of that name, and does not say which is meant
foreign-archive-too-much = `{ $archive }` unpacks to more than { $bytes } bytes or { $files } files, of which the rest is not read
foreign-damaged-archive = `{ $name }` is a damaged archive: { $error }
foreign-3dmark-too-many-files = `{ $name }` holds { $files } files, a result has fewer than ten
foreign-tkperf-no-tests = `{ $name }` has none of TKperf's tests `iops`, `lat`, `tp`, `writesat`
foreign-xml-entities = `{ $name }` declares XML entities or references, which no result needs: { $error }
foreign-no-xml = `{ $name }` is no XML: { $error }
foreign-contradiction = `{ $path }` itself says { $what } `{ $said }`, not `{ $told }`
foreign-folder-rest = { $count ->
    [one] one other file of the folder was not read: `{ $first }`
   *[other] { $count } other files of the folder were not read, the first `{ $first }`
}
foreign-leave-option-out = leave `--{ $what }` out
foreign-own = `{ $path }` was written by ssdlab, and is no result of another program
foreign-add-own = bring bundles into a lab by `ssdlab library add BUNDLE...`
foreign-import-anew = to say something else of the drive, remove `{ $there }` and import it again
foreign-known-programs = known are: { $programs }
foreign-some-refused = { $refused } of { $files } results were not imported
