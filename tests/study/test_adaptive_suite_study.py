"""The page says of whole suites what the kept results say, and those are of runs that were held against each other."""

from tests.study.adaptive_suite_study import PAGE, kept, row, section, shortened

from sources.markdown import table


def test_the_page_has_what_was_kept() -> None:
    found = kept()
    assert found.drives
    assert section(found) in PAGE.read_text()
    assert table(("",), [row(found.drives[0])]).splitlines()[-1] in PAGE.read_text()


def test_what_both_profiles_do_is_the_enterprise_suite_without_bootbench() -> None:
    suite = shortened()
    assert [step.kind for step in suite.steps_under("standard")] == ["purge", "steady", "measure", "steady", "measure"]
    kinds = [step.kind for step in suite.steps_under("adaptive")]
    assert kinds == ["purge", "steady", "measure", "purge", "steady", "measure"]
