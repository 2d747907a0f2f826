"""Whose results can be imported: one row a reader."""

from sources.markdown import code, table
from ssdlab.analysis.fill_level import DIFFERENCE_MAX
from ssdlab.library.foreign import fio_logs, readers
from ssdlab.library.foreign.specworkstation import WORKLOADS

_WORDS = {
    "CrystalDiskMark 8 and 9, saved text": (
        "File > Save (text)",
        "cdm.*",
        "profiles; shallow random apart",
        "8 published by a user; 9 rebuilt after its source",
    ),
    "KDiskMark, saved text": ("File > Save", "cdm.*", "the same", "in its documentation; published by a user"),
    "AS SSD Benchmark, saved text": ("its text export", "as_ssd.*", "", "published by a user"),
    "fio, JSON or json+": ("`--output-format=json+`", "fio.JOB.*", "", "run here"),
    "TKperf 2, XML": ("the XML it writes", "tkperf.*", "", "run here"),
    "3DMark Storage, result archive": (
        "the `.3dmark-result` file",
        "threedmark.storage.*",
        "score",
        "published by a user",
    ),
    "SPECworkstation 4 WPCstorage, CSV or JSON": (
        "the CSV or JSON beside its HTML",
        "spec.wpcstorage.*",
        "ratio; ratio by workload",
        "rebuilt after the published names",
    ),
    "Naraeon Dirty Test, log as text or CSV": ("its log", "dirty_test.*", "", "rebuilt after its source"),
    fio_logs.FILES: ("`write_lat_log` and its like", "fio_log.*", "", "run here"),
    readers.FOLDER: ("the folder", "bench_fio.*", "", "run here"),
}


def page() -> str:
    """`import-formats.md`."""
    names = [*(reader.program for reader in readers.READERS), fio_logs.FILES, readers.FOLDER]
    rows = [
        (name, saved, code(metrics), figures or "none", sample)
        for name in names
        for saved, metrics, figures, sample in [_WORDS[name]]
    ]
    titles = ("result", "what to give", "metrics", "figures", "tested with a file")
    return (
        "# What can be imported\n\n"
        f"{table(titles, rows)}\n"
        "The last column says what each reader was tested with: files that the program wrote here, that its documentation shows, or that "
        "people who ran it published. Where none of these was to be had the form was rebuilt from the program's source or its published "
        "names: then a file of the program itself may hold surprises, and a sentence about one is welcome.\n\n"
        "A file is known by its content, fio's logs by their names too. The originals stay in the bundle, so nothing is lost where "
        f"a reader reads less than all. More than {readers.FILE_BYTES_MAX >> 20} MiB are refused unread; so are numbers that are not "
        "finite or negative, XML with entities, and archives that unpack without end.\n\n"
        "ATTO Disk Benchmark does not document its files and is refused.\n\n"
        f"Where one program measured one drive at 0 % and at 75 % full and the numbers differ by no more than {100 * DIFFERENCE_MAX:g} % "
        "of the larger, figures show only the larger and say so ([methods](../concepts/methods.md), C9). Tables have both.\n\n"
        f"Workloads of SPECworkstation that are known: {', '.join(code(name) for name in WORKLOADS)}.\n"
    )
