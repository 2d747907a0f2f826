"""There is one lifecycle of a run: suites, sustained writes and probes hand in what differs, and write none of it themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "ssdlab"
USERS = [path for room in ("lab", "probe", "cli") for path in sorted((PACKAGE / room).rglob("*.py"))]

BEGIN, LIFECYCLE = "lab/begin.py", "lab/lifecycle.py"
CALLED_ONLY_IN: dict[str, tuple[set[str], set[str]]] = {
    "a bundle is made": ({"BundleWriter"}, {BEGIN}),
    "a bundle is begun or opened again": ({"new_bundle", "reopen"}, {LIFECYCLE}),
    # A run that is interrupted while its bundle is made has not begun to live.
    "the end of a run is written": ({"run_ended"}, {BEGIN, LIFECYCLE}),
    "a step begins or ends early": ({"step_started", "step_ended_early", "steps_added"}, {LIFECYCLE}),
    "the drive and the host are noted": ({"drive_said", "counted", "host_noted", "display_lost"}, {LIFECYCLE}),
    "a reader is warned": ({"writer.warning", "_writer.warning"}, {LIFECYCLE}),
    # Findings on a target and room for files of a sustained write are other questions than room for the bundle.
    "the host's disk is looked at": ({"disk_usage"}, {LIFECYCLE, "lab/target_findings.py", "lab/sustain/ground.py"}),
}


def calls_in(path: Path) -> Iterator[str]:
    """What is called, by the last word of its name and by the last two."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            words = ast.unparse(node.func).split(".")
            yield words[-1]
            yield ".".join(words[-2:])


@pytest.mark.parametrize("what", CALLED_ONLY_IN)
def test_a_run_of_any_kind_lives_the_same_way(what: str) -> None:
    names, allowed = CALLED_ONLY_IN[what]
    places = {str(path.relative_to(PACKAGE)) for path in USERS if names & set(calls_in(path))}
    assert places == allowed
