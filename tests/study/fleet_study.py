"""Does each run of a fleet end as one whole bundle, whatever dies meanwhile? `python -m tests.study.fleet_study`, as root.

Four hosts are network namespaces with an agent each, eight virtual drives outlive them, and PostgreSQL and the store are one each. While
runs go on, agents are killed, half of them with all that is at their drives; PostgreSQL is ended as by a crash; hosts lose their
network for a minute; the store goes away. Then each bundle, each connection of each drive and each journal is looked at.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median

from tests.kit.fleet_room import OVER, FleetRoom, Host, fleet_room
from tests.kit.processes import wait_until

from ssdlab.bundle.journal import Event, read_journal
from ssdlab.bundle.layout import JOURNAL
from ssdlab.bundle.manifest import require_as_listed
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.fleet import records
from ssdlab.fleet.database import connected
from ssdlab.fleet.records import FleetRun, FleetRunState

HOSTS, DRIVES = 4, 2
NETWORK = "10.77.26.0/24"
BRIDGE = "ssdlab26"
PARTITION_S, OUTAGE_S, IDLE_S, WAIT_S = 60, 20, 60, 2
LIMIT_S = 4 * 3600
ROUNDS_MORE = 3
# Eight runs without a rest would ask more of two processors than these have, and waits would tell of the machine.
SUITE = """
[suite]
name = "short"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "measure"
name = "write"
job = { pattern = "sequential", bs = "1MiB", amount = "32MiB" }
sweep = { read = ["0%"], qd = [4] }
[[step]]
kind = "rest"
name = "rest"
duration = "15s"
[[step]]
kind = "measure"
name = "read"
job = { pattern = "random", bs = "64KiB", amount = "16MiB", limit = "2s" }
sweep = { read = ["100%"], qd = [1, 2, 4] }
"""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """When hosts could not take a run up, because something they need was dead: until they were heard of again."""

    hosts: frozenset[str]
    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Ills:
    """How often what dies."""

    runs: int
    kills: int
    restarts: int
    partitions: int
    outages: int


def main() -> None:
    """Print what came of it; exit status 1 if anything is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, count in (
        ("runs", 200),
        ("kills", 100),
        ("restarts", 5),
        ("partitions", 3),
        ("outages", 2),
        ("seed", 26),
    ):
        parser.add_argument(f"--{name}", type=int, default=count)
    asked = vars(parser.parse_args())
    chance = random.Random(asked.pop("seed"))  # noqa: S311 - which one dies is no secret
    ills = Ills(**asked)
    server = (sys.executable, "-m", "ssdlab.drive.kinds.serve")
    with namespaces() as names, fleet_room(server, network=NETWORK) as room:
        for place, name in enumerate(names):
            drives = {f"VD-{place}-{drive}": "demo?capacity=256MiB" for drive in range(DRIVES)}
            host = room.add_host(name, drives)
            host.within = ("ip", "netns", "exec", name)
            host.start()
        room.wait_for_drives(HOSTS * DRIVES)
        begin_s = time.monotonic()
        disturbed = torment(room, ills, chance)
        print(f"{ills}")
        print(f"took {time.monotonic() - begin_s:.0f} s")
        faults = [*faults_of_runs(room, ills.runs), *faults_of_drives(room)]
        print_waits(room, disturbed)
        print_idle(room)
        print(
            "\n".join(faults)
            if faults
            else "each run is one whole bundle; no drive saw two runs at once; no finished step was lost"
        )
    sys.exit(bool(faults))


