# What a sustained write says first.

sustain-flat-means = A pass is flat if { $share } % of its seconds are within { $within } % of their median, and the line of best fit through them moves by no more than { $within } % of their mean from one end of the pass to the other.
sustain-flat = flat
sustain-not-flat = not flat
sustain-flat-unknown = not known whether flat: { $why }
sustain-pass = pass { $number }: { $mean } mean, { $verdict }
sustain-pass-because = pass { $number }: { $mean } mean, { $verdict } ({ $why })
sustain-worst = pass { $number }: worst second { $worst }; of the time { $shares } of the median
sustain-share = { $value } % under { $share } %
sustain-fell = pass { $number }: fell after { $written }
sustain-need = pass { $number }: { $met } % { $need }
sustain-need-least = at least { $met } % { $need }
sustain-passes = { $count } passes: { $slowest } to { $fastest } mean, { $flat }
sustain-too-short = too short to say whether flat
sustain-so-many-flat = { $flat } flat
sustain-so-many-flat-of = { $flat } flat of { $judged } long enough to say
sustain-totals = of { $count } of them no more is kept than what they come to: { $extremes }
sustain-slowest-pass = slowest { $speed } (pass { $number })
sustain-fastest-pass = fastest { $speed } (pass { $number })
sustain-worst-second = worst second { $speed } (pass { $number })
sustain-retained = re-read at { $speed }, { $percent } % { $of }
sustain-retained-unknown = re-read at { $speed }; what that is against the day of writing is not known: { $why }
sustain-verified-unknown = verified: not known: { $why }
sustain-verified-bad = verified: { $count } bytes are not what was written
sustain-not-verified = not verified: what was read is what was written, but the reading was stopped before its end
sustain-verified = verified: every byte is what was written

sustain-column-mean = mean
sustain-column-worst = worst second
sustain-column-under = under { $share } %
sustain-column-flat = flat
sustain-column-fell = fell after
sustain-row = pass { $number }
sustain-bad-kind = { $kind }: { $meaning }
sustain-elsewhere = elsewhere
sustain-stale = stale
sustain-zero = zero
sustain-corrupted = corrupted
sustain-foreign = foreign
sustain-unreadable = unreadable
sustain-means-elsewhere = whole data of another place
sustain-means-stale = whole data of an earlier pass or run
sustain-means-zero = nothing but zeros
sustain-means-corrupted = the right data with wrong bits
sustain-means-foreign = nothing that was written by this run or another of ssdlab
sustain-means-unreadable = an error in place of data
sustain-chunk-odd = a chunk of { $size } cannot be written at once
sustain-hint-chunk = give a multiple of 4 KiB up to 1 GiB: `--chunk 64MiB`
sustain-record-small = a record of { $record } is less than a chunk of { $chunk }
sustain-hint-record = make the record larger or the chunk smaller
sustain-no-passes = { $passes } passes write nothing
sustain-hint-passes = give a number from 1 on, or `forever`
sustain-tag-odd = the tag `{ $tag }` cannot be part of a name
sustain-hint-tag = use letters, digits, `-`, `_` and `.`: `--tag shelf-2`
sustain-no-room = { $asked } cannot be written where { $room } may be used
sustain-hint-room = ask for less with `--total`, or leave less with `--leave`

## What will be done
sustain-will-read = reads { $size }
sustain-will-go-on = writes { $size } again and again{ $verify ->
    [none] { "" }
   *[other] { "" } and reads it back
}, until Ctrl-C
sustain-will-write = writes { $times ->
    [1] { "" }
   *[other] { $times } times{ " " }
}{ $size }{ $verify ->
    [none] { "" }
    [after] , reads it back once
   *[each-pass] , reads it back each time
}
sustain-will-write-nothing = nothing is written
sustain-will-make-files = makes files of its own in `{ $directory }` and touches nothing else there
sustain-will-lose = what is on `{ $target }` is lost: its first { $size } are written over
sustain-will-trim-and-lose = what is on `{ $target }` is lost: its first { $size } are written over and all blocks are given back first
sustain-takes = takes { $slow } at 100 MiB/s, { $fast } at 1000 MiB/s
sustain-pass-takes = a pass takes { $slow } at 100 MiB/s, { $fast } at 1000 MiB/s
sustain-takes-again = takes { $time } { $at }
sustain-pass-takes-again = a pass takes { $time } { $at }
sustain-at-speeds = at the speed of { $date }: written at { $write }, read at { $read }
sustain-with-rests = { $took }, { $rest } of it rests
