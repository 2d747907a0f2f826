"""Facts that the operator states beside a lab: what files may say, which photos are shown, when a promise is kept."""

import base64
import dataclasses
import re
import struct
import zlib
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.sample_bundle import run_info

from ssdlab.analysis.statistics.standing import Estimate, differ_in_practice
from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.quantities import Better
from ssdlab.errors import SsdlabError
from ssdlab.figure.kit.stated import (
    DatasheetValue,
    DriveClass,
    Price,
    StatedDrive,
    StatedFacts,
    StatedLoad,
    StatedQuantity,
    StatedState,
)
from ssdlab.report.png import SIGNATURE
from ssdlab.report.stated.datasheet import Promise, promise_of
from ssdlab.report.stated.files import facts_beside
from ssdlab.report.stated.photo import HEIGHT_PX_MAX, PHOTO_BYTES_MAX, WIDTH_PX_MAX, photo_of
from ssdlab.report.stated.tables import UnusableFactError

SERIAL = "S1"
DRIVE = f"drives/{SERIAL}.toml"


def of(lab: Path, files: dict[str, str], run: RunInfo | None = None) -> StatedFacts:
    """What a lab with these files says of a run."""
    place = lab / "runs" / "run"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (lab / name).parent.mkdir(exist_ok=True)
        (lab / name).write_text(text)
    (found,) = facts_beside({place: (place, run or run_of(SERIAL))}).values()
    return found


def run_of(serial: str) -> RunInfo:
    run = run_info(10**12)
    return replace(run, drive=replace(run.drive, serial=serial))


def refused(lab: Path, files: dict[str, str]) -> list[str]:
    with pytest.raises(SsdlabError) as caught:
        of(lab, files)
    return [str(line).removeprefix(f"{lab}/") for line in caught.value.lines]


def drive_of(lab: Path, text: str) -> StatedDrive:
    found = of(lab, {DRIVE: text}).drive
    assert found is not None
    return found


# Files


def test_a_lab_without_files_says_nothing(tmp_path: Path) -> None:
    assert of(tmp_path, {}) == StatedFacts(None, None)


def test_a_run_outside_of_a_lab_has_no_facts(tmp_path: Path) -> None:
    (tmp_path / "bench.toml").write_text('cooling = "fan"')
    assert facts_beside({tmp_path: (tmp_path / "run", run_of(SERIAL))}) == {tmp_path: StatedFacts(None, None)}


def test_the_bench_is_told_of_all_runs(tmp_path: Path) -> None:
    bench = of(tmp_path, {"bench.toml": 'cooling = "a fan"\nambient_c = 23\nmemory = "DDR5-5600"'}).bench
    assert bench is not None
    assert (bench.cooling, bench.ambient_c, bench.memory, bench.case) == ("a fan", 23.0, "DDR5-5600", None)


@pytest.mark.parametrize(("since", "told"), [("2026-01-20", True), ("2026-01-21", False)])
def test_runs_from_before_a_bench_was_built_are_not_told_to_be_of_it(tmp_path: Path, since: str, told: object) -> None:
    run = replace(run_info(10**12), started_at="2026-01-20T23:59:00+00:00")
    assert (of(tmp_path, {"bench.toml": f'since = {since}\ncase = "open"'}, run).bench is not None) is told


def test_a_drive_is_known_by_its_serial_number(tmp_path: Path) -> None:
    files = {DRIVE: 'controller = "this"', "drives/S2.toml": 'controller = "that"'}
    assert getattr(of(tmp_path, files).drive, "controller", None) == "this"
    assert getattr(of(tmp_path, {}, run_of("S2")).drive, "controller", None) == "that"
    assert of(tmp_path, {}, run_of("S3")).drive is None


@pytest.mark.parametrize("serial", ["../bench", "..", "/etc/passwd", "", "*", "S1\0", "S" * 300])
def test_no_serial_number_leads_to_another_file(tmp_path: Path, serial: str) -> None:
    files = {DRIVE: "", "bench.toml": "", "drives/S2.toml": ""}
    assert of(tmp_path, files, run_of(serial)).drive is None


