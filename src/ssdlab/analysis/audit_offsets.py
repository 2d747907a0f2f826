"""Checks of offsets: which blocks were visited, how evenly, and whether anything visits them again."""

from math import exp

from ssdlab.analysis.audit_facts import Facts, Origin, Scale, VirtualTime
from ssdlab.analysis.audit_setup import Flag, Generator, Order, Seed, Setup
from ssdlab.analysis.verdict import Rule, Verdict, compared, for_known_setup, not_applicable, passed, passed_if, unknown
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import STOPPED_BY_OPERATOR, Direction
from ssdlab.job import Draw, StepKind
from ssdlab.units import GIB, KIB, format_bytes, format_si
from ssdlab.unknown import Unknown

_DRAWS_32 = 2**32
"""Different offsets of fio's 32-bit generator."""
_UNEVEN_MAX = 1.10
"""How much oftener one block may come than another."""
_SMALL_BYTES = GIB
"""The order of a drive's own memory."""
_PASSES_MAX = 2.0
_PAGE_BYTES = 4 * KIB


def _fill_covers(facts: Facts) -> Verdict:
    """Whether every block of the region was written; sequential passes and permutations visit each block once."""
    if isinstance(facts.purpose, Unknown):
        return not_applicable("the JSON does not say that this was to fill the drive")
    if facts.purpose is not StepKind.FILL or isinstance(facts.asked, Unknown):
        return not_applicable("no fill")
    if isinstance(facts.setup, Unknown):
        return unknown(facts.setup.unknown)
    written = facts.directions.get(Direction.WRITE)
    written_bytes = 0 if written is None else written.io_bytes
    wanted_bytes = facts.asked.region.length_bytes
    share = written_bytes / wanted_bytes
    finding = f"{format_bytes(written_bytes)} of {format_bytes(wanted_bytes)} written ({share:.4%})"
    numbers = (compared("written", written_bytes, "B"), compared("region", wanted_bytes, "B"))
    if facts.setup.order is Order.INDEPENDENT:
        covered = 1 - exp(-share)
        return Verdict(
            Outcome.WARN if facts.asked.draw is Draw.INDEPENDENT else Outcome.FAIL,
            f"{finding}, at offsets drawn independently, which reach about {covered:.1%} of the blocks",
            (*numbers, compared("covered", covered)),
        )
    if facts.stopped is not None and not facts.stopped.is_verdict:
        # A pass that somebody has seen enough of did not fail; its numbers are of a part.
        return passed_if(
            written_bytes >= wanted_bytes, f"{finding}, {STOPPED_BY_OPERATOR}", *numbers, otherwise=Outcome.WARN
        )
    return passed_if(written_bytes >= wanted_bytes, finding, *numbers)


