"""Looking at a fleet for all who want to see it: once a second, and never twice at a time."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Event, Thread

from ssdlab.fleet.database import DatabaseAway
from ssdlab.fleet.seen import FleetSeen
from ssdlab.message import message
from ssdlab.web.fleet_watch import FleetWatch
from ssdlab.web.fleet_words import trouble_of

SEEN = FleetSeen(at=datetime(2026, 1, 1, tzinfo=UTC), hosts=(), drives=(), open=(), open_count=0, over=(), told={})
AWAY = DatabaseAway(message("fleet-no-database", why="gone"), message("fleet-hint-database"))


@dataclass
class Fleet:
    """A database that comes and goes, with a clock."""

    now_s: float = 0.0
    looks: int = 0
    trouble: DatabaseAway | None = None
    begun: Event = field(default_factory=Event)
    may_end: Event = field(default_factory=Event)

    def look(self) -> FleetSeen:
        self.looks += 1
        self.begun.set()
        assert self.may_end.wait(60)
        if self.trouble is not None:
            raise self.trouble
        return SEEN

    @property
    def watch(self) -> FleetWatch:
        return FleetWatch(self.look, lambda: self.now_s)


def test_many_who_look_are_one_look_a_second() -> None:
    fleet = Fleet()
    fleet.may_end.set()
    watch = fleet.watch
    assert len({id(watch.news()) for _ in range(5)}) == fleet.looks == 1
    fleet.now_s = 1.0
    watch.news()
    assert fleet.looks == 2


def test_of_an_outage_what_was_seen_before_stays_and_the_reason_is_told() -> None:
    fleet = Fleet()
    fleet.may_end.set()
    watch = fleet.watch
    watch.news()
    fleet.trouble, fleet.now_s = AWAY, 2.0
    news = watch.news()
    assert (news.seen, news.trouble) == (SEEN, AWAY)
    told = trouble_of(news)
    assert told is not None
    assert told.since is not None
    assert [hint.id for hint in told.hints] == ["web-fleet-asked-again"]
    fleet.trouble, fleet.now_s = None, 4.0
    assert trouble_of(watch.news()) is None


def test_nobody_waits_for_a_database_that_does_not_answer_but_who_asked_it() -> None:
    fleet = Fleet()
    fleet.may_end.set()
    watch = fleet.watch
    before = watch.news()
    fleet.may_end.clear()
    fleet.begun.clear()
    fleet.now_s = 2.0
    asks = Thread(target=watch.news)
    asks.start()
    assert fleet.begun.wait(60)
    assert watch.news() is before
    fleet.may_end.set()
    asks.join(60)
    assert fleet.looks == 2
