"""Who may look at the lab in a browser: only a page of this host's own, which knows the secret."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.sample_bundle import run_info
from tests.kit.small_bundle import write_small
from tests.kit.web_asked import COOKIE, HOST, KNOWN, NAME, NO_DATABASE, OWN, ROOT, SENDS, WRONG, asked

from ssdlab.bundle.write import BundleWriter
from ssdlab.units import GIB
from ssdlab.web.gate import Secrets
from ssdlab.words import Language


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lab = tmp_path_factory.mktemp("web") / "lab"
    write_small(lab / "runs/20260101T000000Z-fill-first")
    return lab


@pytest.mark.parametrize(
    "path", ["/", "/library", "/static/lab.css", "/runs/20260101T000000Z-fill-first/stream", "/no", "/language/ko"]
)
def test_whoever_may_not_look_is_refused_whatever_is_asked_for(lab: Path, path: str) -> None:
    assert len(WRONG) >= 30
    answers = [asked(lab, ROOT + path, headers) for headers in WRONG]
    assert {status for status, _, _ in answers} == {403}
    assert all("first" not in text for _, _, text in answers)


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/library", "/static/lab.css", "", "//", f"/{ROOT}/", "/x/..", f"/x/..{ROOT}/", f"/x{ROOT}/library"),
        *(f"{ROOT[:-1]}/", f"{ROOT}x/library", f"{ROOT}?/library", ROOT.upper(), "/other-secret"),
    ],
)
def test_all_is_below_the_path_that_the_cookie_is_for(lab: Path, path: str) -> None:
    assert asked(lab, path, [("host", HOST), COOKIE])[0] == 403


def test_no_other_server_of_this_host_is_sent_the_cookie_or_can_set_one_in_its_place(lab: Path) -> None:
    """Browsers send cookies to all ports: what keeps them apart is the path, and of two of one name one is lost."""
    _, headers, _ = asked(lab, "/", [("host", HOST)], f"token={KNOWN.told}")
    assert f"Path={ROOT}" in headers["set-cookie"].split("; ")
    one, other = Secrets(), Secrets()
    assert len({one.told, one.given, one.root, other.told, other.given, other.root}) == 6
    assert one.cookie != other.cookie


@pytest.mark.parametrize(
    "query", ["token=wrong", f"token={KNOWN.given}", "token=", f"token={KNOWN.told}&token=x", f"token={ROOT}", "x=1"]
)
def test_a_wrong_token_gives_no_cookie(lab: Path, query: str) -> None:
    status, headers, _ = asked(lab, "/", [("host", HOST)], query)
    assert status == 403
    assert "set-cookie" not in headers


def test_a_right_token_is_of_no_use_to_a_page_of_another_site(lab: Path) -> None:
    for headers in ([("host", "evil.example")], [("host", HOST), ("origin", "http://evil.example")]):
        assert asked(lab, "/", headers, f"token={KNOWN.told}")[0] == 403


@pytest.mark.parametrize("path", ["/fleet", "/fleet/stream"])
def test_a_fleet_is_shown_to_nobody_who_may_not_look(lab: Path, path: str) -> None:
    statuses = {asked(lab, ROOT + path, headers, database=NO_DATABASE)[0] for headers in WRONG}
    assert statuses == {403}


def test_a_database_that_is_down_is_told_of_and_takes_nothing_else_away(lab: Path) -> None:
    own = [("host", HOST), COOKIE]
    status, _, text = asked(lab, f"{ROOT}/fleet", own, database=NO_DATABASE)
    assert (status, "The fleet cannot be looked at" in text, "the rest of the lab goes on" in text) == (200, True, True)
    for path in ("/", "/library"):
        status, _, text = asked(lab, ROOT + path, own, database=NO_DATABASE)
        assert (status, f'href="{ROOT}/fleet"' in text) == (200, True)


def test_without_a_fleet_there_is_no_page_of_one(lab: Path) -> None:
    own = [("host", HOST), COOKIE]
    assert asked(lab, f"{ROOT}/fleet", own)[0] == 404
    assert "/fleet" not in asked(lab, f"{ROOT}/", own)[2]


@pytest.mark.parametrize("host", [HOST, "localhost:1", "LOCALHOST", "[::1]:8417", "[::1]", "127.0.0.1"])
def test_the_right_token_gives_a_cookie_that_opens_all_pages(lab: Path, host: str) -> None:
    status, headers, _ = asked(lab, "/", [("host", host)], f"token={KNOWN.told}")
    assert (status, headers["location"]) == (303, f"{ROOT}/")
    assert {"HttpOnly", "SameSite=strict"} <= set(headers["set-cookie"].split("; "))
    cookie = ("cookie", headers["set-cookie"].partition(";")[0])
    own = [("host", host), cookie, ("origin", f"http://{host}"), ("sec-fetch-site", "same-origin")]
    for path in ("/", "/library", "/static/lab.css", "/static/lab.js"):
        assert asked(lab, ROOT + path, own)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(lab: Path, method: str) -> None:
    for path in ("/", "/library", "/compare", "/runs/20260101T000000Z-fill-first", "/fleet"):
        assert asked(lab, ROOT + path, SENDS, method=method, database=NO_DATABASE)[0] == 405
        # A browser says of each such request where it comes from.
        assert asked(lab, ROOT + path, OWN, method=method, database=NO_DATABASE)[0] == 403


@pytest.mark.parametrize("name", ["..", "%2e%2e", "../..", "x/../..", ".catalogue-3", "", "a\0b", "nothing"])
def test_only_runs_of_the_lab_are_found(lab: Path, name: str) -> None:
    (lab / "runs/link").unlink(missing_ok=True)
    (lab / "runs/link").symlink_to("/etc")
    for path in (f"/runs/{name}", f"/runs/{name}/report", "/runs/link"):
        assert asked(lab, ROOT + path, [("host", HOST), COOKIE])[0] == 404
    (lab / "runs/link").unlink()


def test_pages_may_load_nothing_from_elsewhere_and_no_script_of_their_own(lab: Path) -> None:
    for path in ("/", "/library"):
        _, headers, text = asked(lab, ROOT + path, [("host", HOST), COOKIE])
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert not re.search(r"<script(?! src=\"/root-secret/static/)|<style| style=|javascript:|https?:", text)


def test_pages_speak_the_language_that_is_asked_for(lab: Path) -> None:
    own = [("host", HOST), COOKIE]
    assert '<html lang="ko">' in asked(lab, f"{ROOT}/library", [*own, ("accept-language", "fr, ko-KR;q=0.8")])[2]
    assert '<html lang="en">' in asked(lab, f"{ROOT}/library", [*own, ("accept-language", "fr")])[2]
    assert '<html lang="ko">' in asked(lab, f"{ROOT}/library", own, language=Language.KOREAN)[2]
    chosen = ("cookie", f"{NAME}={KNOWN.given}; ssdlab-language=en")
    assert '<html lang="en">' in asked(lab, f"{ROOT}/library", [("host", HOST), chosen, ("accept-language", "ko")])[2]


@pytest.mark.parametrize(
    ("kind", "told", "untold"),
    [("fill", "ssdlab resume", "ssdlab sustain"), ("sustain", "ssdlab sustain /dev/nvme0n1", "ssdlab resume")],
)
def test_of_a_run_that_stopped_a_page_says_how_it_goes_on(tmp_path: Path, kind: str, told: str, untold: str) -> None:
    path, run = tmp_path / "lab/runs/one", run_info(GIB)
    BundleWriter(path, replace(run, suite=replace(run.suite, name=kind)), ()).close()
    status, _, text = asked(tmp_path / "lab", f"{ROOT}/runs/one", [("host", HOST), COOKIE])
    assert status == 200
    assert told in text
    assert untold not in text


def test_no_other_command_loads_what_serves_pages(tmp_path: Path) -> None:
    """Of a single host nothing depends on the extra: the commands do all they did where it is not installed."""
    script = """
import sys
for name in ("starlette", "uvicorn", "anyio", "h11"):
    sys.modules[name] = None  # as if it was not installed
from ssdlab.cli import main
main()
"""
    single = "from pathlib import Path\nfrom tests.kit.web_asked import *\nasked(Path('.'), f'{ROOT}/', [('host', HOST), COOKIE])"
    for name in ("procrastinate", "psycopg", "ssdlab.fleet"):
        single = f"import sys\nsys.modules['{name}'] = None\n{single}"
    assert subprocess.run([sys.executable, "-c", single], check=False, capture_output=True).returncode == 0
    for words in (["run", "fill", "model:demo", "--profile", "quick", "--lab", str(tmp_path)], ["web", "--help"]):
        assert subprocess.run([sys.executable, "-c", script, *words], check=False, capture_output=True).returncode == 0
    refused = subprocess.run([sys.executable, "-c", script, "web"], check=False, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "pip install 'ssdlab[web]'" in refused.stderr
