"""What makes studies run whole: a change of code, and nothing else."""

import ast
from pathlib import Path

import pytest
from tests.study.passed import ROOT, Study, _code_of_others, _code_of_python, digest, recorded


@pytest.mark.parametrize("study", Study)
def test_every_tree_of_a_study_is_there(study: Study) -> None:
    assert [name for name in study.value if not (ROOT / name).exists()] == []
    assert digest(study) == digest(study)


def test_only_studies_are_recorded() -> None:
    assert set(recorded()) <= {study.name.lower() for study in Study}


def imported_by(path: Path, of: str) -> set[Path]:
    """Files of a package of ours that one imports, or that these import in turn."""
    found: set[Path] = set()
    left = [path]
    while left:
        for node in ast.walk(ast.parse(left.pop().read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(of):
                continue
            names = (node.module, *(f"{node.module}.{one.name}" for one in node.names))
            files = {ROOT / "src" / f"{name.replace('.', '/')}.py" for name in names if name}
            left += [file for file in files - found if file.exists()]
            found |= {file for file in files if file.exists()}
    return found


@pytest.mark.parametrize(
    ("study", "begin"),
    [
        (Study.STEADINESS, "tests/study/steady_study.py"),
        (Study.STEADINESS, "docs/sources/steady_page.py"),
        (Study.STEADINESS, "docs/sources/steady_story.py"),
        (Study.STEADINESS, "docs/sources/steady_study.py"),
        (Study.FILLS, "tests/study/fill_study.py"),
        (Study.SEPARATION, "src/ssdlab/analysis/metrics/write_amplification.py"),
    ],
)
def test_all_code_that_infers_for_a_study_is_of_it(study: Study, begin: str) -> None:
    trees = [ROOT / name for name in study.value]
    found = imported_by(ROOT / begin, "ssdlab.analysis.infer")
    assert found
    assert [file for file in found if not any(file.is_relative_to(tree) for tree in trees)] == []


def test_comments_docstrings_and_layout_make_no_difference() -> None:
    assert _code_of_python('def a():\n    """Said."""\n    return  1  # why\n') == _code_of_python("def a(): return 1")
    assert _code_of_others("/// Said.\nfn a() {\n    1\n}\n") == _code_of_others("fn a() {\n1\n}")


def test_code_does() -> None:
    assert _code_of_python("a = 1") != _code_of_python("a = 2")
    assert _code_of_python("a = 'x'") != _code_of_python("a = 'y'")
    assert _code_of_others("#[inline]\nfn a() {}") != _code_of_others("fn a() {}")
