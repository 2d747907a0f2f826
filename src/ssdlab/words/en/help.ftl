# The help of the command line: first lines of commands stand in lists, where they have at most 45 columns.

help-drives =
    List drives, what may be tested, why not.

    Nothing is written to any of them. Most of it needs root; what is not known is said with its reason, and a drive
    of which it is not known who uses it is refused.
help-doctor =
    Say whether the host is fit to measure.

    Looks at processors, memory, fio, what killed runs left, and with a target at its drive, link and queue. Each finding comes with
    what to do about it. Exit status 1 means that measuring would mislead. Only `--restore` changes anything.
help-suites = List the built-in suites.
help-suite =
    Print a suite's TOML.

    Copy it, edit it, and run the copy by its path.
help-plan =
    Show what a run would do; touches nothing.

    The steps in order, the bytes they write, how long they take, what of them is done again after an interruption, and the
    space the bundle needs. With `--json` every single job.
help-purge =
    Erase a drive and verify the erasure.

    Runs purge by themselves and keep the size of logical blocks; this is for changing it before a run, or for trying whether a
    drive erases itself at all. How it was done is printed.
help-run =
    Run a suite on a drive and write a bundle.

    A block device must be named a second time, by its serial number: `--erase`, or typed when asked on a terminal.
    The path of the bundle is printed at the end. Exit status 3 means that the run finished and a check of the audit failed.
help-attach =
    Follow a run that has no terminal.

    Shows what `ssdlab run` would, until the run is over, and ends with its exit status. Ctrl-C leaves the run alone. It reads the
    run's bundle only, so any number of terminals may follow one run, and none of them can disturb it.
help-attach-run = A bundle; the newest run of the lab if not given.
help-detach = Let go of the terminal once the run has begun; `ssdlab attach` follows it.
help-web =
    Show the lab in a browser.

    The drives of this host and the runs that go on, each as it goes on, the reports of all others, and the queue of a fleet. It listens on
    127.0.0.1 alone and prints the address to open, which has a token: whoever has it may look. It reads bundles, sends no command to any drive,
    and changes nothing unless `--control` is given. To look from another computer, forward the port by ssh.
help-web-port = Where it listens; 0 takes any that is free.
help-web-database = Of a fleet, as postgresql://USER@HOST/NAME: its queue is shown, too.
help-web-control = Let the pages stop runs and change the queue of the fleet; nothing is erased from there that its host does not allow.
help-resume =
    Go on with a run that was stopped or killed.

    The run goes on in its bundle, on the same drive, whatever that is called now. What the drive's state requires is done again, as `ssdlab plan` told.
    A block device takes --erase again, unless its own counter or sampled blocks show that nobody else wrote to it meanwhile.
help-show = Show a run's verdict, key numbers, audit.
help-report =
    Write runs as one self-contained HTML page.

    The drive of the first RUN is the one under test. Several runs of one suite stand beside each other, runs of one drive
    with several suites are its chapters. Results of other programs have a section a program.
help-publish =
    Write a run as a file that names nobody.

    Serial numbers, world-wide identifiers, names of hosts and users, paths and addresses are replaced by names that are always
    the same in what you publish, and that nobody else can trace back; lines of the kernel's log are left out. Numbers and audit
    stay. What is left out is listed first; without --yes, and with nobody to ask, nothing is written.
help-compare =
    Compare runs with the first, by each metric.

    Several runs of one drive are taken together: their median, and the 95 % interval over them. Of a single run the interval
    is the one it measured. Where intervals overlap drives are level, as are numbers without intervals that differ by no more than 3 %.
help-score =
    Score drives by the traces they replayed.

    Each RUN has replayed traces at the pace `dependent`, by the suite of the reference. The score is the time of the reference over
    that of the drive, geometric mean over the traces. Several runs of one drive are taken together, with a 95 % interval over them. Beside it stand
    the numbers that 3DMark and AnandTech's Destroyer print of such replays. Exit status 3 means that a check of a replay failed.
help-qualify =
    Hold drives against limits and siblings.

    The file has limits on metrics by suite and profile; each drive passes, fails, or was not measured, which is no pass. From ten drives of one
    model on it is said which are not like the others, by a test with a stated level. Exit status 4 means that a drive does not pass, 3 that
    all pass and a check of the audit failed.
