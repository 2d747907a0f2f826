"""A suite as a value, read from its text."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ssdlab import _core
from ssdlab.job import EngineName, Interface
from ssdlab.message import commas, message, verbatim
from ssdlab.method.choices import one_of
from ssdlab.method.coherence import incoherent
from ssdlab.method.faults import Fault, Path, SuiteError, faulty_suite, line_of, schema_faults
from ssdlab.method.published import Published
from ssdlab.method.schema import AnyStep, SuiteTables
from ssdlab.method.tables import STANDARD, SuiteProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A versioned method: its steps and the profiles that scale it down."""

    name: str
    version: str
    description: str
    rest_ns: int
    """Between two steps."""
    engines: tuple[EngineName, ...]
    """What may do the I/O, the one to be taken by itself first."""
    interface: Interface
    published: Published | None
    """The method whose text it follows."""
    profiles: Mapping[str, SuiteProfile]
    """By name, `standard` first."""
    steps: tuple[AnyStep, ...]
    text: str
    """The file exactly as it was read: a bundle keeps it."""

    @property
    def sha256(self) -> str:
        """Hash of the text, which tells edited copies of a suite from the original."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def engine_for(self, asked: EngineName | None, profile: str) -> EngineName:
        """What does the I/O under a profile.

        Raises:
            SuiteError: What was asked for may not, or the suite has no such profile.
        """
        own = self.profile(profile).engine
        engines = self.engines if own is None else (own,)
        if asked is not None and asked not in engines:
            known = commas(*(engine.value for engine in engines))
            raise SuiteError(message("suite-no-engine", suite=self.name, engines=known, engine=asked.value))
        return asked or engines[0]

    def beside(self, profile: str, engine: EngineName) -> EngineName | None:
        """What does the jobs that the engine of a run cannot, where it has any."""
        needed = engine is EngineName.LOAD and any(step.is_by_fio for step in self.steps_under(profile))
        return EngineName.FIO if needed else None

    def steps_under(self, profile: str) -> tuple[AnyStep, ...]:
        """Those that a profile has, in order."""
        return tuple(step for step in self.steps if step.is_of(profile))

    def step(self, name: str) -> AnyStep:
        """The step of that name, which is the `group` of the planned steps made from it.

        Raises:
            KeyError: The suite has no such step.
        """
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)

    def profile(self, name: str) -> SuiteProfile:
        """The profile of that name.

        Raises:
            SuiteError: The suite has none.
        """
        if name not in self.profiles:
            raise SuiteError(
                message("suite-no-profile", suite=self.name, profile=name), one_of(name, list(self.profiles))
            )
        return self.profiles[name]


def parse_suite(text: str, source: str) -> Suite:
    """Read a suite; `source` names it in errors.

    Raises:
        SuiteError: All faults of the text at once, each with its line.
    """
    lines, document = _document(text, source)
    faults = [*_reserved_profile(document, lines), *_repeated_names(document, lines)]
    try:
        tables = SuiteTables.model_validate(document)
    except ValidationError as error:
        raise faulty_suite(source, [*faults, *schema_faults(error, lines)]) from error
    faults += incoherent(tables, lines)
    if faults:
        raise faulty_suite(source, faults)
    return Suite(
        name=tables.header.name,
        version=tables.header.version,
        description=tables.header.description,
        rest_ns=tables.header.rest_ns,
        engines=tables.header.engine.engines,
        interface=tables.header.interface,
        published=tables.header.published,
        profiles={STANDARD: SuiteProfile(), **tables.profiles},
        steps=tables.steps,
        text=text,
    )


def _document(text: str, source: str) -> tuple[dict[Path, int], dict[str, Any]]:
    """The line of every key, and the values."""
    try:
        lines = {tuple(path): line for path, line in _core.toml_key_lines(text)}
        return lines, tomllib.loads(text)
    except _core.TomlError as error:
        fault = Fault(error.line, message("suite-column", column=error.column), verbatim(error.message))
    except tomllib.TOMLDecodeError as error:
        # Only where the two readers disagree about the language; the message has the position in it.
        fault = Fault(0, message("suite-syntax"), verbatim(str(error)))
    except (ValueError, RecursionError):
        fault = Fault(0, message("suite-syntax"), message("suite-absurd"))
    raise faulty_suite(source, [fault])


def _reserved_profile(document: dict[str, Any], lines: Mapping[Path, int]) -> list[Fault]:
    path: Path = ("profile", STANDARD)
    profiles = document.get("profile")
    if not isinstance(profiles, dict) or STANDARD not in profiles:
        return []
    return [Fault(line_of(path, lines), f"profile.{STANDARD}", message("suite-standard-profile"))]


def _repeated_names(document: dict[str, Any], lines: Mapping[Path, int]) -> list[Fault]:
    """Steps that would be called the same: the names are prefixes of metrics and must be unique."""
    steps = document.get("step")
    seen: dict[str, int] = {}
    faults: list[Fault] = []
    for index, step in enumerate(steps if isinstance(steps, list) else []):
        name = step.get("name", step.get("kind")) if isinstance(step, dict) else None
        line = line_of(("step", index, "name"), lines)
        if not isinstance(name, str):
            continue
        if name in seen:
            faults.append(Fault(line, "name", message("suite-same-name", line=seen[name], name=name)))
        else:
            seen[name] = line
    return faults
