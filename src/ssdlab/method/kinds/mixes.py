"""The step `mixes`: loads of several kinds of I/O, from files that cite their source, closed-loop at queue depths."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Annotated, Literal, final

from pydantic import Field

from ssdlab.job import Draw, Job, Pattern, Resume, StepKind
from ssdlab.message import Message, message, size
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.tables import DRIVE_REGION, StepName, SuiteTable
from ssdlab.method.values import Depths, Duration, RunTime
from ssdlab.point import CoordinateAxis, Point, job_point


class MixedJob(SuiteTable):
    """How all mixes are measured."""

    ramp_ns: Duration = Field(alias="ramp", default=0)
    """The same load just before, as a step of its own that does not count."""
    limit_ns: RunTime = Field(alias="limit")
    """How long each lasts."""


@final
class MixesStep(SuiteStep):
    """What does the drive do under loads that people have? Only by the engine `load`, which counts what it issued by kind."""

    kind: Literal["mixes"]
    name: StepName = "mixes"
    mixes: Annotated[tuple[str, ...], Field(alias="mix", strict=False, min_length=1)]
    """Names of mixes that come with ssdlab, or paths of files of one's own."""
    queue_depth: Depths = Field(alias="qd")
    """Queue depths, each for every mix."""
    job: MixedJob
    """How long."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        from ssdlab.method.mix_file import mix_faults  # its errors know all kinds of steps

        for mix in self.mixes:
            yield from mix_faults(mix, ground.region(DRIVE_REGION))

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """A measurement, after its ramp if it has one, for each mix and depth: `mixes.snia_oltp.q8`."""
        for mix in self.mixes:
            for depth in self.queue_depth:
                yield from self._measured(mix, depth, ground)

    def _measured(self, mix: str, depth: int, ground: StepContext) -> Iterator[PlannedStep]:
        point = depth_point(self, mix, depth)
        job, skip = _job(point.name, mix, depth, ground), None
        if job.block_bytes < ground.drive.logical_block_bytes:
            skip = message("suite-skip-small-blocks", block=size(ground.drive.logical_block_bytes))
        resume = Resume.FROM_PURGE if job.writes else Resume.REDO
        if self.job.ramp_ns and skip is None:
            name = f"{point.name}.ramp"
            ramp = replace(job, name=name, duration_ns=ground.time_ns(self.job.ramp_ns))
            yield replace(self.draft(name, StepKind.RAMP, ramp), point=point, resume=resume)
        limited = replace(job, duration_ns=ground.limit_ns(self.job.limit_ns))
        measured = self.draft(point.name, StepKind.MEASURE, limited if skip is None else None)
        yield replace(measured, point=point, skip=skip, resume=resume)

    @property
    def waits_for_rest(self) -> bool:
        """A drive that has just worked may still be tidying up."""
        return True

    @property
    def opens_loads(self) -> bool:
        """It is nothing for fio, which does not tell what it issued by kind."""
        return True

    @property
    def files_read(self) -> tuple[str, ...]:
        """Mixes of one's own."""
        return tuple(mix for mix in self.mixes if is_path(mix))

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Mixes that would be called the same."""
        del before
        if len({mix_label(mix) for mix in self.mixes}) < len(self.mixes):
            yield ("mix",), message("unit-list-repeats")


def is_path(name_or_path: str) -> bool:
    """Whether a mix is a file of one's own: by a `/` in it, or `.toml` at its end."""
    return os.sep in name_or_path or name_or_path.endswith(".toml")


def mix_name(name_or_path: str) -> str:
    """For readers: `snia-oltp`, also of a file of one's own, whose directory is nobody's business."""
    return PurePath(name_or_path).name.removesuffix(".toml")


def mix_label(name_or_path: str) -> str:
    """In names of metrics: `snia_oltp`."""
    stem = mix_name(name_or_path).lower()
    label = "".join(one if one.isascii() and one.isalnum() else "_" for one in stem)
    return label if label[:1].isalpha() else f"mix_{label}"


def depth_point(step: MixesStep, mix: str, depth: int) -> Point:
    """Where it is measured: `mixes.snia_oltp.q8`."""
    return job_point(step.name, mix_label(mix)).at(CoordinateAxis.QUEUE_DEPTH, depth)


def _job(name: str, mix: str, depth: int, ground: StepContext) -> Job:
    """Its block size is the shortest length, which all places are multiples of."""
    from ssdlab.method.mix_file import load_mix

    loaded, region = load_mix(mix), ground.region(DRIVE_REGION)
    return Job(
        name=name,
        pattern=Pattern.RANDOM if loaded.random_percent else Pattern.SEQUENTIAL,
        draw=Draw.INDEPENDENT,
        read_percent=loaded.read_percent,
        block_bytes=loaded.shortest_bytes,
        queue_depth=depth,
        region=region,
        amount_bytes=None,
        duration_ns=1,
        seed=0,
        mix=loaded.parts(region),
    )
