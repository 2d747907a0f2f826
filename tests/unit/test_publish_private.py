"""Nothing private gets into a published copy, wherever it was in the bundle."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.published import OWNER, computed, copy_of, stored, without_words
from tests.kit.reseal import reseal
from tests.kit.sample_bundle import CHECKS, PASS_1, fill_plan, fill_result, run_info, windows_of

from ssdlab.analysis.audit.rules.device import KERNEL_LOG
from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.journal import Event
from ssdlab.bundle.layout import Moment
from ssdlab.bundle.model import Check, HostFacts, Metric, Outcome, RunInfo
from ssdlab.bundle.publication import PrivateKind
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.drive.block.details import (
    AUTONOMOUS,
    HDPARM,
    ID_CTRL,
    ID_NS,
    POWER_STATE,
    SMART_LOG,
    SMARTCTL,
    details_of,
    health_of,
)
from ssdlab.drive.identity import BlockDetails, DriveName, NameKind
from ssdlab.drive.sense.parse import read_ata, read_nvme
from ssdlab.drive.sense.reading import nothing_known
from ssdlab.engine.fio.job_file import JSON_FILE
from ssdlab.engine.fio.text import JOB_FILE
from ssdlab.engine.result import SENSOR_COLUMNS, DeviceTraffic, Direction, Dropped, JobSensors, SensorSeries
from ssdlab.host.link import PcieLink
from ssdlab.host.restore import Restoration
from ssdlab.host.state import look
from ssdlab.host.tune import Tuning
from ssdlab.job import DriveState
from ssdlab.library.add import add
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.message import message, size, verbatim
from ssdlab.publish.archive import pack
from ssdlab.publish.copy import PublishError, published_copy
from ssdlab.publish.files import LeftOut
from ssdlab.publish.found import Findings
from ssdlab.publish.net import RemainsError, require_nothing_left
from ssdlab.unknown import Unknown

DATA = Path(__file__).parents[1] / "data"
CAPACITY_BYTES = 950_000_000_000


@dataclass
class Planted:
    """Tokens that stand nowhere else."""

    tokens: list[str] = field(default_factory=list)

    def one(self) -> str:
        self.tokens.append(f"Qz{len(self.tokens):03}Kwjx{len(self.tokens):03}")
        return self.tokens[-1]


def planted_json(name: str, planted: Planted, **known: str) -> str:
    """An answer of a program with those fields, and others that ssdlab knows nothing of."""
    said = json.loads((DATA / name).read_text())
    return json.dumps({**said, **known, "vendor_specific": {"note": planted.one()}, planted.one(): 1})


def answers(planted: Planted) -> dict[str, str]:
    hdparm = (DATA / "hdparm/sata.txt").read_text().replace("SATA0001", planted.one())
    return {
        ID_CTRL: planted_json(
            "nvme-cli/id-ctrl.json", planted, sn=f"{planted.one()}      ", subnqn=f"nqn.{planted.one()}"
        ),
        ID_NS: planted_json("nvme-cli/id-ns.json", planted, eui64=planted.one(), nguid=planted.one()),
        SMART_LOG: planted_json("nvme-cli/smart-log.json", planted),
        POWER_STATE: f"{(DATA / 'nvme-cli/power-state.txt').read_text()}{planted.one()}\n",
        AUTONOMOUS: f"{(DATA / 'nvme-cli/apst.txt').read_text()}\tEntry[ 0] {planted.one()}\n",
        SMARTCTL: planted_json("smartctl/sata.json", planted, serial_number=planted.one()),
        HDPARM: hdparm,
    }


def drive_of(planted: Planted, run: RunInfo, said: dict[str, str], device: str) -> RunInfo:
    path = f"/dev/disk/by-id/nvme-{planted.one()}"
    serial = planted.one()
    block = BlockDetails(
        called=DriveName(serial, NameKind.SERIAL),
        wwid=f"eui.{planted.one()}",
        medium=Unknown(verbatim(f"`/sys/block/nvme0n1` lies in `/home/{planted.one()}/lab`")),
        physical_block_bytes=4096,
        link=PcieLink(speed_now="8.0 GT/s PCIe", speed_best="8.0 GT/s PCIe", lanes_now=4, lanes_best=4),
        details=details_of(device, said),
    )
    host = HostFacts(
        hostname=f"{planted.one()}.{planted.one()}.example",
        kernel="6.12.0",
        os="Debian 13",
        cpu="Ryzen",
        cpu_count=8,
        memory_bytes=1 << 30,
    )
    text = f"{run.suite.text}# bought for {host.hostname.upper()}, serial {serial.lower()}\n"
    return replace(
        run,
        drive=replace(
            run.drive, target=path, serial=serial, description=message("drive-described-block", path=path), block=block
        ),
        host=host,
        suite=replace(run.suite, text=text),
    )


def planted_bundle(path: Path, planted: Planted, device: str = "nvme0n1") -> Path:
    """A bundle with a token in every place that can hold what is private."""
    said = answers(planted)
    run = drive_of(planted, run_info(CAPACITY_BYTES), said, device)
    plan = fill_plan(CAPACITY_BYTES, 0)
    line = f"nvme nvme0: I/O timeout, label {planted.one()}"
    with closing(BundleWriter(path, run, plan)) as writer:
        writer.drive_said(0, Moment.START, said)
        of = f"the run on /dev/mapper/{planted.one()}"
        writer.host(
            0,
            Tuning(
                found=look(Unknown(verbatim("no device"))),
                applied=(),
                recovered=(Restoration(of=verbatim(of), settings=()),),
            ),
        )
        for step in plan[:3]:
            writer.step_started(step.index, 0, DriveState.FOB)
            if step.job is None:
                writer.step_finished(step.index, 0, None, verbatim(f"marks in `file:/srv/{planted.one()}/a b`"))
                continue
            result = fill_result(step.job, windows_of(PASS_1, 1))
            silent = nothing_known(Unknown(verbatim(f"`nvme` failed: /run/{planted.one()}.sock: refused")))
            series = SensorSeries(np.array([], dtype=np.int64), **dict.fromkeys(SENSOR_COLUMNS, np.array([])))
            addresses = f"peer 192.168.7.{len(planted.tokens)}, 02:42:ac:11:00:0f"
            result = replace(
                result,
                notes=(f"fio: could not stat /mnt/{planted.one()}", addresses),
                dropped=(Dropped("hipri", verbatim(f"`/media/{planted.one()}/x y` has no queues")),),
                device=DeviceTraffic(
                    device=planted.one(), io_count={Direction.WRITE: 1}, moved_bytes={Direction.WRITE: 4096}
                ),
                sensed=JobSensors(silent, silent, series, (line, f"second {planted.one()}"), Unknown(verbatim("no"))),
                files={JOB_FILE: job_file(planted), JSON_FILE: fio_json(planted)},
            )
            writer.step_finished(step.index, 0, result)
        writer.warning(1, Warned(WarningKind.KERNEL, verbatim(f"{planted.one()} went away"), "fill"))
        writer.warning(
            2,
            Warned(
                WarningKind.DRIVE,
                verbatim(f"mailed to {run.drive.serial} on {run.host.hostname.partition('.')[0].lower()}"),
            ),
        )
        left = message("drive-left-files-removed", size=size(4096), path=f"/srv/{planted.one()}/place")
        writer.warning(2, Warned(WarningKind.LEFT_FILES, left))
        writer.run_ended(3, Event.RUN_FAILED, verbatim(f"[Errno 5] I/O error: '/home/{planted.one()}/lab/runs'"))
    checks = (
        *CHECKS,
        Check(
            name=KERNEL_LOG,
            step="fill.pass1",
            outcome=Outcome.WARN,
            finding=message("audit-kernel-lines", line=line, more=1),
            meaning=None,
        ),
    )
    metric = Metric(
        key=key_of_name("fill.pass1.x", "fill.pass1"),
        value=Unknown(verbatim(f"`/opt/{planted.one()}` is gone")),
        unit="B",
        state=DriveState.FOB,
        step="fill.pass1",
        note=verbatim(f"on {run.drive.serial}"),
    )
    write_conclusions(path, (metric,), checks)
    other_files(path, planted)
    return path


def job_file(planted: Planted) -> bytes:
    options = (
        f"filename=/dev/disk/by-id/{planted.one()}",
        "rw=write",
        f"description={planted.one()}",
        planted.one(),
        f"; {planted.one()}",
    )
    return "\n".join(["; written by ssdlab 0.1.0", "[fill]", *options, ""]).encode()


def fio_json(planted: Planted) -> bytes:
    said = json.loads((DATA / "fio-3.33/audit/clean.json").read_text())
    said["global options"] = said.get("global options", {}) | {
        "filename": f"/srv/{planted.one()}",
        "directory": planted.one(),
    }
    said["client_stats"] = [{"hostname": planted.one()}]
    said["jobs"][0]["job options"] |= {
        "uri": f"nbd+unix:///?socket=/tmp/{planted.one()}/s",
        "exec_prerun": planted.one(),
    }
    said["jobs"][0]["desc"] = planted.one()
    said["disk_util"] = [{"name": planted.one(), "read_ios": 1, "write_ios": 2}]
    return json.dumps(said).encode()


def other_files(path: Path, planted: Planted) -> None:
    step = path / "003-fill.pass1"
    for name in (
        f"{planted.one()}.txt",
        "report.html",
        "attempts/1/003-fill.pass1/result.json",
        "003-fill.pass1/raw/log_lat.1.log",
    ):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(planted.one())
    table = step / "series.parquet"
    rows = f"select *, '{planted.one()}' as note from read_parquet('{table}')"  # noqa: S608 - a path of the test
    wider = path / "wider"
    duckdb.sql(f"copy ({rows}) to '{wider}' (format parquet, kv_metadata {{owner: '{planted.one()}'}})")
    wider.replace(table)
    reseal(
        path, lambda fields: {"note_to_self": planted.one(), **fields} if fields["event"] == "run_failed" else fields
    )
    outside = path.with_name("outside")
    outside.write_text(planted.one())
    (path / "004-linked.json").symlink_to(outside)
    with (path / "journal.jsonl").open("a") as journal:
        journal.write(f'{{"event":"warning","text":"{planted.one()}')


def everything_in(archive: Path, directory: Path) -> Iterator[str]:
    """All names and bytes of an archive, unpacked, tables as text too, in small letters."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(directory)
        yield from (name.casefold() for name in packed.namelist())
        yield packed.comment.decode()
    yield archive.read_bytes().decode(errors="replace").casefold()
    for path in directory.rglob("*"):
        if path.is_file():
            yield path.read_bytes().decode(errors="replace").casefold()
        if path.suffix == ".parquet":
            for function in ("read_parquet", "parquet_kv_metadata", "parquet_schema"):
                rows = duckdb.connect().execute(f"from {function}('{path}')").fetchall()
                yield str(rows).casefold()


