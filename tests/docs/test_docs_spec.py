"""What `docs/reference/spec.md` says of keys that are left out is what the drive does without them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from ssdlab import _core

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "spec.md"
MIB = 1 << 20

LEAST = {
    "": {"name": '"least"', "description": '"Only what is needed, and what makes the other keys matter"'},
    "geometry": {
        "capacity": '"256 MiB"',
        "raw": '"320 MiB"',
        "superblock": '"3 MiB"',
        "channels": "2",
        "dies": "4",
        "bits_per_cell": "3",
        "stripe_unit": '"32 KiB"',
        "page": '"32 KiB"',
    },
    "timing": {
        "sense": '["70us", "80us", "90us"]',
        "program": '"4500us"',
        "erase": '"1ms"',
        "channel": '"800 MB/s"',
        "link_read": '"600 MB/s"',
        "link_write": '"256 MiB/s"',
    },
    "buffer": {"kind": '"volatile"', "size": '"4 MiB"'},
    "map": {},
    "slc": {"max": '"32 MiB"'},
    "collection": {},
    "idle": {},
    "read_ahead": {"window": '"256 KiB"'},
    "thermal": {
        "write_per_gb_s": "100",
        "read_per_gb_s": "50",
        "time_constant": '"1s"',
        "warning": "60",
        "mild_on": "70",
        "mild_off": "65",
        "mild_speed": "0.5",
        "severe_on": "80",
        "severe_off": "75",
        "severe_speed": "0.2",
    },
    "noise": {"sigma": "0.2"},
}


def text_of(tables: dict[str, dict[str, str]]) -> str:
    parts = [
        (f"[{name}]\n" if name else "") + "".join(f"{key} = {value}\n" for key, value in keys.items())
        for name, keys in tables.items()
    ]
    return "\n".join(parts)


def documented_defaults() -> Iterator[tuple[str, str, str]]:
    """Section, key and TOML value of every key whose value without it is documented as a value."""
    for part in PAGE.read_text().split("\n## ")[1:]:
        section = part.partition("\n")[0].strip("`[]").replace("Top level", "")
        for key, value, default in re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|", part, re.MULTILINE):
            if (toml := in_toml(default, value)) is not None:
                yield section, key, toml


def in_toml(default: str, value: str) -> str | None:
    """A documented default as it would be written; None where it refers to another key or there is none."""
    words = {"no time": '"0ns"', "never": '"never"', "no cache": "0", "4 KiB": '"4 KiB"'}
    if default == "none":
        return '"none"' if '"none"' in value else "0"
    if default.strip("`").startswith('"') or default.isdigit():
        return default.strip("`")
    return words.get(default)


def behaviour_of(spec: str) -> list[object]:
    """All that can be seen of a drive while it is filled, left alone, overwritten at random and read."""
    drive = _core.ModelDrive(spec)
    fill = {
        "pattern": "sequential",
        "draw": "permutation",
        "action": "read_write",
        "read_percent": 0,
        "block_bytes": 128 << 10,
        "queue_depth": 8,
        "jobs": 1,
        "region_offset_bytes": 0,
        "region_length_bytes": 256 * MIB,
        "amount_bytes": 256 * MIB,
        "duration_ns": None,
        "rate_iops": None,
        "sync": "none",
        "seed": 1,
        "window_ns": 100_000_000,
        "log_every_io": "no",
    }
    overwrite = fill | {"pattern": "random", "draw": "independent", "read_percent": 30, "block_bytes": 4096}
    jobs = [fill, overwrite | {"amount_bytes": 128 * MIB, "sync": "sync"}, fill | {"read_percent": 100}]
    seen: list[object] = []
    clock_ns = 0
    for job in jobs:
        result = drive.run(json.dumps(job), clock_ns)
        clock_ns = result.end_ns + 5_000_000_000
        seen += [result.read.clat.bin_index, result.read.clat.count, result.write.clat.bin_index]
        seen += [result.write.clat.count, result.end_ns, json.loads(drive.truth(clock_ns))]
    return seen


def test_a_key_left_out_is_the_documented_value() -> None:
    least = behaviour_of(text_of(LEAST))
    for section, key, value in documented_defaults():
        if section in LEAST and key not in LEAST[section]:
            explicit = LEAST | {section: LEAST[section] | {key: value}}
            assert behaviour_of(text_of(explicit)) == least, f"{section}.{key} = {value}"


def test_most_defaults_are_documented_as_values() -> None:
    assert len(list(documented_defaults())) >= 30
