"""What reaches a terminal, and how a command ends: text of foreign origin steers nothing, and nothing ends in a traceback."""

import ast
import errno
import json
import os
import re
import resource
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.hints import hints_of
from tests.kit.library_runs import METRIC, Made, write_run
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.bundle.imported import IMPORT, ORIGINAL
from ssdlab.bundle.journal import Event, Journal
from ssdlab.cli.terminal import say_json, visible
from ssdlab.errors import UsageError
from ssdlab.os_errors import in_words
from ssdlab.place import require_directory, require_file, require_picture_directory

HOSTILE = "Evil\x1b[31m\x1b]0;title\x07\x9b2J\u202egnp\nerror: all is well\r\udcff [red]"
SEEN = r"Evil\x1b[31m\x1b]0;title\x07\x9b2J\u202egnp\nerror: all is well\r\udcff [red]"
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def steering(text: str) -> list[str]:
    return [letter for letter in text if unicodedata.category(letter) in STEERING and letter != "\n"]


def ended(*arguments: str, lang: str = "C.UTF-8") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ssdlab.cli", *arguments],
        check=False,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        env={**os.environ, "LC_ALL": lang, "PYTHONCOERCECLOCALE": "0"},
    )


def test_a_name_that_would_steer_a_terminal_is_shown_as_it_is_written() -> None:
    assert visible(HOSTILE) == SEEN
    assert visible("삼성 990 PRO\u00a02TB, µs ▁▂▃") == "삼성 990 PRO\u00a02TB, µs ▁▂▃"


@given(st.text(st.characters(), max_size=50))
def test_no_text_steers_a_terminal(text: str) -> None:
    assert steering(visible(text)) == []
    assert "\n" not in visible(text)


@settings(max_examples=15)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_no_model_steers_a_terminal_through_any_command(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    lab = tmp_path_factory.mktemp("lab")
    name = f"x{text}"
    run = str(write_run(lab, "r1", Made(model=name, serial=name, firmware=name)))
    other = str(write_run(lab, "r2", Made(model=f"{name}2", serial=f"{name}2", days=30)))
    for arguments in (
        ("show", run),
        ("show", run, "--json"),
        ("compare", run, other),
        ("library", "list", "--lab", str(lab)),
        ("library", "rank", METRIC, "--lab", str(lab)),
        ("library", "show", "x", "--lab", str(lab)),
        ("library", "sql", "select model from runs", "--lab", str(lab)),
        ("library", "sql", "select model from runs", "--json", "--lab", str(lab)),
    ):
        done = CliRunner().invoke(cli.app, arguments)
        assert steering(done.stdout + done.stderr) == [], arguments
        if "--json" in arguments:
            json.loads(done.stdout)


def test_a_warning_that_a_bundle_holds_is_one_line(tmp_path: Path) -> None:
    path = write_run(tmp_path, "r", Made())
    # JSON of UTF-8 has no word for a byte that is none.
    text = HOSTILE.replace("\udcff", "")
    with Journal(path / "journal.jsonl") as journal:
        journal.append(Event.WARNING, 1, text=text)
    shown = CliRunner().invoke(cli.app, ["show", str(path)]).stdout
    assert f"note: {visible(text)}\n" in shown
    assert steering(shown) == []


def test_a_path_that_is_no_utf_8_is_shown_in_any_locale() -> None:
    for lang in ("C", "C.UTF-8", "POSIX"):
        done = ended("show", os.fsdecode(b"/nowhere/\xff\x1b[31m"), lang=lang)
        assert (done.returncode, done.stdout) == (1, "")
        assert r"`/nowhere/\udcff\x1b[31m` is no bundle" in done.stderr


def test_json_has_no_word_for_what_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"a": [float("nan"), float("-inf"), 1.5, "\x7f\x1b\u202e"]})
    said = capsys.readouterr().out
    assert steering(said) == []
    assert json.loads(said) == {"a": ["nan", "-inf", 1.5, "\x7f\x1b\u202e"]}