def spellings(token: str) -> set[str]:
    plain = token.casefold()
    return {plain, plain[::-1], token.encode().hex(), plain.encode().hex()}


@pytest.mark.parametrize("device", ["nvme0n1", "sda"])
def test_no_token_planted_anywhere_is_in_the_archive(tmp_path: Path, device: str) -> None:
    planted = Planted()
    bundle = planted_bundle(tmp_path / planted.one(), planted, device)
    copy, account = copy_of(bundle, tmp_path / "copy")
    pack(copy, tmp_path / "drive.ssdlab", None)
    said = list(everything_in(tmp_path / "drive.ssdlab", tmp_path / "unpacked"))
    left = [token for token in planted.tokens if any(one in text for text in said for one in spellings(token))]
    assert not left
    assert not [text for text in said if "192.168.7." in text or "02:42:ac" in text]
    assert len(planted.tokens) > 45
    assert {LeftOut.UNKNOWN, LeftOut.ATTEMPT, LeftOut.RAW, LeftOut.ANSWER} <= set(account.left_out.values())


def test_no_token_of_an_imported_result_is_in_the_archive(tmp_path: Path) -> None:
    planted = Planted()
    said = json.loads(fio_json(planted))
    del said["client_stats"]
    # It stands in findings, and fio knows no other names than the kernel's.
    said["disk_util"][0]["name"] = "sda"
    planted.tokens.pop()
    path = tmp_path / f"{planted.one()}.json"
    path.write_text(json.dumps(said))
    bundle = take_in(path, tmp_path / "lab", GivenFacts(model="Lab PM1", serial=planted.one()))
    copy, account = copy_of(bundle, tmp_path / "copy")
    pack(copy, tmp_path / "drive.ssdlab", None)
    text = list(everything_in(tmp_path / "drive.ssdlab", tmp_path / "unpacked"))
    assert not [token for token in planted.tokens if any(one in part for part in text for one in spellings(token))]
    assert LeftOut.ORIGINAL in account.left_out.values()
    assert add(tmp_path / "drive.ssdlab", tmp_path / "other").path.is_dir()


