"""The published files that `ssdlab import` was held against: one row a repository."""

from collections import Counter
from collections.abc import Callable, Iterable

from tests.study.corpus import CorpusFile, corpus, fio_release

from sources.markdown import code, table

_KINDS = {
    "fio-json": "fio, JSON",
    "fio-text": "fio, text",
    "fio-terse": "fio, terse lines",
    "fio-log": "fio, logs",
    "crystaldiskmark": "CrystalDiskMark",
    "kdiskmark": "KDiskMark",
    "diskspd-text": "DiskSpd, text",
    "diskspd-xml": "DiskSpd, XML",
    "iozone": "IOzone",
    "sysbench": "sysbench",
    "elbencho-csv": "elbencho, CSV",
}
_WHY = {
    "log-unit-unsaid": "a latency log of four columns, with nothing beside it that tells microseconds from nanoseconds: the unit is asked for",
    "log-damaged": "a histogram log with counts that fio let run below zero",
    "foreign-log-rates-of-each": "a log with the rate of each single I/O, of which nothing follows: the latency log or the JSON is asked for",
    "foreign-fio-no-result": "what fio printed before it failed: no job has a result",
    "foreign-elbencho-table": "the table that elbencho prints, without the settings that its CSV has",
    "import-sysbench-no-fileio": "a result of sysbench's tests of processor or memory",
}


def page() -> str:
    """`import-corpus.md`."""
    files = corpus()
    refused = Counter(file.refused for file in files if file.refused)
    if unknown := refused.keys() - _WHY.keys():
        raise ValueError(f"no words why: {unknown}")
    versions = {release for file in files if (release := fio_release(file))}
    return (
        "# Files that imports were checked with\n\n"
        f"{len(files)} files of {len({file.repository for file in files})} public repositories, of {len(versions)} releases of fio and of other programs, "
        "are read by `ssdlab import` and held against a second reader, which was written after the documentation of the programs and shares nothing "
        "with those of ssdlab. It says what rate, bandwidth, mean and 99th percentile each load has; where a program prints a rounded number, the "
        f"last digit is what may differ. {len(files) - sum(refused.values())} files are read with these values, {sum(refused.values())} are refused in words "
        "that say what they are and what to do.\n\n"
        "**The files are not in this repository**: most of their repositories name no licence. What is kept is where each is, its hash and the "
        "values (`tests/data/foreign/corpus/files.jsonl`). To fetch and check all of them:\n\n"
        "```sh\n"
        "uv run python -m tests.study.corpus               # from raw.githubusercontent.com\n"
        "uv run python -m tests.study.corpus --from DIR    # from bare clones, DIR/OWNER+NAME\n"
        "```\n\n"
        "The text of fio 2 says KB and MB without saying whether they are powers of 1,000 or of 1,024. Where the block size and the number of I/Os do not "
        "tell it, the bandwidth is left out; so it is in three of the files.\n\n"
        "## By kind\n\n"
        f"{table(('kind', 'files', 'read', 'refused'), _counted(files, lambda file: _KINDS[file.kind]))}\n"
        "## By release of fio\n\n"
        "Logs do not say theirs.\n\n"
        f"{table(('release', 'files'), _releases(files))}\n"
        "## Why files are refused\n\n"
        f"{table(('files', 'why'), [(str(count), _WHY[why]) for why, count in refused.most_common()])}\n"
        "## By repository\n\n"
        f"{table(('repository', 'licence', 'kinds', 'fio', 'read', 'refused'), _repositories(files))}"
    )


def _counted(files: Iterable[CorpusFile], by: Callable[[CorpusFile], str]) -> Iterable[tuple[str, ...]]:
    found: dict[str, list[CorpusFile]] = {}
    for file in files:
        found.setdefault(by(file), []).append(file)
    for name, of_it in sorted(found.items()):
        refused = sum(bool(file.refused) for file in of_it)
        yield name, str(len(of_it)), str(len(of_it) - refused), str(refused)


def _releases(files: Iterable[CorpusFile]) -> Iterable[tuple[str, str]]:
    counts = Counter(release for file in files if (release := fio_release(file)))
    for release in sorted(counts, key=_order):
        yield release, str(counts[release])


def _order(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _repositories(files: Iterable[CorpusFile]) -> Iterable[tuple[str, ...]]:
    found: dict[str, list[CorpusFile]] = {}
    for file in files:
        found.setdefault(file.repository, []).append(file)
    for repository, of_it in sorted(found.items(), key=lambda pair: pair[0].casefold()):
        refused = sum(bool(file.refused) for file in of_it)
        releases = sorted({release for file in of_it if (release := fio_release(file))}, key=_order)
        yield (
            code(repository),
            of_it[0].licence or "none named",
            "; ".join(sorted({_KINDS[file.kind] for file in of_it})),
            ", ".join(releases),
            str(len(of_it) - refused),
            str(refused),
        )
