"""Whose results can be imported: one row a reader."""

from sources.markdown import code, table
from ssdlab.analysis.infer.fill_level import DIFFERENCE_MAX
from ssdlab.engine.fio.document_places import ENTRY_BYTES_MAX
from ssdlab.library.foreign import archive, fio_logs, readers
from ssdlab.library.foreign.specworkstation import WORKLOADS

_WORDS = {
    "CrystalDiskMark 3 to 6, saved text": (
        "File > Save (text)",
        "cdm.*",
        "the loads of 4 KiB as those of 7 to 9",
        "built after 3's source and published results",
    ),
    "CrystalDiskMark 7 to 9, saved text": (
        "File > Save (text)",
        "cdm.*",
        "profiles; shallow random apart",
        "8 published by a user; 7 built after published results; 9 rebuilt after its source",
    ),
    "KDiskMark, saved text": ("File > Save", "cdm.*", "the same", "in its documentation; published by a user"),
    "AS SSD Benchmark, saved text": ("its text export", "as_ssd.*", "", "published by a user"),
    "fio, JSON or json+": ("`--output-format=json+`", "fio.JOB.*", "", "run here"),
    "fio, the text it prints": ("what stands on the terminal", "fio.JOB.*", "", "run here"),
    "fio, terse lines of version 3, 4 or 5": ("`--output-format=terse`", "fio.JOB.*", "", "run here"),
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
    "DiskSpd, XML": ("`-Rxml`", "diskspd.*", "", "built after its source and published results"),
    "DiskSpd, printed text": ("what it prints", "diskspd.*", "", "built after its source and published results"),
    "sysbench fileio 0.4 to 1.1, printed text": (
        "what `sysbench fileio run` prints",
        "sysbench.*",
        "",
        "1.0 run here; 0.4 and 1.1 built after their source",
    ),
    "elbencho, CSV": ("`--csvfile`", "elbencho.*", "", "built after its source, held against published files of 2.1"),
    "elbencho, JSON": ("`--jsonfile`", "elbencho.*", "", "built after its source"),
    "IOzone, printed text": ("what it prints", "iozone.*", "", "built after its source and published results"),
    "vdbench, printed text and reports": (
        "what it prints, or `summary.html`, `logfile.html`, `totals.html`",
        "vdbench.*",
        "",
        "built after its documentation and published results",
    ),
    "Phoronix Test Suite, composite.xml": ("`composite.xml`", "phoronix.*", "", "built after its source"),
    "HD Tune, text of its benchmark": ("the text it saves or copies", "hd_tune.*", "", "built after published results"),
    "SSD-iq, iob-log CSV": ("`iob-log-*.csv`", "ssd_iq.*", "", "built after its source"),
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
        "names: then a file of the program itself may hold surprises, and a sentence about one is welcome. "
        "[Published files](import-corpus.md) of some of these programs are held against a second reader. "
        "[What is easily read wrong](import-pitfalls.md) is held by tests, each by its name.\n\n"
        "A file is known by its content, fio's logs by their names too. The originals stay in the bundle, so nothing is lost where "
        f"a reader reads less than all. fio's JSON is read job by job, up to {readers.FIO_BYTES_MAX >> 30} GiB of a file or of a folder of them, "
        "in memory that depends on the largest job and on how many jobs there are: 136 MiB for 1.00 GB of 22,213 jobs with a thousand bins of each of two latencies. "
        f"No entry of it may be larger than {ENTRY_BYTES_MAX >> 20} MiB. "
        f"Of any other file, of what is packed, and of a pipe more than {readers.FILE_BYTES_MAX >> 20} MiB are refused. So are numbers that are not "
        "finite or negative, and XML with entities.\n\n"
        "Archives (zip, tar, and tar packed with gzip, Zstandard or xz) are taken in as a folder of what is in them: each file is a result, or "
        "refused by its name, and logs of fio go with the JSON of their folder. The original in the bundle is named by the archive and the file. "
        f"At most {archive.UNPACKED_BYTES_MAX >> 20} MiB and {archive.MEMBERS_MAX:,} files are unpacked of one, whatever it says of itself; links are "
        "refused, and archives in archives.\n\n"
        "ATTO Disk Benchmark does not document its files and is refused.\n\n"
        f"Where one program measured one drive at 0 % and at 75 % full and the numbers differ by no more than {100 * DIFFERENCE_MAX:g} % "
        "of the larger, figures show only the larger and say so ([methods](../concepts/methods.md), C9). Tables have both.\n\n"
        f"Workloads of SPECworkstation that are known: {', '.join(code(name) for name in WORKLOADS)}.\n"
    )
