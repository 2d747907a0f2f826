# What engines cannot do, and what fio was not asked for.

## Options that the method asks for and a job could not use
engine-drop-capped = every I/O is kept, and half of the host's memory holds no more than these { $ios }, so the job ended early
engine-drop-nbd = the drive is behind NBD, { $interface } is not involved
engine-drop-nbd-page-cache = the drive is behind NBD, which the host's page cache has no part in
engine-drop-trim-waits = a trim is a call to the kernel that waits; fio 3.38 and later time those wrongly that io_uring did not take, which it does not before Linux 6.12
engine-drop-sqpoll = fio { $version } reports wrong completion latencies with it; needs { $needed }
engine-drop-load = the load engine has no need of it: it sleeps until the drive interrupts
engine-drop-no-polled-flush = a polled queue takes no flushes, which durable writes end with
engine-drop-histograms = the job may last so long that fio's histograms would fill the host's memory, so there is one every { $interval } ms; in between I/Os are shared out by fio's bandwidth log
engine-drop-window-value = fio { $version } logs either the mean or the largest latency of a window, not both; the largest is read from its histogram, up to 6 % above the true one
engine-drop-log-entries = fio { $version } has no such option: each time its log of every I/O is full, at first after 1,024, it lets all in flight end before it makes room
engine-drop-locked = the I/Os in flight take { $needed }, and this user may lock { $most } of memory (`ulimit -l`), so their buffers are not registered with the kernel
engine-drop-log-registers-late = fio opens the files of an I/O log as it comes to them, too late to register
engine-drop-log-unregistered = it needs registered files, which those of an I/O log are not
engine-drop-nbd-force = fio's nbd engine: the way to the drive has no word for it, so they are plain writes
engine-drop-flushed = fio's nbd engine cannot force a write, so each is followed by a flush (`fsync=1`): rates contain the flushes, but fio times them apart, so how long a write and its flush took together is not known

## fio as it is installed
engine-install-fio = install it: `apt-get install fio` (Debian, Ubuntu), `dnf install fio fio-engine-nbd` (Fedora, Rocky)
engine-setpriv-hint = `setpriv` comes with util-linux; with it fio never outlives ssdlab
engine-not-installed = `{ $program }` is not installed
engine-no-fio = `{ $path }` is no fio: `--version` says `{ $said }`
engine-fio-too-old = fio { $version } is installed, ssdlab needs { $oldest } or newer
engine-fio-silent = `{ $command }` does not answer: { $error }
engine-fio-without = fio { $version } at { $path } was built without its { $engine } engine
engine-hint-io-uring = install the distribution's fio; one built by hand needs the headers of Linux 5.1 or newer
engine-hint-libaio = on Fedora and Rocky install `fio-engine-libaio`; a fio built by hand needs libaio's headers
engine-fio-options = fio { $version } at { $path } does not know { $options }
engine-hint-newer-fio = install a newer fio; Debian 12's 3.33 is enough for every built-in suite

## Jobs that fio cannot do
engine-too-many-ios = job `{ $job }` is to keep each of its { $ios } I/Os, half of the host's memory holds { $most }
engine-hint-smaller-amount = give it a smaller amount, or let it keep windows and histograms, which hold every percentile to 0.8 %
engine-batches-differ = fio does batches of one size only, and these differ
engine-pauses-differ = fio pauses equally long before each command, and these differ
engine-hint-on-model = such probes run on `model:` drives
engine-no-job-name = fio takes no job of the name `{ $name }`
engine-hint-job-name = give it up to 120 letters and digits
engine-fio-has-no-words = fio has no words for the load of job `{ $job }`: only ssdlab's own engine does it
engine-misread-line = fio would read `{ $line }` as something else
engine-hint-short-name = give the drive a short name of letters and digits

## What fio wrote
engine-no-fio-json = this is not fio's JSON: { $why }
engine-hint-json = run fio with --output-format=json+
engine-file-changed = `{ $path }` was changed while it was read
engine-hint-no-writer = copy it first, or wait until nothing writes to it
engine-json-unreadable = fio's JSON cannot be read: { $why }
engine-hint-json-kept = the file is kept in the bundle as fio wrote it
engine-no-log = fio wrote no `{ $name }`
engine-hint-disk-full-journal = is the host's disk full? fio's own words are in the journal
engine-log-damaged = `{ $name }` is damaged: { $error }
engine-hint-disk-full = is the host's disk full?
engine-commands-logged = fio logged { $logged } of { $asked } commands
engine-flushes-counted = fio counted { $counted } of { $asked } flushes
engine-other-offsets = fio's log names other offsets than were asked for

