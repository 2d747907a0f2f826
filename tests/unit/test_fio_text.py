"""Job files hold only what fio reads back as it is."""

import pytest
from tests.kit.plans import drive

from ssdlab.drive.access import FioAddress, IoPath
from ssdlab.engine.fio.text import CannotSay, Options, Section, file_name, job_text
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.method.plan import expand
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.script import BulkLoad, KnownDrive
from ssdlab.units import GIB


def lines_of(name: str, options: Options) -> list[str]:
    return job_text([Section(name, options)]).splitlines()[1:]


def test_a_section_is_its_name_and_its_options_in_order() -> None:
    assert lines_of("fill.pass1", {"rw": "write", "bs": 4096}) == ["[fill.pass1]", "rw=write", "bs=4096"]
    assert lines_of("at random", {}) == ["[at random]"]


@pytest.mark.parametrize(
    "value", ["a;b", "a#b", "a b", " a", "a\t", "a\nb", "${HOME}", "$ncpus", "a\\", "", "한", "a,b", "'a'"]
)
def test_a_value_that_fio_would_read_as_another_is_refused(value: str) -> None:
    with pytest.raises(CannotSay, match="as something else"):
        lines_of("job", {"uri": value})


@pytest.mark.parametrize("path", ["/dev/a:b", "-", "dev/sda", "/dev/a?"])
def test_a_path_is_whole_and_one(path: str) -> None:
    with pytest.raises(CannotSay):
        lines_of("job", {"filename": path})


def test_a_line_that_fio_would_cut_in_two_is_refused() -> None:
    with pytest.raises(CannotSay):
        lines_of("job", {"uri": "a" * 4000})


@pytest.mark.parametrize("name", ["", "a ", " a", "a]", "a\nb", "[a", "한", "a" * 128, "/dev/sda"])
def test_a_name_that_fio_would_not_keep_is_refused(name: str) -> None:
    with pytest.raises(CannotSay, match="no job of the name"):
        lines_of(name, {})


def test_a_job_whose_name_would_set_defaults_gets_another_and_runs() -> None:
    assert lines_of("global_write", {}) == ["[job.global_write]"]


def test_only_what_fio_opens_itself_is_named() -> None:
    assert file_name(FioAddress(IoPath.BLOCK, "/dev/sda")) == "/dev/sda"
    assert file_name(FioAddress(IoPath.FILE, "/mnt/a b", descriptor=5)) == "/proc/self/fd/0"


def test_every_job_of_a_suite_and_of_a_probe_has_a_name_that_fio_keeps() -> None:
    plans = [expand(load_suite(suite), "standard", drive(64 * GIB), seed=1) for suite in builtin_names()]
    of_suites = {step.job.name for plan in plans for step in plan.steps if step.job is not None}
    known = KnownDrive(capacity_bytes=64 * GIB, logical_block_bytes=512, seed=1)
    acts = [act for probe in PROBES for act in probe.design_for(known).acts]
    of_probes = {act.job.name for act in acts if isinstance(act, BulkLoad)}
    assert {"fill.pass1", "at random"} <= of_suites | of_probes
    for name in of_suites | of_probes:
        assert lines_of(name, {}) == [f"[{name}]"]
