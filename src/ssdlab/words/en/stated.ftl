# Facts that the operator states beside the lab.

stated-not-printable = has control characters, line breaks or characters that hide or reverse others
stated-unreadable = `{ $text }` cannot be read
stated-one-quantity = a value has one of `speed`, `iops`, `consistency` and `latency`; this one has { $count }
stated-speed-or-iops = sequential loads are stated as `speed`, random ones as `iops`
stated-percentile-of-latency = `percentile` belongs to a `latency`
stated-state-of-writes = `state` belongs to `speed` or `iops` of writes
stated-photo-too-long = the photo is longer than { $most } bytes
stated-photo-too-large = the photo has more than { $most } pixels
stated-photo-unreadable = this is no PNG or JPEG that can be decoded
stated-photo-elsewhere = the photo has to be a file beside this one: write its name without a directory
stated-not-utf8 = this is no text in UTF-8
stated-no-file = `{ $path }` is no file
stated-cannot-be-read = `{ $path }` cannot be read: { $why }
stated-too-long = it is longer than { $most } bytes

stated-title = Stated by the operator
stated-line = Stated by the operator: { $facts }
stated-class = Class
stated-class-client = client drive
stated-class-enterprise = enterprise drive
stated-class-industrial = industrial drive
stated-class-external = external drive
stated-controller = Controller
stated-flash = Flash
stated-heatsink = Heatsink
stated-purged-by = Purged beforehand by
stated-price = Price
stated-per-gb = Price per GB
stated-amount = { $amount } { $currency }
stated-amount-on = { $amount } { $currency } ({ $day })
stated-amount-per-gb = { $amount } { $currency }/GB
stated-price-and-per-gb = { $price }, { $per_gb }
stated-notes = Notes
stated-photo-of = Photo of { $drive }
stated-ambient = Ambient temperature
stated-memory = Memory modules
stated-slot = Slot of the drive
stated-adapter = Adapter
stated-boot-drive = Boot drive
stated-power-supply = Power supply
stated-case = Case
stated-driver = Driver

stated-datasheet = Datasheet
stated-datasheet-of = Datasheet of { $drive }
stated-datasheet-caption = What the datasheet states, against what was measured. “Meets”: the 95 % interval holds the stated value or the two differ by no more than 3 %; of consistency without an interval, by less than 1.5 %.
stated-datasheet-label = Values of the datasheet
stated-column-stated = Stated
stated-column-measured = Measured
stated-column-of = Measured as
stated-column-promise = Against the datasheet
stated-exceeds = exceeds
stated-meets = meets
stated-misses = misses
stated-untold = cannot be told
stated-summary = Datasheet: { $counts }
stated-count = { $promise ->
    [exceeded] exceeds { $count }
    [met] meets { $count }
    [missed] misses { $count }
   *[untold] cannot be told of { $count }
}
stated-not-measured = this run did not measure it
stated-check-failed = a check of this number failed: { $checks }
stated-sequential-read = sequential read
stated-sequential-write = sequential write
stated-random-read = random read
stated-random-write = random write
stated-within-cache = within the cache
stated-sustained = sustained
stated-latency-mean = mean latency
stated-latency = { $percent } % latency
stated-at-point = { $load } ({ $point })
stated-endurance = endurance
stated-between = { $low } to { $high }
stated-by-wear = bytes written for each per cent of wear that the drive counts, times 100
stated-too-little-wear = the drive counts { $used } % of its endurance as used; its counter of whole per cent tells enough from { $least } %
