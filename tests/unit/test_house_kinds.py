"""A kind of step, a state or any other case that is added is forgotten nowhere: the type checker names every place that must know it."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.schema import AnyStep

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ssdlab"
OF_STRANGERS = {
    "bundle/mark.py": "JSON of a bundle",
    "message_json.py": "any value of a message",
    "bundle/read.py": "all other lines of a journal only tell of files",
    "cli/ending.py": "any exception",
    "cli/terminal.py": "any value of JSON",
    "drive/target.py": "what somebody typed",
    "engine/fio/job_file.py": "a number",
    "lab/lifecycle.py": "any exception",
    "publish/files.py": "any value of JSON",
    "publish/values.py": "any value of a message",
}
"""Where a `match` may have a case for all that is left, and of what that is."""


def wildcards() -> Iterator[str]:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.match_case) and ast.unparse(node.pattern) == "_" and node.guard is None:
                yield str(path.relative_to(SOURCE))


def test_no_match_has_a_case_for_what_is_left_but_on_values_of_strangers() -> None:
    assert set(wildcards()) == set(OF_STRANGERS)


@pytest.mark.parametrize("kind", get_args(get_args(AnyStep)[0]), ids=lambda kind: kind.__name__)
def test_a_kind_of_step_is_final_so_that_the_type_checker_notices_what_it_leaves_out(kind: type[SuiteStep]) -> None:
    assert issubclass(kind, SuiteStep)
    assert "__final__" in vars(kind)


KIND = '''"""A kind of step that says nothing of itself."""

from typing import Literal, final

from ssdlab.method.kinds.base import SuiteStep


@final
class NewStep(SuiteStep):
    """It is only there."""

    kind: Literal["new"]
'''


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def test_a_new_kind_of_step_does_not_type_check_until_every_place_knows_it(tmp_path: Path) -> None:
    copy = tmp_path / "src" / "ssdlab"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("vendor", "*.so", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", tmp_path / ".mypy_cache")
    (copy / "method" / "kinds" / "new.py").write_text(KIND)
    schema = copy / "method" / "schema.py"
    edit(schema, "    PurgeStep\n", "    NewStep\n    | PurgeStep\n")
    edit(
        schema,
        "from ssdlab.method.kinds.purge",
        "from ssdlab.method.kinds.new import NewStep\nfrom ssdlab.method.kinds.purge",
    )
    edit(copy / "job.py", '    SEARCH = "search"\n', '    SEARCH = "search"\n    NEW = "new"\n')
    command = [sys.executable, "-m", "mypy", "src", "--no-pretty"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert {
        line.partition(":")[0].removeprefix("src/ssdlab/") for line in printed.splitlines() if ": error:" in line
    } == {
        "method/kinds/new.py",
        "method/state.py",
        "analysis/conclude.py",
        "lab/step.py",
        "report/suite_numbers.py",
        "report/method_words.py",
        "twin/acts.py",
    }