def test_values_are_read_with_their_units(tmp_path: Path) -> None:
    drive = drive_of(
        tmp_path,
        """
        class = "enterprise"
        price = "1299.90 EUR"
        paid_on = 2026-11-01
        [datasheet]
        endurance = "7PB"
        """.replace("7PB", "7000TB")
        + """
        [[datasheet.value]]
        load = "sequential write"
        state = "sustained"
        speed = "6.9 GB/s"
        [[datasheet.value]]
        load = "random read"
        iops = "1.4M IOPS"
        queue_depth = 512
        [[datasheet.value]]
        load = "random write"
        consistency = "90 %"
        [[datasheet.value]]
        load = "random read"
        latency = "85us"
        percentile = "99.9900%"
        block = "8KiB"
        """,
    )
    assert drive.drive_class is DriveClass.ENTERPRISE
    assert drive.price == Price(Decimal("1299.90"), "EUR", date(2026, 11, 1))
    assert drive.datasheet is not None
    assert drive.datasheet.endurance_bytes == 7 * 10**15
    plain = DatasheetValue(
        load=StatedLoad.RANDOM_READ,
        quantity=StatedQuantity.IOPS,
        value=1_400_000,
        block_bytes=4096,
        queue_depth=512,
        state=None,
        percentile=None,
    )
    assert drive.datasheet.values == (
        replace(
            plain,
            load=StatedLoad.SEQUENTIAL_WRITE,
            quantity=StatedQuantity.SPEED,
            value=6_900_000_000,
            block_bytes=None,
            queue_depth=None,
            state=StatedState.SUSTAINED,
        ),
        plain,
        replace(
            plain,
            load=StatedLoad.RANDOM_WRITE,
            quantity=StatedQuantity.CONSISTENCY,
            value=90,
            queue_depth=None,
        ),
        replace(
            plain,
            quantity=StatedQuantity.LATENCY,
            value=85_000,
            block_bytes=8192,
            queue_depth=None,
            percentile="99.99",
        ),
    )


def test_the_price_of_a_gigabyte_is_that_of_the_capacity() -> None:
    assert Price(Decimal("129.90"), "EUR", None).per_gb(10**12) == Decimal("0.1299")


def test_all_faults_of_a_file_are_told_with_their_lines_and_the_nearest_key(tmp_path: Path) -> None:
    assert refused(tmp_path, {"bench.toml": 'colling = "fan"\nambient_c = "warm"\ncase = ""\nnotes = 7'}) == snapshot(
        [
            "bench.toml:1: colling: unknown key (did you mean `cooling`? choose from since, cooling, ambient_c, power_supply, case, slot, adapter, memory, boot_drive, driver, notes)",
            "bench.toml:2: ambient_c: input should be a valid number, found `warm`",
            "bench.toml:3: case: string should have at least 1 character, found ``",
            "bench.toml:4: notes: `7` is no text; write it in quotes",
        ]
    )
    assert refused(
        tmp_path / "other",
        {
            DRIVE: 'clas = "client"\nprice = 12\n[datasheet]\nendurence = "600TB"\n[[datasheet.value]]\nlode = "x"\n'
            'load = "random reed"\nspeed = "fast"\n'
        },
    ) == snapshot(
        [
            "drives/S1.toml:1: clas: unknown key (did you mean `class`? choose from class, controller, flash, heatsink, purged_by, price, paid_on, photo, notes, datasheet)",
            "drives/S1.toml:2: price: `12` has no unit (write it in quotes like `129.90 EUR`)",
            "drives/S1.toml:4: datasheet.endurence: unknown key (did you mean `endurance`? choose from source, endurance, value)",
            "drives/S1.toml:6: datasheet.value[0].lode: unknown key (did you mean `load`? choose from load, speed, iops, consistency, latency, percentile, block, queue_depth, state)",
            "drives/S1.toml:7: datasheet.value[0].load: `random reed` is not allowed here; allowed is 'sequential read', 'sequential write', 'random read' or 'random write'",
            "drives/S1.toml:8: datasheet.value[0].speed: `fast` cannot be read (write it like `7450 MB/s`)",
        ]
    )


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (
            'load = "random read"',
            snapshot(
                "datasheet.value[0]: a value has one of `speed`, `iops`, `consistency` and `latency`; this one has 0"
            ),
        ),
        (
            'load = "random read"\nspeed = "500 MB/s"',
            snapshot("datasheet.value[0]: sequential loads are stated as `speed`, random ones as `iops`"),
        ),
        (
            'load = "sequential read"\nspeed = "500 MB/s"\npercentile = "99 %"',
            snapshot("datasheet.value[0]: `percentile` belongs to a `latency`"),
        ),
        (
            'load = "random read"\niops = "90K IOPS"\nstate = "cache"',
            snapshot("datasheet.value[0]: `state` belongs to `speed` or `iops` of writes"),
        ),
        (
            'load = "sequential read"\nspeed = "500 MB"',
            snapshot("datasheet.value[0].speed: `500 MB` cannot be read (write it like `7450 MB/s`)"),
        ),
        (
            'load = "sequential read"\nspeed = 500',
            snapshot("datasheet.value[0].speed: `500` has no unit (write it in quotes like `7450 MB/s`)"),
        ),
        (
            'load = "random read"\niops = "90 thousand"',
            snapshot("datasheet.value[0].iops: `90 thousand` cannot be read (write it like `1400K IOPS`)"),
        ),
        (
            'load = "random read"\niops = "0 IOPS"',
            snapshot("datasheet.value[0].iops: `0 IOPS` cannot be read (write it like `1400K IOPS`)"),
        ),
        (
            'load = "random read"\nconsistency = "90"',
            snapshot("datasheet.value[0].consistency: `90` cannot be read (write it like `99.99 %`)"),
        ),
        (
            'load = "random read"\nlatency = "90"',
            snapshot(
                "datasheet.value[0].latency: `90` has no unit (write it like `15min`; units are ns, us, ms, s, min, h, d)"
            ),
        ),
    ],
)
def test_a_value_that_cannot_be_judged_is_refused(tmp_path: Path, row: str, fault: str) -> None:
    (found,) = refused(tmp_path, {DRIVE: f"[[datasheet.value]]\n{row}\n"})
    assert found.partition(": ")[2] == fault


