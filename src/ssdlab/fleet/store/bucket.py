"""A store that is a bucket of an S3-compatible service.

Objects are never replaced but by what was to be there in their place: a bundle counts from its manifest on, which the service takes only
once (`If-None-Match: *`, RFC 9110 section 13.1.2). Before that all objects are read back and held against the files: what a service
says of its own checksums differs from one to the next.
"""

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from uuid import UUID

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store

from ssdlab.bundle.files import require_no_link
from ssdlab.bundle.manifest import (
    MANIFEST,
    ListedFile,
    ManifestError,
    files_of,
    listed_in,
    require_as_listed,
    write_manifest_of,
)
from ssdlab.errors import SsdlabError
from ssdlab.fleet.store.base import RUNS, StoreError, name_of, plain_files
from ssdlab.fleet.store.location import Bucket
from ssdlab.message import message, verbatim

_OF_RUN = "of-run"
_LOOPBACK = ("http://127.0.0.1", "http://localhost", "http://[::1]")
_RETRIES = 2
"""The agent tries again by itself, and says that it waits."""
_TIMEOUT = "60s"
_NAME_BYTES_MAX = 1000


@dataclass(frozen=True, slots=True, eq=False)
class BucketStore:
    """See `Store`."""

    objects: S3Store

    @classmethod
    def at(cls, bucket: Bucket) -> "BucketStore":
        """The store in a bucket; nothing is asked of the service yet.

        Raises:
            SsdlabError: What the environment says of it cannot be used.
        """
        # Keys and data go over the wire as they are only where the wire is this host's own, or where somebody says so.
        is_plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith(_LOOPBACK)
        options = {"timeout": _TIMEOUT, **({"allow_http": True} if is_plain else {})}
        try:
            objects = S3Store(
                bucket.name,
                prefix=bucket.prefix or None,
                client_options=options,  # type: ignore[arg-type]
                retry_config={"max_retries": _RETRIES},
            )
        except (BaseError, ValueError) as error:
            raise SsdlabError(message("fleet-store-settings", why=verbatim(_first_line(error)))) from error
        return cls(objects)

    def of_run(self, run: UUID) -> str | None:
        """See `Store`."""
        try:
            name = self._content(f"{_OF_RUN}/{run}").decode(errors="replace")
            return name if name in self._among([name]) else None
        except OSError:
            return None

    def has(self, bundle: Path, run: UUID) -> bool:
        """See `Store`."""
        try:
            return self._listed(name_of(bundle, run)) == tuple(files_of(bundle))
        except (ManifestError, OSError):
            return False

    def bring(self, bundle: Path, run: UUID, directories: Sequence[str]) -> None:
        """See `Store`."""
        name = name_of(bundle, run)
        if self._among([name]):
            return
        sizes = self._sizes(name)
        for path in plain_files(bundle, directories):
            if sizes.get(path) != (bundle / path).stat().st_size:
                self._send(bundle, name, path)

    def put(self, bundle: Path, run: UUID) -> str:
        """See `Store`."""
        require_no_link(bundle)
        name, listed = name_of(bundle, run), tuple(files_of(bundle))
        if self._among([name]):
            self._require_same(name, listed)
        else:
            self._bring_all(bundle, name, listed)
            with _as_os_errors():
                obstore.put(self.objects, f"{_OF_RUN}/{run}", name.encode())
            self._conclude(name, listed)
        return name

    def _bring_all(self, bundle: Path, name: str, listed: tuple[ListedFile, ...]) -> None:
        sizes = self._sizes(name)
        with _as_os_errors():
            for path in sizes.keys() - {one.path for one in listed}:
                obstore.delete(self.objects, _key(name, path))
        for one in listed:
            # What is there may be of an earlier try, or of a step that was done again since it was brought.
            if sizes.get(one.path) != one.size_bytes or self._sha256(name, one.path) != one.sha256:
                self._send(bundle, name, one.path)
        if any(self._sha256(name, one.path) != one.sha256 for one in listed):
            raise StoreError(message("fleet-store-changes", name=name))

    def _conclude(self, name: str, listed: tuple[ListedFile, ...]) -> None:
        with tempfile.TemporaryDirectory() as directory:
            write_manifest_of(Path(directory), listed)
            content = (Path(directory) / MANIFEST).read_bytes()
        try:
            with _as_os_errors():
                obstore.put(self.objects, _key(name, MANIFEST), content, mode="create")
        except FileExistsError:
            self._require_same(name, listed)

    def names(self) -> tuple[str, ...]:
        """See `Store`."""
        with _as_os_errors():
            found = obstore.list_with_delimiter(self.objects, f"{RUNS}/")["common_prefixes"]
        return self._among([PurePosixPath(one).name for one in found])

    @contextmanager
    def opened(self, name: str) -> Iterator[Path]:
        """See `Store`."""
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory) / name
            for path in (MANIFEST, *(one.path for one in self._listed(name))):
                # A manifest is a stranger's: nothing of it leads out of the directory.
                if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
                    raise ManifestError(message("bundle-not-plain", name=path), message("bundle-made-of-these"))
                self._fetch(name, path, place / path)
            require_as_listed(place)
            yield place

    def _among(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of them that are whole."""
        return tuple(sorted(name for name in names if self._is_there(_key(name, MANIFEST))))

    def _is_there(self, key: str) -> bool:
        try:
            with _as_os_errors():
                obstore.head(self.objects, key)
        except FileNotFoundError:
            return False
        return True

    def _require_same(self, name: str, listed: tuple[ListedFile, ...]) -> None:
        if self._listed(name) != listed:
            raise StoreError(message("fleet-store-has-another", name=name))

    def _listed(self, name: str) -> tuple[ListedFile, ...]:
        with tempfile.TemporaryDirectory() as directory:
            self._fetch(name, MANIFEST, Path(directory) / MANIFEST)
            return listed_in(Path(directory))

    def _sizes(self, name: str) -> dict[str, int]:
        """What there is of a bundle, its manifest aside."""
        beginning = f"{RUNS}/{name}/"
        with _as_os_errors():
            found = [one for some in obstore.list(self.objects, beginning) for one in some]
        return {one["path"].removeprefix(beginning): one["size"] for one in found}

    def _send(self, bundle: Path, name: str, path: str) -> None:
        with _as_os_errors():
            # One request at a time: a run may be measuring on this host.
            obstore.put(self.objects, _key(name, path), bundle / path, max_concurrency=1)

    def _sha256(self, name: str, path: str) -> str:
        digest = hashlib.sha256()
        for part in self._parts(_key(name, path)):
            digest.update(part)
        return digest.hexdigest()

    def _fetch(self, name: str, path: str, to: Path) -> None:
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("xb") as file:
            for part in self._parts(_key(name, path)):
                file.write(part)

    def _content(self, key: str) -> bytes:
        content = b"".join(self._parts(key))
        if len(content) > _NAME_BYTES_MAX:
            raise OSError(errno.EFBIG, key)
        return content

    def _parts(self, key: str) -> Iterator[bytes]:
        with _as_os_errors():
            for part in obstore.get(self.objects, key).stream():
                yield bytes(part)


def _key(name: str, path: str) -> str:
    return f"{RUNS}/{name}/{path}"


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """A service that cannot be reached or refuses is to an agent what a directory is that is not mounted."""
    try:
        yield
    except AlreadyExistsError as error:
        raise FileExistsError(errno.EEXIST, _first_line(error)) from error
    except (BaseError, ValueError) as error:
        raise OSError(errno.EREMOTEIO, _first_line(error)) from error


def _first_line(error: Exception) -> str:
    """Without what the library adds for its makers."""
    return str(error).partition("\n")[0].strip()
