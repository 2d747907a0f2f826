"""Ctrl-C while DuckDB works."""

import os
import signal
from collections.abc import Iterator
from threading import Thread, Timer

import pytest

from ssdlab import parquet
from ssdlab.cli.outlive import FirstEnds

_LONG = "select sum(range) from range(2000000000)"


@pytest.fixture(autouse=True)
def _first_ctrl_c_ends() -> Iterator[None]:
    before = {number: signal.signal(number, FirstEnds()) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _signalled_soon(number: int) -> Timer:
    timer = Timer(0.2, os.kill, (os.getpid(), number))
    timer.start()
    return timer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_a_command_ends_a_query_as_such_and_the_database_still_answers(number: int) -> None:
    with parquet.database() as connection:
        timer = _signalled_soon(number)
        with pytest.raises(KeyboardInterrupt), parquet.ctrl_c_as_such():
            connection.execute(_LONG).fetchall()
        timer.join()
        assert connection.execute("select 1").fetchall() == [(1,)]


def test_handlers_are_what_they_were() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with parquet.ctrl_c_as_such():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_an_error_without_a_signal_stays_what_it_is() -> None:
    with pytest.raises(RuntimeError, match="of its own"), parquet.ctrl_c_as_such():
        raise RuntimeError("of its own")


def test_an_error_after_a_signal_that_only_asks_stays_what_it_is() -> None:
    def ask() -> None:
        with parquet.ctrl_c_as_such():
            signal.raise_signal(signal.SIGINT)
            raise RuntimeError("of its own")

    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    with pytest.raises(RuntimeError, match="of its own"):
        ask()


def test_a_thread_which_gets_no_signals_changes_no_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work() -> None:
        with parquet.ctrl_c_as_such():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
