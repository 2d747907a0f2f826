"""What the user types to name a drive, read into a value."""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from ssdlab import _core, os_errors
from ssdlab.drive.access import DriveError
from ssdlab.drive.nbd_uri import read_nbd_uri
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.message import Listed, Message, Separator, commas, message
from ssdlab.units import parse_bytes

KNOWN_FORMS = message("target-known-forms")


class TargetError(DriveError):
    """The text names no target."""


@dataclass(frozen=True, slots=True)
class SpecChoice:
    """Which virtual drive, and what of it was asked to differ.

    Attributes:
        name: Of a built-in spec, or the path of a TOML file.
        text: The specification itself.
    """

    name: str
    text: str
    capacity_bytes: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class VirtualTarget:
    """A virtual drive behind NBD, in real time."""

    spec: SpecChoice


@dataclass(frozen=True, slots=True)
class ModelTarget:
    """The same virtual drive in virtual time, in process."""

    spec: SpecChoice


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file, or a directory to make one in, on a mounted file system."""

    path: Path
    size_bytes: int | None


@dataclass(frozen=True, slots=True)
class NbdTarget:
    """An NBD server that somebody else started."""

    socket: Path
    export: str


@dataclass(frozen=True, slots=True)
class BlockTarget:
    """A block device of this host, or a link to one, and the way to purge it; if none is given the best that it offers."""

    path: Path
    purge: PurgeMethod | None = None


Target = VirtualTarget | ModelTarget | FileTarget | NbdTarget | BlockTarget


_SCHEMES = ("virtual", "model", "file", "nbd+unix")
_DEVICE_NAME = re.compile(r"(nvme\d+n\d+|mmcblk\d+|loop\d+|nbd\d+|[shv]d[a-z]+)(p?\d+)?")
"""What the kernel calls block devices below `/dev`."""


def parse_target(text: str) -> Target:
    """Read what the user typed.

    Raises:
        TargetError: It has none of the known forms, a part of it is wrong, or it has characters that no target may have.
        UnitError: A size in it cannot be read.
    """
    require_plain(text)
    if text.startswith("/dev/"):
        # Names below /dev/disk hold colons too.
        return _block_target(text)
    scheme, separator, rest = text.partition(":")
    if not separator:
        raise _no_scheme(text)
    match scheme:
        case "virtual":
            return VirtualTarget(spec_choice(rest))
        case "model":
            return ModelTarget(spec_choice(rest))
        case "file":
            return _file_target(text, rest)
        case "nbd+unix":
            return _nbd_target(text)
        case _:
            near = [f"{known}:{rest}" for known in difflib.get_close_matches(scheme, _SCHEMES, n=1)]
            meant = [message("target-did-you-mean", near=_either(near))] if near else []
            raise TargetError(message("target-unknown-scheme", text=text, scheme=scheme), *meant, KNOWN_FORMS)


_NEVER = {"Cc", "Zl", "Zp", "Cs"}
"""Of Unicode's categories those that no target may have. Bytes that are no UTF-8 come from the system as surrogates."""


def require_plain(text: str) -> None:
    """Make sure that a target is one line of text, as it stands in bundles, on screens and in what other programs are given.

    Raises:
        TargetError: It has a control character, a line separator, or bytes that are not UTF-8.
    """
    found = next((character for character in text if unicodedata.category(character) in _NEVER), None)
    if found is not None:
        # A surrogate stands for the byte in its lowest eight bits.
        surrogate = unicodedata.category(found) == "Cs"
        code = f"0x{ord(found) & 0xFF:02X}" if surrogate else f"U+{ord(found):04X}"
        raise TargetError(_with(repr(text), code, unicodedata.category(found)), message("target-plain-name"))


def _with(text: str, code: str, category: str) -> Message:
    match category:
        case "Zl":
            return message("target-line-separator", text=text, code=code)
        case "Zp":
            return message("target-paragraph-separator", text=text, code=code)
        case "Cs":
            return message("target-no-utf-8", text=text, code=code)
        case _:
            return message("target-control-character", text=text, code=code)


def names_file(text: str) -> bool:
    """Whether a target is a file, without a look at what it names: that may be on another host, or withheld."""
    return text.startswith("file:")


def device_path_of(text: str) -> Path:
    """Where the target of a block device led, as it was typed."""
    return Path(text.partition("?")[0])


