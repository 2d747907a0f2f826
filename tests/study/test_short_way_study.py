"""A sample of the study of the short way: the page says of this drive what comes of it now."""

from tests.study.short_way_study import PAGE, row, studied

from sources.markdown import table


def test_the_page_is_true_of_a_drive() -> None:
    line = table(("",), [row(studied(26))]).splitlines()[-1]
    assert line in PAGE.read_text()
