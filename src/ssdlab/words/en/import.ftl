# Results of other programs: what their readers refuse and do not know.

import-rounded-to-zero = printed as 0: less than its last digit
import-twice = `{ $name }` has two values of `{ $metric }`, and nothing tells which of them counts
import-one-run-a-file = give the results of one run in one file

# sysbench

import-sysbench-no-fileio = `{ $name }` is sysbench's and has no whole result of its test `fileio`
import-sysbench-run = keep all that `sysbench fileio run` prints

# DiskSpd

import-diskspd-no-io = `{ $name }` is DiskSpd's, and no time span in it did any I/O
import-diskspd-cut = `{ $name }` is DiskSpd's and lacks the results of its time spans

# CrystalDiskMark, elbencho, IOzone, vdbench, Phoronix Test Suite, HD Tune, SSD-iq

import-too-many-rows = `{ $name }` has more than { $most } rows, no result does
import-elbencho-no-io = `{ $name }` is elbencho's, and no phase in it read or wrote
import-iozone-no-unit = `{ $name }` is IOzone's and does not say in what unit its output is
import-iozone-no-rows = `{ $name }` is IOzone's and has no row of results
import-iozone-whole = keep all that IOzone prints, from its heading on
import-iozone-invalid = `{ $name }` is of a run that verified its data, and IOzone says that its measurements are invalid then
import-iozone-not-verified = measure without `-V`
import-vdbench-no-average = `{ $name }` is vdbench's and has no line `avg_` of a run
import-vdbench-file-system = `{ $name }` is of vdbench's operations on file systems, whose columns are others
import-vdbench-raw = reports of runs on devices (`sd=`, `wd=`) can be read
import-phoronix-systems = `{ $name }` compares { $systems } systems
import-phoronix-one = give the file of one system
import-phoronix-no-result = `{ $name }` is of the Phoronix Test Suite and has no result with one value
import-hd-tune-heading = `{ $name }` is HD Tune's, and not the text of its benchmark
import-hd-tune-several = `{ $name }` has more than one benchmark of HD Tune
import-hd-tune-benchmark = save or copy the text of the tab `Benchmark`
import-ssd-iq-no-rows = `{ $name }` is of SSD-iq and has no run of two whole rows