help-import =
    Read other programs' results into the lab.

    Each file becomes a bundle with its numbers, where they came from, and the file itself unchanged. What a file lacks stays
    unknown unless it is said here. fio's logs belong to the one JSON of fio given with them; both go through the audit. Numbers of other programs are never ranked together with those ssdlab measured.
help-power =
    Add the log of a power meter to a run.

    The run was made with `ssdlab run --power-marks`, and its log is by Quarch's or Joulescope's programs. The meter's clock is found
    by the marks; energy and power of each step become metrics of the run. A log that does not show the marks beyond doubt is refused.
help-sustain =
    Write a whole drive and verify the data.

    Into a directory it makes files of its own, removes them at the end and touches nothing else. The data follows from a seed and
    from its place, so that what comes back swapped, stale, from elsewhere or damaged is told apart. Ctrl-C ends it cleanly.
help-log =
    Summarize fio logs: exact percentiles, means.

    Latencies of one kind are counted as if they were in one log, rates of several logs are added. A log of every I/O gives exact percentiles, a histogram log or JSON those of
    fio's bins (0.8 %). A percentile with fewer than ten I/Os above it is not printed.
help-analyse =
    Analyse a bandwidth log that others recorded.

    Runs the lab's own analyses on fio's bandwidth or IOPS logs, or on a table of times and rates: fill (cache, class, phases), steady (all
    criteria of steadiness), reclaim (a log after each rest). The logs of several jobs of one run are added. What cannot be known is said.
help-probes = List the black-box probes.
help-probe =
    Infer what is inside a drive from outside.

    Every answer has a grade: A and B can be relied on, C is a hint; what the data does not say is `not identifiable`, with the
    reason. The samples and the answers are a bundle, for `ssdlab show` and `ssdlab report`.
help-library-add = Copy bundles into the lab, checked.
help-library-list = List all runs, the newest last.
help-library-show = Show one drive over time.
help-library-rank =
    Rank drives by a metric.

    Numbers of different methods, profiles, drive states, or of virtual and real drives are never in one ranking. Of several
    runs of a drive within a week the median ranks, and the spread is shown.
help-library-latency =
    Show latencies of a step over all runs.

    The histograms of all compacted runs of a model are added up, so a percentile is that of all their I/Os together. Different
    methods, profiles, drive states, or virtual and real drives are never added up.
help-library-compact =
    Put series and histograms into a few files.

    Of all runs, with their metrics. The files are made from the bundles and may be deleted; only runs that are new or have
    changed are opened. Damaged files are made anew.
help-library-check =
    Check every file against its checksum.

    Exit status 3 says that a file of a bundle is missing, is not what was written, or cannot be read.
help-library-sql = Ask the library in SQL.
help-twin =
    Make a virtual drive like a measured one.

    A twin is the specification of a virtual drive that does what was measured of a drive. `model:drive.toml` then answers what was never measured.
help-twin-fit =
    Fit a twin to runs of a drive.

    What was measured is done again on trial drives, in virtual time, until one does the same. Analyses and probes say what is inside as far as they know it; where the
    runs say nothing the twin is a usual drive, and the keys are named. Every third point of a sweep is held out: what the twin is off by there stands in
    its description. Imported results of fio can be given instead, alone; of a large drive the twin is a part then. Minutes for a drive of tens of gigabytes; the time grows with the
    capacity. Needs `ssdlab[twin]`.
help-twin-check =
    Hold a twin against runs of its drive.

    The suite of each run is run on the twin, in virtual time, and all metrics are compared: errors by kind, a grade, and what the twin does not express.
help-trace =
    Record, import, show, cut and export I/O.

    A trace is one file, `.ssdtrace`: every I/O of a device with its time, and where that is from.
help-trace-record =
    Record what a drive is asked to do.

    From the running kernel, as root, until Ctrl-C; a whole drive. Nothing else on it is disturbed, and what was lost is counted.
help-trace-import =
    Make a trace of what others recorded.

    fio's iolog, blktrace, blkparse and btrecord, MSR Cambridge, SYSTOR '17, Alibaba, Tencent, FIU, SPC, Tectonic, Windows events (xperf); gzip and zstd are unpacked.
help-trace-show =
    Show what a trace is like.

    Mix, sizes, sequential share, working set, reuse, I/Os in flight, think time, rates over time.
