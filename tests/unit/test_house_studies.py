"""What makes studies run whole: a change of code, and nothing else."""

import pytest
from tests.study.passed import ROOT, Study, _code_of_others, _code_of_python, digest, recorded


@pytest.mark.parametrize("study", Study)
def test_every_tree_of_a_study_is_there(study: Study) -> None:
    assert [name for name in study.value if not (ROOT / name).exists()] == []
    assert digest(study) == digest(study)


def test_only_studies_are_recorded() -> None:
    assert set(recorded()) <= {study.name.lower() for study in Study}


def test_comments_docstrings_and_layout_make_no_difference() -> None:
    assert _code_of_python('def a():\n    """Said."""\n    return  1  # why\n') == _code_of_python("def a(): return 1")
    assert _code_of_others("/// Said.\nfn a() {\n    1\n}\n") == _code_of_others("fn a() {\n1\n}")


def test_code_does() -> None:
    assert _code_of_python("a = 1") != _code_of_python("a = 2")
    assert _code_of_python("a = 'x'") != _code_of_python("a = 'y'")
    assert _code_of_others("#[inline]\nfn a() {}") != _code_of_others("fn a() {}")