def test_one_module_alone_writes_to_the_terminal() -> None:
    """Whatever prints elsewhere would print a drive's name as the drive wrote it."""
    # These three draw lines that change; what they are given goes through `visible`.
    draws = {"terminal.py", "display.py", "sustain_screen.py"}
    for path in Path(cli.__file__).parent.glob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        printed = [one for one in calls if isinstance(one, ast.Name) and one.id == "print"]
        assert path.name in draws or not printed, path.name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "x", "--lang", "fr"), "invalid value for '--lang': 'fr' is not one of 'en', 'ko'"),
        (("run", "fill"), "missing argument 'TARGET'"),
        (("nothing",), "no such command 'nothing'"),
        (("run", "fill", "model:demo", "--max-write", "5XB"), "`5XB` is not a size"),
        (("run", "fill", "model:demo", "--seed", "9" * 20), "invalid value for '--seed'"),
        (("sustain", "model:demo", "--total", "9" * 10_000 + "GiB"), f"`{'9' * 60}...` is not a size"),
        (("sustain", "model:demo", "--rest", "9999999999d"), "`9999999999d` is too large for a duration"),
        (("sustain", "model:demo", "--need", "1350"), "`1350` is not a bandwidth"),
        (("sustain", "model:demo", "--passes", "9" * 10_000), f"`--passes {'9' * 60}...` is no number"),
        (("plan", "fill", "model:demo", "--endurance", "9" * 10_000 + "TBW"), f"`{'9' * 60}...` is no endurance"),
        (("run", "model:demo", "client"), "the arguments are swapped\n\nhint: `ssdlab run client model:demo`"),
        (("plan", "model:demo", "client"), "the arguments are swapped\n\nhint: `ssdlab plan client model:demo`"),
        (("import", "x", "--capacity", "5XB"), "`5XB` is not a size"),
        (("purge", "/dev/null", "--block-size", "5XB"), "`5XB` is not a size"),
        (("log", "x", "--window", "9" * 10_000 + "s"), f"`{'9' * 60}...` is not a duration"),
    ],
)
def test_an_option_that_cannot_be_read_is_a_fault_of_the_command_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["ssdlab", *arguments])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")


def test_a_fault_of_ssdlab_keeps_its_traceback_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_options: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    (kept,) = tmp_path.iterdir()
    assert capsys.readouterr().err == (
        f"error: ssdlab itself is at fault: KeyError: 'x'\n\nhint: please report it with what is in `{kept}`\n"
    )
    assert "Traceback" in kept.read_text()


@pytest.mark.parametrize(
    "number",
    [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.ENAMETOOLONG, errno.EIO, errno.EMFILE, errno.ENOMEM],
)
def test_what_the_host_refuses_is_said_in_words_with_a_hint(number: int) -> None:
    error = in_words(OSError(number, os.strerror(number), "somewhere"))
    assert str(error).startswith("`somewhere` cannot be used: ")
    assert not re.search(r"Errno|\d", str(error))
    assert hints_of(error)


@pytest.mark.parametrize(
    ("words", "allowed_mib", "said"),
    [
        (("library", "list"), 400, "`ulimit -v` allows 400 MiB of memory, ssdlab needs 1.00 GiB"),
        (("report", "run"), 8 << 10, "`ulimit -v` allows 8.00 GiB of memory, ssdlab needs 72.0 GiB"),
    ],
)
def test_too_little_memory_is_said_before_a_library_aborts(words: tuple[str, ...], allowed_mib: int, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ssdlab.cli", *words],
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (allowed_mib << 20, allowed_mib << 20)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"error: {said}\n\nhint: allow more: `ulimit -v unlimited`\n"


def test_a_full_stdout_is_an_error_and_not_a_traceback() -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ssdlab.cli", "suites"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=buffered,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error: the disk is full\n")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_file_is_refused_where_none_can_be_before_the_work(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "file").touch()
    for path, said in (
        (tmp_path / "none" / "x.html", "there is no directory"),
        (tmp_path, "is a directory"),
        (pipe, "is no ordinary file"),
        (Path("/proc/x"), "cannot hold results"),
    ):
        with pytest.raises(Exception, match=said):
            require_file(path)
    with pytest.raises(Exception, match="is no directory"):
        require_directory(tmp_path / "file" / "lab")
    require_file(tmp_path / "file")
    require_directory(tmp_path / "new" / "lab")


def test_a_page_is_not_drawn_for_a_place_that_cannot_hold_it(tmp_path: Path) -> None:
    run = write_run(tmp_path, "r", Made())
    for option in (("-o", "none/x.html"), ("--markdown", "none/x.md"), ("--png", "/proc/x"), ("-o", "/dev/null")):
        done = ended("report", str(run), *option)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("error: ")
        assert "\nhint: " in done.stderr
        assert "Traceback" not in done.stderr
    assert Path("/dev/null").is_char_device()


