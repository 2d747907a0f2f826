# Faults of suites, and why steps are not needed.

## Steps that are not needed
suite-skip-beyond-end = its range ends beyond the drive's { $capacity }
suite-skip-small-blocks = its blocks are smaller than the drive's logical blocks of { $block }
suite-skip-large-drive = the drive has { $capacity }, the suite does this only up to { $limit }
suite-skip-settled = RSE of the last { $runs } runs { $error } % < { $limit } %
suite-choose = choose from { $known }
suite-did-you-mean = did you mean `{ $guess }`? choose from { $known }
suite-none-such = there is no suite `{ $name }`
suite-own-file = give the path of a TOML file to run your own
suite-too-long = `{ $path }` is no suite: it is longer than { $most } bytes
suite-no-utf-8 = `{ $path }` is no text in UTF-8: { $why } at byte { $at }
suite-unreadable = `{ $path }` cannot be read: { $why }
suite-builtin-are = built-in suites are { $names }
suite-no-profile = suite `{ $suite }` has no profile `{ $profile }`
suite-no-engine = suite `{ $suite }` is measured by { $engines }, not by { $engine }
suite-needs-load-engine = only ssdlab's own engine does what this step asks: say `engine = "load"` under `[suite]`
suite-needs-live-windows = `until` is judged ten times a second while the point runs, which fio does not tell: say `engine = "load"` under `[suite]`
suite-until-without-limit = is missing; `until` needs the `limit` at which it gives up
suite-until-with-amount = says the end already; `until` goes with `limit` alone
suite-until-repeated = measures until the mean is known, so nothing is left for `repeat`
suite-tail-and-budget = is missing; `tail` and `budget` go together
suite-tail-without-until = is missing; `tail` says for what a point goes on that would end by `until`
suite-budget-below-limit = is less than the `limit`, which it is to exceed
suite-at-most-below-least = is shorter than `at_least`
suite-fault = { $place }: { $where }: { $fault }
suite-missing = is missing
suite-not-allowed = `{ $found }` is not allowed here; allowed is { $expected }
suite-no-whole-number = `{ $found }` is no whole number
suite-number-in-quotes = `"{ $found }"` is a text; write the number without quotes
suite-no-text = `{ $found }` is no text; write it in quotes
suite-too-small = `{ $found }` is too small; the least is { $least }
suite-too-large = `{ $found }` is too large; the most is { $most }
suite-text-too-long = `{ $found }` is too long; the most is { $most } letters
suite-no-name = `{ $found }` is no name here; it must match `{ $pattern }`
suite-empty = is empty; write each step under a `[[step]]`
suite-no-table = `{ $found }` is no table
suite-no-steps = `{ $found }` is no list; write each step under a `[[step]]`
suite-with-hints = { $fault } ({ $hints })
suite-no-kind = `{ $kind }` is no kind of step ({ $choice })
suite-kind-missing = is missing ({ $choice })
suite-unknown-key = unknown key ({ $choice })
suite-found = { $fault }, found `{ $found }`
suite-absurd = a number has thousands of digits, or tables are nested by the thousand
suite-no-such-profile = `{ $profile }` is no profile of this suite; { $choice }
suite-profile-needs-load = is judged ten times a second while a point runs, which fio does not tell: say `engine = "load"` in the profile
suite-profile-tail-without-until = is missing; `tail` says for what a point goes on that would end by it
suite-standard-profile = is the suite as it stands; choose another name
suite-same-name = the step of line { $line } is called `{ $name }` too; give this one another name
suite-unfit = suite `{ $suite }` does not fit `{ $target }`: { $faults }
suite-quick-fits = `--profile quick` fits: it scales sizes and times down, and its numbers are not comparable
suite-larger-drive = a virtual drive can have another size: `{ $example }`
suite-too-many-steps = it comes to more than { $most } steps
suite-too-much-time = it takes { $time }, more than ten years
suite-unit-unknown = step `{ $step }` uses blocks of the drive's indirection unit, and `{ $target }` does not say how large it is
suite-write-unit = copy the suite and write the size in place of `IU`, such as `bs = "16KiB"`

