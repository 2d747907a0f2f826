# The first screen of a report: each number in it is a metric of the run.

verdict-capacity = { $capacity }
verdict-virtual = virtual drive
verdict-firmware = firmware { $firmware }
verdict-runs = { $count ->
    [one] run { $status }
   *[other] { $count } runs { $status }
}
verdict-imported = measured by { $program }, not by ssdlab
verdict-label = Verdict
verdict-tiles = Key numbers
verdict-note = In parentheses and below the numbers: 95 % intervals.
verdict-median-of-runs = Numbers are medians of { $count } runs of this drive.
verdict-hero-above = “{ $title }” is the first figure of this page.

verdict-measured = { $value } ({ $low } to { $high })
verdict-labelled = { $label } { $value }
verdict-labelled-unknown = { $label } unknown ({ $why })
verdict-of-point = { $point }: { $quantity }
verdict-place = { $place ->
    [1] best of { $count }
   *[other] place { $place } of { $count }
}
verdict-places = place { $first } to { $last } of { $count }, tied
verdict-folding-speed = speed while folding, pass 1
verdict-speed-of-pass = mean speed, pass 1
verdict-fresh-speed = fresh { $load }
verdict-fresh-lost = written when the fresh speed of { $load } was lost

verdict-sentence = { $told }.
verdict-within-cache = Pass 1 ({ $state }): { $speed } within an SLC cache of { $size }
verdict-cache = { $within }; past it, { $after }.
verdict-folding-then-direct = first { $folding } while folding, then { $direct } writing directly
verdict-direct-then-folding = first { $direct } writing directly, then { $folding } while folding
verdict-folding = { $folding } while folding
verdict-no-cache = SLC cache unknown: { $why }.
verdict-no-cache-level = Pass 1 ({ $state }): level at { $speed }; { $why }.
verdict-no-cache-found = Pass 1 ({ $state }): { $speed } on average; { $why }.
verdict-no-cache-mean = Pass 1 ({ $state }): { $speed } on average; SLC cache unknown: { $why }.
verdict-pass = The whole of pass 1 took { $duration } at { $mean } on average; the slowest 1 % of its windows stayed at or below { $slowest }.
verdict-later-pass = Pass { $number } ({ $state }): { $mean } on average
verdict-later-pass-cache = { $told }, with an SLC cache of { $size }.

verdict-written = { $value } { $label }
verdict-mixed = { $load } reads and writes mixed { $value }
verdict-sync = synchronous { $load } writes { $value }
verdict-shallow = With few I/Os in flight: { $parts }.
verdict-reclaim = Cache recovery: { $parts }.
verdict-reach = Random reads stay fast within { $reach }: the reach of the mapping cache.
verdict-steady = Sustained writes: { $parts }.
verdict-fresh = Fresh drive, { $load }: { $speed }.
verdict-fresh-until = Fresh drive, { $load }: { $speed }, until { $written } were written.
verdict-deep = With { $depth } I/Os in flight: { $parts }.
verdict-latency = Mean latency with one I/O in flight: { $parts }.
verdict-profiles = Best of the runs: { $parts }.
verdict-boot-passed = It passes BootBench: { $speed } by { $readers } readers at once within its limits.
verdict-boot-missed = It does not pass BootBench: { $speed } by { $readers } readers at once within its limits.
verdict-boot-none = It does not pass BootBench: { $why }.
verdict-generator-late = At { $late } of { $loads } offered rates the host itself submitted late: what is told of them may be the host's doing, not the drive's.
verdict-within = Highest rates with 99.9 % of the I/Os done within { $limit }: { $parts }.
verdict-amplified-counted = Uniform random writes ({ $state }) write { $times } bytes to flash for each byte of the host, by the drive's own counters: as much as { $spare } of spare space explain.
verdict-amplified-implied = Uniform random writes ({ $state }) write { $times } bytes to flash for each byte of the host, as their speed implies: as much as { $spare } of spare space explain.
verdict-kept-apart = It keeps hot and cold data apart: { $share } of the way from all data in one stream to each zone apart (grade { $grade }).
verdict-not-kept-apart = It does not keep hot and cold data apart: { $share } of the way from all data in one stream to each zone apart (grade { $grade }).
verdict-kept-apart-unclear = Whether it keeps hot and cold data apart is not clear: { $share } of the way from all data in one stream to each zone apart (grade { $grade }).

verdict-pass-number = Pass { $number }
verdict-pass-in-state = Pass { $number } ({ $state })
verdict-sustained-mean = { $begun }: { $mean } on average.
verdict-sustained-short = { $begun }: { $mean } on average; whether it is flat is unknown: { $why }.
verdict-sustained = { $begun }: { $mean } on average, { $worst } in its worst second
verdict-sustained-flat = { $speeds }; it is flat.
verdict-sustained-uneven = { $speeds }; it is not flat.
verdict-sustained-fell = { $speeds }; it fell after a cache of { $fell }.
verdict-bad-bytes = Read back: { $count } are not what was written.
verdict-read-back-unknown = Read back: whether it is what was written is unknown: { $why }.
verdict-all-as-written = Read back: every byte is what was written.
verdict-as-written-so-far = Read back in part: what was read is what was written.

verdict-program = { $program } measured { $parts }.

verdict-portrait-open = No answer is sure enough to be told first: the portrait has the reasons.
verdict-portrait-cache = SLC cache: { $facts }.
verdict-portrait-inside = Structure: { $facts }.
verdict-portrait-buffer = Buffers: { $facts }.

verdict-of-first-pass = pass 1: { $quantity }
verdict-slc-on-empty = { $size } on the empty drive
verdict-slc-on-full = { $size } on the full drive
verdict-slc-largest = SLC cache, empty drive
verdict-slc-smallest = SLC cache, full drive
verdict-reclaim-rate = SLC cache recovers at
verdict-management-block = mapped in blocks of
verdict-units = parallel units
verdict-channels = channels
verdict-mapping-reach = mapping cache covers
verdict-read-page = read page
verdict-stripe = stripe
verdict-write-buffer = write buffer
verdict-drain-rate = write buffer drains at
verdict-flush-cost = flush
verdict-read-buffer = read buffer
verdict-spare = spare flash, share
verdict-reads-beside-writes = reads beside writes, p99

verdict-idle = { $load } with idle time between, beside writes without a rest: { $parts }.
verdict-recovered = After writes of another kind the drive was back at 95 % of its speed within { $after }.
verdict-not-recovered = After writes of another kind the drive did not recover: { $why }.
verdict-recovery-unknown = Whether the drive recovered after writes of another kind is unknown: { $why }.
verdict-operating = { $label } { $rate }, answered after { $response } on average
verdict-demand = Operating points: { $parts }.
verdict-demand-not-steady = Operating points of a drive that was not steady yet: { $parts }.
