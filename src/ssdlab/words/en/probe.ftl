# What probes ask, what they answer, and why the data does not say.

probe-answer = { $parts }
probe-notes = { $notes }
probe-not-identifiable = not identifiable: { $why }
probe-grade = grade { $grade }
probe-grade-none = grade not identifiable
probe-grade-claimed = grade claimed
probe-interval = 95 % interval { $low } to { $high }
probe-separation = { $errors } standard errors
probe-separation-over = over { $errors } standard errors
probe-halves-differ = halves of the data differ
probe-host-held-back = no more than a hint: { $share } of the time of its commands the host held replies back
probe-yes = yes
probe-no = no

probe-obstacle = { $reason }: { $explanation }
probe-reason-buffered = buffered
probe-reason-noisy = noisy
probe-reason-flat = flat
probe-reason-ambiguous = ambiguous
probe-reason-other-law = follows no law known here
probe-reason-not-supported = not supported

probe-no-such = there is no probe called `{ $name }`
probe-did-you-mean = did you mean { $names }?
probe-there-are = there are { $names }, `{ $quick }` and `{ $all }`; `ssdlab probes` says what each asks
probe-drive-too-small = the drive is too small
probe-takes = it takes { $size } MiB
probe-give-the-drive = give it the drive itself
probe-places-in-file = offsets in a file say nothing of places on the drive
probe-no-single-commands = `{ $engine }` does no single commands
probe-stood-still-again = measuring stood still, and did so again: { $standstills }
probe-too-small-for-fresh-places = the drive is too small for reads at fresh places
probe-cannot-force = the way to the drive has no word for it, so they are plain writes
probe-halves-differ-in-distance = the halves of the data say different distances
probe-halves-differ-in-size = the halves of the data say different sizes
probe-parts-differ = parts of the data say different things
probe-ratio-undecided = the ratio may be anything from { $low } to { $high }, and { $border } parts the two

probe-declared-question = What does the drive say of itself?
probe-declared-limits = a drive may say what it likes
probe-declared-npwg = NVMe: preferred write granularity (NPWG)
probe-declared-physical-block = the kernel's, the smaller of NPWG and AWUPF

probe-noise-question = How much do like commands scatter, and are unwritten blocks fast?
probe-noise-limits = it holds for reads of a quiet drive; writes scatter more
probe-noise-sigma-note = spread of the logarithm of the response time of one read, repeated; outliers do not count
probe-noise-correlation-note = of neighbours
probe-noise-outliers-note = beyond { $deviations } standard deviations
probe-noise-none = all reads take the same time
probe-noise-unsettled = the first half of the reads takes other times than the last, so that what scatters is not like reads
probe-noise-no-room = the drive has no room beside the region to be trimmed
probe-noise-unmapped-fast = fast
probe-noise-unmapped-slow = as slow as written
probe-noise-unmapped-note = { $share } of the time of a written block; probes of reads then need a written drive

probe-drift-question = Do reads become slower or faster by themselves as time goes by?
probe-drift-limits = a minute shows no trend that takes hours; warming up looks like a drift, and so does a host whose clock rate changes
probe-drift-steady = no drift
probe-drift-slower = reads become slower
probe-drift-faster = reads become faster
probe-drift-undecided = in a minute reads change by anything from { $low } to { $high } %
probe-drift-kind-note = no drift is less than { $percent } % in a minute
probe-drift-change-note = change of the response time of a read in a minute; outliers do not count

probe-read-ahead-question = Does the drive read ahead of a sequential reader?
probe-read-ahead-limits = where flash and link are as fast as each other, data that is there already saves little
probe-read-ahead-ratio-note = time of a sequential read over that of a random one, 4 KiB each, one in flight
probe-read-ahead-neighbours = reads in falling order save as much, and take { $ratio } of the time of random ones: neighbours of what was read are there, ahead of a reader or not

