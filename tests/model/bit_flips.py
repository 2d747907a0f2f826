"""Flips single bits of bundles of every kind and looks for numbers that changed without a word: `python -m tests.model.bit_flips`.

After each flip the bundle is opened, shown, concluded again and written as a page. What comes out must be the same numbers, or a
fault, or an error in words. The unit tests do a share of it.
"""

import argparse
import io
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random

import pytest
import typer
from tests.kit import reported_drives, sustain_thinning
from tests.kit.fake_lab import FakeDrive
from tests.kit.probe_runs import record
from tests.kit.processes import OVER, ssdlab
from tests.kit.published import copy_of
from tests.kit.sample_bundle import fill_plan, write_whole
from tests.kit.stopped_run import stopped
from typer.testing import CliRunner

from ssdlab.analysis.conclude import conclude
from ssdlab.bundle import layout
from ssdlab.bundle.examine import examined
from ssdlab.bundle.imported import is_imported, open_imported
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.cli import app
from ssdlab.cli.display import display_for
from ssdlab.cli.show import show
from ssdlab.errors import SsdlabError
from ssdlab.figure.registry import figures_for
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.lab.step import RawLogs
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.probe.probes.registry import probes_named
from ssdlab.probe.store.reader import findings_of, is_probed
from ssdlab.report.page import page
from ssdlab.report.render import render_svg
from ssdlab.report.render_pool import Picture, RenderPool

DATA = Path(__file__).parents[1] / "data"


def of_suite(suite: str, capacity: str, profile: str = "quick") -> Callable[[Path], Path]:
    """A run on a model of a small drive."""

    def make(lab: Path) -> Path:
        with open_bench(f"model:demo?capacity={capacity}", None) as bench, display_for(io.StringIO()) as display:
            plan = expand(load_suite(suite), profile, bench.drive.identity, seed=1)
            return execute(plan, bench, lab, display, RawLogs.DROP).path

    return make


def of_sustain(*words: str) -> Callable[[Path], Path]:
    """A sustained write."""

    def make(lab: Path) -> Path:
        done = CliRunner().invoke(app, ["sustain", "model:demo?capacity=16MiB", "--lab", str(lab), *words])
        assert done.exit_code == 0, done.output
        return Path(done.stdout.strip().splitlines()[-1])

    return make


def of_many_passes(lab: Path) -> Path:
    """One so long that of most passes only totals are kept."""
    with pytest.MonkeyPatch.context() as patch:
        sustain_thinning.smaller(patch)
        return of_sustain("--passes", "60")(lab)


def of_probes(lab: Path) -> Path:
    """Probes, with samples and loads."""
    probes = list(dict.fromkeys(one for name in ("declared", "noise", "placement") for one in probes_named(name)))
    return record(probes, lab, lambda _name, _progress: None)[0]


REAL = """\
[suite]
name = "real"
version = "1"
engine = "any"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 16 }
[[step]]
kind = "measure"
name = "reads"
job = { region = "fill", pattern = "random", bs = "4KiB", qd = 4, limit = "1s" }
sweep = { mix = ["read"] }
"""


def of_engine(*words: str) -> Callable[[Path], Path]:
    """A run in real time."""

    def make(lab: Path) -> Path:
        lab.mkdir(parents=True)
        suite = lab / "real.toml"
        suite.write_text(REAL)
        done = ssdlab("run", suite, "virtual:zero?capacity=64MiB", "--lab", lab, *words)
        assert done.status in OVER, done.stderr
        return Path(done.stdout.strip())

    return make


def of_stopped(lab: Path) -> Path:
    """A run that did not come to its end."""
    return stopped(lab, FakeDrive(), "look.q2.r100.run2").path


def of_publication(lab: Path) -> Path:
    """A copy for others."""
    return copy_of(write_whole(lab / "whole"), lab / "copy")[0]


def of_drive(lab: Path) -> Path:
    """A real drive's answers, at the start and at the end."""
    run = reported_drives.run_on("nvme0n1", dict(reported_drives.NVME), reported_drives.LINK)
    with closing(BundleWriter(lab / "run", run, fill_plan(1 << 30, 0))) as writer:
        for moment in layout.Moment:
            writer.drive_said(0, moment, reported_drives.NVME)
    return lab / "run"


