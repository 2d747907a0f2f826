"""Checks of offsets: which blocks were visited, how evenly, and whether anything visits them again."""

from math import exp, gcd

from ssdlab.analysis.audit.facts import AmountScale, Facts, Origin, VirtualTime
from ssdlab.analysis.audit.rule import (
    AuditRule,
    RuleResult,
    compared,
    for_known_setup,
    not_applicable,
    passed,
    passed_if,
    unknown,
)
from ssdlab.analysis.audit.setup import EngineSetup, Flag, Generator, Order, Seed
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction
from ssdlab.job import Draw, StepKind
from ssdlab.message import message, number, si, size, verbatim
from ssdlab.units import GIB, KIB
from ssdlab.unknown import Unknown

_DRAWS_32 = 2**32
"""Different offsets of fio's 32-bit generator."""
_UNEVEN_MAX = 1.10
"""How much oftener one block may come than another."""
_SMALL_BYTES = GIB
"""The order of a drive's own memory."""
_PASSES_MAX = 2.0
_PAGE_BYTES = 4 * KIB


def _fill_covers(facts: Facts) -> RuleResult:
    """Whether every block of the region was written; sequential passes and permutations visit each block once."""
    if isinstance(facts.purpose, Unknown):
        return not_applicable(message("audit-fill-unknown"))
    if facts.purpose is not StepKind.FILL or isinstance(facts.asked, Unknown):
        return not_applicable(message("audit-no-fill"))
    if isinstance(facts.setup, Unknown):
        return unknown(facts.setup)
    written = facts.directions.get(Direction.WRITE)
    written_bytes = 0 if written is None else written.io_bytes
    wanted_bytes = facts.asked.region.length_bytes
    share = written_bytes / wanted_bytes
    finding = message(
        "audit-written", written=size(written_bytes), region=size(wanted_bytes), share=number(share, ".4%")
    )
    numbers = (compared("written", written_bytes, "B"), compared("region", wanted_bytes, "B"))
    if facts.setup.order is Order.INDEPENDENT:
        covered = 1 - exp(-share)
        return RuleResult(
            Outcome.WARN if facts.asked.draw is Draw.INDEPENDENT else Outcome.FAIL,
            message("audit-written-independently", written=finding, covered=number(covered, ".1%")),
            (*numbers, compared("covered", covered)),
        )
    if facts.stopped is not None and not facts.stopped.is_verdict:
        # A pass that somebody has seen enough of did not fail; its numbers are of a part.
        stopped = message("audit-written-until-stopped", written=finding)
        return passed_if(written_bytes >= wanted_bytes, stopped, *numbers, otherwise=Outcome.WARN)
    return passed_if(written_bytes >= wanted_bytes, finding, *numbers)


def _generator(_facts: Facts, setup: EngineSetup) -> RuleResult:
    """fio maps 2^32 draws onto the blocks, so a block gets one draw more or less than another (io_u.c).

    Where the option is not given, fio changes to 64 bits above 2^32 blocks (since 2.2.10), never below.
    """
    if setup.order is Order.SEQUENTIAL:
        return not_applicable(message("audit-sequential"))
    if setup.generator in {Generator.TAUSWORTHE64, Generator.LFSR}:
        return passed(verbatim(setup.generator.value))
    if setup.generator is Generator.OTHER:
        return not_applicable(message("audit-uneven-on-purpose"))
    if isinstance(setup.region_bytes, Unknown) or isinstance(setup.block_bytes, Unknown):
        return unknown(message("audit-blocks-unknown"))
    return _reach(setup.region_bytes // max(1, setup.block_bytes), setup.generator)


def _reach(blocks: int, generator: Generator) -> RuleResult:
    numbers = (compared("blocks", blocks), compared("draws", _DRAWS_32))
    if blocks > _DRAWS_32:
        if generator is Generator.DEFAULT:
            return RuleResult(Outcome.PASS, message("audit-generator-changes", blocks=si(blocks)), numbers)
        reached = number(_DRAWS_32 / blocks, ".0%")
        return RuleResult(Outcome.FAIL, message("audit-generator-reaches", blocks=si(blocks), reached=reached), numbers)
    draws = _DRAWS_32 // max(1, blocks)
    uneven = (draws + 1) / draws if _DRAWS_32 % max(1, blocks) else 1.0
    finding = message("audit-generator-uneven", blocks=si(blocks), uneven=number(uneven, ".2f"))
    return passed_if(uneven <= _UNEVEN_MAX, finding, *numbers, compared("uneven", uneven), otherwise=Outcome.WARN)


_SEEDS = {
    Seed.RECORDED: (Outcome.PASS, message("audit-seed-given")),
    Seed.NOT_RECORDED: (Outcome.PASS, message("audit-seed-new")),
    Seed.REPEATED: (Outcome.WARN, message("audit-seed-repeated")),
}


def _seed(_facts: Facts, setup: EngineSetup) -> RuleResult:
    if setup.order is Order.SEQUENTIAL:
        return not_applicable(message("audit-sequential"))
    outcome, finding = _SEEDS[setup.seed]
    return RuleResult(outcome, finding)


def _aligned(facts: Facts, setup: EngineSetup) -> RuleResult:
    unit = _unit_bytes(facts, setup)
    if isinstance(unit, Unknown) or isinstance(setup.offset_bytes, Unknown):
        return unknown(message("audit-offsets-unknown"))
    logical = 512 if isinstance(facts.logical_block_bytes, Unknown) else facts.logical_block_bytes
    block, offset = unit, setup.offset_bytes
    finding = message("audit-blocks-from", block=number(block), offset=number(offset))
    numbers = (
        compared("block", block, "B"),
        compared("offset", offset, "B"),
        compared("logical_block", logical, "B"),
    )
    if block % logical:
        return RuleResult(Outcome.FAIL, message("audit-no-multiple", blocks=finding, logical=logical), numbers)
    straddles = (block >= _PAGE_BYTES and block % _PAGE_BYTES) or offset % min(block, _PAGE_BYTES)
    return passed_if(not straddles, finding, *numbers, otherwise=Outcome.WARN)


def _unit_bytes(facts: Facts, setup: EngineSetup) -> int | Unknown:
    """What all offsets and lengths are multiples of, from the beginning of the region on."""
    if isinstance(facts.asked, Unknown) or not facts.asked.mix:
        return setup.block_bytes
    return gcd(*(one.block_bytes for part in facts.asked.mix for one in part.sizes))


def _shared(_facts: Facts, setup: EngineSetup) -> RuleResult:
    if isinstance(setup.jobs, Unknown):
        return unknown(setup.jobs)
    if setup.jobs == 1 or setup.order is not Order.SEQUENTIAL or setup.shared_file is not Flag.ON:
        return not_applicable(message("audit-no-jobs-in-file"))
    step = setup.offset_increment_bytes
    apart = isinstance(step, Unknown) or step > 0
    finding = message("audit-jobs-apart", jobs=setup.jobs) if apart else message("audit-jobs-together", jobs=setup.jobs)
    return passed_if(apart, finding, compared("jobs", setup.jobs), otherwise=Outcome.WARN)


def _working_set(facts: Facts) -> RuleResult:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime) or facts.scale is AmountScale.SCALED_DOWN:
        return not_applicable(message("audit-region-scaled"))
    if isinstance(setup, Unknown):
        return unknown(setup)
    if isinstance(setup.region_bytes, Unknown) or isinstance(setup.jobs, Unknown):
        return unknown(message("audit-region-unknown"))
    if facts.origin is Origin.LAB and facts.purpose is StepKind.FILL:
        return not_applicable(message("audit-fill-visits-once"))
    region_bytes = setup.region_bytes * (1 if _share_region(setup) else setup.jobs)
    passes = facts.io_bytes / max(1, region_bytes)
    finding = message(
        "audit-working-set",
        moved=size(facts.io_bytes),
        region=size(region_bytes),
        passes=number(passes, ".3g"),
    )
    numbers = (
        compared("moved", facts.io_bytes, "B"),
        compared("region", region_bytes, "B"),
        compared("passes", passes),
    )
    small = region_bytes < _SMALL_BYTES and passes > _PASSES_MAX
    return passed_if(not small, finding, *numbers, otherwise=Outcome.WARN)