probe-read-buffer-question = Is what was just read still in the controller?
probe-read-buffer-limits = a buffer that keeps what is read often, or only what is read in order, does not show
probe-read-buffer-too-small = the drive is too small to read enough in between
probe-read-buffer-undecided = a page read again at once takes { $ratio } of the time, and { $border } parts the two
probe-read-buffer-present-note = a page of 4 KiB read again at once takes { $ratio } of the time
probe-read-buffer-gone = what was just read is not there any more
probe-read-buffer-gone-at-once = it is gone after the next read already
probe-read-buffer-still-there = after { $between } MiB in between it is still there
probe-read-buffer-or-mapping = a page read again takes { $ratio } of the time, after { $between } MiB in between, too: a buffer larger than that, or mappings that are kept one by one
probe-read-buffer-size-note = of random reads of 128 KiB in between

probe-read-page-question = How large is what one sense of the flash reads?
probe-read-page-limits = where the next page lies on another unit both are read side by side, and a straddle costs nothing
probe-read-page-flat = no places at one distance take longer to read: straddling costs nothing, or pages are read side by side
probe-read-page-finer = reads stand out every { $distance }, but may do so at a part of it, too
probe-read-page-halves = reads stand out every { $distance }, first at { $half }: so they do where units hold two pages of { $half } each, and two units are read side by side
probe-read-page-small-drive = a hint alone: a drive of less than { $least } may read units of its mapping one by one though they lie in one page
probe-read-page-note = a read that straddles takes { $longer } longer; pages of several planes count as one

probe-stripe-question = After how many bytes does the next data go to the same unit again?
probe-stripe-limits = it takes data written in order; a layout by hash, or one stripe of more than 2 MiB, shows nothing
probe-stripe-too-small = the drive is too small for reads far apart
probe-stripe-flat = at no distance, with all of its multiples, do eight reads take longer than at the others
probe-stripe-one-distance = only one distance stands out, which may be chance
probe-stripe-or-wider = eight reads wait for each other every { $width }, and longer every { $wider }: either may be the width, the other of something that units share
probe-stripe-or-narrower = eight reads wait for each other every { $width }, and at most multiples of { $narrower }, too: noise leaves open which is the width
probe-stripe-note = eight reads at this distance take { $times } times as long as at others

probe-units-question = How many reads can the flash do at once?
probe-units-limits = a drive that serves one command at a time, or whose flash is faster than its link, shows no two kinds of pairs; units that hold nothing but padding are not counted
probe-units-flat = all pairs take the same time: every read waits for the last, or none does
probe-units-unclear = { $share } of the pairs take longer, { $apart } standard deviations apart: no two clear kinds
probe-units-by-chance = { $share } of the pairs take longer each time, and by chance alone { $chance } would
probe-units-not-by-place = { $share } of the pairs take longer, those of some moments or of pages that were read fast alone: not by place
probe-units-fetched = reads take { $longer } longer than others near them: they fetch their mappings, and wait for each other there, too
probe-units-buffered = { $share } of the pairs have a read that the flash was not asked for: a buffer holds some of the pages
probe-units-few-stripes = pairs near each other wait more often than others: the stripe is too long for the region to hold every unit as often, and there are { $least } units or more
probe-units-note = that read at once: dies, or planes where planes read by themselves
probe-read-ahead-small-region = a hint alone: a buffer may hold all of a region of less than { $least }, and reads from it take as long in any order
probe-units-small-region = a hint alone: a region of less than { $least } has few pages, of which a buffer may hold some; dies, or planes where planes read by themselves
probe-units-no-whole-number = a hint alone: no whole number lies in the interval; dies, or planes where planes read by themselves

probe-corners-question = How long do reads and writes of every size take, in order and at random?
probe-corners-limits = two runs differ by what was written in between, too; compare a drive in the same state

