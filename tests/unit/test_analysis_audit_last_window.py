"""What a histogram log may lack: a polled drive in a guest whose host had other work, recorded with fio 3.41.

At its end it was half as fast again as in any window before.
"""

from pathlib import Path

from inline_snapshot import snapshot

from ssdlab.analysis.audit.of_fio_json import facts_of_files
from ssdlab.analysis.audit.run import RULES
from ssdlab.analysis.log.file import identify
from ssdlab.bundle.model import Check, Outcome

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.41" / "audit"
LOG = DATA / "sped_up_clat_hist.1.log"


def logs_agree(log: Path) -> Check:
    (facts,) = facts_of_files([identify(path, None) for path in (DATA / "sped_up.json", log)])
    return next(rule.check(facts) for rule in RULES if rule.name == "bytes.logs_agree")


def test_a_drive_may_be_fastest_in_its_last_window() -> None:
    found = logs_agree(LOG)
    assert (found.outcome, str(found.finding)) == snapshot(
        (
            Outcome.PASS,
            "read: logs 1.52 MiB, total 2.06 MiB (-26.52%), up to 1.24 MiB in the last window; write: logs 648 KiB, total 896 KiB (-27.68%), up to 714 KiB in the last window",
        )
    )


def test_a_log_that_lacks_more_than_there_was_time_for_fails(tmp_path: Path) -> None:
    cut = tmp_path / "cut_clat_hist.1.log"
    cut.write_text("".join(LOG.read_text().splitlines(keepends=True)[:4]))
    assert logs_agree(cut).outcome is Outcome.FAIL