def _share_region(setup: EngineSetup) -> bool:
    return setup.shared_file is Flag.ON and setup.offset_increment_bytes == 0


RULES = (
    AuditRule(
        name="coverage.fill",
        judge=_fill_covers,
        meaning={
            Outcome.PASS: message("audit-coverage-fill-pass"),
            Outcome.WARN: message("audit-coverage-fill-warn"),
            Outcome.FAIL: message("audit-coverage-fill-fail"),
            Outcome.UNKNOWN: message("audit-setup-unknown"),
        },
        remedy=message("audit-coverage-fill-remedy"),
    ),
    AuditRule(
        name="offsets.generator",
        judge=for_known_setup(_generator),
        meaning={
            Outcome.PASS: message("audit-offsets-generator-pass"),
            Outcome.WARN: message("audit-offsets-generator-warn"),
            Outcome.FAIL: message("audit-offsets-generator-fail"),
            Outcome.UNKNOWN: message("audit-offsets-generator-unknown"),
        },
        remedy=message("audit-offsets-generator-remedy"),
    ),
    AuditRule(
        name="offsets.seed",
        judge=for_known_setup(_seed),
        meaning={
            Outcome.PASS: message("audit-offsets-seed-pass"),
            Outcome.WARN: message("audit-offsets-seed-warn"),
            Outcome.UNKNOWN: message("audit-setup-unknown"),
        },
        remedy=message("audit-offsets-seed-remedy"),
    ),
    AuditRule(
        name="offsets.aligned",
        judge=for_known_setup(_aligned),
        meaning={
            Outcome.PASS: message("audit-offsets-aligned-pass"),
            Outcome.WARN: message("audit-offsets-aligned-warn"),
            Outcome.FAIL: message("audit-offsets-aligned-fail"),
            Outcome.UNKNOWN: message("audit-offsets-aligned-unknown"),
        },
        remedy=message("audit-offsets-aligned-remedy"),
    ),
    AuditRule(
        name="offsets.shared",
        judge=for_known_setup(_shared),
        meaning={
            Outcome.PASS: message("audit-offsets-shared-pass"),
            Outcome.WARN: message("audit-offsets-shared-warn"),
            Outcome.UNKNOWN: message("audit-offsets-shared-unknown"),
        },
        remedy=message("audit-offsets-shared-remedy"),
    ),
    AuditRule(
        name="offsets.working_set",
        judge=_working_set,
        meaning={
            Outcome.PASS: message("audit-offsets-working-set-pass"),
            Outcome.WARN: message("audit-offsets-working-set-warn"),
            Outcome.UNKNOWN: message("audit-offsets-working-set-unknown"),
        },
        remedy=message("audit-offsets-working-set-remedy"),
    ),
)