help-trace-cut =
    Cut a span of time out of a trace.
help-trace-merge =
    Make one trace of several.

    All begin at once, and each keeps its places on the device: several programs at work on one drive.
help-trace-scale =
    Make a faster or slower trace.

    Its I/Os arrive so many times as fast. How long each took is left out, as it is not known of that speed.
help-trace-anonymise =
    Make a trace that does not say whose it is.

    Extents of 16 MiB change places at random, and nobody keeps the table; names and date are left out, processes are numbered.
help-trace-export =
    Write a trace for fio or as blkparse does.

    fio replays it with `--read_iolog`.
help-trace-drive = A whole drive, such as /dev/nvme0n1.
help-trace-path = A trace, X.ssdtrace.
help-trace-page = Write a page with figures, too: places over time, rates, sizes, reuse.
help-trace-paths = Traces, X.ssdtrace.
help-trace-speed = How many times as fast: 2 halves the times between arrivals.
help-trace-output = What to write; what is there already is replaced.
help-trace-files = Recorded I/O, all of one format; the files of one blktrace together.
help-trace-format = Format of the files; that of their first lines if not given.
help-trace-device = Whose I/Os to take, as the files name it, where they have several.
help-trace-capacity = Size of the device, which no format says.
help-trace-licence = Under what the trace may be shared, such as CC-BY-4.0.
help-trace-from = Arrivals from this time of the trace on.
help-trace-to = Arrivals before this time of the trace; to its end if not given.
help-trace-export-format = fio-iolog (version 3) or blkparse.
help-trace-file-name = The file that fio is to open, as a log for it names one.
help-vdrive-list = List the built-in virtual drives.
help-vdrive-show = Show a virtual drive and its specification.
help-vdrive-serve =
    Serve a virtual drive over NBD.

    It lives in real time until it is stopped with Ctrl-C; what is written to it is in memory and gone then, without `--store`.
