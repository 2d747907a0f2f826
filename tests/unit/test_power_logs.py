"""Logs of power meters are read by what their headings say, and any other bytes are refused in words.

No file here is a meter's: all are built from what the programs that write them document or contain.
"""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyjls
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.jls_damage import chunks, mutated_jls, sealed
from tests.kit.mutations import mutated

from ssdlab.analysis.power.samples import Floats, PowerLogError
from ssdlab.library.meter.readers import READERS, open_power_log

_HEADER = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<header><version>V3</version><devicePeriod>16us</devicePeriod><channels>
<channel><group>12V</group><name>voltage</name><dataPosition>1</dataPosition><units>mV</units></channel>
<channel><group>12V</group><name>current</name><dataPosition>2</dataPosition><units>uA</units></channel>
<channel><group>3V3</group><name>voltage</name><dataPosition>3</dataPosition><units>mV</units></channel>
<channel><group>3V3</group><name>current</name><dataPosition>4</dataPosition><units>uA</units></channel>
</channels></header>
"""
_TAG_AT, _TAG_SIGNAL = 16, 2
"""In a chunk of a JLS file (`include/jls/format.h` of jls 0.17)."""


def _read(path: Path, content: str | bytes, period_s: float | None = None) -> tuple[str, float, Floats, Floats]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    opened = open_power_log(path, period_s)
    chunks = list(opened.log.chunks())
    time_s, power_w = (np.concatenate([getattr(one, name) for one in chunks]) for name in ("time_s", "power_w"))
    return opened.meter, opened.log.period_s, time_s, power_w


def test_a_stream_of_qis_is_volts_times_amperes_of_each_rail(tmp_path: Path) -> None:
    lines = "".join(f"{16 * at} 12000 500000 3300 1000000\r\n" for at in range(10))
    meter, period_s, time_s, power_w = _read(tmp_path / "a.txt", _HEADER + lines + ">")
    assert (meter, period_s) == ("Quarch QIS stream", 16e-6)
    assert time_s == pytest.approx(np.arange(10) * 16e-6)
    assert power_w == pytest.approx(np.full(10, 12 * 0.5 + 3.3))


def test_a_csv_of_qis_has_its_units_in_the_heading(tmp_path: Path) -> None:
    head = "Time us,voltage 12V mV,current 12V mA,power 12V uW,Tot power uW\n"
    meter, period_s, _, power_w = _read(
        tmp_path / "a.csv", head + "".join(f"{4 * at},12000,500,5e6,6e6\n" for at in range(5))
    )
    assert meter == "Quarch CSV"
    assert period_s == pytest.approx(4e-6)
    assert power_w == pytest.approx(np.full(5, 6.0))


def test_without_a_total_the_power_of_all_rails_is_added(tmp_path: Path) -> None:
    head = '"Time (us)","12V Power (mW)","3V3 Power (mW)","12V Voltage (mV)"\n'
    *_, power_w = _read(tmp_path / "a.csv", head + "".join(f"{100 * at},4000,500,12000\n" for at in range(5)))
    assert power_w == pytest.approx(np.full(5, 4.5))


def test_a_channel_without_a_column_of_power_is_its_voltage_times_its_current(tmp_path: Path) -> None:
    head = "Time us,3V3 power uW,3V3 voltage mV,12V voltage mV,12V current mA\n"
    *_, power_w = _read(tmp_path / "a.csv", head + "".join(f"{4 * at},1e6,3300,12000,500\n" for at in range(5)))
    assert power_w == pytest.approx(np.full(5, 7.0))


def test_a_column_of_time_that_is_not_that_of_the_sample_is_no_power(tmp_path: Path) -> None:
    """Found by fuzzing: a channel of neither volts nor amperes was asked for both, and a traceback was the answer."""
    head = "Time us,gap us,12V power uW\n"
    *_, power_w = _read(tmp_path / "a.csv", head + "".join(f"{4 * at},4,5e6\n" for at in range(5)))
    assert power_w == pytest.approx(np.full(5, 5.0))


def test_columns_of_times_alone_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Time us,gap us,12V voltage mV\n0,4,12000\n4,4,12000\n8,4,12000\n")
    with pytest.raises(PowerLogError):
        open_power_log(tmp_path / "a.csv", 1e-3)


@pytest.mark.parametrize(
    ("heading", "cells", "watts"),
    [
        ("3V3_P, 12V_V, 12V_I", "1000000,12000,500000", 7.0),
        ("3V3_P, 3V3_V, 12V_V, 12V_I", "1000000,3300,12000,500000", 7.0),
        ("3V3_P, 12V_P, Tot_P", "1000000,6000000,7000000", 7.0),
    ],
)
def test_a_legacy_csv_adds_what_tells_the_power_of_each_channel(
    tmp_path: Path, heading: str, cells: str, watts: float
) -> None:
    text = f"StripeNum, Trig, {heading}\n" + "".join(f"{at},0,{cells}\n" for at in range(5))
    *_, power_w = _read(tmp_path / "a.csv", text, 4e-6)
    assert power_w == pytest.approx(np.full(5, watts))


def test_a_legacy_csv_with_two_columns_of_one_quantity_is_refused(tmp_path: Path) -> None:
    text = "StripeNum, Trig, 12V_P, 12V_P\n" + "".join(f"{at},0,1,1\n" for at in range(5))
    with pytest.raises(PowerLogError, match="which of them make the power"):
        _read(tmp_path / "a.csv", text, 4e-6)


def test_a_legacy_csv_needs_its_period(tmp_path: Path) -> None:
    text = "StripeNum, Trig, 3V3_V, 3V3_I, 12V_V, 12V_I\n" + "".join(
        f"{at},0,3300,1000000,12000,250000\n" for at in (0, 1, 2, 5, 6)
    )
    with pytest.raises(PowerLogError, match="how long a sample is"):
        _read(tmp_path / "a.csv", text)
    _, _, time_s, power_w = _read(tmp_path / "a.csv", text, 4e-6)
    assert time_s == pytest.approx(np.array([0, 1, 2, 5, 6]) * 4e-6)
    assert power_w == pytest.approx(np.full(5, 6.3))


def test_a_csv_of_a_joulescope_is_current_times_voltage(tmp_path: Path) -> None:
    text = "#time (s),current (A),voltage (V)\n" + "".join(f"{at * 5e-7:.9f},0.5,3.3\n" for at in range(6))
    meter, period_s, _, power_w = _read(tmp_path / "a.csv", text)
    assert meter == "Joulescope CSV"
    assert period_s == pytest.approx(5e-7)
    assert power_w == pytest.approx(np.full(6, 1.65))


def _jls(path: Path, signals: dict[str, Floats], rate: int = 1000) -> None:
    with pyjls.Writer(str(path)) as writer:
        writer.source_def(source_id=1, name="meter", vendor="v", model="m", version="1", serial_number="1")
        for number, (name, values) in enumerate(signals.items(), 1):
            writer.signal_def(
                signal_id=number,
                source_id=1,
                signal_type=pyjls.SignalType.FSR,
                data_type=pyjls.DataType.F32,
                sample_rate=rate,
                name=name,
                units="W",
            )
            writer.fsr_f32(number, 0, values.astype(np.float32))


def test_a_jls_file_gives_its_power_and_holes_stay_holes(tmp_path: Path) -> None:
    power = np.full(5000, 2.5)
    power[100:110] = np.nan
    _jls(tmp_path / "a.jls", {"current": np.ones(5000), "voltage": np.full(5000, 9.0), "power": power})
    opened = open_power_log(tmp_path / "a.jls")
    (chunk,) = opened.log.chunks()
    assert (opened.meter, opened.log.period_s) == ("Joulescope JLS", 1e-3)
    assert np.isnan(chunk.power_w).sum() == 10
    assert np.nanmax(chunk.power_w) == pytest.approx(2.5)


def test_a_jls_file_without_power_is_current_times_voltage(tmp_path: Path) -> None:
    _jls(tmp_path / "a.jls", {"current": np.full(5000, 0.5), "voltage": np.full(5000, 9.0)})
    (chunk,) = open_power_log(tmp_path / "a.jls").log.chunks()
    assert chunk.power_w == pytest.approx(np.full(5000, 4.5))


def test_half_a_last_line_is_no_sample(tmp_path: Path) -> None:
    text = "Time us,Tot power uW\n" + "".join(f"{4 * at},6000000\n" for at in range(5))
    *_, power_w = _read(tmp_path / "a.csv", text + "20,60")
    assert len(power_w) == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Time us,Tot power uW\n0,1\n1e999,1\n1e999,1\n8,1\n", "line 2 behind its heading: its time is not after"),
        ("Time us,Tot power uW\n0,1\n4,2\n4,3\n", "line 3 behind its heading: its time is not after"),
        ("Time us,Tot power uW\n0,1\n4,2\n8,oops\n", "line 3 behind its heading: no sample"),
        ("Time us,Tot power uW\n0,1\n4,2,9\n8,1\n", "line 2 behind its heading: no sample"),
        ("Time us,Tot power uW\n0,1\n4,1e30\n8,1\n", "a power that no drive draws"),
        ("Time us,12V voltage mV\n0,1\n4,1\n8,1\n", "no column of time, or none of power nor pairs"),
        ("Time us,Tot power uW,Tot power uW\n0,1,1\n4,1,1\n8,1,1\n", "more than one module"),
        ("Time us,power mean W,power max W\n0,1,1\n4,1,1\n8,1,1\n", "which of them make the power"),
        ("Time us,power max W\n0,1\n4,1\n8,1\n", "column `power max` alone, which is not the mean"),
        ("Time us,Tot power max W\n0,1\n4,1\n8,1\n", "column `Tot power max` alone, which is not the mean"),
        ("Time us,peak current A,voltage V\n0,1,1\n4,1,1\n", "column `peak current` alone, which is not the mean"),
        ("Time us,12V power W,12V power mW\n0,1,1\n4,1,1\n8,1,1\n", "which of them make the power"),
        ("Time us,5V voltage V,5V current A,power W\n0,1,1,1\n4,1,1,1\n8,1,1,1\n", "which of them make the power"),
        ("Time us,Tot power uW\n", "no sample"),
        ("seconds and things\n", "is no power log"),
        ("", "is no power log"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(PowerLogError, match=says) as found:
        _read(tmp_path / "a.csv", text)
    assert found.value.hints


_BEGINS = [
    b"",
    b"Time us,Tot power uW\n",
    b"#time (s),current (A),voltage (V)\n",
    b"StripeNum, Trig, 12V_V, 12V_I\n",
    _HEADER.encode(),
]


@settings(max_examples=300, deadline=None)
@given(
    begin=st.sampled_from(_BEGINS),
    rest=st.binary(max_size=300) | st.text("0123456789.,-+einfa\n \r", max_size=300).map(str.encode),
)
def test_any_bytes_give_samples_or_an_error_in_words(
    tmp_path_factory: pytest.TempPathFactory, begin: bytes, rest: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    try:
        _, period_s, time_s, power_w = _read(path, begin + rest, 1e-3)
    except PowerLogError as error:
        assert error.hints  # noqa: PT017 - samples are as good
    else:
        assert period_s > 0
        assert (np.diff(time_s) > 0).all()
        assert not np.isinf(power_w).any()


@pytest.mark.parametrize("checksums", ["as they were", "right"])
def test_a_damaged_jls_file_gives_samples_or_an_error_in_words_and_stays_as_it_is(
    checksums: str, tmp_path: Path
) -> None:
    _jls(tmp_path / "a.jls", {"power": np.full(2000, 2.5)})
    whole = (tmp_path / "a.jls").read_bytes()
    chance = random.Random(1)  # noqa: S311 - no secret
    damage = mutated_jls if checksums == "right" else mutated
    outcomes = [_outcome(tmp_path / "b.jls", damage(whole, [whole], chance)) for _ in range(40)]
    assert set(outcomes) == ({"read", "refused"} if checksums == "right" else {"refused"})


def _outcome(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    try:
        for chunk in open_power_log(path).log.chunks():
            assert not np.isinf(chunk.power_w).any()
    except PowerLogError as error:
        return "refused" if error.hints else "refused without a hint"
    finally:
        assert path.read_bytes() == content
    return "read"


def test_a_jls_file_that_crashes_its_maker_s_reader_is_refused(tmp_path: Path) -> None:
    """What describes its signal is called something else, and its checksums are right."""
    _jls(tmp_path / "a.jls", {"power": np.full(2000, 2.5)})
    content = bytearray((tmp_path / "a.jls").read_bytes())
    tag_at = next(one.begin + _TAG_AT for one in chunks(content) if content[one.begin + _TAG_AT] == _TAG_SIGNAL)
    content[tag_at] = 0
    (tmp_path / "a.jls").write_bytes(sealed(content))
    with pytest.raises(PowerLogError, match="what describes its samples is damaged"):
        open_power_log(tmp_path / "a.jls")


@pytest.mark.parametrize("kept_share", [0.01, 0.5, 0.9, 0.999])
def test_a_recording_that_was_cut_off_or_still_goes_on_is_refused_and_stays_as_it_is(
    kept_share: float, tmp_path: Path
) -> None:
    _jls(tmp_path / "a.jls", {"power": np.full(20_000, 2.5)})
    whole = (tmp_path / "a.jls").read_bytes()
    left = whole[: int(kept_share * len(whole))]
    (tmp_path / "b.jls").write_bytes(left)
    with pytest.raises(PowerLogError, match="never closed"):
        open_power_log(tmp_path / "b.jls")
    assert (tmp_path / "b.jls").read_bytes() == left


def test_a_damaged_jls_file_says_nothing_to_the_terminal(tmp_path: Path) -> None:
    _jls(tmp_path / "a.jls", {"power": np.full(20_000, 2.5)})
    content = bytearray((tmp_path / "a.jls").read_bytes())
    content[1000:1400] = bytes(400)
    (tmp_path / "b.jls").write_bytes(content)
    # By itself: pytest listens to what would be printed otherwise.
    opened = f"from pathlib import Path; from {PowerLogError.__module__} import PowerLogError as Error; from {open_power_log.__module__} import *\n"
    tried = "try: list(open_power_log(Path('b.jls')).log.chunks())\nexcept Error: exit(7)"
    said = subprocess.run([sys.executable, "-c", opened + tried], cwd=tmp_path, capture_output=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (7, b"", b"")


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    with pytest.raises(PowerLogError, match="no sample"):
        _read(tmp_path / "a.csv", b"Time us,Tot power uW\n0,1\n4,1\n8,1\n" + b"1" * 3_000_000)


def test_each_kind_has_a_name_of_its_own() -> None:
    assert len({one.meter for one in READERS}) == len(READERS)
