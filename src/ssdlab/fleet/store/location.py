"""Where a store is: a directory, or a bucket of an S3-compatible service."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ssdlab.errors import SsdlabError
from ssdlab.fleet.store.base import Store
from ssdlab.fleet.store.directory import DirectoryStore
from ssdlab.message import message

_S3 = re.compile(r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(?P<prefix>[A-Za-z0-9!_.*'()/-]*))?")
"""Names of buckets as S3 has them, and the characters of keys that it calls safe (Amazon S3, "Naming Amazon S3 objects")."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Keys that begin with `prefix`; who one is, and at which service, the environment says as it does to any client of S3 (`AWS_...`)."""

    name: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.name}/{self.prefix}".rstrip("/")


StoreLocation: TypeAlias = Path | Bucket


def store_location(text: str) -> StoreLocation:
    """Read a location.

    Raises:
        SsdlabError: It is neither a whole path nor `s3://BUCKET/PREFIX`.
    """
    if Path(text).is_absolute():
        return Path(text)
    match = _S3.fullmatch(text)
    prefix = (match["prefix"] or "").strip("/") if match else ""
    if match is None or {"", ".", ".."} & set(prefix.split("/") if prefix else ()):
        raise SsdlabError(message("fleet-store-where"), message("fleet-hint-store-where"))
    return Bucket(match["bucket"], prefix)


def store_at(location: StoreLocation) -> Store:
    """The store there; nothing is asked of it yet.

    Raises:
        SsdlabError: What the environment says of the service cannot be used.
    """
    if isinstance(location, Path):
        return DirectoryStore(location)
    # Its library takes a tenth of a second to load, which only who has a bucket has to wait for.
    from ssdlab.fleet.store.bucket import BucketStore

    return BucketStore.at(location)
