"""The page about twins says what the study found."""

from tests.study.twin_study import PAGE, page, read_found


def test_the_page_is_written_from_what_was_found() -> None:
    assert PAGE.read_text() == page(read_found())


def test_what_a_twin_states_is_kept_by_as_many_metrics_as_are_said_to_keep_it() -> None:
    for drive in read_found():
        for kind in drive.kinds.values():
            assert kind.stated is not None
            limit = 1000 * kind.stated
            surely, perhaps = (sum(error > limit + apart for error in kind.errors) for apart in (1, -1))
            assert surely <= kind.outside <= perhaps
