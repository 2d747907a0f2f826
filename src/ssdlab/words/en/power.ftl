power-sampled-slowly = the log has a sample every { $period_ms } ms, and the edges of bursts of 200 ms need one at least every { $most_ms } ms
power-log-short = the log covers { $log_s } s, and the run took { $run_s } s between its marks
power-log-long = the log covers more than { $hours } h
power-log-empty = the log has no sample with a value
power-no-marks =
    { $place ->
        [start] the run made no power marks at its start
       *[end] the run made no power marks at its end
    }
power-marks-not-found =
    { $place ->
        [start] the log does not show the marks of the run's start
       *[end] the log does not show the marks of the run's end
    }
power-marks-apart = the log has something like the marks, but nowhere { $apart_s } s apart as in the run: the nearest two are { $off_s } s off
power-marks-ambiguous = the marks fit the log equally well at more than one place
power-marks-noisy =
    { $place ->
        [start] of the marks of the run's start { $edges } edges stand out of the noise and agree, and { $needed } are needed
       *[end] of the marks of the run's end { $edges } edges stand out of the noise and agree, and { $needed } are needed
    }
power-marks-one-sided =
    { $place ->
        [start] of the marks of the run's start { $rises } beginnings and { $falls } ends of bursts agree, and { $needed } of each are needed
       *[end] of the marks of the run's end { $rises } beginnings and { $falls } ends of bursts agree, and { $needed } of each are needed
    }
power-clock-unsure = the time of the log is known to ± { $error_ms } ms only, and ± { $most_ms } ms are allowed
power-drift-impossible = the clock of the meter would be { $drift_ppm } ppm off, which no crystal is
power-hint-rate = record with a higher sampling rate
power-hint-whole-run = record from before the run begins until after it ends, without a pause
power-hint-cut = cut the log to the time of the run
power-hint-marks = measure again with `ssdlab run --power-marks`, to its end
power-hint-not-found = make sure that the log is of this run and of the supply of the drive under test, and record with a higher sampling rate
power-hint-other-run = make sure that the log is of this run and was not interrupted
power-log-unknown = { $file } is no power log that ssdlab can read
power-line-damaged = { $file }, line { $line } behind its heading: no sample of as many numbers as the heading names
power-head-damaged = { $file }: what describes its samples is damaged
power-not-closed = { $file }: its recording was never closed, or is still going on
power-no-order = { $file }, line { $line } behind its heading: its time is not after that of the line before
power-impossible = { $file }, sample { $line }: a power that no drive draws
power-no-mean = { $file } has the power of each moment in a column `{ $column }` alone, which is not the mean
power-hint-mean = save the mean power, from which energies are computed
power-no-columns = { $file } names no column of time, or none of power nor pairs of voltage and current
power-columns-unclear = { $file } does not tell by the names of its columns which of them make the power: several are of one quantity of one channel, or power of no channel stands beside channels
power-two-totals = { $file } has the total of more than one module
power-no-period = { $file } does not say how long a sample is
power-no-pyjls = { $file } is a JLS file, which needs Joulescope's reader
power-hint-kinds = these are read: { $kinds }
power-hint-as-saved = give the file as the meter's program saved it
power-hint-close = end the recording; if it was cut off, open a copy of the file with the meter's own program, which mends it, and give that
power-hint-channels = save the power, or voltage and current, of the drive's supply, with a heading
power-hint-one-channel = save the channels of the drive under test alone
power-hint-one-power = save one column of power, or of voltage and current, of each channel, or the total alone
power-hint-period = give it as it was set, such as `--period 4us`
power-hint-pyjls = install it with `pip install 'ssdlab[power]'`
power-imported = { $path } is the result of another program
power-probes = { $path } was made by probes
power-resumed = the run was stopped and went on, and its clock did not count the time between
