"""What people type by mistake: a directory as they have it, the command run in it, and what every answer must be."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import pytest
from tests.kit.sample_bundle import write_interrupted, write_whole

from ssdlab import cli
from ssdlab.errors import ExitStatus

RUN = "lab/runs/20251201-fill-one"
NEWEST = "lab/runs/20251202-fill-two"
LINES_MAX, COLUMNS = 24, 80


@dataclass(frozen=True, slots=True)
class Mistakes:
    """A directory with a lab of two runs, a text, a suite that is no TOML, and an empty directory."""

    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def told(self, *lines: str | Sequence[str]) -> dict[str, str]:
        """Of each command its status and what it said; each is held against what any answer must be."""
        return {line if isinstance(line, str) else " ".join(line): self._told(line) for line in lines}

    def _told(self, line: str | Sequence[str]) -> str:
        words = line.split() if isinstance(line, str) else list(line)
        self.monkeypatch.setattr(sys, "argv", ["ssdlab", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = self.capsys.readouterr()
        _judge(said.out, said.err)
        status = ExitStatus(int(ended.value.code or 0))
        assert status in {ExitStatus.REFUSED, ExitStatus.USAGE}
        lines = said.err.replace(f"{Path.cwd()}/", "").splitlines()
        return f"{status.name.lower()}\n" + "\n".join(filter(None, lines))


def _judge(out: str, err: str) -> None:
    """Nothing among the data, what was found, what to do, no traceback, all of it on one screen."""
    assert out == ""
    assert err.startswith("error: ")
    assert "hint: " in err, err
    assert "Traceback" not in err
    assert "ssdlab itself is at fault" not in err
    assert sum(len(wrap(line, COLUMNS)) or 1 for line in err.splitlines()) <= LINES_MAX, err


def mistakes_in(place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mistakes:
    """With the directory as the current one."""
    write_whole(place / RUN)
    write_interrupted(place / NEWEST)
    (place / "notes.txt").write_text("hello\n")
    (place / "broken.toml").write_text("[suite\n")
    (place / "empty").mkdir()
    monkeypatch.chdir(place)
    return Mistakes(capsys, monkeypatch)
