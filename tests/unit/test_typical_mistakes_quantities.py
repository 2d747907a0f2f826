"""Typical mistakes in quantities: without a unit, half a unit, no number; each with the whole answer."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.mistakes import Mistakes, mistakes_in


@pytest.fixture
def mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mistakes:
    return mistakes_in(tmp_path, capsys, monkeypatch)


def test_a_size_without_its_unit(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill model:demo --max-write 5",
        "run fill model:demo?capacity=8",
        "sustain empty --leave 10",
        "sustain /dev/nvme99n1 --chunk 1",
    ) == snapshot(
        {
            "run fill model:demo --max-write 5": """\
usage
error: `5` has no unit
hint: write it like `128KiB`; units are B, KiB, MiB, GiB, TiB, kB, KB, MB, GB, TB\
""",
            "run fill model:demo?capacity=8": """\
refused
error: `8` has no unit
hint: write it like `128KiB`; units are B, KiB, MiB, GiB, TiB, kB, KB, MB, GB, TB\
""",
            "sustain empty --leave 10": """\
usage
error: `10` has no unit
hint: write it like `128KiB`; units are B, KiB, MiB, GiB, TiB, kB, KB, MB, GB, TB\
""",
            "sustain /dev/nvme99n1 --chunk 1": """\
usage
error: `1` has no unit
hint: write it like `128KiB`; units are B, KiB, MiB, GiB, TiB, kB, KB, MB, GB, TB\
""",
        }
    )


def test_half_a_unit_or_other_capitals(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill model:demo?capacity=4G",
        "run fill model:demo --max-write 5tb",
        "run fill model:demo --max-write 500m",
        "run fill file:new?size=10k",
        "sustain /dev/nvme99n1 --rest 15minutes",
        "sustain /dev/nvme99n1 --rest 30sec",
        "sustain /dev/nvme99n1 --rest 15",
    ) == snapshot(
        {
            "run fill model:demo?capacity=4G": """\
refused
error: `4G` is not a size
hint: write `4GiB` or `4GB`\
""",
            "run fill model:demo --max-write 5tb": """\
usage
error: `5tb` is not a size
hint: write `5TB`\
""",
            "run fill model:demo --max-write 500m": """\
usage
error: `500m` is not a size
hint: write `500MiB` or `500MB`\
""",
            "run fill file:new?size=10k": """\
refused
error: `10k` is not a size
hint: write `10KiB`, `10kB` or `10KB`\
""",
            "sustain /dev/nvme99n1 --rest 15minutes": """\
usage
error: `15minutes` is not a duration
hint: write `15min`\
""",
            "sustain /dev/nvme99n1 --rest 30sec": """\
usage
error: `30sec` is not a duration
hint: write `30s`\
""",
            "sustain /dev/nvme99n1 --rest 15": """\
usage
error: `15` has no unit
hint: write it like `15min`; units are ns, us, ms, s, min, h, d\
""",
        }
    )


def test_a_speed_without_its_unit(mistakes: Mistakes) -> None:
    assert mistakes.told("sustain /dev/nvme99n1 --need 1350") == snapshot(
        {
            "sustain /dev/nvme99n1 --need 1350": """\
usage
error: `1350` is not a bandwidth
hint: add a unit: `1350MB/s`\
"""
        }
    )


def test_what_is_no_number(mistakes: Mistakes) -> None:
    assert mistakes.told(
        "run fill model:demo --max-write lots",
        "run fill model:demo --max-temperature hot",
        "run fill model:demo --seed -1",
        "run fill model:demo?seed=x",
        "sustain /dev/nvme99n1 --passes some",
        "plan fill model:demo --endurance 600",
    ) == snapshot(
        {
            "run fill model:demo --max-write lots": """\
usage
error: `lots` is not a size
hint: write it like `128KiB`; units are B, KiB, MiB, GiB, TiB, kB, KB, MB, GB, TB\
""",
            "run fill model:demo --max-temperature hot": """\
usage
error: invalid value for '--max-temperature': input should be a valid number, unable to parse string as a number
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
            "run fill model:demo --seed -1": """\
usage
error: invalid value for '--seed': input should be greater than or equal to 0
hint: usage is `ssdlab run [OPTIONS] SUITE TARGET`
hint: `ssdlab run --help` says more\
""",
            "run fill model:demo?seed=x": """\
refused
error: `demo?seed=x`: seed `x` is no whole number
hint: write it like `seed=1`\
""",
            "sustain /dev/nvme99n1 --passes some": """\
usage
error: `--passes some` is no number
hint: give a number, or `forever`\
""",
            "plan fill model:demo --endurance 600": """\
usage
error: `600` is no endurance
hint: write it as the data sheet does: `--endurance 600TBW`\
""",
        }
    )


def test_a_parameter_that_is_called_otherwise(mistakes: Mistakes) -> None:
    assert mistakes.told("run fill model:demo?size=4GiB") == snapshot(
        {
            "run fill model:demo?size=4GiB": """\
refused
error: `demo?size=4GiB`: `size` is no parameter here
hint: allowed: capacity, seed\
"""
        }
    )


def test_a_drive_too_small_for_the_suite(mistakes: Mistakes) -> None:
    assert mistakes.told("run client model:demo") == snapshot(
        {
            "run client model:demo": """\
refused
error: suite `client` does not fit `model:demo`: step `precondition` writes 8.00 GiB, the drive has 2.00 GiB; step `precondition` leaves no sequential region: of the drive's 2.00 GiB the first 8.00 GiB are for random tests and the last 512 MiB free
hint: `--profile quick` fits: it scales sizes and times down, and its numbers are not comparable
hint: a virtual drive can have another size: `model:demo?capacity=64GiB`\
"""
        }
    )