def test_what_a_drive_says_of_its_health_is_the_same(tmp_path: Path) -> None:
    for device, names in (("nvme0n1", (SMART_LOG,)), ("sda", (SMARTCTL,))):
        bundle = planted_bundle(tmp_path / device, Planted(), device)
        copy, _ = copy_of(bundle, tmp_path / f"copy-{device}")
        ours, theirs = (open_bundle(path) for path in (bundle, copy))
        for name in names:
            before, after = (one.drive_said(Moment.START, name) for one in (ours, theirs))
            assert health_of({name: after}) == health_of({name: before})
            assert not isinstance(before, Unknown)
            assert not isinstance(after, Unknown)
            assert (read_nvme if name == SMART_LOG else read_ata)(after) == (
                read_nvme if name == SMART_LOG else read_ata
            )(before)


def test_the_numbers_of_that_bundle_are_the_same(tmp_path: Path) -> None:
    bundle = planted_bundle(tmp_path / "run", Planted())
    copy, _ = copy_of(bundle, tmp_path / "copy")
    assert [name for metric in stored(copy)[0] for name in (metric.name, metric.unit, metric.step)] == [
        name for metric in stored(bundle)[0] for name in (metric.name, metric.unit, metric.step)
    ]
    assert without_words(stored(copy)[1]) == without_words(stored(bundle)[1])
    (tmp_path / "run/journal.jsonl").write_bytes((bundle / "journal.jsonl").read_bytes().rpartition(b"\n")[0] + b"\n")
    again, _ = copy_of(bundle, tmp_path / "again")
    (metrics, audit), (ours, checks) = computed(again), computed(bundle)
    assert metrics == ours
    assert without_words(audit) == without_words(checks)