def test_no_output_replaces_a_file_of_a_run(tmp_path: Path) -> None:
    run = write_run(tmp_path, "r", Made())
    (run / "raw").mkdir()
    (run / "raw" / "x.log").write_text("1, 2, 0, 4096, 0\n")
    (tmp_path / "link.html").symlink_to(run / "journal.jsonl")
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    for option in (
        ("-o", run / "journal.jsonl"),
        ("-o", tmp_path / "link.html"),
        ("--markdown", run / "run.json"),
        ("--png", run / "raw"),
    ):
        done = ended("report", str(run), *map(str, option))
        assert (done.returncode, done.stdout) == (2, "")
        assert "its evidence is never overwritten\n" in done.stderr
        assert "\nhint: name another" in done.stderr
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before
    for page in ("report.html", "report.ko.html", "post.md", "picture.png", "new.json"):
        require_file(run / page)
        if page != "new.json":
            (run / page).touch()
            require_file(run / page)
    require_picture_directory(run)
    imported = tmp_path / "imported"
    (imported / ORIGINAL).mkdir(parents=True)
    for name in (layout.RUN, layout.JOURNAL, IMPORT):
        (imported / name).touch()
        (imported / ORIGINAL / "result.html").touch()
        with pytest.raises(UsageError):
            require_file(imported / ORIGINAL / "result.html")
        with pytest.raises(UsageError):
            require_picture_directory(imported / ORIGINAL)
        (imported / name).unlink()


def test_a_report_replaces_pages_and_posts_of_ssdlab_and_nothing_else(tmp_path: Path) -> None:
    run = write_run(tmp_path, "r", Made())
    page, post = tmp_path / "page.html", tmp_path / "post.md"
    for language in ("en", "ko"):
        for empty in (page, post):
            empty.write_text("")
        for _ in ("into an empty file", "again"):
            done = ended("report", str(run), "-o", str(page), "--markdown", str(post), "--lang", language)
            assert (done.returncode, page.stat().st_size > 1000, post.stat().st_size > 100) == (0, True, True)
    notes = "<!doctype html>\nmy notes\n\nMeasured with ssdlab 1.\n"
    for option, file in (("-o", page), ("--markdown", post)):
        file.write_text(notes)
        done = ended("report", str(run), option, str(file))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"error: `{file}` was not written by ssdlab, and would be replaced\n\n"
            "hint: name another file, or remove it\n"
        )
        assert file.read_text() == notes


def test_a_page_is_not_called_like_something_else(tmp_path: Path) -> None:
    run = write_run(tmp_path, "r", Made())
    done = ended("report", str(run), "-o", str(tmp_path / "page.pdf"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "would hold an HTML page\n\nhint: call it `page.html`" in done.stderr
    assert not (tmp_path / "page.pdf").exists()


def test_where_no_post_can_be_written_no_page_is_either(tmp_path: Path) -> None:
    imported = Path(__file__).parents[1] / "data" / "bundles" / "import-1"
    page, post = tmp_path / "page.html", tmp_path / "post.md"
    done = CliRunner().invoke(cli.app, ["report", str(imported), "-o", str(page), "--markdown", str(post)])
    assert str(done.exception) == "there is no run of ssdlab to write a post on"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["compare", "report"])
def test_a_run_that_is_named_twice_is_no_repetition(tmp_path: Path, command: str) -> None:
    run, other = (write_run(tmp_path, name, Made(model=name, serial=name)) for name in ("a", "b"))
    (tmp_path / "link").symlink_to(run)
    done = CliRunner().invoke(cli.app, [command, *map(str, (run, tmp_path / "link", other))])
    assert isinstance(done.exception, BundleError)
    assert done.exception.message.id == "bundle-run-twice"


def test_why_a_run_cannot_be_published_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("ssdlab.publish.owner.owner_at", lambda _: None)
    monkeypatch.setattr("ssdlab.publish.copy.published_copy", fail)
    run = write_run(tmp_path, "r", Made())
    done = CliRunner().invoke(cli.app, ["publish", str(run), "-o", str(tmp_path / "x.ssdlab"), "--yes"])
    assert str(done.exception) == "the run cannot be published: the disk is full"


def test_columns_of_a_log_replace_no_file_of_a_run(tmp_path: Path) -> None:
    run = write_run(tmp_path, "r", Made())
    (run / "series.parquet").write_bytes(b"evidence")
    log = tmp_path / "series_bw.log"
    log.write_text("1, 2, 0, 4096, 0\n")
    done = ended("log", str(log), "--kind", "bw", "--parquet", str(run / "series.parquet"))
    assert (done.returncode, (run / "series.parquet").read_bytes()) == (2, b"evidence")
    assert "never overwritten" in done.stderr


def test_a_run_in_a_directory_that_is_no_utf_8_has_a_page_and_a_text(tmp_path: Path) -> None:
    lab = tmp_path / os.fsdecode(b"\xff")
    run = write_run(lab, "r", Made())
    done = ended("report", str(run), "--markdown", str(lab / "x.md"))
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\udcff" in (run / "report.html").read_text()
    assert (lab / "x.md").read_text()


def test_a_bundle_is_no_writer_of_pictures_elsewhere() -> None:
    from ssdlab.report.pictures import _safe

    assert _safe("comparison-fill-../../../etc/x-quick") == "comparison-fill-..-..-..-etc-x-quick"
    assert len(_safe("삼" * 300).encode()) <= 255
