# Traces of recorded I/O.

trace-none =
    `{ $path }` { $problem ->
        [undecodable] is no trace, or a damaged one
        [metadata] is no trace: it lacks the metadata of one
        [version] is a trace of another version of ssdlab
        [other-columns] is no trace: its columns are others
        [content] is a damaged trace: it contradicts itself, or holds an I/O that no device can have had
        [no-times] has an order and no times
       *[too-much] touches more than can be remembered
    }
trace-hint-times = record it with times: fio does so from version 3.31 on
trace-hint-import = make one with `ssdlab trace import FILE... -o X.ssdtrace`
trace-packed = `{ $path }` is cut off, or not what its first bytes say, gzip or Zstandard
trace-hint-whole = is the file whole, and of the format that `--format` or its first line says?
trace-second-device = `{ $path }`, line or record { $at }: an I/O of device { $other }, after those of { $first }
trace-hint-device = choose one, such as `--device { $first }`: a trace is of one device
trace-damaged =
    `{ $path }`, line or record { $at }: { $problem ->
        [columns] other columns than the format has
        [number] a number that is none, or too large
        [operation] an operation that the format does not have
        [impossible] an I/O that no device can have had
        [too-long] the line does not end
        [magic] not the beginning that the format has
        [byte-order] written by a machine of the other byte order, which is not read
        [cut-off] the file ends within a record
        [times] an I/O with a time after those without, or the other way round
       *[other] it cannot be read
    }: `{ $found }`
trace-hint-apart = import files with times and files without apart: a trace has the times of all its I/Os or of none
trace-format-unknown = `{ $path }` begins like none of the formats of traces
trace-no-plain-file = `{ $path }` is no plain file
trace-no-format = `{ $name }` is no format of traces
trace-formats = formats are { $formats }
trace-hint-format = say its format with `--format`: { $formats }
trace-no-device = there is no I/O of device `{ $device }`
trace-device-as-named = name it as the file does
trace-cut-empty = no I/O of `{ $path }` arrived in that time
trace-show-times = `ssdlab trace show { $path }` says when they did
trace-cut-backwards = `--from { $begin }` is not before `--to { $end }`
trace-cut-order = give the earlier time to `--from`
trace-no-speed = `--speed { $speed }` is no speed
trace-speeds = give a number between 1/{ $most } and { $most }
trace-no-export-format = `{ $name }` is no format that traces are exported to
trace-export-formats = those are fio-iolog and blkparse
trace-file-name = `{ $name }` is no name that fio reads in a log
trace-file-name-hint = give one of at most 255 bytes without blanks
trace-exported = { $count ->
        [one] 1 I/O
       *[other] { $ios } I/Os
    }
trace-export-left-out = { $count ->
        [one] 1 I/O
       *[other] { $ios } I/Os
    } left out, for which { $format } has no word
trace-made = { $count ->
        [one] 1 I/O
       *[other] { $ios } I/Os
    } from { $format } in { $size }, { $each } B an I/O
trace-head = { $path }: { $count ->
        [one] 1 I/O
       *[other] { $ios } I/Os
    } from { $format }, seen { $captured ->
        [application] in the application
        [queue] when they entered the block layer
        [issue] when they were given to the driver
        [device] when the device took them
       *[unknown] at a place that the source does not say
    }
trace-times = arrivals over { $span }, to { $resolution }
trace-device = device { $device }
trace-device-size = size of the device { $size }
trace-no-times = no times: the source has an order only
trace-no-ios = there is no I/O in it: none was recorded, or nothing there is known as one
trace-lost = at least { $lost } events of the recording are missing
trace-left-out =
    { $kind ->
        [operation-unnamed] left out, lines without an operation: { $count }
        [waits] left out, waits, which say when something may follow and not when it did: { $count }
        [commands-of-no-block-io] left out, commands that read or write no blocks: { $count }
        [completions-without-begin] left out, completions of I/Os that began before the recording: { $count }
        [cut-off-record] left out, the last record, which the recording ends within: { $count }
        [latencies-without-completion] I/Os without a completion, and so of unknown latency: { $count }
       *[other] left out, { $kind }: { $count }
    }
