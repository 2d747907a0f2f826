"""What the user types to name a drive, read into a value."""

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from ssdlab import _core
from ssdlab.drive.access import DriveError
from ssdlab.drive.purge_method import Method
from ssdlab.units import parse_bytes

FORMS = "/dev/..., virtual:NAME, model:NAME, file:PATH, nbd+unix:///EXPORT?socket=PATH"


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
    purge: Method | None = None


Target = VirtualTarget | ModelTarget | FileTarget | NbdTarget | BlockTarget


def parse_target(text: str) -> Target:
    """Read what the user typed.

    Raises:
        TargetError: It has none of the known forms, or a part of it is wrong.
        UnitError: A size in it cannot be read.
    """
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
            raise TargetError(f"`{text}` is no target: `{scheme}:` is unknown", f"known forms: {FORMS}")


def device_path_of(text: str) -> Path:
    """Where the target of a block device led, as it was typed."""
    return Path(text.partition("?")[0])


def moved(text: str, path: Path) -> str:
    """The same target of a block device under the path it has now, with what else it says."""
    return str(path) + text.removeprefix(str(device_path_of(text)))


def _block_target(text: str) -> BlockTarget:
    path, parameters = _split(text, text, ("purge",))
    wanted = parameters.get("purge")
    methods = {one.value: one for one in Method}
    if wanted is not None and wanted not in methods:
        raise TargetError(f"`{text}`: `{wanted}` is no way to purge", f"known are: {', '.join(methods)}")
    return BlockTarget(Path(path), None if wanted is None else methods[wanted])


def _no_scheme(text: str) -> TargetError:
    if Path(text).exists():
        return TargetError(f"`{text}` is no target", f"a file or directory is named `file:{text}`")
    if text.partition("?")[0] in _core.spec_names():
        hint = f"`virtual:{text}` is that drive in real time, measured by fio; `model:{text}` the same in virtual time"
        return TargetError(f"`{text}` is no target", hint)
    return TargetError(f"`{text}` is no target", f"known forms: {FORMS}")


def _split(text: str, rest: str, allowed: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The part before `?`, and the parameters after it."""
    name, _, query = rest.partition("?")
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    for key in parameters:
        if key not in allowed:
            raise TargetError(f"`{text}`: `{key}` is no parameter here", f"allowed: {', '.join(allowed)}")
    if not name:
        raise TargetError(f"`{text}` names nothing" if text else "no drive is named", f"known forms: {FORMS}")
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
        raise TargetError(f"`{text}`: seed `{seed}` is no whole number", "write it like `seed=1`")
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
            return path.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise TargetError(f"the spec `{name}` cannot be read: {error}") from error
    near = difflib.get_close_matches(name, _core.spec_names(), n=3)
    raise TargetError(
        f"there is no virtual drive called `{name}`",
        *([f"did you mean {' or '.join(f'`{one}`' for one in near)}?"] if near else []),
        f"built in are: {', '.join(_core.spec_names())}; or give the path of a spec.toml",
    )


def _file_target(text: str, rest: str) -> FileTarget:
    name, parameters = _split(text, rest, ("size",))
    size = parameters.get("size")
    return FileTarget(Path(name), None if size is None else parse_bytes(size))


def _nbd_target(text: str) -> NbdTarget:
    parts = urlsplit(text)
    parameters = dict(parse_qsl(parts.query))
    if "socket" not in parameters or parts.netloc:
        raise TargetError(
            f"`{text}` is no NBD URI on a unix socket", "write it like `nbd+unix:///?socket=/run/drive.sock`"
        )
    return NbdTarget(Path(parameters["socket"]), parts.path.removeprefix("/"))
