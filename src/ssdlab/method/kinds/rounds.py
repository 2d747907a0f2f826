"""The step `rounds`: the same measurements over and over until a window of rounds is flat (SNIA PTS, workload dependent preconditioning).

The rounds are the preconditioning: what the drive does in the last five of them is the result.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Literal, Self, final

from pydantic import Field

from ssdlab.job import Draw, DriveState, Job, Pattern, Region, Resume, StepKind
from ssdlab.message import Message, message, number, size
from ssdlab.method.asking import AskingRule
from ssdlab.method.draft import STEPS_MAX, PlannedStep, StepContext, draft, step_seed
from ssdlab.method.kinds.base import KeyPath, SuiteStep
from ssdlab.method.tables import DRIVE_REGION, Count, Depth, StepName, SuiteTable
from ssdlab.method.values import WHOLE, ProperShare, ReadPercent, ReadPercents, RunTime, Size, Sizes
from ssdlab.method.writing import block_faults
from ssdlab.point import CoordinateAxis, Point

WINDOW_ROUNDS = 5
"""Rounds of a measurement window (SNIA PTS 2.0.2, 2.1.24)."""


class TrackedQuantity(Enum):
    """What must be flat over the window."""

    IOPS = "iops"
    BANDWIDTH = "bandwidth"
    LATENCY = "latency"
    """Mean, from submission to completion."""


class RoundsJob(SuiteTable):
    """What is measured in each cell of a round."""

    pattern: Annotated[Pattern, Field(strict=False)]
    """Order of offsets. Random offsets are independent draws; in order, each cell begins at the first block."""
    jobs: Count = 1
    """So many at once, each with `qd` I/Os in flight."""
    queue_depth: Depth = Field(alias="qd")
    """Queue depth: I/Os in flight."""
    active_range: ProperShare = Field(alias="range", default=WHOLE)
    """Share of the user capacity that is touched, from the first byte on."""
    limit_ns: RunTime = Field(alias="limit")
    """How long each cell lasts."""


class RoundsSweep(SuiteTable):
    """The cells of a round: for each share of reads, in this order, every block size."""

    read_percent: ReadPercents = Field(alias="read")
    """Shares of reads."""
    block_bytes: Sizes = Field(alias="bs")
    """Block sizes; those smaller than a logical block of the drive are left out."""


class TrackedCell(SuiteTable):
    """A cell that is looked at to tell whether the drive is steady."""

    read_percent: ReadPercent = Field(alias="read")
    """Its share of reads."""
    block_bytes: Size = Field(alias="bs")
    """Its block size."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement of a round."""

    read_percent: int
    block_bytes: int

    def point(self, of: Point) -> Point:
        """Where it is measured: `iops.r65.b4KiB`."""
        return of.at(CoordinateAxis.READ_PERCENT, self.read_percent).at(CoordinateAxis.BLOCK, self.block_bytes)


@dataclass(frozen=True, slots=True)
class CellOfRound:
    """A cell in one of the rounds."""

    round: int
    """From 1."""
    cell: Cell

    def point(self, step: str) -> Point:
        """Where it is measured: `iops.round3.r65.b4KiB`."""
        return self.cell.point(Point(step).at(CoordinateAxis.ROUND, self.round))


@final
class RoundsStep(SuiteStep):
    """Measure all cells round after round until five rounds in a row are flat: within 20 % of their mean, their best line within 10 % of it."""

    kind: Literal["rounds"]
    name: StepName = "rounds"
    job: RoundsJob
    """What is measured."""
    sweep: RoundsSweep
    """The cells of a round."""
    track: tuple[TrackedCell, ...] = Field(strict=False, min_length=1)
    """Cells that must all be flat in the same five rounds."""
    tracked: Annotated[TrackedQuantity, Field(strict=False)] = TrackedQuantity.IOPS
    """What of them must be flat: `iops`, `bandwidth` or `latency`."""
    at_most: Annotated[int, Field(ge=WINDOW_ROUNDS, le=1000)] = 25
    """Rounds; not steady by then is a result, and the last five are its numbers."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        cells = cells_of(self, ground.drive.logical_block_bytes)
        if not cells or not tracked_cells(self, ground.drive.logical_block_bytes):
            yield message("suite-rounds-nothing-tracked", step=self.name, block=size(ground.drive.logical_block_bytes))
            return
        if (count := len(cells) * self.at_most) > STEPS_MAX:
            yield message("suite-too-many-runs", step=self.name, count=number(count), most=number(STEPS_MAX))
            return
        for block_bytes in sorted({cell.block_bytes for cell in cells}):
            yield from block_faults(self.name, block_bytes, ground)
        room_bytes = _room_bytes(self, ground)
        largest_bytes = max(cell.block_bytes for cell in cells)
        if room_bytes < largest_bytes * self.job.jobs:
            room, jobs, block = size(room_bytes), number(self.job.jobs, "d"), size(largest_bytes)
            yield message("suite-too-little-room", step=self.name, room=room, jobs=jobs, block=block)

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One step, which asks for the measurements; interrupted, a drive has rested, so all is done again."""
        asks = self.draft(f"{self.name}.search", StepKind.SEARCH)
        yield replace(asks, point=Point(self.name), search=_rule(self, ground), resume=Resume.FROM_PURGE)

    @property
    def waits_for_rest(self) -> bool:
        """It goes straight on from what was written before it."""
        return False

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """Cells that are tracked and not measured."""
        del before
        for place, one in enumerate(self.track):
            if one.read_percent not in self.sweep.read_percent or one.block_bytes not in self.sweep.block_bytes:
                yield ("track", place), message("suite-tracked-not-measured")