## What a drive cannot take
suite-writes-beyond = step `{ $step }` writes { $amount }, the drive has { $capacity }
suite-too-little-to-write = step `{ $step }` needs at least { $needed } to write, it would get { $given } of the drive's { $capacity }
suite-no-whole-blocks = step `{ $step }` uses blocks of { $block } bytes, which are no whole blocks of the drive ({ $logical } bytes)
suite-trims-beyond = step `{ $step }` trims { $wanted } of { $whole }
suite-trims-too-little = step `{ $step }` trims less than 1 MiB of { $whole }
suite-trims-too-little-of-drive = step `{ $step }` trims less than 1 MiB of the drive's { $capacity }
suite-no-sequential-region = step `{ $step }` leaves no sequential region: of the drive's { $capacity } the first { $random } are for random tests and the last { $free } free
suite-drive-too-small = step `{ $step }` needs at least { $needed }, the drive has { $capacity }
suite-too-many-runs = step `{ $step }` comes to { $count } runs of points, more than { $most }
suite-too-little-room = step `{ $step }` has { $room } to work in, too little for { $jobs } blocks of { $block }

## What a suite may not say together
suite-unknown-region = `{ $region }` is no region made by an earlier step ({ $choice })
suite-same-pattern = is that of an earlier step of this kind; their metrics would have one name
suite-at-most-low = `{ $most }x` is no more than `at_least`, `{ $least }x`
suite-steady-without-end = missing: say `at_most`, `limit` or both
suite-jobs-in-order = several jobs would each write in order from the same byte on: only random writes have more than one
suite-short-way-unpurged = the short way begins on a purged drive: put a `purge` right before this step, or leave `route` out
suite-window-at-random = an even capacity tells of sequential writes, not of random ones: near an extremum a slow rhythm is as even
suite-short-way-in-order = the short way leads to the balance of random writes, not of sequential ones
suite-short-way-by = the short way is judged on the writes after its pass and goes on by `held`, not by `{ $by }`
suite-short-way-collects = the drive collects already: what it had beside its capacity was written
suite-short-way-unproven = the short way begins on a fresh drive, and this purge proves nothing: the long way is taken
suite-say-or-sweep = is missing; say it here or sweep it
suite-swept-already = is swept already by `sweep.{ $key }`; say it in one place
suite-reads-swept-already = is the share of reads, which `sweep.read` sweeps already; say it in one place
suite-job-without-end = is missing; a job needs an `amount`, a `limit`, or both
suite-go-together = is missing; `at_most` and `until_rse` go together
suite-at-most-times = `{ $most }` is no more than `times`
suite-times-too-few = `{ $times }` is too small; the error is that of the last three runs
suite-weights-without-curve = needs a curve over shares of reads; sweep `read`
suite-weights-differ = weighs { $weighed }, the sweep's `qd` is { $swept }
suite-missing-depths = missing
suite-weights-sum = the weights add up to { $total }%
suite-column = column { $column }
suite-syntax = syntax

suite-rounds-nothing-tracked = step `{ $step }` tracks nothing that a drive with blocks of { $block } can do
suite-tracked-not-measured = is no cell of the sweep

## Mixes
suite-replay-small-drive = a trace is replayed on drives of 16 MiB and more
suite-replay-empty = `{ $path }` has no I/O that moves data
suite-replay-no-sectors = `{ $path }` has places or lengths that are multiples of { $step } only, and no drive has sectors smaller than { $sector }: replay a trace that was recorded at a block device
suite-replay-other-sectors = `{ $path }` has places or lengths that are multiples of { $step } only, and this drive has sectors of { $sector }: replay it on a drive with sectors of { $step } or less; some can be formatted so with `ssdlab purge --block-size`
suite-replay-discards = `{ $path }` has discards, and this drive cannot be given any: { $why }
suite-replay-no-times = `{ $path }` does not tell when its I/Os arrived: only the pace `as_fast` does without
suite-replay-no-latencies = `{ $path }` does not tell how long each I/O took, so that nobody knows what waited for what: choose another pace than `dependent`
suite-replay-pause = `longest_pause` belongs to the pace `idle`, and to no other
suite-replay-unwritten = what the trace reads must have been written before: put a `fill` before this step
mix-none-such = there is no mix `{ $name }`
mix-too-long = `{ $path }` is no mix: it is longer than { $most } bytes
mix-no-length = `{ $text }` is no length of an I/O: write whole sectors of 512 B up to 1 MiB, such as "4KiB"
mix-title-ours = { $title } (ours)
mix-too-little-room = a part of mix `{ $mix }` is shorter than one of its I/Os of { $length } bytes
mix-no-whole = the shares of `{ $key }` come to { $total } %, they must come to 100 %
mix-uneven-reads = the reads of all streams come to no whole per cent
mix-zipf-in-order = only random blocks follow zipf's law: say `order = "random"`
suite-mix-or-block = say either a `mix`, or `pattern`, `bs` and `read`
