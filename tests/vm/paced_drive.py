"""A drive of the guest's own that takes the same time for each command: a null block device behind NVMe over TCP, on the guest's own loopback.

Its time is kept by a timer of the guest's kernel and not by the host, as that of a drive of QEMU's is.
"""

SERIAL = "PACED"
PATH = "/dev/nvme0n1"
"""In a machine that has no other NVMe drive."""

SIZE_MIB = 160

_MADE = """\
set -e
modprobe null_blk nr_devices=0
modprobe nvmet_tcp
modprobe nvme_tcp
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
mkdir /sys/kernel/config/nullb/nullb0
cd /sys/kernel/config/nullb/nullb0
echo {size_mib} >size
echo 1 >memory_backed
echo 1 >discard
echo 1024 >hw_queue_depth
echo 2 >irqmode
echo {latency_ns} >completion_nsec
echo 1 >power
cd /sys/kernel/config/nvmet
drive=$PWD/subsystems/paced
mkdir $drive $drive/namespaces/1 ports/1
echo 1 >$drive/attr_allow_any_host
echo {serial} >$drive/attr_serial
echo -n /dev/nullb0 >$drive/namespaces/1/device_path
echo 1 >$drive/namespaces/1/enable
cd ports/1
echo tcp >addr_trtype
echo ipv4 >addr_adrfam
echo 127.0.0.1 >addr_traddr
echo 4420 >addr_trsvcid
ln -s $drive subsystems/paced
echo "transport=tcp,traddr=127.0.0.1,trsvcid=4420,nqn=paced,queue_size=1024,nr_io_queues=1" >/dev/nvme-fabrics
until [ -e {path} ]; do sleep 0.1; done
"""


def making(latency_ns: int) -> str:
    """Shell that makes it."""
    return _MADE.format(latency_ns=latency_ns, size_mib=SIZE_MIB, serial=SERIAL, path=PATH)
