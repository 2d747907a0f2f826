#!/bin/sh
# Runs every job file here with the installed fio and keeps its JSON beside it: record.sh SCRATCH_DIRECTORY [CASE...]
# nbd_sync needs a drive served there: ssdlab vdrive serve demo --socket nbd
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
[ -f big ] || dd if=/dev/urandom of=big bs=1M count=1024 status=none
[ -f small ] || dd if=/dev/urandom of=small bs=1M count=16 status=none
truncate -s 256M hole
sync
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.fio | sed 's/\.fio$//')
for case in "$@"; do
    format=json
    case $case in *clean | *grouped | *ramp | *with_logs) format=json+ ;; esac
    rm -f scratch
    if [ "${case#./}" = stopped ]; then
        timeout --signal=INT 2 fio --output-format="$format" --output="$here/$case.json" "$here/$case.fio" || true
    else
        fio --output-format="$format" --output="$here/$case.json" "$here/$case.fio" || echo "$case: status $?" >&2
    fi
done