def test_a_finding_is_the_same_stored_and_computed_anew(tmp_path: Path) -> None:
    bundle = planted_bundle(tmp_path / "run", Planted())
    (bundle / "journal.jsonl").write_bytes((bundle / "journal.jsonl").read_bytes().rpartition(b"\n")[0] + b"\n")
    (bundle / "004-linked.json").unlink()
    write_conclusions(bundle, *computed(bundle))
    copy, _ = copy_of(bundle, tmp_path / "copy")
    assert computed(copy) == stored(copy)


_SECRETS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_characters="/\\`ßİıŉſ"), min_size=6, max_size=24
)
"""Without letters of which another letter is made in capitals: of those the net refuses what the rules overlook."""


@settings(max_examples=15)
@given(serial=_SECRETS, host=_SECRETS, name=_SECRETS)
def test_whatever_letters_private_values_have_none_stays(
    serial: str, host: str, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory = tmp_path_factory.mktemp("publish")
    serial, host, name = f"{serial}Qz1", f"{host}Qz2", f"{name}Qz3"
    run = run_info(1 << 30)
    run = replace(
        run,
        drive=replace(run.drive, serial=serial, target=f"file:/home/{name}/x"),
        host=replace(run.host, hostname=host),
    )
    with closing(BundleWriter(directory / "run", run, ())) as writer:
        writer.warning(
            0,
            Warned(
                WarningKind.DRIVE,
                verbatim(f"the drive {serial} on {host} lies in `/home/{name}/x` and {serial.upper()}"),
            ),
        )
    copy, _ = copy_of(directory / "run", directory / "copy")
    text = "".join(path.read_text() for path in copy.iterdir()).casefold()
    assert not [one for one in ("qz1", "qz2", "qz3") if one in text]


def test_the_net_refuses_what_a_rule_let_through_however_it_is_spelt(tmp_path: Path) -> None:
    found = Findings(OWNER)

    found.hashed(PrivateKind.SERIAL, "S5GX-NF0R:1234")
    for spelt in (
        "s5gx-nf0r:1234",
        "S5GXNF0R1234",
        "4321:R0FN-XG5S",
        b"S5GX-NF0R:1234".hex(),
        "S5GX%2DNF0R%3A1234".replace("%2D", "-"),
    ):
        (tmp_path / "audit.json").write_text(f'"seen {spelt} here"')
        with pytest.raises(RemainsError, match=r"serial numbers, would remain in `audit\.json`"):
            require_nothing_left(tmp_path, found)
    (tmp_path / "audit.json").write_text('"seen another"')
    require_nothing_left(tmp_path, found)


def test_a_host_called_by_a_word_of_the_method_does_not_stop_the_publishing(tmp_path: Path) -> None:
    run = run_info(1 << 30)
    BundleWriter(tmp_path / "run", replace(run, host=replace(run.host, hostname="fill")), ()).close()
    copy, _ = copy_of(tmp_path / "run", tmp_path / "copy")
    assert open_bundle(copy).run.host.hostname == OWNER.pseudonym("fill")


def test_one_drive_has_one_name_in_all_that_its_owner_publishes(tmp_path: Path) -> None:
    for number in (1, 2):
        BundleWriter(tmp_path / f"run{number}", run_info(1 << 30), ()).close()
    copies = [open_bundle(copy_of(tmp_path / f"run{number}", tmp_path / f"copy{number}")[0]) for number in (1, 2)]
    assert {one.run.drive.serial for one in copies} == {OWNER.pseudonym("S1234")}


def test_a_published_copy_is_not_published_again(tmp_path: Path) -> None:
    BundleWriter(tmp_path / "run", run_info(1 << 30), ()).close()
    copy, _ = copy_of(tmp_path / "run", tmp_path / "copy")
    with pytest.raises(PublishError, match="is a published copy already"):
        published_copy(copy, tmp_path, OWNER)


def test_a_damaged_bundle_is_not_better_in_its_copy(tmp_path: Path) -> None:
    bundle = planted_bundle(tmp_path / "run", Planted())
    (bundle / "003-fill.pass1/histogram.parquet").write_bytes(b"PAR1")
    copy, _ = copy_of(bundle, tmp_path / "copy")
    before, after = open_bundle(bundle), open_bundle(copy)
    assert [step.status for step in after.steps] == [step.status for step in before.steps]
    assert after.faults