def cells_of(step: RoundsStep, logical_block_bytes: int) -> tuple[Cell, ...]:
    """The cells of a round in the order of measuring, on a drive with such blocks."""
    return tuple(
        Cell(read_percent, block_bytes)
        for read_percent in step.sweep.read_percent
        for block_bytes in step.sweep.block_bytes
        if block_bytes >= logical_block_bytes
    )


def tracked_cells(step: RoundsStep, logical_block_bytes: int) -> tuple[Cell, ...]:
    """Those that are tracked."""
    said = tuple(Cell(one.read_percent, one.block_bytes) for one in step.track)
    return tuple(one for one in said if one.block_bytes >= logical_block_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsRule(AskingRule):
    """Which cells are measured on one drive, and for how many rounds at most; the template is that of the first cell."""

    said: RoundsStep
    """The suite's own words for it."""
    cells: tuple[Cell, ...]
    tracked: tuple[Cell, ...]
    rounds_max: int
    room_bytes: int

    @property
    def usual_jobs(self) -> tuple[Job, ...]:
        """Most drives are steady within two windows, if they are at all."""
        rounds = min(self.rounds_max, 2 * WINDOW_ROUNDS)
        return tuple(self.job(cell) for cell in self.cells) * rounds

    def seeded(self, seed: int) -> Self:
        """The same with another seed."""
        return replace(self, template=replace(self.template, seed=seed))

    def state_after(self, before: DriveState) -> DriveState:
        """Rounds go on until the drive is steady."""
        del before
        return DriveState.STEADY

    def job(self, cell: Cell) -> Job:
        """What is done in that cell."""
        length_bytes = self.room_bytes // cell.block_bytes * cell.block_bytes
        return replace(
            self.template,
            read_percent=cell.read_percent,
            block_bytes=cell.block_bytes,
            region=Region(0, length_bytes),
        )


def cell_step(asks: PlannedStep, rule: RoundsRule, what: CellOfRound, index: int) -> PlannedStep:
    """The measurement of a cell. The rounds bring the drive into the state that they end in, so that before them none is known."""
    point = what.point(asks.group)
    job = replace(rule.job(what.cell), name=point.name, seed=step_seed(rule.template.seed, point.name))
    measured = draft(point.name, StepKind.MEASURE, asks.group, job)
    return replace(measured, index=index, point=point, state=DriveState.UNKNOWN, resume=Resume.FROM_PURGE)


def _room_bytes(step: RoundsStep, ground: StepContext) -> int:
    return step.job.active_range.of(ground.region(DRIVE_REGION).length_bytes)


def _rule(step: RoundsStep, ground: StepContext) -> RoundsRule:
    block_bytes = ground.drive.logical_block_bytes
    cells, room_bytes = cells_of(step, block_bytes), _room_bytes(step, ground)
    unit_bytes = math.lcm(*(cell.block_bytes for cell in cells))
    template = Job(
        name=step.name,
        pattern=step.job.pattern,
        draw=Draw.INDEPENDENT,
        read_percent=min(cell.read_percent for cell in cells),
        block_bytes=cells[0].block_bytes,
        queue_depth=step.job.queue_depth,
        jobs=step.job.jobs,
        region=Region(0, room_bytes // unit_bytes * unit_bytes or room_bytes),
        amount_bytes=None,
        duration_ns=ground.limit_ns(step.job.limit_ns),
        seed=0,
    )
    runs = ground.scale.runs
    return RoundsRule(
        said=step,
        template=template,
        cells=cells,
        tracked=tracked_cells(step, block_bytes),
        rounds_max=step.at_most if runs is None else max(WINDOW_ROUNDS, min(step.at_most, runs)),
        room_bytes=room_bytes,
    )
