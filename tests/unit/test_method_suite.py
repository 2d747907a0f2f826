"""What a suite may say, and how its faults are told."""

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.hints import hints_of

from ssdlab.job import Pattern
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.method.faults import Fault, SuiteError
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.schema import AnyStep
from ssdlab.method.suite import parse_suite
from ssdlab.units import KIB, MIB, NS_PER_S, Share

HEADER = '[suite]\nname = "mine"\nversion = "1"\n'
FILL = '[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 256 }\n'


def faults_of(text: str) -> tuple[Fault, ...]:
    with pytest.raises(SuiteError) as raised:
        parse_suite(text, "suite.toml")
    return raised.value.faults


def only_step(text: str) -> AnyStep:
    return parse_suite(HEADER + text, "suite.toml").steps[0]


def test_the_built_in_fill_suite_is_the_published_method() -> None:
    suite = load_suite("fill")
    purge, fill = suite.steps
    assert (suite.name, suite.version) == ("fill", "2025.12")
    assert isinstance(purge, PurgeStep)
    assert purge.rest_ns == 15 * 60 * NS_PER_S
    assert isinstance(fill, FillStep)
    assert (fill.job.pattern, fill.job.block_bytes, fill.job.queue_depth) == (Pattern.SEQUENTIAL, 128 * KIB, 256)
    assert (fill.amount, fill.passes, fill.rest_ns) == (Share(100, 100), 2, 5 * 60 * NS_PER_S)


def test_every_built_in_suite_has_the_name_of_its_file() -> None:
    assert "fill" in builtin_names()
    assert [load_suite(name).name for name in builtin_names()] == list(builtin_names())


def test_profiles_begin_with_the_suite_as_it_stands() -> None:
    profiles = load_suite("fill").profiles
    assert list(profiles) == ["standard", "quick"]
    assert [profile.comparable for profile in profiles.values()] == [True, False]
    assert (profiles["quick"].time, profiles["quick"].size) == (Share(1, 60), Share(1, 128))


def test_the_kept_text_is_the_same_suite_again() -> None:
    suite = load_suite("fill")
    again = parse_suite(suite.text, "again.toml")
    assert again == suite
    assert again.sha256 == suite.sha256


def test_an_edited_copy_has_another_hash(tmp_path: Path) -> None:
    original = load_suite("fill")
    copy = tmp_path / "copy.toml"
    copy.write_text(original.text.replace('rest = "5min"', 'rest = "6min"'))
    edited = load_suite(str(copy))
    fill = edited.steps[1]
    assert edited.sha256 != original.sha256
    assert isinstance(fill, FillStep)
    assert fill.rest_ns == 6 * 60 * NS_PER_S


def test_what_editors_of_windows_write_first_is_no_part_of_a_suite(tmp_path: Path) -> None:
    original = load_suite("fill")
    copy = tmp_path / "copy.toml"
    copy.write_bytes(b"\xef\xbb\xbf" + original.text.encode())
    assert load_suite(str(copy)) == original


def test_all_faults_are_listed_at_once_with_their_lines() -> None:
    text = dedent("""\
        [suite]
        name = "My Suite"
        [profile.quick]
        time = "2"
        [[step]]
        kind = "purg"
        [[step]]
        kind = "fill"
        pases = 2
        job = { pattern = "zigzag", bs = "128Kb", qd = 0 }
        [[step]]
        kind = "rest"
        duration = 5
        """)
    faults = faults_of(text)
    assert [(fault.line, fault.where) for fault in faults] == [
        (1, "suite.version"),
        (2, "suite.name"),
        (4, "profile.quick.time"),
        (6, "kind"),
        (9, "pases"),
        (10, "job.bs"),
        (10, "job.pattern"),
        (10, "job.qd"),
        (13, "duration"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FILL.replace("128KiB", "128Kb"), "suite.toml:6: job.bs: `128Kb` is not a size (write `128kB` or `128KB`)"),
        (FILL.replace('"128KiB"', "131072"), "job.bs: `131072` has no unit (write it in quotes like `128KiB`)"),
        (FILL.replace("128KiB", "0KiB"), "job.bs: `0KiB` is nothing (write a size above zero like `128KiB`)"),
        (FILL.replace("256", "256.5"), "job.qd: `256.5` is no whole number"),
        (FILL.replace("256", '"256"'), 'job.qd: `"256"` is a text; write the number without quotes'),
        (FILL.replace("256", "true"), "job.qd: `true` is no whole number"),
        (FILL.replace("256", "0"), "job.qd: `0` is too small; the least is 1"),
        (FILL.replace("qd", "iodepth"), "suite.toml:6: job.qd: is missing"),
        (FILL.replace("qd =", "qdd ="), "job.qdd: unknown key (did you mean `qd`? choose from pattern, bs, qd)"),
        (
            FILL.replace("sequential", "seq"),
            "job.pattern: `seq` is not allowed here; allowed is 'sequential' or 'random'",
        ),
        (FILL + 'amount = "120%"', "amount: `120%` is out of range (a share is above 0 and at most `100%`)"),
        (FILL + 'rest = "5 minutes"', "rest: `5 minutes` is not a duration (write `5min`)"),
        (
            FILL.replace('"fill"', '"fil"'),
            "kind: `fil` is no kind of step (did you mean `fill`? choose from purge, rest, fill, precondition, steady, measure, reclaim, search, load_latency, rounds, idle_recovery, cross_stimulus, demand, write_amplification, mixes, replay, trim)",
        ),
        (
            '[[step]]\nname = "x"',
            "suite.toml:4: kind: is missing (choose from purge, rest, fill, precondition, steady, measure, reclaim, search, load_latency, rounds, idle_recovery, cross_stimulus, demand, write_amplification, mixes, replay, trim)",
        ),
        ("[[step]]\nkind = 7", "`7` is no kind of step"),
        ("", "step: is missing"),
        (FILL + '[profile.quick]\ntime = "0%"', "profile.quick.time: `0%` is out of range"),
        (FILL + '[profile.quick]\nsizes = "1/2"', "profile.quick.sizes: unknown key (did you mean `size`?"),
        (FILL + '[profile.standard]\ntime = "1/2"', "profile.standard: is the suite as it stands; choose another name"),
        (FILL + '[profile."a b"]\n', "profile.a b: `a b` is no name here"),
        (FILL + FILL, "suite.toml:7: name: the step of line 4 is called `fill` too; give this one another name"),
        (FILL + 'name = "Fill.1"', "name: `Fill.1` is no name here"),
        (FILL + f'name = "{"a" * 33}"', f"name: `{'a' * 33}` is too long; the most is 32 letters"),
    ],
)
def test_a_fault_says_what_was_found_and_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(SuiteError) as raised:
        parse_suite(HEADER + text, "suite.toml")
    assert message in str(raised.value)


