"""What the user types to name a drive."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.hints import hints_of

from ssdlab.drive.kinds.virtual import FaultySpec, spec_facts
from ssdlab.drive.nbd_uri import nbd_uri, read_nbd_uri
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.drive.target import (
    BlockTarget,
    FileTarget,
    ModelTarget,
    NbdTarget,
    TargetError,
    VirtualTarget,
    device_path_of,
    moved,
    parse_target,
    spec_choice,
)
from ssdlab.units import GIB, UnitError


def refusal_of(text: str) -> tuple[str, ...]:
    with pytest.raises(TargetError) as error:
        parse_target(text)
    return (str(error.value), *hints_of(error.value))


def test_the_bare_name_of_a_virtual_drive_is_answered_with_both_targets_it_may_mean() -> None:
    assert refusal_of("demo?capacity=1GiB") == snapshot(
        (
            "`demo?capacity=1GiB` is no target",
            "`virtual:demo?capacity=1GiB` is that drive in real time, measured by fio; `model:demo?capacity=1GiB` the same in virtual time",
        )
    )


def test_a_virtual_drive_and_its_model_are_of_one_spec() -> None:
    virtual, model = parse_target("virtual:demo"), parse_target("model:demo")
    assert isinstance(virtual, VirtualTarget)
    assert isinstance(model, ModelTarget)
    assert virtual.spec == model.spec
    assert 'name = "demo"' in virtual.spec.text


def test_a_spec_can_differ_in_capacity_and_seed() -> None:
    choice = spec_choice("demo?capacity=8GiB&seed=1")
    assert (choice.name, choice.capacity_bytes, choice.seed) == ("demo", 8 * GIB, 1)
    plain = spec_choice("demo")
    assert (plain.capacity_bytes, plain.seed) == (None, None)


def test_a_spec_of_ones_own_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("# mine\n")
    assert spec_choice(f"{tmp_path}/mine.toml").text == "# mine\n"


def test_a_file_may_have_a_size() -> None:
    assert parse_target("file:/mnt/ssd") == FileTarget(Path("/mnt/ssd"), None)
    assert parse_target("file:/mnt/ssd?size=1GiB") == FileTarget(Path("/mnt/ssd"), GIB)


def test_an_export_is_a_socket_and_perhaps_a_name() -> None:
    assert parse_target("nbd+unix:///?socket=/run/nbd") == NbdTarget(Path("/run/nbd"), "")
    assert parse_target("nbd+unix:///disk?socket=/run/nbd") == NbdTarget(Path("/run/nbd"), "disk")


@pytest.mark.parametrize("text", ["nbd+unix:///disk", "nbd+unix://host/disk?socket=/run/nbd", "nbd+unix:"])
def test_an_export_without_a_socket_of_this_host_is_refused(text: str) -> None:
    assert refusal_of(text) == (
        f"`{text}` is no NBD URI on a unix socket",
        "write it like `nbd+unix:///EXPORT?socket=/run/drive.sock`, and `#`, `%`, `&`, `;`, `?` in it as `%23`, `%25`, `%26`, `%3B`, `%3F`",
    )


def test_a_spec_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.toml")
    refused = refusal_of(f"virtual:{missing}")
    assert refused[0].replace(missing, "PATH") == snapshot(
        "the spec `PATH` cannot be read: there is no such file or directory"
    )
    assert refused[1:] == ("look for a slip in the path",)


def test_a_spec_that_is_no_text_is_refused_with_what_to_name(tmp_path: Path) -> None:
    (tmp_path / "program.toml").write_bytes(b"\xd0\xff\x00")
    assert refusal_of(f"virtual:{tmp_path / 'program.toml'}")[0].endswith("program.toml` is no text")


def test_of_what_is_no_spec_at_all_the_first_faults_are_told(tmp_path: Path) -> None:
    (tmp_path / "page.toml").write_text("<p>\n" * 500)
    with pytest.raises(FaultySpec) as refused:
        spec_facts(spec_choice(str(tmp_path / "page.toml")))
    headline, *faults = map(str, refused.value.lines)
    assert re.search(r"has \d{3,} faults", headline)
    assert len(faults) == 20
    assert ": : " not in faults[0]


def test_a_seed_is_a_whole_number() -> None:
    assert refusal_of("virtual:demo?seed=one") == snapshot(
        ("`demo?seed=one`: seed `one` is no whole number", "write it like `seed=1`")
    )
    assert refusal_of("virtual:demo?seed=-1")[0] == snapshot("`demo?seed=-1`: seed `-1` is no whole number")


def test_a_target_names_something() -> None:
    assert refusal_of("virtual:")[0] == snapshot("no drive is named")
    assert refusal_of("file:?size=1GiB")[0] == snapshot("`file:?size=1GiB` names nothing")


def test_a_size_that_cannot_be_read_says_how_to_write_it() -> None:
    with pytest.raises(UnitError, match="`1G` is not a size"):
        parse_target("file:/mnt?size=1G")


def test_a_block_device_may_be_told_how_to_purge() -> None:
    assert parse_target("/dev/disk/by-id/nvme-a:b") == BlockTarget(Path("/dev/disk/by-id/nvme-a:b"))
    assert parse_target("/dev/nvme0n1?purge=discard") == BlockTarget(Path("/dev/nvme0n1"), PurgeMethod.DISCARD)
    assert refusal_of("/dev/sda?purge=axe") == snapshot(
        (
            "`/dev/sda?purge=axe`: `axe` is no way to purge",
            "known are: nvme-format, sanitize-block, sanitize-crypto, ata-erase, ata-erase-enhanced, discard",
        )
    )


def test_a_block_device_under_another_name_keeps_how_it_is_purged() -> None:
    assert moved("/dev/sda?purge=discard", Path("/dev/sdb")) == "/dev/sdb?purge=discard"
    assert moved("/dev/sda", Path("/dev/sdb")) == "/dev/sdb"
    assert device_path_of("/dev/sda?purge=discard") == Path("/dev/sda")


NEVER = ("\n", "\t", "\r", "\0", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\udcff")


@pytest.mark.parametrize("character", NEVER, ids=ascii)
@pytest.mark.parametrize(
    "target",
    ["file:/mnt/a{}b", "/dev/sd{}a", "virtual:demo{}", "nbd+unix:///a{}?socket=/s", "{}", "file:/mnt?size=1{}GiB"],
)
def test_a_target_is_one_line_of_text(target: str, character: str) -> None:
    message, hint = refusal_of(target.format(character))
    assert "is no target: it contains" in message
    assert message.isprintable()
    assert hint == "leave it out, or name the file by a link of a plain name"


def test_what_a_target_may_not_contain_is_named_with_its_code() -> None:
    assert refusal_of("file:/mnt/한 글\nexec_prerun=reboot")[0] == snapshot(
        "'file:/mnt/한 글\\nexec_prerun=reboot' is no target: it contains the control character U+000A"
    )
    assert refusal_of("file:/mnt/\udcff")[0] == snapshot(
        "'file:/mnt/\\udcff' is no target: it contains a byte that is not UTF-8: 0xFF"
    )


@pytest.mark.parametrize(
    "text", ["nbd+unix:///%0A?socket=/s", "nbd+unix:///?socket=/s%00", "nbd+unix:///%FF?socket=/s"]
)
def test_an_export_has_none_of_them_percent_encoded_either(text: str) -> None:
    assert "is no target: it contains" in refusal_of(text)[0]


def test_the_parts_of_an_nbd_uri_are_what_libnbd_takes_them_for() -> None:
    assert parse_target("nbd+unix:///my%20disk?socket=/run/a+b%26") == NbdTarget(Path("/run/a+b&"), "my disk")
    assert parse_target("nbd+unix:////abs?socket=/s") == NbdTarget(Path("/s"), "/abs")
    assert parse_target("nbd+unix://?socket=/s") == NbdTarget(Path("/s"), "")


@pytest.mark.parametrize("rest", ["/s&socket=/t", "/s;socket=/t", "/s#t", "/s?t", "/s&tls-certificates=/t", ""])
def test_a_uri_that_two_programs_may_read_in_two_ways_is_refused(rest: str) -> None:
    assert "is no NBD URI on a unix socket" in refusal_of(f"nbd+unix:///?socket={rest}")[0]


@given(st.binary(min_size=1).map(os.fsdecode), st.binary().map(os.fsdecode))
def test_a_uri_that_was_written_is_read_back(socket: str, export: str) -> None:
    uri = nbd_uri(Path(socket), export)
    assert re.fullmatch(r"nbd\+unix:///[A-Za-z0-9%/._~-]*\?socket=[A-Za-z0-9%/._~-]+", uri)
    assert read_nbd_uri(uri) == (Path(socket), export)


def test_a_uri_is_the_one_that_the_server_prints_of_its_socket() -> None:
    assert nbd_uri(Path("/run/a b&c/ü")) == "nbd+unix:///?socket=/run/a%20b%26c/%C3%BC"


def test_a_question_mark_asks_for_something() -> None:
    assert refusal_of("file:/mnt/really?")[0] == snapshot("`file:/mnt/really?`: nothing follows the `?`")