probe-shift-write-question = How large is the block that a smaller write makes the drive copy?
probe-shift-write-limits = writes that a buffer takes show nothing; here each is forced through it, and a drive that ignores that looks flat
probe-shift-write-too-small = the drive is too small to shift writes through it
probe-shift-write-flat = no shift costs more than another: blocks are under { $least } B or over 2 MiB, or a buffer hides them
probe-shift-write-crossing = it may be no copy but a second place to write to: a write over two blocks costs little more, or one of a whole block no less than a part of it
probe-shift-write-halves = writes take longer at some of the boundaries of blocks of { $size }, too: it may be those
probe-shift-write-one-place = there is a step, but at one place only: blocks are over 2 MiB, if it is one
probe-shift-write-offset-note = where the first block begins, counted from the start of the drive
probe-shift-write-paper-flat = no shift stands out in the mean
probe-shift-write-paper-note = the paper's estimator; { $each }
probe-shift-write-arm = { $write } by { $step }: { $found } B

probe-placement-question = How are the pages of a read spread over channels?
probe-placement-limits = drives that read parts of a request from many places at once show a straight line or another law
probe-placement-line = read times grow like a straight line with the size
probe-placement-misfit = read times stay { $off } off every staircase, and noise explains { $noise }
probe-placement-parallel = the drive does several reads at once, and the equations are of one that does not
probe-placement-other-units = reads of one size after the other say units of { $unit }, but the stripe of { $width } has { $low } to { $high } that work side by side
probe-placement-no-return = the largest read does not come back to the first channel
probe-placement-no-page = inside a unit read times grow with every step of the size
probe-placement-other-page = read times grow with every { $page }, but small reads take longer at the ends of { $straddled } alone: what is moved piece by piece is no page
probe-placement-rivals = { $value } fits no better than { $others } other values
probe-placement-no-block = reads look the same in both kinds; it takes the management block, from `shift-write`
probe-placement-no-unit = the unit is not known, or larger than the management block
probe-placement-one-channel = 1-channel
probe-placement-multi-channel = multi-channel, k = { $pages }
probe-placement-no-k = multi-channel, but k takes the page, which is not known
probe-placement-kind-note = unit { $unit }, management block { $block }

probe-allocation-question = Do pages lie in the order of writing, or by address?
probe-allocation-limits = a drive with hundreds of units that read at once hides the waits; so does a link that is slower than the flash
probe-allocation-too-small = the drive is too small for windows to compare
probe-allocation-by-order = order-like
probe-allocation-by-address = address-like
probe-allocation-insensitive = no difference, but it is not known that spread pages would make one on this drive
probe-allocation-all-alike = after random writes every read takes as much longer, { $ratio } times: not pages spread by chance, but what the drive did meanwhile, or an order within places that the address gives
probe-allocation-others-each-time = after random writes reads take { $ratio } times as long, but not the same ones each time: not pages that wait for each other
probe-allocation-note = of the pages within 16 KiB; it says nothing of how larger blocks are placed
probe-allocation-ratio-note = time of a read of four pages after random writes, over that after sequential ones
probe-allocation-paper-note = the paper's estimator; T1 / T2 = { $ratio }

probe-write-buffer-question = How many bytes does the drive take before it waits for its flash?
probe-write-buffer-limits = an SLC cache that keeps up with the link, or a drive that writes through, shows no buffer
probe-write-buffer-no-slowdown = no slowdown with one rate after it: written through, drained as fast as it comes, or slowed down by other work
probe-write-buffer-slow-write = a write by itself takes more than half as long as a read of its size: it may go to the flash, to faster cells
probe-write-buffer-write-through = a write by itself takes about as long as one that waits: they are written through
probe-write-buffer-bursts-differ = every burst says another size: an SLC cache that is not given back each time, or other work
probe-write-buffer-small = a burst is slowed down after less than { $least } MiB
probe-write-buffer-large = the burst is over before the drain shows: the buffer is larger than this probe looks for, or it is a cache
probe-write-buffer-curved = once slowed down the drive does not take bytes at one rate
probe-write-buffer-note = the interval reaches up by what would have drained before the first program of a burst had ended

