"""A fleet on one machine, shown: `./dev fleet-demo`. What is started here ends here; the bundles stay."""

import argparse
import shutil
import sys
from pathlib import Path

from tests.kit.browser import browser
from tests.kit.fleet_room import FleetRoom, fleet_room
from tests.kit.processes import wait_until
from tests.kit.web_lab import served

from ssdlab.fleet.records import FleetRunState

STORE = Path(__file__).parents[2] / "lab" / "fleet-demo"
HOSTS, DRIVES = 4, 2
SPEC = "demo?capacity=256MiB&seed={seed}"
LIMIT_S = 1200
"""Eight drives share the processors of one machine."""


def main() -> None:
    """Show it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picture", type=Path, help="of the page of the queue, while runs go on")
    picture = parser.parse_args().picture
    shutil.rmtree(STORE, ignore_errors=True)
    server = (sys.executable, "-m", "ssdlab.drive.kinds.serve")
    with (
        fleet_room(server, STORE) as room,
        served(STORE, "--database", room.cluster.url, "--control") as address,
    ):
        print(f"PostgreSQL: {room.cluster.url}\nin the browser: {address}")
        start_hosts(room)
        shown(room, "fleet", "drives")
        shown(room, "fleet", "submit", "fill", "--drives", "serial=VD-*", "--profile", "quick", "--repeat", "2")
        kill_an_agent(room)
        if picture is not None:
            wait_until(lambda: FleetRunState.DONE in room.states().values(), "a run is done", LIMIT_S)
            take(address, picture)
        room.wait_for_runs(LIMIT_S)
        tell_what_came(room)
        if sys.stdin.isatty():
            input("\nthe pages stay until you press Enter, which stops everything")
    print(f"\nall is stopped; the bundles: {STORE / 'runs'}")


def tell_what_came(room: FleetRoom) -> None:
    """Of all runs, and what the drives saw of them."""
    shown(room, "fleet", "status")
    number = next(run.number for run in room.runs() if run.serial == "VD-0001")
    shown(room, "fleet", "logs", str(number))
    shown(room, "fleet", "rebuild", str(room.store))
    shown(room, "library", "list", "--lab", str(room.store))
    overlaps = [one for host in room.hosts for drive in host.drives.values() for one in drive.overlaps]
    print(f"moments with two runs at one drive, as the drives saw it: {len(overlaps)}")
    print(f"runs that did not end in the store: {sum(one is not FleetRunState.DONE for one in room.states().values())}")


def take(address: str, picture: Path) -> None:
    """The page of the queue, as a picture."""
    with browser() as page:
        page.visit(address)
        page.visit(page.run("document.querySelector('nav a[href$=\"/fleet\"]').href"))
        picture.write_bytes(page.screenshot())


def start_hosts(room: FleetRoom) -> None:
    """Each with its agent and its drives."""
    for place in range(HOSTS):
        seeds = range(place * DRIVES + 1, place * DRIVES + DRIVES + 1)
        room.add_host(f"bench{place + 1}", {f"VD-{seed:04}": SPEC.format(seed=seed) for seed in seeds}).start()
    room.wait_for_drives(HOSTS * DRIVES)


def shown(room: FleetRoom, *arguments: str) -> None:
    """A command and what it prints."""
    print(f"\n$ ssdlab {' '.join(arguments)}", flush=True)
    said = room.said(*arguments)
    print(said.stdout + said.stderr, end="", flush=True)


def kill_an_agent(room: FleetRoom) -> None:
    """And what is at its drives, as a power cut does; the host comes back."""
    host = room.hosts[0]
    wait_until(lambda: len(host.processes()) == DRIVES, "the runs of the first host have begun")
    shown(room, "fleet", "status")
    print(f"\n{host.name} loses its power, and comes back", flush=True)
    host.kill_all()
    host.start()


if __name__ == "__main__":
    main()