trace-licence = licence { $licence }
trace-anonymised = anonymous: extents of 16 MiB have changed places by chance, names and date are left out
trace-column-ios = I/Os
trace-column-share = share
trace-column-bytes = bytes
trace-column-sizes = commonest sizes
trace-column-sequential = sequential
trace-column-mean = latency mean
trace-column-longest = longest
trace-column-from = from
trace-column-in-flight = in flight
trace-size = { $size } { $share }
trace-value = { $value }
trace-too-much = unknown, because it is too much to remember
trace-too-few = unknown, because fewer than ten lie above
trace-working-set = working set { $all }: read { $read }, written { $written }
trace-reuse-unknown = reuse: unknown, because there are more touches of blocks than can be followed
trace-reused = { $share } % of touches are of a 4 KiB block touched before
trace-reuse = reuse distance, bytes of other blocks in between: median { $half }, 90 % { $most }{ $exact ->
        [yes] {""}
       *[no] , from { $sampled } % of the blocks
    }
trace-no-latencies = in flight and think time: unknown, because the source has no latency of every I/O
trace-in-flight = in flight: mean { $mean }, most { $most }
trace-think = idle { $share } % of the time: { $count } arrivals with nothing in flight, { $mean } after the last completion on average
trace-record-begins = recording { $path }, { $device }, into `{ $journal }` until Ctrl-C, which makes the trace
trace-record-on-itself = what is recorded is written to { $path } itself, and these writes are in the trace
trace-record-left = `{ $path }` is what an earlier recording left that was cut off
trace-record-hint-left = make a trace of it with `ssdlab trace import { $path } -o { $out }`, then remove it
trace-record-no-requests = of { $path } the kernel tells no requests: it is made of other devices
trace-record-hint-below = record one that it stands on: { $below }
trace-record-gone = { $path } went away, which ended the recording
trace-record-hint-gone = what was recorded until then is in `{ $out }`
tracing-not-root = only root may see what the kernel traces
tracing-hint-root = run it with `sudo`
tracing-none = this kernel cannot trace
tracing-no-events = this kernel does not trace what block devices do
tracing-hint-kernel = use a kernel with CONFIG_FTRACE and CONFIG_BLK_DEV_IO_TRACE, as those of distributions have
tracing-locked-down = this kernel lets nobody trace: it is locked down, or the container may not
tracing-hint-lockdown = run it on the host itself; `cat /sys/kernel/security/lockdown` must not say [confidentiality], which the kernel is started with
tracing-not-mounted = tracefs is not mounted at `{ $path }`
tracing-hint-mount = `mount -t tracefs tracefs { $path }`
trace-page-title = Trace { $name }
trace-page-about = What it is
trace-page-operations = Operations
trace-page-file = made of { $name } (SHA-256 { $sha256 }…)
trace-figure-places-title = Places over time
trace-figure-places-caption = Rows count from the lowest place that is touched. An I/O counts in each cell that it touches.
trace-figure-places-described = Heat map: places against time, the number of I/Os as colour
trace-figure-cell = A cell is { $length } by { $size }.
trace-figure-cell-ios = A cell is { $ios } I/Os by { $size }.
trace-figure-time = time since the first I/O
trace-figure-order = I/O, in their order
trace-figure-place-from = place, from { $begin } on
trace-figure-table-columns = One row a column of the picture.
trace-figure-reads = reads
trace-figure-writes = writes
trace-figure-rows-touched = rows touched
trace-figure-all-ios = all I/Os
trace-figure-over-time-title = Rate, bandwidth and I/Os in flight over time
trace-figure-window = Means of { $length } each.
trace-figure-up-to = to { $size }
trace-figure-bars-title = { $of ->
        [sizes] Sizes of I/Os
       *[reuse] Reuse distance
    }
trace-figure-bars-subtitle = { $of ->
        [sizes] Those that are commonest, of reads and of writes by themselves.
       *[reuse] Bytes of other blocks between two touches of a block of 4 KiB.
    }
trace-figure-bars-caption = { $of ->
        [sizes] What is missing from 100 % has other sizes.
       *[reuse] A cache of that size that keeps what was touched last would hold it.
    }
trace-figure-bars-axis = { $of ->
        [sizes] share of the I/Os
       *[reuse] share of the touches that come back
    }
trace-figure-bars-column = { $of ->
        [sizes] size
       *[reuse] distance
    }
