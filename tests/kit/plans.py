"""Plans of suites written in a test, on drives that exist only as identities."""

from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.message import verbatim
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import GIB
from ssdlab.unknown import Unknown

HEADER = '[suite]\nname = "mine"\nversion = "1"\n'
QUICK = '[profile.quick]\ntime = "1/60"\nsize = "1/128"\n'


def drive(capacity_bytes: int = GIB, logical_block_bytes: int = 512) -> DriveIdentity:
    """A drive of that size."""
    return DriveIdentity(
        target="virtual:test",
        model="Test",
        serial="1",
        firmware=Unknown(verbatim("none")),
        capacity_bytes=capacity_bytes,
        logical_block_bytes=logical_block_bytes,
        indirection_unit_bytes=16 * 1024,
        description=verbatim(""),
        purge_leaves=Freshness.FRESH,
        memory=Memory.KEEPS,
    )


def plan_of(
    steps: str, capacity_bytes: int = GIB, profile: str = "standard", seed: int = 1, header: str = HEADER + QUICK
) -> Plan:
    """What the steps become on a drive of that size."""
    return expand(parse_suite(f"{header}{steps}", "mine.toml"), profile, drive(capacity_bytes), seed)


def step_named(plan: Plan, name: str) -> PlannedStep:
    """The planned step of that name."""
    (found,) = (step for step in plan.steps if step.name == name)
    return found


def names(plan: Plan) -> list[str]:
    """Of all planned steps, in order."""
    return [step.name for step in plan.steps]
