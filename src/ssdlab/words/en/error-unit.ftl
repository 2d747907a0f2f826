# Quantities that cannot be read.

unit-no-share = `{ $text }` is not a share
unit-write-share = write it like `75%` or `1/128`
unit-no-bandwidth = `{ $text }` is not a bandwidth
unit-add-unit = add a unit: `1350MB/s`
unit-no-quantity = `{ $text }` is not a { $asked ->
        [size] size
       *[duration] duration
    }
unit-too-large = `{ $text }` is too large for a { $asked ->
        [size] size
       *[duration] duration
    }
unit-write-with-unit = write it like `{ $example }`; units are { $units }
unit-form = `{ $form }`
unit-write-one-of = write { $forms }
unit-write-like = write it like `{ $example }`
unit-has-none = `{ $text }` has no unit
unit-write-in-quotes = write it in quotes like `{ $example }`
unit-nothing = `{ $text }` is nothing
unit-write-size = write a size above zero like `128KiB`
unit-write-duration = write a duration above zero like `30s`
unit-out-of-range = `{ $text }` is out of range
unit-share-range = a share is above 0 and at most `100%`
unit-no-multiple = `{ $text }` is no multiple
unit-write-multiple = write how many times the drive is written like `2x`
unit-no-rate = `{ $text }` is no rate
unit-write-rate = write bytes a second like `15MiB/s`
unit-no-read-share = `{ $text }` is no share of reads
unit-write-read-share = write a whole per cent from `0%` to `100%`
unit-no-load = `{ $text }` is no load
unit-write-load = write a share of the saturation from `0.5%` to `200%`, in hundredths of a per cent at the finest
unit-no-percentile = `{ $text }` is no percentile
unit-write-percentile = write one from `50%` to `99.9999%`, such as `99.9%`
unit-no-mix = `{ $text }` is no mix
unit-write-mix = write `read`, `write`, or both shares like `r70w30`
unit-no-depth = `{ $text }` is no queue depth
unit-write-depth = write a whole number from 1 to { $most } like `256`
unit-list-repeats = the list is empty or says something twice
unit-name-once = name each value once
unit-no-series = `{ $text }` is no series of values
unit-write-list-or = write a list, or `{ $example }`
unit-series-length = `{ $text }` is no series of 1 to { $most } values
unit-series-short = `{ $text }` would end at `{ $end }` and leave out `{ $last }`
unit-series-write = write `{ $series }`, or a list of the values
unit-step-meets = steps of `{ $step }` meet `{ $last }`
unit-no-ranges = `{ $text }` is no series of ranges
unit-no-list = `{ $text }` is no list
unit-write-list = write the values in brackets, separated by commas
