"""`bs = "IU"`: blocks as large as the drive's indirection unit, which only the drive knows (METHODS E6)."""

from collections.abc import Mapping

from ssdlab.drive.identity import DriveIdentity
from ssdlab.method.draft import PlanError
from ssdlab.method.schema import AnyStep, MeasureStep, SteadyStep
from ssdlab.method.values import INDIRECTION_UNIT
from ssdlab.unknown import Unknown


def with_unit(steps: tuple[AnyStep, ...], drive: DriveIdentity) -> tuple[AnyStep, ...]:
    """The steps with the drive's indirection unit in place of its name.

    Raises:
        PlanError: A step asks for it and the drive does not say.
    """
    return tuple(_of_step(step, drive) for step in steps)


def _of_step(step: AnyStep, drive: DriveIdentity) -> AnyStep:
    match step:
        case SteadyStep() if step.job.block_bytes == INDIRECTION_UNIT:
            return step.model_copy(update={"job": step.job.model_copy(update=_unit(step.name, drive))})
        case MeasureStep():
            jobs = {
                name: job.model_copy(update=_unit(step.name, drive)) if job.block_bytes == INDIRECTION_UNIT else job
                for name, job in step.jobs.items()
            }
            return step.model_copy(update={"jobs": jobs})
        case _:
            return step


def _unit(name: str, drive: DriveIdentity) -> Mapping[str, int]:
    if isinstance(drive.indirection_unit_bytes, Unknown):
        raise PlanError(
            f"step `{name}` uses blocks of the drive's indirection unit, and `{drive.target}` does not say how large it is",
            'copy the suite and write the size in place of `IU`, such as `bs = "16KiB"`',
        )
    return {"block_bytes": drive.indirection_unit_bytes}
