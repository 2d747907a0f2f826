"""A published copy as one file: a zip archive that says nothing of who packed it and when."""

import os
import zipfile
from pathlib import Path

from ssdlab.bundle.manifest import write_manifest
from ssdlab.bundle.signature import sign
from ssdlab.durable import make_durable

SUFFIX = ".ssdlab"
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The first that a zip archive can name."""


def pack(bundle: Path, archive: Path, key: Path | None) -> None:
    """Write an archive of a copy, its manifest and, if there is a key, its signature: whole or not at all.

    Raises:
        SignatureError: It cannot be signed.
        OSError: The host's file system refused.
    """
    write_manifest(bundle)
    if key is not None:
        sign(bundle, key)
    temporary = archive.with_name(f".{archive.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(temporary, "x", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
                member = zipfile.ZipInfo(f"{bundle.name}/{path.relative_to(bundle).as_posix()}", _MOMENT)
                member.external_attr = 0o644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                with (
                    path.open("rb") as content,
                    packed.open(member, "w", force_zip64=path.stat().st_size > 1 << 31) as file,
                ):
                    while chunk := content.read(1 << 20):
                        file.write(chunk)
        make_durable(temporary, archive)
    finally:
        temporary.unlink(missing_ok=True)