def of_other_program(*files: str) -> Callable[[Path], Path]:
    """Numbers of another program, or of fio with its logs."""
    first, *logs = (DATA / file for file in files)
    return lambda lab: take_in(first, lab, GivenFacts(), *logs)


def before_checksums(name: str) -> Callable[[Path], Path]:
    """As an ssdlab wrote it that knew no checksums."""
    return lambda lab: shutil.copytree(DATA / "bundles" / name, lab / name)


SMALL: Mapping[str, Callable[[Path], Path]] = {
    "fill": lambda lab: write_whole(lab / "whole"),
    "drive": of_drive,
    "sustain": of_sustain("--passes", "2"),
    "stopped": of_stopped,
    "published": of_publication,
    "imported": of_other_program("foreign/as-ssd.txt"),
}
"""Those that are made and read at once."""
KINDS: Mapping[str, Callable[[Path], Path]] = {
    **SMALL,
    "thinned sustain": of_many_passes,
    "probe": of_probes,
    "client": of_suite("client", "1GiB"),
    "enterprise": of_suite("enterprise", "256MiB"),
    "bootbench": of_suite("bootbench", "1GiB"),
    "load latency": of_suite("load-latency", "256MiB"),
    "mixes": of_suite("mixes", "256MiB"),
    "write amplification": of_suite("write-amplification", "256MiB"),
    "rounds": of_suite("pts-iops", "256MiB"),
    "demand": of_suite("pts-dirth", "256MiB"),
    "fio with its logs": of_engine("--keep-raw"),
    "load engine": of_engine("--engine", "load"),
    "imported with a log": of_other_program("fio-3.41/audit/sped_up.json", "fio-3.41/audit/sped_up_clat_hist.1.log"),
    "imported with checks": of_other_program("foreign/iozone-table.txt"),
}
OLD: Mapping[str, Callable[[Path], Path]] = {
    "run of schema 3": before_checksums("schema-3"),
    "import of schema 1": before_checksums("import-1"),
}
"""Nothing vouches for these: their numbers may change, but never into a traceback."""


class Outcome(Enum):
    """What came of a flip."""

    SAME = "the same numbers"
    MARKED = "a fault, in the bundle or with each number"
    REFUSED = "an error in words"
    SILENT = "OTHER NUMBERS, AND NOTHING SAID"
    TRACEBACK = "A TRACEBACK"


class Depth(Enum):
    """How much is computed again where nothing is found."""

    READING = "what is read from the bundle must be the same"
    ALL = "and all numbers that come of it"


_NAMES = re.compile(r"reason='[^']*'|finding=Message\(.*?\), meaning=")
"""Which file of a step it is makes no difference: the whole step is left out."""
SHOWN_MAX = 40
"""Of each bundle: shapes that are concluded, shown and written as a page."""
DEEP = 500
"""Every so many flips."""
BAD = (Outcome.SILENT, Outcome.TRACEBACK)