probe-flush-question = What does a flush cost?
probe-flush-limits = a drive may say that it has flushed when it has not; only losing power tells
probe-flush-cost-note = a flush after a write of 4 KiB
probe-flush-empty-note = a flush with nothing written before it
probe-flush-forced-note = forced 4 KiB write, over a buffered one
probe-flush-bulk-note = a flush after a write of 256 KiB
probe-flush-no-difference = no difference beyond noise: { $low } to { $high }
probe-flush-cheap = flushes are cheap: nothing to write, protected, or not honoured
probe-flush-fixed = a flush takes its time whatever was written: no sign that it writes what is buffered
probe-flush-writes-buffer = a flush writes what is buffered: no sign of protection
probe-flush-between = a flush costs { $low } to { $high } µs, one of nothing { $empty } µs: neither under { $cheap }, nor the same with nothing written, nor over { $costly } µs for what was written

probe-flush-window-question = After how much silence does the drive write out its buffer?
probe-flush-window-limits = where flushes are cheap nothing shows it; windows under 16 ms and over 8 s are not looked for
probe-flush-window-flat = a flush costs as much after { $silence } s of silence as at once
probe-flush-window-rounds-differ = the rounds say different silences
probe-flush-window-note = a flush of 4 KiB costs { $saved } less after a longer silence

probe-reach-question = How much of the drive does the mapping cache cover?
probe-reach-limits = a cache that covers the drive, or misses that hide behind a slower link, show no fall
probe-reach-one-end = reads fall at one end of the drive only: faster cells lie there, and not a limit of the mapping
probe-reach-or-buffer = reads fall where a read buffer of { $low } to { $high } ends: whether mappings do, too, is not seen
probe-reach-note = beyond it the speed falls by { $drop } up to the whole drive; limited by { $limit } inside
probe-reach-limit-flash = flash
probe-reach-limit-common = link or controller
probe-reach-limit-unknown = unknown

probe-slc-question = How large is the SLC cache, and what follows it?
probe-slc-limits = a cache that lasts for less than three windows of 100 ms is not seen; heat can look like its end, and so can the fall of a drive that writes through and pads, when its flash is used up
probe-slc-fresh-note = on a drive fresh out of the box
probe-slc-full-note = on a full drive that has rested
probe-slc-passes-differ = the two passes after a purge differ
probe-slc-end-differs = the end of the cache was elsewhere after another purge
probe-slc-class-note = class { $letter }: { $finding }

probe-reclaim-question = When, and how fast, does the SLC cache come back in silence?
probe-reclaim-limits = it takes a cache that half of the drive fills, and rests between none and all of it coming back

probe-interference-question = Do reads wait for writes?
probe-interference-limits = programs of one bit a cell can be as short as what it takes to suspend one; what a busy controller costs looks like waiting
probe-interference-overtakes = reads hardly wait for writes
probe-interference-waits = reads wait behind writes
probe-interference-delay-note = median of 4 KiB reads among four times as many writes of 128 KiB, eight in flight, over reads alone
probe-interference-no-delay = no delay beyond noise: { $low } to { $high }
probe-interference-tail-note = response time of reads beside writes; outliers count
probe-interference-between = the slower quarter of reads waits { $wait } µs and more: for a suspension or for a short program
probe-interference-some-wait = the slower quarter of reads waits { $wait } µs and more, as for a suspension, but one in twenty waits { $slowest } µs and more, as for a program
probe-interference-few-met = three quarters of the reads met no program, and of the others one in a hundred of all waits { $slowest } µs and more, as for a program
probe-interference-imprecise = the wait is known to { $error } µs only
probe-interference-order-note = the slower quarter of reads waits { $wait } µs and more; as long as a program only where it cannot be suspended

probe-spare-question = How much flash has the drive beyond its capacity, as its collection of garbage shows?
probe-spare-limits = it takes counters of what is written to the flash, which few drives show; compression and deduplication mislead it
probe-spare-no-sensors = its sensors were not read
probe-spare-no-counter = the drive does not count what it writes to its flash
probe-spare-counter-stuck = its counter of host writes did not move
probe-spare-unsteady = amplification still went from { $before } to { $last } from one pass to the next
probe-spare-amplification-note = by the drive's own counters, in the last of { $passes } passes of random writes
probe-spare-padded = more than the host asks is written before anything is collected: each write fills up a larger one
probe-spare-nothing-copied = nothing was copied: writes are done in place, or there is more spare than one pass fills
probe-spare-share-note = of the capacity, as far as collecting can use it; what is kept for bad blocks and faster cells is not in it
probe-spare-slowdown-note = speed of random writes of the first pass over the full drive, over that of the last

