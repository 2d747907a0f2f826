"""The list of all files of a published copy, which one signature covers."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.durable import write_durably
from ssdlab.errors import SsdlabError
from ssdlab.message import message, number

MANIFEST = "manifest.json"
SIGNATURE = "manifest.json.sig"
SIGNED = "signed.json"
"""What this lab found the signature to be; see `ssdlab.bundle.signature`."""
_OUTSIDE = frozenset({MANIFEST, SIGNATURE, SIGNED})
_SCHEMA = 1
_BYTES_MAX = 64 << 20
"""Of a list of 100,000 files less than half."""


class ManifestError(SsdlabError):
    """A bundle is not what its manifest says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """One file, by its path in the bundle."""

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`manifest.json`."""

    schema: int
    files: tuple[ListedFile, ...]


_ADAPTER = TypeAdapter(Manifest)


def write_manifest(bundle: Path) -> None:
    """List all files of a bundle in it.

    Raises:
        OSError: The host's file system refused.
    """
    write_manifest_of(bundle, tuple(files_of(bundle)))


def write_manifest_of(bundle: Path, files: tuple[ListedFile, ...]) -> None:
    """Write the list of files that are known to be in it.

    Raises:
        OSError: The host's file system refused.
    """
    write_durably(bundle / MANIFEST, layout.pretty_json(_ADAPTER, Manifest(schema=_SCHEMA, files=files)))


def listed_in(bundle: Path) -> tuple[ListedFile, ...]:
    """What its manifest lists.

    Raises:
        ManifestError: It cannot be read.
        OSError: Likewise.
    """
    return _read(bundle / MANIFEST).files


def require_as_listed(bundle: Path) -> None:
    """Make sure that a bundle has the files of its manifest, each as listed, and no other.

    Raises:
        ManifestError: It has not, or its manifest cannot be read.
        OSError: It cannot be read.
    """
    listed = {one.path: one for one in listed_in(bundle)}
    there = {one.path: one for one in files_of(bundle)}
    for path in sorted(listed.keys() | there.keys()):
        if listed.get(path) != there.get(path):
            state = "missing" if path not in there else "unlisted" if path not in listed else "changed"
            raise ManifestError(
                message("bundle-not-as-manifest", path=path, state=state),
                message("bundle-ask-publisher"),
            )


def _read(path: Path) -> Manifest:
    if path.stat().st_size > _BYTES_MAX:
        raise ManifestError(message("bundle-manifest-too-long", manifest=MANIFEST, size=number(path.stat().st_size)))
    try:
        manifest = _ADAPTER.validate_json(path.read_bytes())
    except ValidationError as error:
        raise ManifestError(
            message("bundle-manifest-damaged", manifest=MANIFEST), message("bundle-ask-publisher")
        ) from error
    if manifest.schema != _SCHEMA:
        raise ManifestError(
            message("bundle-manifest-schema", manifest=MANIFEST, schema=manifest.schema, known=_SCHEMA),
            message("bundle-update"),
        )
    if len({one.path for one in manifest.files}) != len(manifest.files):
        raise ManifestError(message("bundle-manifest-twice", manifest=MANIFEST), message("library-no-trust"))
    return manifest


def files_of(bundle: Path) -> Iterator[ListedFile]:
    """All that is in it and no directory, in the order of their paths.

    Raises:
        ManifestError: Something in it is no plain file.
        OSError: It cannot be read.
    """
    for path in sorted(bundle.rglob("*")):
        name = path.relative_to(bundle).as_posix()
        if name in _OUTSIDE or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file():
            raise ManifestError(message("bundle-not-plain", name=name), message("bundle-made-of-these"))
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield ListedFile(path=name, size_bytes=path.stat().st_size, sha256=digest)