class Subject:
    """A bundle and what it says while it is whole."""

    def __init__(self, kind: str, path: Path) -> None:
        self.kind = kind
        self.path = path
        self.files = sorted(one for one in path.rglob("*") if one.is_file())
        self._known: dict[str, tuple[int, int, int]] = {}
        self._shown: dict[str, Outcome] = {}
        self._truth = self._said()[1]
        self._concluded = None if is_imported(path) else conclude(examined(open_bundle(path)))

    def flip(self, file: Path, bit: int, depth: Depth) -> tuple[Outcome, str]:
        """Flip a bit, look, and put it back."""
        content = file.read_bytes()
        hurt = bytearray(content)
        hurt[bit // 8] ^= 1 << bit % 8
        file.write_bytes(hurt)
        try:
            return self._look(depth), ""
        except SsdlabError:
            return Outcome.REFUSED, ""
        except Exception:  # noqa: BLE001 - exactly what is looked for
            return Outcome.TRACEBACK, traceback.format_exc()
        finally:
            file.write_bytes(content)

    def _look(self, depth: Depth) -> Outcome:
        faults, said = self._said()
        if said == self._truth and not faults:
            return self._concluded_again() if depth is Depth.ALL else Outcome.SAME
        if not faults:
            return Outcome.SILENT
        # What can be read decides what is concluded and shown: the same comes of the same, so that is done once for each.
        shape = _NAMES.sub("", said)
        if shape not in self._shown and len(self._shown) < SHOWN_MAX:
            self._shown[shape] = _shown(self.path)
        return self._shown.get(shape, Outcome.MARKED)

    def _said(self) -> tuple[tuple[str, ...], str]:
        """Faults of a bundle, and every number and word of it that is shown or that anything is computed from."""
        if is_imported(self.path):
            imported = open_imported(self.path)
            for name in imported.files.marks:
                imported.files.check(name)
            return (), repr((imported.info, imported.metrics, imported.audit))
        bundle = open_bundle(self.path)
        # Files that were sound and have not been touched since are not hashed once more.
        bundle.files._sound.update(self._known)
        found = examined(bundle)
        self._known = dict(bundle.files._sound)
        drive = [found.drive_said(moment, Path(name).name) for moment in layout.Moment for name in found.files.marks]
        said = {one.name: getattr(found, one.name) for one in fields(found) if one.name not in {"files", "faults"}}
        return tuple(map(str, found.faults)), repr((said, drive))

    def _concluded_again(self) -> Outcome:
        if is_imported(self.path):
            return Outcome.SAME
        again = conclude(examined(open_bundle(self.path)))
        return Outcome.SAME if repr(again) == repr(self._concluded) else Outcome.SILENT


def _shown(path: Path) -> Outcome:
    """Everything that is done with a damaged bundle; raises what must not be raised."""
    out = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(out), pytest.MonkeyPatch.context() as patch:
            # Drawing the pictures takes a thousand times as long as all else, and knows nothing of bundles.
            patch.setattr(Picture, "svg", lambda _: _drawn())
            patch.setattr(RenderPool, "picture", lambda _, spec: Picture(spec))
            for as_json in (False, True):
                _show(path, as_json)
            _report(path)
    except SsdlabError:
        return Outcome.REFUSED
    return Outcome.MARKED


def _show(path: Path, as_json: bool) -> None:  # noqa: FBT001 - as the command has it
    with suppress(typer.Exit):
        show(path, Path(), again=False, as_json=as_json)


def _report(path: Path) -> None:
    if is_imported(path):
        page([], [open_imported(path)])
        return
    bundle = examined(open_bundle(path))
    conclude(bundle)
    if is_probed(bundle):
        findings_of(bundle)
    page([bundle])


@cache
def _drawn() -> str:
    bundle = open_bundle(DATA / "bundles" / "schema-3")
    return render_svg(figures_for(bundle)[0].spec)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of many flips."""

    outcomes: Mapping[tuple[str, Outcome], int]
    bad: tuple[str, ...]
    """Where the bit was, and what came of it."""


def run_flips(kinds: Mapping[str, Callable[[Path], Path]], count: int, seed: int, lab: Path) -> Result:
    """As many flips, the kinds in turn, in files of any length alike."""
    random = Random(seed)  # noqa: S311 - no secret
    subjects = [Subject(kind, make(lab / f"lab-{number}")) for number, (kind, make) in enumerate(kinds.items())]
    outcomes: Counter[tuple[str, Outcome]] = Counter()
    bad = []
    for number in range(count):
        # Most flips go where a look takes least: what they hit is of the same kind everywhere.
        (subject,) = random.choices(subjects, [len(one.files) ** -0.5 for one in subjects])
        file = random.choice(subject.files)
        bit = random.randrange(8 * max(1, file.stat().st_size))
        if not file.stat().st_size:
            continue
        depth = Depth.ALL if number % DEEP == 0 else Depth.READING
        outcome, text = subject.flip(file, bit, depth)
        outcomes[subject.kind, outcome] += 1
        if outcome in BAD:
            bad.append(f"{subject.kind}: bit {bit} of {file.relative_to(subject.path)}: {outcome.value}\n{text}")
    return Result(outcomes, tuple(bad))


def main() -> None:
    """All kinds; status 1 if a number changed without a word, or there was a traceback."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        result = run_flips(KINDS, asked.count, asked.seed, Path(directory) / "new")
        old = run_flips(OLD, asked.count // 10, asked.seed, Path(directory) / "old")
    for one in (result, old):
        for (kind, outcome), times in sorted(one.outcomes.items(), key=lambda pair: (pair[0][0], pair[0][1].value)):
            print(f"{kind:20}{outcome.value:40}{times:7,}")
    bad = [*result.bad, *(text for text in old.bad if Outcome.TRACEBACK.value in text)]
    print(f"{asked.count:,} flips in {time.monotonic() - began:.0f} s")
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
