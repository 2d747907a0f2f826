"""Write NOTICE, the parts of others that the wheel contains: `uv run python docs/notice.py`.

With `--check` nothing is written; the exit status is 1 if NOTICE is not what Cargo.lock and packages/package-lock.json say.
"""

import json
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICE = ROOT / "NOTICE"
UPLOT_LICENCE = ROOT / "src/ssdlab/report/vendor/LICENSE"
TARGET = "x86_64-unknown-linux-gnu"
"""Said, so that the same is written on every machine."""
_HEAD = """\
ssdlab
Licensed under the Apache License, Version 2.0; its text is in the file LICENSE.

The packages of ssdlab contain parts of others. Written by docs/notice.py.

Under the Apache License, Version 2.0 (each offers it, some beside other licences):
"""


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """Something of others."""

    name: str
    version: str
    licence: str
    """An SPDX expression."""
    directory: Path

    @property
    def title(self) -> str:
        """As it is listed."""
        return f"{self.name} {self.version} ({self.licence})"

    @property
    def offers_apache(self) -> bool:
        """Whether our own licence is one of those to choose from."""
        return "Apache-2.0" in self.licence.split(" OR ")

    @property
    def words(self) -> str:
        """The text of its licence, of several to choose from the one of MIT; and those of what it contains."""
        files = sorted(self.directory.glob("LICENSE-MIT*")) or sorted(self.directory.glob("LICENSE*"))
        texts = [
            path.read_text(encoding="utf-8").strip() for path in (*files, *sorted(self.directory.glob("*/LICENSE")))
        ]
        return "\n\n".join(dict.fromkeys(texts))


def compiled_in() -> Sequence[Part]:
    """The crates in the Python module, without ours and without what only writes code at compile time."""
    tree = _cargo(
        "tree", "--package", "ssdlab-py", "--edges", "normal,no-proc-macro", "--target", TARGET, "--prefix", "none"
    )
    linked = {tuple(line.split()[:2]) for line in tree.splitlines()}
    crates = json.loads(_cargo("metadata", "--format-version", "1"))["packages"]
    return sorted(
        Part(crate["name"], crate["version"], crate["license"], Path(crate["manifest_path"]).parent)
        for crate in crates
        if crate["source"] is not None and (crate["name"], f"v{crate['version']}") in linked
    )


def uplot() -> Part:
    """The chart library in each report."""
    locked = json.loads((ROOT / "packages/package-lock.json").read_text(encoding="utf-8"))
    package = locked["packages"]["node_modules/uplot"]
    return Part("uPlot", package["version"], package["license"], UPLOT_LICENCE.parent)


def notice() -> str:
    """The whole file."""
    crates = compiled_in()
    ours = ["the standard library of Rust (MIT OR Apache-2.0)", *(part.title for part in crates if part.offers_apache)]
    others = [uplot(), *(part for part in crates if not part.offers_apache)]
    return _HEAD + "".join(f"  {title}\n" for title in ours) + "".join(map(_own_licence, others))


def _own_licence(part: Part) -> str:
    return f"\n{part.title}:\n\n{textwrap.indent(part.words, '  ')}\n"


def _cargo(*arguments: str) -> str:
    command = ["cargo", *arguments, "--locked", "--offline"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Write or check it."""
    text = notice()
    if "--check" not in sys.argv:
        NOTICE.write_text(text, encoding="utf-8")
        return 0
    if NOTICE.read_text(encoding="utf-8") == text:
        return 0
    print("error: NOTICE is not what the locked packages say", file=sys.stderr)
    print("hint: uv run python docs/notice.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
