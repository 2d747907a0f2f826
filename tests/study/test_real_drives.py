"""The page on real drives says what was recorded, and what was recorded follows from the files.

The files are fetched by `python -m tests.study.real_drives`, which derives all answers anew and holds them against those that were recorded.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.study import real_drives as study
from tests.study.real_drives import Answer, Question, Verdict, answers, files, known
from tests.study.real_questions import amplifications, authors_mean, steady_speeds
from tests.study.real_streams import streams_in

TITLES = "hash,id,time,timeDiff,device,filesizeGib,pattern,patternDetails,rate,writeMibs"
WINDOW_S = 5


def test_there_are_twenty_sets_of_eight_drives() -> None:
    assert len(known().set) >= 20
    assert len({one.drive for one in known().set}) >= 8
    assert len({one.name for one in known().set}) == len(known().set)
    assert {one.set for one in answers()} == {one.name for one in known().set}


def test_every_file_is_pinned_and_of_a_set() -> None:
    named = {(known().source_of(one).repository, path) for one in known().set for path in one.files}
    assert named == {(file.repository, file.path) for file in files()}
    commits = {source.repository: source.commit for source in known().source}
    for file in files():
        assert (len(file.sha256), len(file.commit), file.commit) == (64, 40, commits[file.repository])


def test_every_disagreement_has_one_reason_or_is_open_and_no_reason_is_left_over() -> None:
    apart = [one for one in answers() if one.verdict in {Verdict.DIFFERS, Verdict.WITHHELD}]
    assert apart
    for one in apart:
        assert sum(why.is_of(one) for why in known().why) == 1, one
    for why in known().why:
        assert any(why.is_of(one) for one in apart), why


ANSWER = Answer("a", "uniform", Question.STEADY, 100.0, "", 100.0, 0.01)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (replace(ANSWER, ours=104.9), Verdict.AGREES),
        (replace(ANSWER, ours=94.0), Verdict.DIFFERS),
        (replace(ANSWER, ours=109.0, question=Question.RATED), Verdict.AGREES),
        (replace(ANSWER, ours=100.2, question=Question.PRINTED), Verdict.DIFFERS),
        (replace(ANSWER, ours=None, why_none="not steady"), Verdict.WITHHELD),
        (replace(ANSWER, ours=None, why_none="not steady", moves=0.2), Verdict.WITHHELD_MOVING),
    ],
)
def test_a_verdict_follows_from_the_two_answers(answer: Answer, verdict: Verdict) -> None:
    assert answer.verdict is verdict


def test_the_authors_mean_is_of_their_stretch_without_outliers() -> None:
    time = np.arange(1.0, 101.0)
    rate = np.where(time <= 60, 500.0, 100.0)
    rate[79] = 1000.0
    assert authors_mean(time, rate)[0] == pytest.approx(100.0)
    assert authors_mean(time, rate)[1] == pytest.approx(0.0)


def threads_of(directory: Path, rates: Sequence[float], count: int = 2) -> list[Path]:
    """Files of threads that share a load, the first without its titles."""
    paths = []
    for thread in range(count):
        path = directory / f"iob-stats-id{thread}-x0-made.csv"
        rows = (
            f"h1,{thread},{(at + 1) * WINDOW_S},{WINDOW_S},/dev/x,10,uniform,,0,{rate / count}\n"
            for at, rate in enumerate(rates)
        )
        path.write_text("".join(rows) if thread == 0 else f"{TITLES}\n" + "".join(rows))
        paths.append(path)
    return paths


def test_a_thread_whose_file_has_no_titles_counts(tmp_path: Path) -> None:
    paths = threads_of(tmp_path, [100.0] * 400)
    (asked,) = steady_speeds(paths)
    assert asked.theirs == pytest.approx(100 * 2**20)
    (stream,) = streams_in(tmp_path)
    assert stream.capacities == pytest.approx(400 * WINDOW_S * 100 / 10240)


def test_files_without_any_titles_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "iob-stats-id0-x0-made.csv"
    path.write_text("h1,0,10,10,/dev/x,10,uniform,,0,5\n")
    with pytest.raises(ValueError, match="no titles"):
        list(steady_speeds([path]))


def test_a_directory_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    for name in ("a", "a/a"):
        (tmp_path / name).mkdir()
        threads_of(tmp_path / name, [100.0] * 400)
    assert len(list(streams_in(tmp_path))) == 1


def test_a_stream_that_stays_is_answered_and_one_that_falls_late_is_not(tmp_path: Path) -> None:
    (flat,) = steady_speeds(threads_of(tmp_path, [100.0] * 400))
    assert flat.ours == pytest.approx(flat.theirs, rel=1e-3)
    (falls,) = steady_speeds(threads_of(tmp_path, [100.0] * 300 + [40.0] * 100))
    assert falls.ours is None
    assert "the speed had left" in falls.why_none


def test_amplification_is_the_drives_over_the_hosts_bytes(tmp_path: Path) -> None:
    titles = "stat,type,hash,time,exacttime,device,filesizeGib,fill,usedfilesize,pattern,patternDetails,rate,expRate,writepercent,bs"
    counts = "writesTotal,readsTotal,physicalMediaUnitsWrittenBytes,wa"
    rows = (
        f"keep,ssd,h1,{at},{at}.0,/dev/x,10,1,10,uniform,,0,1,1,4096,{1000 * at},0,{10**12 + 3 * 4096 * 1000 * at},3.0\n"
        for at in range(100)
    )
    path = tmp_path / "iob-log-made.csv"
    path.write_text(f"{titles},{counts}\n" + "".join(rows))
    (asked,) = amplifications(path)
    assert asked.ours == pytest.approx(3.0)
    assert asked.theirs == pytest.approx(3.0)


def test_what_differs_from_the_record_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study, "derived_anew", lambda *_: iter([replace(answers()[0], ours=1.0), *answers()[1:]]))
    monkeypatch.setattr("sys.argv", ["real_drives"])
    assert study.main() == 1
    named, counts = capsys.readouterr().out.splitlines()
    assert named.startswith(answers()[0].set)
    assert "1 other than recorded" in counts
