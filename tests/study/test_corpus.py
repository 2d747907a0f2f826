"""The list of published files is as its page says; the files themselves are fetched by `tests.study.corpus`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.study import corpus as study
from tests.study.corpus import CorpusFile, Verdict, content_of, corpus, fio_release
from tests.study.corpus_reference import READERS

FILES = corpus()


def test_the_list_is_broad() -> None:
    assert len(FILES) >= 300
    assert len({file.repository for file in FILES}) >= 25
    assert len({fio_release(file) for file in FILES} - {""}) >= 12


def test_no_file_is_listed_twice() -> None:
    assert len({file.sha256 for file in FILES}) == len(FILES)


def test_no_repository_outweighs_the_others() -> None:
    assert max(sum(file.repository == one for file in FILES) for one in {file.repository for file in FILES}) <= 22


@pytest.mark.parametrize("kind", sorted({file.kind for file in FILES}))
def test_each_file_has_values_or_a_refusal(kind: str) -> None:
    assert kind in READERS or kind == "fio-log"
    for file in FILES:
        assert bool(file.rows) is not bool(file.refused), file
        assert all(row.values for row in file.rows)
        assert len(file.rows) == -(-file.loads // file.every)
        assert len(file.commit) == 40
        assert len(file.sha256) == 64


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CorpusFile]:
    """A file of the list, and a server that has another content under its path."""
    file = replace(FILES[0], path="results of 4k/größe #1 100%.json", sha256=sha256(b"content").hexdigest())
    path = tmp_path / file.repository / file.commit / file.path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"content")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(tmp_path)))
    monkeypatch.setattr(study, "_RAW", f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield file
    server.shutdown()
    thread.join()
    server.server_close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_file_is_fetched_by_repository_commit_and_path(published: CorpusFile) -> None:
    assert content_of(published, None) == b"content"


@pytest.mark.parametrize("wrong", [partial(replace, sha256="0" * 64), partial(replace, path="gone.json")])
def test_what_is_another_file_or_gone_is_named_and_the_rest_goes_on(
    published: CorpusFile,
    wrong: Callable[[CorpusFile], CorpusFile],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(study, "corpus", lambda: [wrong(published)] * 2)
    monkeypatch.setattr("sys.argv", ["corpus"])
    assert study.main() == 1
    *lines, counts = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert f"2 {Verdict.GONE.value}" in counts
