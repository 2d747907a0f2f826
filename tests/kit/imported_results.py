"""Results of other programs as the library keeps them, for tests of what is made of them."""

import re
import zipfile
from pathlib import Path

from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.library.foreign.specworkstation import WORKLOADS
from ssdlab.library.take_in import GivenFacts, take_in

DATA = Path(__file__).parent.parent / "data" / "foreign"
_SPEED = re.compile(r"(?P<before>\): *)(?P<speed>[\d.]+)(?P<between> MB/s \[ *)(?P<iops>[\d.]+)(?= IOPS)")


def crystaldiskmark(
    lab: Path, model: str, fill_percent: int, *, factor: float = 1, sequential: float = 1
) -> ImportedRun:
    """A sample with its speeds multiplied, of sequential rows once more."""

    def row(line: str) -> str:
        times = factor * (sequential if " SEQ " in line else 1)
        return _SPEED.sub(
            lambda found: (
                f"{found['before']}{times * float(found['speed']):.3f}{found['between']}{times * float(found['iops']):.1f}"
            ),
            line,
        )

    text = (DATA / "crystaldiskmark-8-nvme-mix.txt").read_text().replace("75%", f"{fill_percent}%")
    path = lab.with_name(f"{model}-{fill_percent}-{factor}.txt")
    path.write_text("\n".join(row(line) for line in text.split("\n")))
    return _taken(path, lab, GivenFacts(model=model))


def threedmark(lab: Path, model: str, score: int, fill_percent: float | None = None) -> ImportedRun:
    """An archive with a score."""
    path = lab.with_name(f"{model}-{score}.3dmark-result")
    result = (
        f"<result><name>StorageBenchmark</name><passIndex>-1</passIndex><StorageScore>{score}</StorageScore></result>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Arielle.xml", "<a/>")
        archive.writestr("Result.xml", f"<benchmark><results>{result}</results></benchmark>")
    return _taken(path, lab, GivenFacts(model=model, fill_percent=fill_percent))


def specworkstation(
    lab: Path, model: str, ratio: float, fill_percent: float | None = None, *, first: float | None = None
) -> ImportedRun:
    """The same ratio for all workloads, but for the first."""
    path = lab.with_name(f"{model}-{ratio}-{fill_percent}.csv")
    ratios = [ratio if first is None else first, *(ratio for _ in WORKLOADS[1:])]
    rows = [f"{name},1.0,{value}" for name, value in zip(WORKLOADS, ratios, strict=True)]
    path.write_text("\n".join(["SPECworkstation 4.0.0", "WPCstorage,result,ratio", *rows]))
    return _taken(path, lab, GivenFacts(model=model, fill_percent=fill_percent))


def _taken(path: Path, lab: Path, told: GivenFacts) -> ImportedRun:
    return open_imported(take_in(path, lab, told))
