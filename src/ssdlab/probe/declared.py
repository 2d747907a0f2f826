"""Declared facts: what the drive says of itself, without any I/O (P1). Labelled as claimed; what disagrees is shown, not resolved."""

from collections.abc import Iterator

from ssdlab.drive.identity import DriveIdentity
from ssdlab.job import Region
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.script import Design, Estimator, Evidence, Medium, Need, Probe, Subject
from ssdlab.unknown import Unknown


def claims_of(identity: DriveIdentity) -> Iterator[Answer]:
    """The claims a drive of any kind makes."""
    yield _claim("capacity", identity.capacity_bytes, "B")
    yield _claim("logical_block", identity.logical_block_bytes, "B")
    yield _claim("indirection_unit", identity.indirection_unit_bytes, "B", "NVMe: preferred write granularity (NPWG)")
    if isinstance(identity.block, Unknown):
        return
    yield _claim(
        "physical_block", identity.block.physical_block_bytes, "B", "the kernel's, the smaller of NPWG and AWUPF"
    )
    yield _claim("medium", identity.block.medium, "")


def _claim(name: str, value: int | str | Unknown, unit: str, note: str = "") -> Answer:
    grade = Grade.NONE if isinstance(value, Unknown) else Grade.CLAIMED
    return Answer(name=f"declared.{name}", value=value, unit=unit, grade=grade, note=note)


def _design(subject: Subject) -> Design:
    def estimate(_: Evidence, __: Estimator) -> tuple[Answer, ...]:
        return subject.claims

    return Design(need=Need.ANY, region=Region(0, 0), acts=(), estimate=estimate)


DECLARED = Probe(
    name="declared",
    question="What does the drive say of itself?",
    limits="a drive may say what it likes",
    design=_design,
    medium=Medium.FILE,
)
