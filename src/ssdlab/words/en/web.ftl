# The lab in a browser.

web-serves = open this address in a browser of this host; it shows `{ $lab }` and { $access ->
        [control] may have runs end
       *[look] changes nothing
    }; Ctrl-C ends it
web-port-taken = port { $port } cannot be listened on: { $why }
web-other-port = give another: `--port 0` takes any that is free
web-may-not = Refused: open the whole address that `ssdlab web` printed, with its token, in a browser of this host.
web-pages = Pages
web-bench = Bench
web-library = Library
web-bench-title = Bench
web-library-title = Library
web-made-by = Shown by ssdlab { $version }, which { $access ->
        [control] reads, and may have runs end.
       *[look] only reads.
    }
web-stop = Stop this run
web-stop-title = Stop this run?
web-stop-what = { $drive }, `{ $run }`: its process is told to end (SIGTERM). It notes how far it came and lets go of the drive; what the step that goes on has done is lost. Afterwards:
web-stop-now = Stop it
web-stop-not = Let it go on
web-asked-to-stop = It was told to end, and does so as soon as nothing is in flight.
web-nobody-to-stop = No process that may be told to end from here does this run now.
web-licence = Licence of the chart library
web-connection-lost = The connection is lost; what you see may be old. The page tries again by itself.
web-connection-refused = The server has ended or does not know this page any more: open the address that `ssdlab web` prints now.
web-none = –
web-soon = < 1 s
web-running-runs = Running now
web-nothing-runs = Nothing is running in this lab.
web-drives = Drives of this host
web-drives-caption = As the kernel has them; this page sends no command to any drive. `ssdlab drives` says which may be tested.
web-state = state
web-is-measured = is measured
web-no-run = no run
web-share = done of the step
web-speed = bandwidth
web-left = left of the step
web-temperature = temperature
web-percent = { $share } %
web-celsius = { $temperature } °C
web-step-of = step { $number } of { $count }
web-running = running
web-chart = Bandwidth so far
web-chart-help = Drag to zoom, double-click for all; with the keyboard the arrow keys, Page Up, Page Down, Home and End read values.
web-strip = Slowest I/O of finished steps:
web-below = up to { $most }
web-between = { $least } to { $most }
web-from = { $least } or more
web-axis-time = time since the run began
web-axis-speed = MiB/s
web-audit = Audit so far
web-no-audit-yet = No step that measures is over yet.
web-audit-so-far = { $passed } passed, { $warned } with a warning, { $failed } failed, { $unknown } unknown
web-steps = Steps, the newest first
web-step = step
web-time = time
web-amount = moved
web-mean-speed = mean bandwidth
web-slowest = slowest I/O
web-run-over = The run is over.
web-report = Its report
web-not-running = No process does this run now.
web-library-help = Choose two runs or more to see them side by side; the newest one's drive is the one under test.
web-choose = choose
web-choose-runs = Choose two to twenty runs to compare.
web-compare = Compare the chosen runs
web-checks-failed = { $failed } of { $count } failed
web-checks-passed = { $count } made, none failed
web-no-runs = There is no run in this lab yet.
web-unreadable = These cannot be read:
web-cannot-show = Not to be shown
web-not-found = There is no such page or run.