@pytest.mark.parametrize(
    "text",
    [
        "cooling = ",
        'cooling = "\\u0000"',
        'cooling = "\\u202Ereversed"',
        'cooling = """two\nlines"""',
        f'cooling = "{"x" * 201}"',
        "#" * 70_000,
        "x = " + "[" * 5000,
        "ambient_c = nan",
        "ambient_c = inf",
        "ambient_c = 1e300",
        "since = 12:00:00",
        "ambient_c = " + "9" * 5000,
    ],
)
def test_a_text_that_a_page_cannot_show_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (found,) = refused(tmp_path, {"bench.toml": text})
    assert found.startswith("bench.toml:1")
    assert len(found) < 400


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bench.toml").write_bytes(b"\xff\xfe")
    assert refused(tmp_path, {}) == snapshot(["bench.toml:1: syntax: this is no text in UTF-8"])


def test_the_guide_shows_files_that_can_be_read(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "facts.md").read_text()
    bench, drive = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "drives").mkdir()
    (tmp_path / "drives" / "front.jpg").write_bytes(jpeg(20, 10))
    found = of(tmp_path, {"bench.toml": bench, DRIVE: drive}, replace(run_of(SERIAL), started_at="2026-05-01"))
    assert found.bench is not None
    assert None not in dataclasses.astuple(found.bench)
    assert found.drive is not None
    assert found.drive.datasheet is not None
    assert len(found.drive.datasheet.values) == 4
    assert found.drive.photo is not None


# Photos


def png(width: int, height: int) -> bytes:
    """White above, black below, as far as it goes."""
    rows = b"".join(b"\0" + (b"\xff" if row < height // 2 else b"\0") * 3 * width for row in range(height))

    def chunk(name: bytes, held: bytes) -> bytes:
        return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg(width: int, height: int, orientation: int = 1) -> bytes:
    """The same as JPEG of a camera that was held so, and that wrote down where it was."""
    data = base64.b64encode(png(width, height)).decode()
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
    plain = bytes(
        vl_convert.svg_to_jpeg(
            f'{svg}<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/></svg>', scale=1.0
        )
    )
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 1) + entry + b"\0\0\0\0" + b"GPS 37.5 N 127.0 E"
    exif = b"Exif\0\0" + tiff
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]


def brightness(photo: bytes, width: int, height: int, place: tuple[int, int]) -> int:
    """Of one pixel, by drawing it alone."""
    data = base64.b64encode(photo).decode()
    drawn = bytes(
        vl_convert.svg_to_png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="{place[0]} {place[1]} 1 1">'
            f'<image width="{width}" height="{height}" href="data:image/jpeg;base64,{data}"/></svg>',
            scale=1.0,
        )
    )
    length = int.from_bytes(drawn[drawn.index(b"IDAT") - 4 :][:4])
    return zlib.decompress(drawn[drawn.index(b"IDAT") + 4 :][:length])[1]