help-ssdlab = Measure solid-state drives with fio, prove the numbers, show each drive beside all others.
help-library = All runs of a lab: list, rank, ask.
help-vdrive = List, show and serve virtual drives.
help-version = Print the version and stop.
help-lang = Language to speak, before or after the command; that of the locale if not given.
help-json = Print JSON.
help-target = /dev/..., virtual:NAME, model:NAME, file:PATH or nbd+unix:///EXPORT?socket=PATH.
help-doctor-restore = Put back what killed runs had set on this host and on drives, and say what became of it.
help-suite-name = A built-in suite, or the path of a suite.toml.
help-profile = How far the method is scaled down.
help-plan-seed = Seed of the run; 0 if not given.
help-plan-endurance = What the drive is rated to be written; says what share this is.
help-plan-twin = Specification of a twin of the drive, as `ssdlab twin fit` makes it: the run is done on it in virtual time, and what it took there is told.
help-max-write = Stop before more than this is written to the drive, what was written before a resume included.
help-purge-target = /dev/..., with `?purge=METHOD` for another way than the best it offers.
help-erase = Agree to lose what is on the drive with this serial number (or name), as the refusal prints it.
help-purge-block-size = Format an NVMe drive to logical blocks of this size.
help-lab = Where bundles are kept.
help-run-seed = Seed of the run; if not given that of a virtual drive, else a new one each time.
help-run-engine = What does the I/O, where the suite leaves a choice.
help-max-temperature = Stop when the drive gets warmer.
help-keep-raw = Keep fio's text logs beside the Parquet.
help-resume-run = The bundle of a run that stopped.
help-show-run = A bundle; the newest under --lab if not given.
help-show-again = Compute metrics and audit anew from the raw data.
help-all = Also everything behind the answer.
help-runs = Bundles, as printed by `ssdlab run` or `ssdlab import`.
help-report-output = The page; report.html in the first RUN if not given. Only an earlier page is replaced.
help-report-reason = Why the drive of that RUN was chosen; once for each drive.
help-report-name = What the drive of a run is called everywhere in the report.
help-report-without = Draw figures a second time without the drive of that RUN where it squeezes the others; may be given several times.
help-report-png = Also write each figure as PNG and SVG, and its data as CSV.
help-report-size = Pixels of each PNG.
help-report-theme = Colours of the pictures; light if nothing is said.
help-report-watermark = A line below each picture, such as the name of a site.
help-report-markdown = Also write a post: verdict, audit, tables, method, the PNGs with captions.
help-report-lang = Language of page, pictures and post; English if no --lang is given anywhere.
help-report-public = Without serial numbers, names of hosts and paths, as by `ssdlab publish`.
help-publish-run = A bundle, as printed by `ssdlab run` or `ssdlab import`.
help-publish-output = The archive, such as drive.ssdlab.
help-publish-sign = Sign it with this key of SSH, such as ~/.ssh/id_ed25519.
help-publish-yes = Write it without asking.
help-compare-metric = Only metrics of such names: `fill.*`, `rnd.read.q1.*`.
help-twin-runs = Bundles of one drive, as printed by `ssdlab run` and `ssdlab probe`; for `fit` also by `ssdlab import`.
help-twin-output = The twin, such as drive.toml; nothing that is there is replaced.
help-twin-drive = The twin, as written by `ssdlab twin fit`.
help-score-runs = Bundles, as printed by `ssdlab run`.
help-score-reference = Run of the same suite on a built-in drive in virtual time, whose score is 1.
help-qualify-limits = Limits (TOML): `[[limit]]` with suite, metric, `at_least` or `at_most`.
help-qualify-output = One HTML page of all drives, the worst first.
help-qualify-csv = A row for each number and limit, for a spreadsheet.
help-import-files = Results as the programs saved them.
help-import-model = The drive, where the file lacks it.
help-import-serial = Its serial number, where the file lacks it.
help-import-firmware = Its firmware, where the file lacks it.
help-import-capacity = Its capacity, where the file lacks it.
help-import-fill = How full the drive was, where the file lacks it.
help-import-unit = ns or us: of fio's latency logs, where nothing says it.
help-sustain-target = A directory of a mounted file system, or a drive as for `run`.
help-sustain-chunk = Size of each write.
help-sustain-record = Bytes per record line.
help-sustain-total = Bytes per pass; all there is room for, if not given.
help-sustain-leave = To leave free; 10MB of a file system if not given.
help-sustain-passes = Number of passes.
help-sustain-verify = When to read all back and compare.
help-sustain-rest = Let the drive idle before the first pass.
help-sustain-rest-between = Let the drive idle between two passes, too.
help-sustain-trim = Give all blocks back first.
help-sustain-csv = Also add each record to this file.
help-sustain-need = What a workload needs; says how much of the time it got that.
help-sustain-keep = Leave the files in the directory.
help-sustain-write-only = Write once, read once, and leave the data for `--verify-tag`.
help-sustain-tag = Name of data that is left.
help-sustain-verify-tag = Read such data again, weeks later or on another host.
help-log-files = fio's logs, histogram logs or JSON; gzip, zstd; - for a pipe.
help-log-kind = lat, clat, slat, bw or iops, if names do not say it.
help-log-unit = ns or us: of latency logs without priorities, as before fio 3.17.
help-log-window = Also list the series in windows, such as 1s.
help-log-figure = Draw tail, series or heatmap instead.
help-log-output = The figure, .svg or .png; FIGURE.png if not given.
help-log-parquet = Write the rows instead: one .parquet, or a directory.
help-log-audit = Hold fio's JSON, and logs beside it, against the checks of the audit instead.
help-analyse-files = fio's bandwidth, IOPS and latency logs, or tables; gzip, zstd, xz.
help-analyse-as = fill, steady or reclaim.
help-analyse-capacity = User capacity of the drive, such as 2TB.
help-analyse-unit = Of a table: B/s, KB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s or IOPS. Of latency logs: ns or us.
help-analyse-time = Unit of a table's times: ns, us, ms, s, min or h.
help-analyse-columns = Titles or numbers of two columns of a table.
help-analyse-block = Size of an I/O, such as 4KiB, where IOPS are given.
help-analyse-rests = Of reclaim: the rest before each file.
help-analyse-purged = Of fill: the drive was purged before.
help-analyse-output = Also draw it: .svg or .png.
help-probe-name = One of `ssdlab probes`, `quick`, or `all`.
help-probe-estimator = How conclusions are drawn: robustly, or as the source paper prints it.
help-probe-plan = Say what it would write and how long; touch nothing.
help-probe-seed = Seed of the patterns.
help-probe-png = Also draw the drive's portrait and the evidence, as PNG and SVG.
help-library-bundles = Bundles, or .ssdlab, zip or tar archives of one bundle each.
help-library-signers = Whose signatures you know; ~/.config/ssdlab/allowed_signers if not given.
help-library-drive = A part of its model or serial.
help-library-show-metric = Show only this metric, run by run.
help-library-metric = Its name, such as `fill.bandwidth_mean`.
help-library-step = Its name, as `ssdlab show` lists it.
help-library-paths = Bundles, or labs with all their bundles; --lab if none is given.
help-library-query = DuckDB's SQL over `runs` and `metrics`, and over `series` and `histograms` of compacted runs.
help-vdrive-spec = NAME or spec.toml, with ?capacity=8GiB&seed=1 if wanted.
help-vdrive-truth = Also what is inside a fresh one: write amplification, cache, blocks.
help-vdrive-socket = Unix socket to serve NBD on.
help-vdrive-control = Unix socket for questions (truth, smart, sensors, lateness, faults), purge and power_cut.
help-vdrive-store = Keep what is written in a file, for the next start too.
help-vdrive-record = Write down each command in a new file, of which `ssdlab trace import` makes a trace.
help-usage = Usage
help-arguments = Arguments
help-options = Options
help-commands = Commands
help-group-look = Look
help-group-measure = Measure
help-group-read = Read
help-group-share = Share
help-completion =
    What a shell needs to complete words.

    bash: `ssdlab completion bash > ~/.local/share/bash-completion/completions/ssdlab`;
    zsh: `ssdlab completion zsh > DIR/_ssdlab`, a directory of `$fpath`;
    fish: `ssdlab completion fish > ~/.config/fish/completions/ssdlab.fish`.
    Or for this shell only: `eval "$(ssdlab completion bash)"`.
