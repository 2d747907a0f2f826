"""Take the pictures of first screens that the guides show: `uv run python docs/first_screens.py`, some minutes.

Every drive is a model and runs in virtual time, so the host does not matter. It takes Chromium, as the tests of pages do, and a font with Hangul.
"""

import argparse
import base64
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import sources
from sources.model_runs import ran

sys.path.append(str(Path(sources.__file__).resolve().parents[2]))
from tests.kit.browser import CHROMIUM, Page, browser

from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.figure.kit.say import HANGUL_FONT
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.report.page import write_report
from ssdlab.report.png import smaller
from ssdlab.report.render import check_hangul
from ssdlab.words import Language

IMAGES = Path(__file__).parent / "images"
_DATA = Path(__file__).parents[1] / "tests" / "data"
_WIDTH, _HEIGHT = 1280, 800
_FILL = ("run", "fill")
_SEED = ("--seed", "1")
_RUNS: Mapping[str, tuple[str, ...]] = {
    "fill": (*_FILL, "model:pm9e1-1tb", *_SEED),
    "fill-qlc": (*_FILL, "model:qlc-dramless-1tb", *_SEED),
    "fill-mlc": (*_FILL, "model:mlc-1tb", *_SEED),
    "client": ("run", "client", "model:pm9e1-1tb", *_SEED),
    "enterprise": ("run", "enterprise", "model:plp-enterprise-3t84?capacity=16GiB", "--profile", "quick", *_SEED),
    "probe": ("probe", "quick", "model:pm9e1-1tb", *_SEED),
    "sustain": ("sustain", "model:pm9e1-1tb", "--passes", "2"),
}
"""The commands whose runs are shown."""


@dataclass(frozen=True, slots=True)
class _Screen:
    """A picture, and the runs of its page, the drive under test first."""

    name: str
    runs: tuple[str, ...]
    scheme: str = "light"
    language: Language = Language.ENGLISH


_SCREENS = (
    *(_Screen(name, (name,)) for name in ("fill", "client", "enterprise", "probe", "sustain")),
    _Screen("compared", ("fill", "fill-qlc", "fill-mlc")),
    _Screen("imported", ()),
    _Screen("fill-ko", ("fill",), language=Language.KOREAN),
)
_RESULT = _DATA / "foreign" / "crystaldiskmark-8-nvme-mix.txt"


def main() -> int:
    """Run, write the pages, take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="SCREEN", nargs="*", help="these alone")
    parser.add_argument(
        "--kept", metavar="DIRECTORY", type=Path, help="keeps the runs there, and takes those of before"
    )
    asked = parser.parse_args()
    if CHROMIUM is None:
        print("error: there is no chromium in PATH", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as directory, browser() as page:
        made = [one for one in _SCREENS if not asked.names or one.name in asked.names]
        for screen in made:
            _take(screen, page, asked.kept or Path(directory), Path(directory))
    return 0


def _take(screen: _Screen, page: Page, labs: Path, directory: Path) -> None:
    if screen.language is Language.KOREAN:
        check_hangul(HANGUL_FONT)
    path = directory / f"{screen.name}.html"
    bundles = [ran(_RUNS[name], labs / name) for name in screen.runs]
    write_report(bundles, path, [] if bundles else [_imported(directory)], language=screen.language)
    page.open(path, _WIDTH)
    page.prefer(screen.scheme)
    page.call("Emulation.setDeviceMetricsOverride", width=_WIDTH, height=_HEIGHT, deviceScaleFactor=1, mobile=False)
    picture = smaller(base64.b64decode(page.call("Page.captureScreenshot")["data"]))
    (IMAGES / f"first-screen-{screen.name}.png").write_bytes(picture)
    print(f"{screen.name}: {len(picture):,} bytes")


def _imported(directory: Path) -> ImportedRun:
    return open_imported(take_in(_RESULT, directory / "imports", GivenFacts(model="Example 1TB")))


if __name__ == "__main__":
    sys.exit(main())