def _generator(_facts: Facts, setup: Setup) -> Verdict:
    """fio maps 2^32 draws onto the blocks, so a block gets one draw more or less than another (io_u.c).

    Where the option is not given, fio changes to 64 bits above 2^32 blocks (since 2.2.10), never below.
    """
    if setup.order is Order.SEQUENTIAL:
        return not_applicable("offsets are sequential")
    if setup.generator in {Generator.TAUSWORTHE64, Generator.LFSR}:
        return passed(setup.generator.value)
    if setup.generator is Generator.OTHER:
        return not_applicable("offsets are drawn unevenly on purpose")
    if isinstance(setup.region_bytes, Unknown) or isinstance(setup.block_bytes, Unknown):
        return unknown("size of region and block together are not known")
    return _reach(setup.region_bytes // max(1, setup.block_bytes), setup.generator)


def _reach(blocks: int, generator: Generator) -> Verdict:
    finding = f"32-bit generator on {format_si(blocks)} blocks"
    numbers = (compared("blocks", blocks), compared("draws", _DRAWS_32))
    if blocks > _DRAWS_32:
        if generator is Generator.DEFAULT:
            return Verdict(Outcome.PASS, f"{finding}: fio changes to 64 bits by itself", numbers)
        return Verdict(Outcome.FAIL, f"{finding}: it reaches {_DRAWS_32 / blocks:.0%} of them", numbers)
    draws = _DRAWS_32 // max(1, blocks)
    uneven = (draws + 1) / draws if _DRAWS_32 % max(1, blocks) else 1.0
    finding += f": some are drawn {uneven:.2f} times as often as others"
    return passed_if(uneven <= _UNEVEN_MAX, finding, *numbers, compared("uneven", uneven), otherwise=Outcome.WARN)


_SEEDS = {
    Seed.RECORDED: (Outcome.PASS, "`randseed` is given: the order can be had again"),
    Seed.NOT_RECORDED: (
        Outcome.PASS,
        "`randrepeat=0` without `randseed`: a new order each time, which nobody can repeat",
    ),
    Seed.REPEATED: (
        Outcome.WARN,
        "`randrepeat` is on, as by default: each start visits the same blocks in the same order",
    ),
}


def _seed(_facts: Facts, setup: Setup) -> Verdict:
    if setup.order is Order.SEQUENTIAL:
        return not_applicable("offsets are sequential")
    outcome, words = _SEEDS[setup.seed]
    return Verdict(outcome, words)


def _aligned(facts: Facts, setup: Setup) -> Verdict:
    if isinstance(setup.block_bytes, Unknown) or isinstance(setup.offset_bytes, Unknown):
        return unknown("block size or offset are known only to fio")
    logical = 512 if isinstance(facts.logical_block_bytes, Unknown) else facts.logical_block_bytes
    block, offset = setup.block_bytes, setup.offset_bytes
    finding = f"blocks of {block:,} B from {offset:,} B on"
    numbers = (
        compared("block", block, "B"),
        compared("offset", offset, "B"),
        compared("logical_block", logical, "B"),
    )
    if block % logical:
        return Verdict(Outcome.FAIL, f"{finding}: no multiple of {logical} B", numbers)
    straddles = (block >= _PAGE_BYTES and block % _PAGE_BYTES) or offset % min(block, _PAGE_BYTES)
    return passed_if(not straddles, finding, *numbers, otherwise=Outcome.WARN)


def _shared(_facts: Facts, setup: Setup) -> Verdict:
    if isinstance(setup.jobs, Unknown):
        return unknown(setup.jobs.unknown)
    if setup.jobs == 1 or setup.order is not Order.SEQUENTIAL or setup.shared_file is not Flag.ON:
        return not_applicable("no jobs that follow each other through one file")
    step = setup.offset_increment_bytes
    apart = isinstance(step, Unknown) or step > 0
    finding = (
        f"{setup.jobs} sequential jobs on one file, {'each with its own part' if apart else 'all from the same offset'}"
    )
    return passed_if(apart, finding, compared("jobs", setup.jobs), otherwise=Outcome.WARN)


def _working_set(facts: Facts) -> Verdict:
    setup = facts.setup
    if isinstance(facts.engine, VirtualTime) or facts.scale is Scale.SCALED_DOWN:
        return not_applicable("regions are scaled down, or those of a model")
    if isinstance(setup, Unknown):
        return unknown(setup.unknown)
    if isinstance(setup.region_bytes, Unknown) or isinstance(setup.jobs, Unknown):
        return unknown("how large the region is only fio knows")
    if facts.origin is Origin.LAB and facts.purpose is StepKind.FILL:
        return not_applicable("a fill visits each block once")
    region_bytes = setup.region_bytes * (1 if _share_region(setup) else setup.jobs)
    passes = facts.io_bytes / max(1, region_bytes)
    finding = f"{format_bytes(facts.io_bytes)} within {format_bytes(region_bytes)}: each block {passes:.3g} times"
    numbers = (
        compared("moved", facts.io_bytes, "B"),
        compared("region", region_bytes, "B"),
        compared("passes", passes),
    )
    small = region_bytes < _SMALL_BYTES and passes > _PASSES_MAX
    return passed_if(not small, finding, *numbers, otherwise=Outcome.WARN)


def _share_region(setup: Setup) -> bool:
    return setup.shared_file is Flag.ON and setup.offset_increment_bytes == 0


_SETUP_UNKNOWN = "the options of the job are not known"

RULES = (
    Rule(
        name="coverage.fill",
        judge=_fill_covers,
        meaning={
            Outcome.PASS: "every block was written",
            Outcome.WARN: "the method itself draws each offset anew: a part of the drive stays as the purge left it",
            Outcome.FAIL: "the drive was not written whole: it is not in the state later steps take it to be in",
            Outcome.UNKNOWN: _SETUP_UNKNOWN,
        },
        mend="fill with sequential passes, or one job with `random_generator=lfsr` or fio's random map",
    ),
    Rule(
        name="offsets.generator",
        judge=for_known_setup(_generator),
        meaning={
            Outcome.PASS: "every block can be drawn, and none much oftener than another",
            Outcome.WARN: "some blocks are drawn much oftener than others, which makes a small set of them hot",
            Outcome.FAIL: "a part of the drive was never touched: the numbers are those of a smaller drive",
            Outcome.UNKNOWN: "whether every block could be drawn is not known",
        },
        mend="set `random_generator=tausworthe64`, or `lfsr` where each block is to come once",
    ),
    Rule(
        name="offsets.seed",
        judge=for_known_setup(_seed),
        meaning={
            Outcome.PASS: "no two jobs visit the same blocks unless the seed says so",
            Outcome.WARN: "a repetition, or a read after a write, finds exactly the blocks of the one before: in a cache, or already in order",
            Outcome.UNKNOWN: _SETUP_UNKNOWN,
        },
        mend="set `randrepeat=0` and a `randseed` of its own for each job",
    ),
    Rule(
        name="offsets.aligned",
        judge=for_known_setup(_aligned),
        meaning={
            Outcome.PASS: "blocks begin and end where the drive's do",
            Outcome.WARN: "blocks straddle pages of 4 KiB: each costs the drive two, and writes a read besides",
            Outcome.FAIL: "this block size cannot reach the drive as it is: the host rounds, pads or merges it",
            Outcome.UNKNOWN: "whether blocks straddle those of the drive is not known",
        },
        mend="fio's `4k` is 4096 bytes and its `4KiB` is 4000: write `4k`, and offsets that are multiples of it",
    ),
    Rule(
        name="offsets.shared",
        judge=for_known_setup(_shared),
        meaning={
            Outcome.PASS: "each job has blocks of its own",
            Outcome.WARN: "all but the first job find blocks that were just read or written: the numbers are too good",
            Outcome.UNKNOWN: "whether jobs follow each other is not known",
        },
        mend="set `offset_increment`, so that each job has its part",
    ),
    Rule(
        name="offsets.working_set",
        judge=_working_set,
        meaning={
            Outcome.PASS: "the region is too large for a memory of the drive, or was not visited again and again",
            Outcome.WARN: "the drive's own memory may have answered: the numbers may not be those of its flash",
            Outcome.UNKNOWN: "whether the drive's own memory may have answered is not known",
        },
        mend="measure in a region of several GiB, or say that the small one is meant",
    ),
)
