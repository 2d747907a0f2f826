"""The virtual drives that come with ssdlab, and what of each is published and what is guessed."""

from itertools import takewhile

from sources.markdown import code, listing, table
from ssdlab import _core
from ssdlab.drive.kinds.virtual import spec_facts
from ssdlab.drive.target import spec_choice
from ssdlab.units import format_bytes, format_bytes_decimal


def page() -> str:
    """`builtin-specs.md`."""
    names = _core.spec_names()
    origins = {name: _origin(_core.spec_text(name)) for name in names}
    sections = [f"## {name}\n\n{listing('text', origin)}" for name, origin in origins.items() if origin]
    return "\n".join(
        [
            (
                "# Built-in virtual drives\n\n`ssdlab vdrive list` prints this list, `ssdlab vdrive show NAME` a whole specification; "
                "what its keys mean: [spec.md](spec.md). The largest SLC cache is that of a purged drive, the smallest that of a "
                "full one, both for a sequential writer.\n"
            ),
            table(("name", "capacity", "largest cache", "smallest cache", "what it is"), map(_row, names)),
            *sections,
        ]
    )


def _row(name: str) -> tuple[str, str, str, str, str]:
    facts = spec_facts(spec_choice(name))
    caches = (facts[key] for key in ("slc_cache_bytes_max", "slc_cache_bytes_min"))
    largest, smallest = (format_bytes(size) if size else "none" for size in caches)
    return code(name), format_bytes_decimal(facts["capacity_bytes"]), largest, smallest, facts["description"]


def _origin(text: str) -> str:
    """The comment at the head of a specification: where its numbers come from."""
    head = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in head)