## Failures
engine-command-refused = the drive refused a command: { $error }
engine-trace-unreadable = job `{ $job }` replays `{ $path }`, which cannot be read: { $why }
engine-other-trace = job `{ $job }` replays `{ $path }`, and that is another file than when the run was planned
engine-hint-other-trace = put the trace back, or begin a new run
engine-model-cannot = the model cannot run job `{ $job }`: { $error }
engine-io-refused = the drive refused an I/O of job `{ $job }`: { $error }
engine-no-time = job `{ $job }` took no time: this drive has no latency at all, so there is nothing to measure in virtual time
engine-hint-virtual = use `virtual:` to measure the host with it
engine-not-written = the drive refused to be written: { $error }
engine-drive-gone = the drive is gone: { $error }
engine-nothing-done = nothing of `{ $job }` was done
engine-io-uring-forbidden = the kernel forbids io_uring (`kernel.io_uring_disabled` is { $value })
engine-hint-allow-io-uring = allow it for the run: `sysctl kernel.io_uring_disabled=0`
engine-fio-hangs = fio has moved no data for { $time } and was ended
engine-hint-hangs = the drive no longer answers, or fio is stopped: look at `dmesg` and at the process list
engine-load-cannot = the load engine cannot do job `{ $job }`: { $why }
engine-load-field = the job's `{ $field }` does not fit the drive or the engine
engine-load-streams = it has no streams beside a job
engine-load-interface = it has no { $interface }
engine-load-trim = it trims only behind NBD
engine-load-force = the server has no export that forces writes
engine-load-block = it has I/Os of up to { $most }, not of { $block }
engine-hint-load-cannot = measure it with fio, if the suite leaves the engine open (`engine = "any"`)
engine-hint-load-replay = replay it on an NBD export of the drive, such as `qemu-nbd --discard=unmap` makes
engine-load-hangs =
    { $count ->
        [one] nothing has completed for { $time }, with 1 I/O in flight
       *[other] nothing has completed for { $time }, with { $count } I/Os in flight
    }
engine-hint-load-hangs = the drive no longer answers: look at `dmesg`
engine-load-stuck = nothing completes any more: { $why }
engine-load-gone = the connection to the drive was lost: { $reason }
engine-load-not-opened = the load engine cannot open the drive: { $error }
engine-fio-stuck = fio moves no data any more: { $why }
engine-nothing-counts = nothing of this step counts
engine-fio-killed = fio was killed by { $signal }
engine-hint-killed = out of memory? `dmesg` tells; nothing of this step counts
engine-fio-ended = fio ended with status { $status }: { $said }
engine-fio-no-reason = it gave no reason
engine-hint-nbd-gone = the NBD server is gone or refused; nothing of this step counts
engine-hint-free-space = free space where the bundle, or the file under test, is kept
engine-hint-no-o-direct = the file system does not support O_DIRECT; use one on a disk, not tmpfs
engine-hint-block-size = the file system may not support O_DIRECT with this block size
engine-hint-permission = run as a user who may write there
engine-hint-io-uring-not-permitted = io_uring may be forbidden here: `sysctl kernel.io_uring_disabled`
engine-hint-locked-memory = raise the locked-memory limit: `ulimit -l`
engine-io-medium = the medium or the way to it is bad: look at `dmesg` and at the drive's own log (`nvme error-log`, `smartctl -l error`)
engine-io-denied = the drive refuses it: worn-out drives become read-only
engine-io-read-only = the drive became read-only, as worn-out drives do
engine-io-drive-gone = the drive disappeared: look at `dmesg`, at its seat and its power
engine-io-own-error = the drive reports an error of its own: look at `dmesg`
engine-io-bad-place = the medium is bad there: look at the drive's own log (`nvme error-log`, `smartctl -l error`)
engine-io-late = the drive did not answer in time: look at `dmesg`
engine-io-no-space = free space where the file under test is kept
engine-io-failed = `{ $device }` failed a { $kind } of { $length } at byte { $at }: { $error }
engine-flush-failed = `{ $device }` failed a flush: { $error }
engine-io-failed-more =
    { $more ->
        [one] { $failed }, and 1 more I/O after it
       *[other] { $failed }, and { $more } more I/Os after it
    }
## While a job runs
engine-stood-still =
    { $cause ->
        [engine_stopped] fio was stopped for { $time }
        [host_suspended] the host was suspended for { $time }
       *[held_up] ssdlab was not run for { $time }
    }
