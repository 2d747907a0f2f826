"""The table of what becomes of each text in a bundle, held against the types that bundles are made of."""

import dataclasses
import re
import types
import typing
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import pytest
from pydantic import BaseModel
from tests.kit.published import OWNER

from ssdlab.bundle.imported import ImportInfo
from ssdlab.bundle.model import Check, Metric, RunInfo, Step, StepResult
from ssdlab.bundle.totals import StepTotals
from ssdlab.drive.block import answers
from ssdlab.drive.sense import parse as sense_read
from ssdlab.engine.fio.document import FioDocument
from ssdlab.engine.sustain.bad_data import BadRange
from ssdlab.host.restore import Restoration
from ssdlab.host.tune import Tuning
from ssdlab.probe.store.files import KeptActs, KeptAnswers
from ssdlab.publish.found import Findings
from ssdlab.publish.rules import RULES, TextRule, rule_name
from ssdlab.publish.values import DriveOwner, Look, Redactor

ROOTS: tuple[type, ...] = (
    *(
        RunInfo,
        Step,
        StepResult,
        Metric,
        Check,
        StepTotals,
        Tuning,
        Restoration,
        ImportInfo,
        KeptAnswers,
        KeptActs,
        BadRange,
    ),
    *(
        FioDocument,
        answers.CONTROLLER_FORM,
        answers.NAMESPACE_FORM,
        answers.SMART_LOG_FORM,
    ),
    *(answers.SMARTCTL_FORM, sense_read.SMART_LOG_FORM, sense_read.SMARTCTL_FORM),
)
"""All that is read into a type before it is published."""
COUNTS = {"Publication.hashed", "Publication.left_out"}
"""Written by publishing itself."""


def texts_of(kind: Any, owner: str, seen: set[type]) -> Iterator[str]:
    """Fields that hold texts, in that type and all below it."""
    if isinstance(kind, type) and issubclass(kind, str | PurePath):
        yield owner
    elif isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel)):
        if kind not in seen:
            seen.add(kind)
            for name, its in typing.get_type_hints(kind).items():
                if name != "model_config":
                    yield from texts_of(its, rule_name(kind, name), seen)
    elif isinstance(typing.get_origin(kind), type | types.UnionType) or typing.get_origin(kind) is typing.Union:
        for part in typing.get_args(kind):
            yield from texts_of(part, owner, seen)


def test_every_text_of_a_bundle_has_its_line_and_no_line_is_left_over() -> None:
    seen: set[type] = set()
    texts = {name for root in ROOTS for name in texts_of(root, "", seen)}
    assert texts - COUNTS == set(RULES)


def test_a_world_wide_name_made_of_numbers_is_left_out() -> None:
    wwn = {"naa": 5, "oui": 9528, "id": 123456789}
    read = answers.SMARTCTL_FORM.model_validate({"serial_number": "S1234", "wwn": wwn})
    said = Redactor(Findings(OWNER), Look.WRITE, DriveOwner.REAL).of(read).model_dump(exclude_unset=True)
    assert said == {"serial_number": OWNER.pseudonym("S1234"), "wwn": None}


@pytest.mark.parametrize("rule", [rule for rule in TextRule if rule is not TextRule.KEEP])
def test_every_other_rule_takes_out_what_was_found_to_be_private_anywhere(rule: TextRule) -> None:
    found = Findings(OWNER)
    Redactor(found, Look.SURVEY, DriveOwner.REAL).text("S5GXNF0R1234", TextRule.SERIAL)
    text = f"/srv/x and {'S5GXNF0R1234'.lower()}" if rule is not TextRule.DEVICE else "dm-S5GXNF0R1234"
    assert "s5gxnf0r1234" not in Redactor(found, Look.WRITE, DriveOwner.REAL).text(text, rule).casefold()


@pytest.mark.parametrize(
    ("typed", "published"),
    [
        ("/dev/nvme0n1", "/dev/nvme0n1"),
        ("/dev/sdb?purge=trim", "/dev/sdb?purge=trim"),
        ("/dev/disk/by-id/nvme-S5GX", "/dev/withheld-6ee0f5b7"),
        ("model:demo?capacity=2GiB&seed=1", "model:demo?capacity=2GiB&seed=1"),
        ("virtual:/home/alice/own.toml?seed=3", "virtual:withheld-c16e0a5b?seed=3"),
        ("file:/home/alice/x?size=1GiB", "file:withheld-1c0d6bd3?size=1GiB"),
        ("nbd+unix:///disk?socket=/run/alice.sock", "nbd+unix:///withheld-x?socket=/withheld-x"),
        ("whatever", "withheld-x"),
    ],
)
def test_a_target_keeps_its_form(typed: str, published: str) -> None:
    said = Redactor(Findings(OWNER), Look.WRITE, DriveOwner.REAL).text(typed, TextRule.TARGET)
    assert re.sub(r"withheld-[0-9a-f]{12}", "withheld-x", said) == re.sub(r"withheld-\w+", "withheld-x", published)


@pytest.mark.parametrize(
    "sentence",
    [
        "fio used 97 % of one core: 12 MB/s at 3 I/Os, read/write, 1/2",
        "`/dev/nvme0n1` is worse than `/sys/block/nvme0n1/queue/scheduler` says",
        "fio 3.33 at QD 1, 16.0 GT/s PCIe x4, 2026-01-20T09:30:00+00:00, 0000:01:00.0",
    ],
)
def test_a_sentence_of_public_facts_stays_as_it_is(sentence: str) -> None:
    assert Redactor(Findings(OWNER), Look.WRITE, DriveOwner.REAL).text(sentence, TextRule.WORDS) == sentence


@pytest.mark.parametrize(
    "private",
    [
        *("/mnt/alice/lab", "`/mnt/my disk/x y`", "C:\\Users\\alice\\x.txt", "file:/srv/alice"),
        *("02:42:ac:11:00:0f", "192.168.7.12", "fe80::42:acff:fe11:f", "nqn.2014-08.org.nvmexpress:uuid:1"),
        *("eui.0025385b71b0", "naa.5002538e40a1", "0x5002538e40a1b2c3", "1b4e28ba-2fa1-11d2-883f-0016d3cca427"),
        "Linux alice-laptop 6.12.0",
    ],
)
def test_what_looks_private_is_taken_out_of_a_sentence(private: str) -> None:
    said = Redactor(Findings(OWNER), Look.WRITE, DriveOwner.REAL).text(f"before {private} after", TextRule.WORDS)
    assert "withheld-" in said
    assert said.startswith("before ")
    assert said.endswith(" after")
    assert not [
        word
        for word in ("alice", "my disk", "42", "168", "2014", "5002538e40a1", "0025385b", "2fa1")
        if word in re.sub(r"withheld-\w+", "", said)
    ]
