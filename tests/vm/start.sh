# The first process of a guest: starts the agent, reaps orphans, and ends the machine when the agent ends.
export PATH="$1":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
# QEMU 7.2 does the gathers of AVX2 wrongly, and numpy crashes on them.
export NPY_DISABLE_CPU_FEATURES=X86_V3
here=$(dirname "$0")
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 share /mnt
ip link set lo up
"$here/../../.venv/bin/python" -I -S "$here/agent.py" /dev/vport*p1 &
wait $!
echo o >/proc/sysrq-trigger
sleep 60