def moved(text: str, path: Path) -> str:
    """The same target of a block device under the path it has now, with what else it says."""
    return str(path) + text.removeprefix(str(device_path_of(text)))


def _block_target(text: str) -> BlockTarget:
    path, parameters = _split(text, text, ("purge",))
    wanted = parameters.get("purge")
    methods = {one.value: one for one in PurgeMethod}
    if wanted is not None and wanted not in methods:
        raise TargetError(
            message("target-no-purge-method", text=text, method=wanted),
            message("target-purge-methods", methods=commas(*methods)),
        )
    return BlockTarget(Path(path), None if wanted is None else methods[wanted])


def _no_scheme(text: str) -> TargetError:
    if Path(text).exists():
        return TargetError(message("target-none", text=text), message("target-as-file", text=text))
    if text.partition("?")[0] in _core.spec_names():
        return TargetError(message("target-none", text=text), message("target-as-virtual", text=text))
    if _DEVICE_NAME.fullmatch(text):
        return TargetError(
            message("target-none", text=text), message("target-did-you-mean", near=_either([f"/dev/{text}"]))
        )
    return TargetError(message("target-none", text=text), KNOWN_FORMS)


def _split(text: str, rest: str, allowed: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The part before `?`, and the parameters after it."""
    name, asked, query = rest.partition("?")
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    if asked and not parameters:
        raise TargetError(
            message("target-empty-query", text=text), message("target-allowed", parameters=commas(*allowed))
        )
    for key in parameters:
        if key not in allowed:
            raise TargetError(
                message("target-no-parameter", text=text, key=key),
                message("target-allowed", parameters=commas(*allowed)),
            )
    if not name:
        nothing = message("target-names-nothing", text=text) if text else message("target-missing")
        raise TargetError(nothing, KNOWN_FORMS)
    return name, parameters


def spec_choice(text: str) -> SpecChoice:
    """Read a spec's name or path with its parameters: `demo?capacity=8GiB&seed=1`.

    Raises:
        TargetError: There is no such spec, or a parameter is wrong.
        UnitError: A size cannot be read.
    """
    name, parameters = _split(text, text, ("capacity", "seed"))
    capacity, seed = parameters.get("capacity"), parameters.get("seed")
    if seed is not None and not re.fullmatch(r"\d{1,19}", seed):
        raise TargetError(message("target-seed", text=text, seed=seed), message("target-seed-hint"))
    return SpecChoice(
        name=name,
        text=spec_text(name),
        capacity_bytes=None if capacity is None else parse_bytes(capacity),
        seed=None if seed is None else int(seed),
    )


def spec_text(name: str) -> str:
    """TOML of a built-in spec, or of a file.

    Raises:
        TargetError: There is no such spec or file.
    """
    if name in _core.spec_names():
        return _core.spec_text(name)
    path = Path(name)
    if path.suffix == ".toml" or "/" in name:
        try:
            return path.read_text(encoding="utf-8")
        except OSError as error:
            refused = os_errors.in_words(error)
            raise TargetError(
                message("target-spec-unreadable", name=name, error=os_errors.reason_of(error)), *refused.hints
            ) from error
        except UnicodeDecodeError as error:
            raise TargetError(message("target-spec-no-text", name=name), message("target-name-a-spec")) from error
    near = difflib.get_close_matches(name, _core.spec_names(), n=3)
    raise TargetError(
        message("target-no-spec", name=name),
        *([message("target-did-you-mean", near=_either(near))] if near else []),
        message("target-built-in", names=commas(*_core.spec_names())),
    )


def _either(names: Sequence[str]) -> Listed:
    return Listed(tuple(message("guard-device", name=name) for name in names), Separator.OR)


def _file_target(text: str, rest: str) -> FileTarget:
    name, parameters = _split(text, rest, ("size",))
    size = parameters.get("size")
    return FileTarget(Path(name), None if size is None else parse_bytes(size))


def _nbd_target(text: str) -> NbdTarget:
    try:
        socket, export = read_nbd_uri(text)
    except ValueError as error:
        raise TargetError(message("target-no-nbd-uri", text=text), message("target-nbd-uri-hint")) from error
    require_plain(f"{socket} {export}")
    return NbdTarget(socket, export)
