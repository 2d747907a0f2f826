"""Write the pages of `docs/reference/` from the code: `uv run python docs/generate.py`.

With `--check` nothing is written; pages that are not what the code says are named, and the exit status is 1.
"""

import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import sources

sys.path.append(str(Path(sources.__file__).resolve().parents[2]))
from sources import (
    audit,
    builtin_specs,
    bundle,
    cli,
    corpus,
    exit_status,
    fidelity,
    formats,
    held,
    man,
    metrics,
    real_drives,
    review,
    spec,
    suite,
    trace_set,
)
from sources.example import Example

REFERENCE = Path(__file__).parent / "reference"
MANUAL = Path(__file__).parents[1] / "packages" / "wheel" / "data" / "share" / "man" / "man1"
"""What the wheel installs below `share/man`."""
_HEADING = "<!-- Written by docs/generate.py from the code. Change the code, then run it again. -->\n\n"
_MANUAL_HEADING = '.\\" Written by docs/generate.py from the code. Change the code, then run it again.\n'


def pages(directory: Path) -> Mapping[str, Callable[[], str]]:
    """Every generated page by its file name; some show what a run left behind."""
    example = Example.made_in(directory)
    return {
        "against-real-drives.md": real_drives.page,
        "audit.md": audit.page,
        **{f"checks/{name}": partial(str, text) for name, text in audit.check_pages(example).items()},
        "builtin-specs.md": builtin_specs.page,
        "bundle.md": lambda: bundle.page(example),
        "cli.md": cli.page,
        "exit-status.md": exit_status.page,
        "fidelity.md": fidelity.page,
        "import-corpus.md": corpus.page,
        "import-formats.md": formats.page,
        "import-pitfalls.md": held.page,
        "metrics.md": lambda: metrics.page(example),
        "model-against-review.md": lambda: review.page(directory / "review"),
        "spec.md": spec.page,
        "suite.md": suite.page,
        "trace-set.md": lambda: trace_set.page(directory / "trace-set"),
    }


def _headed(page: Callable[[], str]) -> str:
    return _HEADING + page()


def main() -> int:
    """Write or check all pages."""
    stale = []
    with tempfile.TemporaryDirectory() as directory:
        texts = {REFERENCE / name: partial(_headed, page) for name, page in pages(Path(directory)).items()}
        texts |= {MANUAL / name: partial(str, _MANUAL_HEADING + text) for name, text in man.pages().items()}
        for path, made in texts.items():
            name, text = path.name, made()
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            stale.append(name)
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"error: {', '.join(stale)} are not what the code says", file=sys.stderr)
        print("hint: uv run python docs/generate.py", file=sys.stderr)
        return 1
    print(f"{len(stale)} pages written" if stale else "all pages are fresh")
    return 0


if __name__ == "__main__":
    sys.exit(main())