help-completion-shell = `bash`, `zsh` or `fish`.
help-help-of = Help of a command.
help-help-command = A command, or a command and one of its own; without it all are listed.
help-default = default: { $value }
help-required = required
help-help = Show this message and exit.
help-run-power-marks = Read in short bursts at start and end, for a power meter.
help-power-run = The bundle, as printed by `ssdlab run`.
help-power-log = The log as the meter's program saved it.
help-power-period = Time from sample to sample, where the log lacks it.
help-group-many = Many hosts
help-agent =
    Serve a fleet with this host's drives.

    Tells the fleet of the drives, and takes runs for them from its queue, one at a time per drive. FILE alone decides which drives may be
    tested. The agent may be killed at any time: runs are processes of their own, and the next agent goes on with them.
help-agent-file = what this host allows (TOML): `database`, `store`, `state`, `runs`, and `[[drive]]` with serial and target
help-fleet =
    Measure drives of many hosts.

    The queue is in a PostgreSQL database; each host has an `ssdlab agent`.
help-fleet-database = of the fleet, as postgresql://USER@HOST/NAME
help-fleet-init = Make the tables of a fleet in a database.
help-fleet-drives = List the drives of all hosts.
help-fleet-submit =
    Queue a suite for drives.

    Each free drive that meets all conditions gets a run, or as many as --repeat says. Printed are the number of each run and the serial
    number of its drive. What is on the drives will be lost; their hosts have allowed it.
help-fleet-which = only drives like that: model, serial, firmware or host, and a pattern as `PM9*`; may be given again
help-fleet-repeat = runs of each drive
help-fleet-priority = runs with a higher one come first
help-fleet-status = List all runs and how far they are.
help-fleet-cancel =
    Cancel runs.

    One that waits is taken out of the queue, one that runs is stopped as by Ctrl-C.
help-fleet-retry =
    Go on with failed or cancelled runs.

    A run that has begun goes on in its bundle, unless another one has been on the drive since.
help-fleet-logs = Show what happened to a run.
help-fleet-rebuild =
    Make the catalogue anew from the store.

    The bundles are held against their manifests. Nothing in the catalogue is lost that they do not have.
help-fleet-fetch =
    Bring bundles from the store into a lab.

    Each is held against its manifest. A store that is a directory is a lab by itself.
help-fleet-fetched = bundles, as `ssdlab fleet status` names them
help-fleet-numbers = of runs, as `ssdlab fleet status` shows them
help-fleet-number = of the run, as `ssdlab fleet status` shows it
help-fleet-store = where the agents bring bundles: a directory, or `s3://BUCKET/PREFIX`
