"""What the newest fio writes is read as the installed one's is; it is built for the guests, and runs on this host here."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.foreign_forms import FORMS
from tests.vm.fio_source import fio_directory

pytestmark = pytest.mark.vm


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_forms_of_the_newest_fio(form: Callable[[str, Path], None], tmp_path: Path) -> None:
    form(str(fio_directory() / "fio"), tmp_path)
