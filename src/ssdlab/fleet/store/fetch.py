"""Bundles of a store as runs of a lab of this host."""

import shutil
from pathlib import Path

from ssdlab.durable import sync_directory
from ssdlab.errors import SsdlabError
from ssdlab.fleet.store.base import RUNS, Store
from ssdlab.message import message


def fetched(store: Store, name: str, lab: Path) -> Path:
    """Bring a bundle into a lab, held against its manifest.

    Raises:
        SsdlabError: The store has none of that name, or the lab has something of it.
        ManifestError: It is not what its manifest says.
        OSError: The store cannot be reached, or the lab cannot be written to.
    """
    if name not in store.names():
        raise SsdlabError(message("fleet-store-has-none", name=name), message("fleet-hint-status"))
    place = lab / RUNS / name
    if place.exists():
        raise SsdlabError(message("fleet-fetched-before", path=str(place)))
    unfinished = lab / f"{name}.partial"
    shutil.rmtree(unfinished, ignore_errors=True)
    with store.opened(name) as bundle:
        shutil.copytree(bundle, unfinished)
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished.rename(place)
    sync_directory(place.parent)
    return place
