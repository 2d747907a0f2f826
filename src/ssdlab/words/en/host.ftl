# What of a host speaks against measuring, and what a run sets on it.

## Settings
host-no-poll-queues = its driver made no poll queues
host-remedy-poll-queues = `nvme.poll_queues=4` on the kernel's command line; no more than there are processors
host-offers-only = the kernel offers only { $offered }
host-not-accepted = the kernel accepted it and did not do it
host-not-noted = nothing was changed, because it could not be noted in { $directory }: { $error }
host-run = the run of { $at } on { $device } (process { $process })
host-knob-preference = energy preference
host-knob-is = { $knob } is { $now }, wanted is { $wanted }
host-knob-obstacle = { $setting }; { $obstacle }
host-knob-needs-root = { $setting }, and only root may set it
host-knob-run-sets = { $setting }; a run sets it, and puts it back
host-remedy-obstacle = load the driver or the kernel module that offers it
host-remedy-root = run as root

## The drive's link, polling, processors
host-link = the link is { $link }
host-rate = { $speed } GT/s x{ $lanes }
host-rate-drive-can = { $now }, the drive can { $best }
host-rate-slot-can = { $now }, the drive can { $best }, the slot { $slot }
host-rate-slot-unknown = { $rate }; what the slot can is not known
host-remedy-slot = the numbers are those of this slot; move the drive to a better one
host-remedy-link = reseat the drive, look at `dmesg` and at the slot's settings in the BIOS
host-link-saves-power = the link may save power ({ $states }): what comes after a pause waits for it to wake
host-remedy-aspm = `echo performance > /sys/module/pcie_aspm/parameters/policy`, or `pcie_aspm=off` on the kernel's command line
host-cannot-poll = completions cannot be polled for: { $why } (`poll_queues` of the module `nvme` is { $asked }); `hipri` will be dropped
host-unknown = unknown
host-no-frequency = the kernel does not choose the processors' frequency, as in virtual machines

## Activity
host-cpu-busy = the processors are busy for { $busy } % of the time, and nothing is measured yet
host-remedy-cpu-busy = stop what runs (`top`); a busy host is slow to submit and to complete
host-memory = { $free } of memory are available
host-remedy-memory = stop what uses it; fio keeps its logs in memory until a job ends
host-swaps = the host swaps ({ $swapped } while looking)
host-remedy-swaps = stop what uses the memory; a measuring program that waits for its own pages measures those
host-other-io = somebody moved { $moved } from or to the drive while looking
host-remedy-other-io = stop what uses it (`iotop`, `lsof`)

## Records of what a run set
host-record-others-write = others can write there
host-record-foreign = it names what no run sets

## Threads of a core
host-smt-on = on
host-smt-off = off
host-smt-off-until-boot = off until the next boot
host-smt-none = none, one thread a core
host-smt-unknown = unknown: this kernel cannot switch it
host-smt-threads = on, { $count } threads a core
host-back-restored = restored
host-back-unchanged = is as it was
host-back-needed = left: another run needs it, and will put it back
host-back-changed = left: it was changed meanwhile by somebody else
host-back-gone = is gone with its drive
host-back-failed = could not be restored
