"""Declared facts: what the drive says of itself, without any I/O (P1). Labelled as claimed; what disagrees is shown, not resolved."""

from collections.abc import Iterator

from ssdlab.drive.identity import DriveIdentity
from ssdlab.job import Region
from ssdlab.message import Message, message, verbatim
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.script import Design, Estimator, KnownDrive, Medium, Need, Probe, ProbeEvidence
from ssdlab.unknown import Unknown


def claims_of(identity: DriveIdentity) -> Iterator[Answer]:
    """The claims a drive of any kind makes."""
    yield _claim("capacity", identity.capacity_bytes, "B")
    yield _claim("logical_block", identity.logical_block_bytes, "B")
    yield _claim("indirection_unit", identity.indirection_unit_bytes, "B", message("probe-declared-npwg"))
    if isinstance(identity.block, Unknown):
        return
    yield _claim("physical_block", identity.block.physical_block_bytes, "B", message("probe-declared-physical-block"))
    medium = identity.block.medium
    yield _claim("medium", medium if isinstance(medium, Unknown) else verbatim(medium), "")


def _claim(name: str, value: int | Message | Unknown, unit: str, note: Message | None = None) -> Answer:
    grade = Grade.NONE if isinstance(value, Unknown) else Grade.CLAIMED
    return Answer(name=f"declared.{name}", value=value, unit=unit, grade=grade, note=note)


def _design(drive: KnownDrive) -> Design:
    def estimate(_: ProbeEvidence, __: Estimator) -> tuple[Answer, ...]:
        return drive.claims

    return Design(need=Need.ANY, region=Region(0, 0), acts=(), estimate=estimate)


DECLARED = Probe(
    name="declared",
    question=message("probe-declared-question"),
    limits=message("probe-declared-limits"),
    design=_design,
    medium=Medium.FILE,
)
