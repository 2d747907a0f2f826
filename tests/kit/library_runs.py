"""Many small bundles, each of another drive, moment and value, written fast: copies of one whose text is edited."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.kit.sample_bundle import run_info

from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.journal import Event
from ssdlab.bundle.mark import FileMark, as_json, mark_of
from ssdlab.bundle.model import Metric, RunInfo
from ssdlab.bundle.seal import LineState, SealedLine, opened, sealed_again
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.job import DriveState
from ssdlab.unknown import Unknown

METRIC = "fill.bandwidth_mean"
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a test wants to tell apart."""

    model: str = "Lab PM1 1TB"
    serial: str | Unknown = "S1"
    firmware: str = "F1"
    host: str = "bench"
    days: float = 0
    value: float | Unknown = 1e9
    low: float | None = None
    high: float | None = None
    suite: str = "fill"
    text: str = "one"
    profile: str = "standard"
    engine: str = "fio-3.41"
    failed_checks: tuple[str, ...] = ()
    spec_text: str | None = None


def write_run(lab: Path, name: str, made: Made) -> Path:
    """A finished run with one metric."""
    path = lab / "runs" / name
    writer = BundleWriter(path, _info(made), [])
    writer.run_ended(0, Event.RUN_FINISHED, None)
    writer.close()
    metric = Metric(
        key=key_of_name(METRIC, "fill"),
        value=made.value,
        unit="B/s",
        state=DriveState.FOB,
        step="fill",
        low=made.low,
        high=made.high,
        failed_checks=made.failed_checks,
    )
    write_conclusions(path, (metric,), ())
    return path


def _info(made: Made) -> RunInfo:
    info = run_info(10**12, made.model)
    return replace(
        info,
        started_at=(BEGIN + timedelta(days=made.days)).isoformat(timespec="seconds"),
        drive=replace(info.drive, serial=made.serial, firmware=made.firmware),
        host=replace(info.host, hostname=made.host),
        suite=replace(info.suite, name=made.suite, text=made.text, sha256=made.text),
        profile=made.profile,
        comparable=made.profile == "standard",
        engine=made.engine,
        spec_text=made.spec_text,
    )


def write_many(lab: Path, count: int, metrics: int = 20) -> None:
    """Finished runs of as many drives, a tenth of them measured twice, with so many metrics each."""
    template = write_run(lab, "template", Made(model="MODEL", serial="SERIAL"))
    texts = {name: (template / name).read_text() for name in (layout.RUN, layout.JOURNAL)}
    for index, names in enumerate(_names(count)):
        path = lab / "runs" / f"run-{index:05}"
        path.mkdir()
        moment = (BEGIN + timedelta(hours=index)).isoformat(timespec="seconds")
        edited = {
            name: text.replace("MODEL", names[0]).replace("SERIAL", names[1]).replace(BEGIN.isoformat(), moment)
            for name, text in texts.items()
        }
        contents = {layout.METRICS: json.dumps(_metrics(index, metrics)).encode(), layout.AUDIT: b"[]"}
        marks = as_json({name: mark_of(content) for name, content in contents.items()})
        contents[layout.CHECKSUMS] = layout.plain_json({"files": marks})
        contents[layout.RUN] = edited[layout.RUN].encode()
        contents[layout.JOURNAL] = _journal(edited[layout.JOURNAL], mark_of(contents[layout.RUN]))
        # Many thousands are made in one test, so nothing waits for the disk.
        for name, content in contents.items():
            (path / name).write_bytes(content)
    for file in template.iterdir():
        file.unlink()
    template.rmdir()


def _journal(text: str, run: FileMark) -> bytes:
    """Its first line tells of `run.json`."""
    plan, *others = (json.loads(line.body) for line in opened(text.encode().splitlines()))
    bodies = [layout.one_line_json(fields) for fields in ({**plan, "files": as_json({layout.RUN: run})}, *others)]
    lines = [SealedLine(body, body.removesuffix(b"\n"), LineState.SOUND) for body in bodies]
    return b"".join(line + b"\n" for line in sealed_again(lines))


def _names(count: int) -> Iterator[tuple[str, str]]:
    for index in range(count):
        drive = index - 1 if index % 10 == 9 else index
        yield f"Maker {drive % 50} Model {drive % 700}", f"SN{drive:06}"


def _metrics(index: int, count: int) -> list[dict[str, object]]:
    names = [METRIC, *(f"rnd.read.q{number}.iops" for number in range(1, count))]
    return [
        {"name": name, "value": 1e9 + (index * 7919 + place) % 10_007, "unit": "B/s", "state": "FOB", "step": "fill"}
        for place, name in enumerate(names)
    ]
