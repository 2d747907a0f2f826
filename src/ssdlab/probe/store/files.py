"""The files of a probe in a bundle: what it said, and where its samples are."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from ssdlab.bundle.model import NOT_RECORDED
from ssdlab.drive.lateness import Late
from ssdlab.engine.commands import Forced
from ssdlab.job import Job
from ssdlab.message_json import MessageField
from ssdlab.probe.answer import Answer
from ssdlab.unknown import Unknown

ANSWERS = "answers.json"
ACTS = "acts.json"
SAMPLES = "samples.parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswers:
    """`answers.json`: what came of a probe.

    Attributes:
        refusal: Why it was not done; null where it was.
    """

    refusal: MessageField | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAsk:
    """Commands whose samples are rows of `samples.parquet`."""

    name: str
    queue_depth: int
    forced: Forced


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLoad:
    """A job, whose files have a directory of their own."""

    name: str
    directory: str
    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptActs:
    """`acts.json`: where the evidence is."""

    asked: tuple[KeptAsk, ...]
    loaded: tuple[KeptLoad, ...]
    late: Late | Unknown = NOT_RECORDED
    """How late a virtual drive's replies left the host."""


ANSWERS_ADAPTER = TypeAdapter(KeptAnswers)
ACTS_ADAPTER = TypeAdapter(KeptActs)
