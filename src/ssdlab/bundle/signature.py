"""Signatures of a manifest by `ssh-keygen -Y`, which everyone has who has a key of SSH (SSHSIG, OpenSSH's PROTOCOL.sshsig)."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.manifest import MANIFEST, SIGNATURE, SIGNED
from ssdlab.durable import write_durably
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message, number, verbatim
from ssdlab.unknown import Unknown

NAMESPACE = "ssdlab-bundle"
"""What the signature is for: one made for another purpose does not count."""
_PROGRAM = "ssh-keygen"
_BYTES_MAX = 64 << 10
_TIMEOUT_S = 30


class SignatureError(SsdlabError):
    """A signature is wrong, or cannot be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """`signed.json`: who signed a bundle, as the lab found that took it in.

    Attributes:
        key: Fingerprint, `SHA256:...`.
        principal: Whose key it is by the lab's list of allowed signers.
        checked_at: UTC, ISO 8601.
    """

    key: str
    principal: str | Unknown
    checked_at: str

    @property
    def by(self) -> str:
        """Who it was."""
        who = "an unknown key" if isinstance(self.principal, Unknown) else f"`{self.principal}`"
        return f"{who}, {self.key}"


_ADAPTER = TypeAdapter(Signed)


def allowed_signers_path() -> Path:
    """Where the user keeps the keys of those whose bundles they take, in the form of ssh-keygen(1), ALLOWED SIGNERS."""
    config = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(config) / "ssdlab/allowed_signers"


def sign(bundle: Path, key: Path) -> None:
    """Sign the manifest of a bundle; ssh-keygen asks for the key's passphrase itself, or the agent.

    Raises:
        SignatureError: There is no ssh-keygen, or it refused.
    """
    # It may ask at the terminal, so its standard error is the user's.
    command = [_program(), "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(bundle / MANIFEST)]
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode or not (bundle / SIGNATURE).exists():
        raise SignatureError(message("bundle-not-signed", key=str(key)), message("bundle-give-key"))


def signer_of(bundle: Path, allowed: Path) -> Signed | Unknown | None:
    """Who signed a bundle: None if nobody did, unknown where there is no ssh-keygen to tell.

    Raises:
        SignatureError: The signature is not of this manifest, or of a key that may no longer sign.
        OSError: It cannot be read.
    """
    signature = bundle / SIGNATURE
    if not signature.exists():
        return None
    if shutil.which(_PROGRAM) is None:
        return Unknown(message("unknown-signature-unchecked", program=_PROGRAM))
    if signature.stat().st_size > _BYTES_MAX:
        raise _wrong(message("bundle-signature-long", size=number(signature.stat().st_size)))
    said = _asked(bundle, "check-novalidate")
    found = re.search(r"\bSHA256:[A-Za-z0-9+/=]+", said.stdout)
    if said.returncode or found is None:
        raise _wrong(_reason(said))
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return Signed(key=found[0], principal=_principal(bundle, allowed), checked_at=at)


def _principal(bundle: Path, allowed: Path) -> str | Unknown:
    """Whose key it is."""
    if not allowed.exists():
        return Unknown(message("unknown-no-signers", path=str(allowed)))
    matching = _asked(bundle, "find-principals", "-f", str(allowed))
    if matching.returncode or not matching.stdout.strip():
        return Unknown(message("unknown-signer", path=str(allowed)))
    principal = matching.stdout.splitlines()[0]
    verified = _asked(bundle, "verify", "-f", str(allowed), "-I", principal)
    if verified.returncode:
        raise _wrong(_reason(verified))
    return principal


def _asked(bundle: Path, what: str, *options: str) -> subprocess.CompletedProcess[str]:
    namespace = [] if what == "find-principals" else ["-n", NAMESPACE]
    command = [_program(), "-Y", what, *options, *namespace, "-s", str(bundle / SIGNATURE)]
    with (bundle / MANIFEST).open("rb") as manifest:
        try:
            return subprocess.run(
                command,
                stdin=manifest,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise _wrong(message("bundle-program-slow", program=_PROGRAM, seconds=_TIMEOUT_S)) from error


def _reason(said: subprocess.CompletedProcess[str]) -> Message:
    lines = (said.stderr.strip() or said.stdout.strip()).splitlines()
    if lines:
        return verbatim(lines[-1])
    return message("bundle-program-ended", program=_PROGRAM, status=said.returncode)


def _wrong(why: Message) -> SignatureError:
    return SignatureError(
        message("bundle-signature-wrong", why=why),
        message("bundle-signature-remedy"),
    )


def _program() -> str:
    path = shutil.which(_PROGRAM)
    if path is None:
        raise SignatureError(message("bundle-program-missing", program=_PROGRAM), message("bundle-install-ssh"))
    return path


def write_signed(bundle: Path, signed: Signed | Unknown | None) -> None:
    """Keep what was found, in place of what a sender may have written there.

    Raises:
        OSError: The host's file system refused.
    """
    (bundle / SIGNED).unlink(missing_ok=True)
    if isinstance(signed, Signed):
        write_durably(bundle / SIGNED, layout.pretty_json(_ADAPTER, signed))


def read_signed(bundle: Path) -> Signed | None:
    """Who signed it, by the lab that took it in; None if nobody did or it cannot be read."""
    try:
        return BundleFiles(bundle, {}, Unlisted.READ).parsed(SIGNED, _ADAPTER)
    except DamagedFile:
        return None