def test_an_unknown_table_is_answered_with_the_nearest() -> None:
    (fault,) = faults_of("steps = 1\n" + HEADER + FILL)
    assert (fault.line, fault.where) == (1, "steps")
    assert str(fault.message) == "unknown key (did you mean `step`? choose from suite, profile, step)"


@pytest.mark.parametrize(("value", "found"), [("[]", "is empty"), ("5", "`5` is no list")])
def test_steps_that_are_no_list_of_tables_are_told_how_to_be_written(value: str, found: str) -> None:
    (fault,) = faults_of(f"step = {value}\n{HEADER}")
    assert (fault.line, fault.where) == (1, "step")
    assert str(fault.message) == f"{found}; write each step under a `[[step]]`"


def test_a_faulty_header_is_told_like_any_other_fault() -> None:
    assert [fault.where for fault in faults_of(FILL)] == ["suite"]
    assert "`5` is no table" in str(faults_of("suite = 5\n" + FILL)[0].message)


def test_broken_toml_is_told_with_line_and_column() -> None:
    (fault,) = faults_of('[suite]\nname = "mine"\nversion = = "1"\n')
    assert fault.line == 3
    assert str(fault.where).startswith("column 1")


def test_an_amount_may_be_a_share_or_absolute() -> None:
    share, absolute = only_step(FILL + 'amount = "50%"'), only_step(FILL + 'amount = "64MiB"')
    assert isinstance(share, FillStep)
    assert isinstance(absolute, FillStep)
    assert share.amount == Share(50, 100)
    assert absolute.amount == 64 * MIB


def test_a_step_is_called_after_its_kind_unless_named() -> None:
    assert only_step('[[step]]\nkind = "rest"\nduration = "1s"').name == "rest"
    assert only_step('[[step]]\nkind = "rest"\nname = "cool"\nduration = "1s"').name == "cool"


@pytest.mark.parametrize("value", ['["fill"]', "{ a = 1 }", "5", "true", "1979-05-27"])
def test_a_name_of_another_type_is_told(value: str) -> None:
    (fault,) = faults_of(HEADER + FILL + f"name = {value}\n")
    assert (fault.line, fault.where) == (7, "name")


def test_an_unknown_suite_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(SuiteError, match="there is no suite `fil`") as raised:
        load_suite("fil")
    assert hints_of(raised.value)[0].startswith("did you mean `fill`?")
    assert raised.value.faults == ()


def test_a_missing_file_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="cannot be read: there is no such file") as raised:
        load_suite(str(tmp_path / "gone.toml"))
    assert "fill" in hints_of(raised.value)[0]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"[suite]\nname = \xff\n")
    with pytest.raises(SuiteError, match="no text in UTF-8: invalid start byte at byte 15"):
        load_suite(str(binary))


TOKENS = (
    "[suite]", "[profile.quick]", "[[step]]", "[step]", "[profile]", "name", "version", "kind", "job", "bs", "qd",
    "pattern", "amount", "passes", "rest", "time", "=", "=", "=", "\n", "\n", "\n", "{", "}", "[", "]", ",", ".",
    '"fill"', '"purge"', '"rest"', '"128KiB"', '"100%"', '"1/60"', '"sequential"', "5", "-1", "1e3", "true", "1979-05-27",
    '""', "'''", "#",
)  # fmt: skip


@given(st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join))
@settings(max_examples=300)
def test_any_text_is_a_suite_or_a_list_of_faults(text: str) -> None:
    assert all_told(text)


@given(st.data())
@settings(max_examples=300)
def test_a_damaged_suite_is_a_suite_or_a_list_of_faults(data: st.DataObject) -> None:
    words = load_suite("fill").text.split(" ")
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + data.draw(st.integers(0, 2))] = [data.draw(st.sampled_from(TOKENS))]
    assert all_told(" ".join(words))


def all_told(text: str) -> bool:
    """Whether the text is a suite, or every fault of it has a line of the text and words."""
    try:
        return parse_suite(text, "suite.toml").text == text
    except SuiteError as error:
        last = text.count("\n") + 1
        return error.faults != () and all(0 <= one.line <= last and str(one.message) != "" for one in error.faults)


def test_the_fill_suite_keeps_the_text_that_bundles_of_its_version_were_made_with() -> None:
    suite = load_suite("fill")
    assert suite.version == "2025.12"
    assert suite.sha256 == "533400b30f5adcda59f92aba5acc8c95490087ede0df96e3b67c805e264a72cf"
