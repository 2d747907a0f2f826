"""What the exit status of `ssdlab` says."""

from sources.markdown import code, table
from ssdlab.errors import ExitStatus

_MEANING = {
    ExitStatus.DONE: "Done.",
    ExitStatus.REFUSED: (
        "Your input or the drive was refused: a target or a suite that does not exist or has faults, a drive that would lose "
        "data, no fio, a step that failed, a full disk. `error:` says what was found, `hint:` what to do."
    ),
    ExitStatus.USAGE: "The command line makes no sense: an unknown command or option, an argument missing.",
    ExitStatus.AUDIT_FAILED: (
        "The run is finished and its bundle complete, and at least one check of the [audit](audit.md) failed. The numbers "
        "are there and marked. `ssdlab show` ends with it too when it shows such a run, or a finished one of which a file is damaged or the audit is lost, `ssdlab import` when it takes such a result in, `ssdlab score` when a score comes of such a replay, `ssdlab library check` when a file of a bundle is damaged."
    ),
    ExitStatus.LIMIT_FAILED: (
        "At least one drive of `ssdlab qualify` fails a limit or was not measured for one. Everything was written. It goes before a failed check of the audit; that a drive is "
        "not like its siblings has no status of its own."
    ),
    ExitStatus.INTERRUPTED: (
        "Stopped by Ctrl-C or SIGTERM, however often; not by a terminal or a pipe that goes away. What was finished before is in the bundle. Where the suite lets Ctrl-C end a "
        "step, as `wsat` does, the run goes on and its status is that of any finished run."
    ),
}


def page() -> str:
    """`exit-status.md`."""
    rows = [(code(int(status)), status.name, _MEANING[status]) for status in ExitStatus]
    return f"# Exit status\n\n{table(('status', 'name', 'meaning'), rows)}"