probe-thermal-question = At which temperature does the drive slow itself down?
probe-thermal-limits = reading may not heat a drive enough, and one that is cooled well never gets there
probe-thermal-not-told = the drive does not tell its temperature
probe-thermal-flat = reads are as fast at { $highest } °C as at { $first } °C, and it grew no warmer
probe-thermal-stayed-slow = reads stayed slower after the drive had cooled down: something else than heat
probe-thermal-slow-before = reads were slow before the drive had warmed up
probe-thermal-speed-note = speed of reads while slowed down, over that of a cool drive
probe-thermal-no-recovery = it stayed slow for as long as it was read from
probe-thermal-seen =
    { $times ->
        [one] seen once
       *[other] seen { $times } times
    }

# What an answer is of, a name a quantity.

probe-label-declared-capacity = declared capacity
probe-label-declared-logical-block = declared logical block
probe-label-declared-indirection-unit = declared indirection unit
probe-label-declared-physical-block = declared physical block
probe-label-declared-medium = declared medium
probe-label-noise-sigma = scatter of times
probe-label-noise-correlation = correlation of neighbouring times
probe-label-noise-outlier-share = share of outliers
probe-label-noise-unmapped-reads = reads of blocks never written
probe-label-drift-kind = drift
probe-label-drift-change-per-minute = drift a minute
probe-label-read-ahead-present = read-ahead
probe-label-read-ahead-time-ratio = read-ahead, time ratio
probe-label-read-buffer-present = read buffer
probe-label-read-buffer-size = size of the read buffer
probe-label-read-page-size = size of a read page
probe-label-stripe-width = stripe width
probe-label-units-count = parallel units
probe-label-management-block-size = mapped in blocks of
probe-label-management-block-offset = offset of mapped blocks
probe-label-placement-unit = placement unit
probe-label-placement-page = placement page
probe-label-placement-channels = placement channels
probe-label-placement-page-time = time of a further page
probe-label-placement-channel-time = time of a further channel
probe-label-placement-kind = kind of placement
probe-label-allocation-kind = kind of allocation
probe-label-allocation-time-ratio = allocation, time ratio
probe-label-write-buffer-size = size of the write buffer
probe-label-write-buffer-drain-rate = write buffer drains at
probe-label-flush-behaviour = behaviour of flushes
probe-label-flush-cost = flush
probe-label-flush-cost-nothing-written = flush of nothing written
probe-label-flush-cost-forced-write = added by a forced write
probe-label-flush-window-length = idle until the buffer is drained
probe-label-reach-bytes = mapping cache covers
probe-label-slc-largest = SLC cache, empty drive
probe-label-slc-smallest = SLC cache, full drive
probe-label-slc-after = what follows the SLC cache
probe-label-reclaim-delay = rest until the cache recovers
probe-label-reclaim-rate = SLC cache recovers at
probe-label-interference-order = reads beside writes
probe-label-interference-delay = reads delayed by writes
probe-label-interference-read-p99 = reads beside writes, p99
probe-label-spare-share = spare flash, share
probe-label-spare-amplification = write amplification
probe-label-spare-slowdown = slowdown by random writes
probe-label-thermal-onset = throttles at
probe-label-thermal-recovery = recovers at
probe-label-thermal-speed-share = share of speed, throttled
probe-label-corner-random-read = random read { $size }
probe-label-corner-sequential-read = sequential read { $size }
probe-label-corner-sequential-write = sequential write { $size }
probe-label-corner-random-write = random write { $size }
probe-label-flush-cost-256kib = flush of 256 KiB
