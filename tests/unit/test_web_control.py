"""Who may change what from a browser: with `--control` alone, a page of the lab's own, once, and just what its page named."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from urllib.parse import urlencode

import pytest
from starlette.types import ASGIApp
from tests.kit.web_asked import HOST, KNOWN, NO_DATABASE, OWN, ROOT, SENDS, WRONG, Asking, answer
from tests.kit.web_lab import GoingRun

from ssdlab.bundle.live import LivePoint
from ssdlab.web.acts import Questions, StopRun
from ssdlab.web.app import Lab, application
from ssdlab.web.site import Power
from ssdlab.words import Language

RUN = "20260103T000000Z-fill-going"
ROUTES = [f"/runs/{RUN}/stop", "/fleet/runs/1/cancel", "/fleet/runs/1/retry", "/fleet/submit"]


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return tmp_path / "lab"


@pytest.fixture
def going(lab: Path) -> Iterator[GoingRun]:
    """A run that this process writes, and says so."""
    run = GoingRun(lab / "runs" / RUN)
    run.live.append(LivePoint(at_ms=1, clock_ns=1, process_id=os.getpid()))
    yield run
    run.close()


@pytest.fixture
def heard() -> Iterator[list[int]]:
    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGTERM, hear)
    yield came
    signal.signal(signal.SIGTERM, before)


def app_of(lab: Path, power: Power = Power.CONTROL) -> ASGIApp:
    return application(Lab(lab, Language.ENGLISH, NO_DATABASE, power), KNOWN)


def post(app: ASGIApp, path: str, headers: object = tuple(SENDS), **fields: str) -> int:
    body = urlencode(fields).encode()
    return answer(app, Asking(ROOT + path, headers, method="POST", body=body))[0]  # type: ignore[arg-type]


def token_of(app: ASGIApp, path: str) -> str:
    """That of the page that asks."""
    status, _, text = answer(app, Asking(ROOT + path))
    assert status == 200
    (token,) = re.findall(r'name="token" value="([^"]+)"', text)
    return str(token)


@pytest.mark.parametrize("path", ROUTES)
def test_without_control_there_is_nothing_to_change(lab: Path, going: GoingRun, path: str) -> None:
    app = app_of(lab, Power.LOOK)
    assert answer(app, Asking(ROOT + path))[0] == 404
    assert post(app, path, token="x") in {404, 405}  # noqa: S106
    for page in ("/", "/fleet", f"/runs/{RUN}"):
        text = answer(app, Asking(ROOT + page))[2]
        assert "<form" not in text
        assert 'class="act"' not in text
        assert "which only reads" in text


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_whoever_may_not_look_may_change_nothing(lab: Path, going: GoingRun, path: str, method: str) -> None:
    app = app_of(lab)
    form = ("content-type", "application/x-www-form-urlencoded")
    # What is right but for one thing: of a form its origin is always told.
    statuses = {
        answer(app, Asking(ROOT + path, [*headers, form], method=method, body=b"token=x"))[0] for headers in WRONG
    }
    assert statuses == {403}


WITHOUT_ORIGIN = [one for one in SENDS if one[0] != "origin"]
WRONG_SENDERS = [
    WITHOUT_ORIGIN,
    [*WITHOUT_ORIGIN, ("origin", "null")],
    [*WITHOUT_ORIGIN, ("origin", "http://evil.example")],
    [*WITHOUT_ORIGIN, ("origin", "http://127.0.0.1:9999")],
    [*WITHOUT_ORIGIN, ("origin", f"https://{HOST}")],
    [*SENDS, ("origin", f"http://{HOST}")],
    [*(one for one in SENDS if one[0] != "sec-fetch-site"), ("sec-fetch-site", "none")],
    [*(one for one in SENDS if one[0] != "sec-fetch-site"), ("sec-fetch-site", "same-site")],
    [*SENDS, ("sec-fetch-site", "same-origin")],
    [one for one in SENDS if one[0] != "cookie"],
]


@pytest.mark.parametrize("headers", WRONG_SENDERS)
def test_a_right_token_is_of_no_use_to_another_page(
    lab: Path, going: GoingRun, heard: list[int], headers: list[tuple[str, str]]
) -> None:
    app = app_of(lab)
    token = token_of(app, f"/runs/{RUN}/stop")
    assert post(app, f"/runs/{RUN}/stop", headers, token=token) == 403
    assert heard == []


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("body", [b"", b"token=", b"token=wrong", b"token=a&token=b", f"token={KNOWN.told}".encode()])
def test_what_no_page_asked_is_refused(lab: Path, going: GoingRun, heard: list[int], path: str, body: bytes) -> None:
    status, _, text = answer(app_of(lab), Asking(ROOT + path, SENDS, method="POST", body=body))
    assert (status, "nothing was changed" in text) == (403, True)
    assert heard == []


def test_a_run_is_told_to_stop_once_by_the_page_that_names_it(lab: Path, going: GoingRun, heard: list[int]) -> None:
    app, place = app_of(lab), f"/runs/{RUN}/stop"
    status, _, text = answer(app, Asking(ROOT + place))
    assert (status, RUN in text, "Stop the run on" in text) == (200, True, True)
    token = token_of(app, place)
    assert post(app, place, token=token) == 303
    assert heard == [signal.SIGTERM]
    assert post(app, place, token=token) == 403
    assert heard == [signal.SIGTERM]


def test_the_answer_of_one_run_does_not_stop_another(lab: Path, going: GoingRun, heard: list[int]) -> None:
    other = GoingRun(lab / "runs/another")
    app = app_of(lab)
    assert post(app, "/runs/another/stop", token=token_of(app, f"/runs/{RUN}/stop")) == 403
    other.close()
    assert heard == []


def test_who_has_the_journal_is_asked_to_end_and_not_whom_the_bundle_names(
    lab: Path, going: GoingRun, heard: list[int]
) -> None:
    going.point()  # says that process 1 writes it
    app = app_of(lab)
    assert post(app, f"/runs/{RUN}/stop", token=token_of(app, f"/runs/{RUN}/stop")) == 303
    assert heard == [signal.SIGTERM]


def test_a_run_that_is_over_is_not_asked_about(lab: Path, going: GoingRun) -> None:
    going.over()
    assert answer(app_of(lab), Asking(f"{ROOT}/runs/{RUN}/stop"))[0] == 404


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ([*OWN, ("origin", f"http://{HOST}"), ("content-type", "application/json")], b"{}", 415),
        ([*OWN, ("origin", f"http://{HOST}")], b"token=x", 415),
        (SENDS, b"token=" + b"x" * (1 << 17), 413),
        (SENDS, b"&".join(b"a=1" for _ in range(3000)), 400),
        (SENDS, b"\xff", 400),
    ],
)
def test_what_is_no_form_of_ours_is_refused(
    lab: Path, going: GoingRun, headers: list[tuple[str, str]], body: bytes, status: int
) -> None:
    found = answer(app_of(lab), Asking(f"{ROOT}/runs/{RUN}/stop", headers, method="POST", body=body))[0]
    assert found == status


def test_of_a_fleet_whose_database_is_down_nothing_is_asked(lab: Path) -> None:
    for path in ("/fleet/runs/1/cancel", "/fleet/submit"):
        status, _, text = answer(app_of(lab), Asking(ROOT + path))
        assert (status, "database cannot be used" in text) == (404, True)


def test_questions_that_nobody_answers_are_forgotten_from_the_oldest_on() -> None:
    questions = Questions()
    first = questions.ask(StopRun("first", 1))
    tokens = [questions.ask(StopRun("later", 1)) for _ in range(1000)]
    assert questions.answered(tokens[0], StopRun).name == "later"
    with pytest.raises(Exception, match="403"):
        questions.answered(first, StopRun)