@pytest.mark.parametrize("size", [(2000, 1000), (1000, 2000), (300, 200), (1, 1)])
def test_a_photo_is_no_larger_than_the_page_shows_it(size: tuple[int, int]) -> None:
    photo = photo_of(png(*size))
    assert photo.width_px <= WIDTH_PX_MAX
    assert photo.height_px <= HEIGHT_PX_MAX
    assert photo.width_px / photo.height_px == pytest.approx(size[0] / size[1], rel=0.01)
    assert photo.data_uri.startswith("data:image/jpeg;base64,")


def test_nothing_but_the_picture_stays() -> None:
    taken = jpeg(40, 20)
    assert b"GPS" in taken
    assert b"GPS" not in photo_of(taken).jpeg
    assert b"Exif" not in photo_of(taken).jpeg


@pytest.mark.parametrize(
    ("orientation", "white"),
    [(1, (20, 2)), (3, (20, 17)), (6, (17, 20)), (8, (2, 20)), (2, (20, 2)), (99, (20, 2))],
)
def test_a_photo_is_upright(orientation: int, white: tuple[int, int]) -> None:
    photo = photo_of(jpeg(40, 20, orientation))
    assert (photo.width_px, photo.height_px) == ((20, 40) if orientation in {6, 8} else (40, 20))
    black = photo.width_px - 1 - white[0], photo.height_px - 1 - white[1]
    assert brightness(photo.jpeg, photo.width_px, photo.height_px, white) > 200
    assert brightness(photo.jpeg, photo.width_px, photo.height_px, black) < 50


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>',
        SIGNATURE,
        png(0, 10),
        png(50, 50)[:60],
        png(1, 1)[:16] + struct.pack(">II", 1 << 31, 1 << 31) + png(1, 1)[24:],
        b"\xff\xd8\xff\xe1\0\0" * 100,
        b"\xff\xd8\xff\xc0\0\x0b\x08\0\x10\0\x10\x01\x01\x11\0",
        bytes(PHOTO_BYTES_MAX + 1),
    ],
)
def test_what_is_no_photo_is_refused(content: bytes) -> None:
    with pytest.raises(UnusableFactError):
        photo_of(content)


@given(at=st.integers(0, 200), byte=st.integers(0, 255))
def test_a_damaged_photo_is_shown_or_refused_and_nothing_else(at: int, byte: int) -> None:
    content = bytearray(jpeg(8, 8))
    content[at % len(content)] = byte
    try:
        photo = photo_of(bytes(content))
    except UnusableFactError:
        return
    assert photo.jpeg.startswith(b"\xff\xd8")


@pytest.mark.parametrize("name", ["../a.jpg", "/etc/passwd", "https://example.org/a.jpg", ".", "..", "there/a.jpg"])
def test_a_photo_is_a_file_beside_its_drive(tmp_path: Path, name: str) -> None:
    (found,) = refused(tmp_path, {DRIVE: f'controller = "x"\nphoto = "{name}"'})
    assert "photo" in found


def test_a_photo_behind_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "drives").mkdir()
    (tmp_path / "a.png").write_bytes(png(5, 5))
    (tmp_path / "drives" / "link.png").symlink_to(tmp_path / "a.png")
    assert refused(tmp_path, {DRIVE: 'photo = "link.png"'}) == snapshot(
        ["drives/S1.toml:1: photo: the photo has to be a file beside this one: write its name without a directory"]
    )


# Promises


@given(
    ends=st.tuples(st.floats(1, 1e9), st.floats(1, 1e9)).map(sorted),
    share=st.floats(0, 1),
    stated=st.floats(1, 1e9),
    better=st.sampled_from([Better.HIGHER, Better.LOWER]),
)
def test_a_promise_is_met_where_the_interval_holds_it(
    ends: list[float], share: float, stated: float, better: Better
) -> None:
    low, high = ends
    measured = Estimate(min(max(low + share * (high - low), low), high), low, high)
    found = promise_of(measured, stated, better)
    if low <= stated <= high or not differ_in_practice(measured.value, stated):
        assert found is Promise.MET
    else:
        is_above = stated < low
        assert found is (Promise.EXCEEDED if is_above is (better is Better.HIGHER) else Promise.MISSED)


@pytest.mark.parametrize(
    ("stated", "promise"),
    [(7450.0, Promise.MET), (7600.0, Promise.MET), (7700.0, Promise.MISSED), (7200.0, Promise.EXCEEDED)],
)
def test_what_makes_no_difference_in_practice_is_met(stated: float, promise: Promise) -> None:
    assert promise_of(Estimate(7449.6, 7449.55, 7449.65), stated, Better.HIGHER) is promise