@contextmanager
def namespaces() -> Iterator[list[str]]:
    """A network of hosts around a bridge, which has the first address."""
    names = [f"bench26-{place}" for place in range(HOSTS)]

    def ip(*words: str) -> None:
        subprocess.run(("ip", *words), check=True)

    ip("link", "add", BRIDGE, "type", "bridge")
    try:
        ip("addr", "add", "10.77.26.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for place, name in enumerate(names):
            ip("netns", "add", name)
            ip("link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"v{name}", "master", BRIDGE, "up")
            ip("-n", name, "addr", "add", f"10.77.26.{place + 2}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
        yield names
    finally:
        for name in names:
            subprocess.run(("ip", "netns", "del", name), check=False)
        subprocess.run(("ip", "link", "del", BRIDGE), check=False)


def torment(room: FleetRoom, ills: Ills, chance: random.Random) -> list[Disturbed]:
    """Have runs done, and have what they need die meanwhile, spread over their course; when hosts were out of it.

    There are more runs than asked for where these would be over before all has died.
    """
    submit(room, -(-ills.runs // (HOSTS * DRIVES)))
    acts = (
        ["kill"] * ills.kills
        + ["restart"] * ills.restarts
        + ["partition"] * ills.partitions
        + ["outage"] * ills.outages
    )
    chance.shuffle(acts)
    disturbed = []
    for place, act in enumerate(acts):
        due = ills.runs * place / len(acts)
        wait_until(lambda due=due: done(room) >= due, f"{due:.0f} runs are over", LIMIT_S)  # type: ignore[misc]
        time.sleep(chance.uniform(0, 2))
        if sum(state not in OVER for state in room.states().values()) <= HOSTS * DRIVES:
            # An ill that meets no run shows nothing.
            submit(room, ROUNDS_MORE)
        print(f"{done(room)} of {len(room.states())} runs over: {act} at {datetime.now(UTC):%T.%f}", flush=True)
        begin = datetime.now(UTC)
        if hosts := do(act, room, chance):
            wait_until(lambda begin=begin, hosts=hosts: heard_since(room, begin) >= hosts, "hosts are back")  # type: ignore[misc]
            disturbed.append(Disturbed(hosts, begin, datetime.now(UTC)))
            print(f"{', '.join(sorted(hosts))} back at {disturbed[-1].end:%T.%f}", flush=True)
    room.wait_for_runs(LIMIT_S)
    return disturbed


def submit(room: FleetRoom, rounds: int) -> None:
    """So many runs on each drive."""
    suite = room.directory / "short.toml"
    suite.write_text(SUITE)
    room.submit(suite, "--drives", "serial=VD-*", "--repeat", str(rounds))


def heard_since(room: FleetRoom, moment: datetime) -> set[str]:
    """Hosts that the database was told of after that."""
    with connected(room.cluster.url) as connection:
        return {one.name for one in records.hosts(connection) if one.seen_at > moment}


def done(room: FleetRoom) -> int:
    """How many runs are over."""
    return sum(state in OVER for state in room.states().values())


def do(act: str, room: FleetRoom, chance: random.Random) -> frozenset[str]:
    """One ill, and its end; the hosts that can take up nothing meanwhile."""
    host = chance.choice(room.hosts)
    match act:
        case "kill":
            kill(host, chance)
            host.start()
            return frozenset({host.name})
        case "restart":
            room.cluster.stop("immediate")
            time.sleep(chance.uniform(0, 5))
            room.cluster.start()
            return frozenset(one.name for one in room.hosts)
        case "partition":
            subprocess.run(("ip", "link", "set", f"v{host.name}", "down"), check=True)
            time.sleep(PARTITION_S)
            subprocess.run(("ip", "link", "set", f"v{host.name}", "up"), check=True)
            return frozenset({host.name})
        case _:
            away = room.store.rename(room.store.with_name("away"))
            time.sleep(OUTAGE_S)
            away.rename(room.store)
            return frozenset()


def kill(host: Host, chance: random.Random) -> None:
    """The agent alone, or all of the host."""
    if chance.random() < 0.5:
        host.kill()
    else:
        host.kill_all()


def faults_of_runs(room: FleetRoom, least: int) -> Iterator[str]:
    """What is wrong with runs and their bundles."""
    runs = room.runs()
    if len(runs) < least:
        yield f"{len(runs)} runs"
    stored = Counter(path.name for path in (room.store / "runs").iterdir())
    if sorted(stored) != sorted(run.bundle or "" for run in runs):
        yield "the store has other bundles than the runs"
    for run in runs:
        if run.state is not FleetRunState.DONE:
            yield f"run {run.number} is {run.state.value}: {run.why}"
            continue
        yield from faults_of_bundle(room.store / "runs" / (run.bundle or ""))
    print(f"{len(runs)} runs, {sum(run.state is FleetRunState.DONE for run in runs)} done, {len(stored)} bundles")
    print(f"resumed: {sum(len(open_bundle(room.store / 'runs' / name).resumptions) for name in stored)} times")


def faults_of_bundle(path: Path) -> Iterator[str]:
    """Hashes, completeness, and whether a step was done again that was finished."""
    require_as_listed(path)
    bundle = open_bundle(path)
    if bundle.status is not RunStatus.FINISHED or bundle.faults or not bundle.metrics:
        yield f"{path.name}: {bundle.status.value}, {len(bundle.metrics)} metrics, {[str(fault) for fault in bundle.faults]}"
    said, _ = read_journal(path / JOURNAL)
    finished = Counter(one.data["index"] for one in said if one.event is Event.STEP_FINISHED)
    # What a drive's state requires is done again, and the journal says which steps these are.
    again = Counter(index for one in said if one.event is Event.RUN_RESUMED for index in one.data["redo"])
    for step, count in finished.items():
        if count > 1 + again[step]:
            yield f"{path.name}: step {step} was finished {count} times, and {again[step]} times it was to be done again"


def faults_of_drives(room: FleetRoom) -> Iterator[str]:
    """What the drives saw."""
    for host in room.hosts:
        for serial, drive in host.drives.items():
            yield from (f"{serial}: {overlap}" for overlap in drive.overlaps)


def print_waits(room: FleetRoom, disturbed: Sequence[Disturbed]) -> None:
    """How long a drive was free while a run waited for it, with all that it needs there, and otherwise."""
    free_s: list[float] = []
    hindered_s: list[float] = []
    with connected(room.cluster.url) as connection:
        by_serial: dict[str, list[FleetRun]] = {}
        for run in records.runs(connection):
            by_serial.setdefault(run.serial, []).append(run)
        for runs in by_serial.values():
            # A run that is taken up again after its agent died was taken up at its first time.
            told = [{one.told.id: one.at for one in reversed(records.happenings(connection, run.id))} for run in runs]
            triples = sorted(
                (one["fleet-taken-up"], one["fleet-over"], one["fleet-submitted"])
                for one in told
                if "fleet-over" in one
            )
            for (_, over, _), (taken_up, _, submitted) in pairwise(triples):
                free = max(over, submitted)
                met = any(
                    runs[0].host_name in one.hosts and one.begin < taken_up and one.end > free for one in disturbed
                )
                waited_s = (taken_up - free).total_seconds()
                (hindered_s if met else free_s).append(waited_s)
                if waited_s > WAIT_S and not met:
                    print(f"{runs[0].serial} was free at {free:%T.%f} and waited {waited_s:.1f} s")
    print(
        f"a free drive got its run: {said_of(free_s)}; where its host, or the database, was away in between: {said_of(hindered_s)}"
    )
    print(f"a host was back: {said_of([(one.end - one.begin).total_seconds() for one in disturbed])}")


def said_of(times_s: Sequence[float]) -> str:
    """How they are distributed."""
    if not times_s:
        return "never"
    within = sum(one <= WAIT_S for one in times_s)
    return f"after {median(times_s):.2f} s in the middle, {within} of {len(times_s)} within {WAIT_S} s, {max(times_s):.1f} s at most"


def print_idle(room: FleetRoom) -> None:
    """What agents take of a processor while there is nothing to do."""
    before = [processor_s(host) for host in room.hosts]
    time.sleep(IDLE_S)
    shares = [100 * (processor_s(host) - one) / IDLE_S for host, one in zip(room.hosts, before, strict=True)]
    print("an idle agent takes " + ", ".join(f"{share:.2f} %" for share in shares) + " of a processor")


def processor_s(host: Host) -> float:
    """Of the agent so far."""
    assert host.agent is not None
    fields = Path(f"/proc/{host.agent.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
