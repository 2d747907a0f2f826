"""Which fio is installed, and whether it will do."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.hints import hints_of

from ssdlab.engine.fio.binary import OLDEST, FioMissing, FioTooOld, FioVersion, find_fio

HELP = "bs                      : Block size unit\n  rwmixread               : Percentage of mixed workload\n"


def fake_fio(directory: Path, version: str) -> str:
    """A program that answers as a fio would."""
    fio = directory / "fio"
    fio.write_text(
        "#!/bin/sh\n"
        f'case $1 in --version) echo "{version}" ;;\n'
        f"--cmdhelp=all) cat <<'EOT'\n{HELP}EOT\n ;;\n"
        "--enghelp) printf 'Available IO engines:\\n\\tnbd\\n\\tio_uring\\n' ;; esac\n"
    )
    fio.chmod(0o755)
    return str(fio)


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("fio-3.33", FioVersion(3, 33)),
        ("fio-3.28", OLDEST),
        ("fio-3.41-12-gdeadbeef", FioVersion(3, 41)),
        ("fio-4.0", FioVersion(4, 0)),
    ],
)
def test_a_fio_new_enough_says_what_it_can(tmp_path: Path, said: str, version: FioVersion) -> None:
    fio = find_fio(fake_fio(tmp_path, said))
    assert fio.version == version
    assert fio.options == {"bs", "rwmixread"}
    assert fio.engines == {"nbd", "io_uring"}


def test_versions_are_numbers_not_texts() -> None:
    assert FioVersion(3, 9) < FioVersion(3, 28) < FioVersion(3, 100) < FioVersion(4, 0)


def test_results_name_the_release() -> None:
    assert str(FioVersion(3, 41)) == "3.41"


def test_a_missing_fio_is_told_with_the_way_to_install_it() -> None:
    with pytest.raises(FioMissing) as error:
        find_fio("no-such-fio")
    assert (str(error.value), hints_of(error.value)) == snapshot(
        (
            "`no-such-fio` is not installed",
            ("install it: `apt-get install fio` (Debian, Ubuntu), `dnf install fio fio-engine-nbd` (Fedora, Rocky)",),
        )
    )


def test_a_fio_that_is_too_old_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FioTooOld) as error:
        find_fio(fake_fio(tmp_path, "fio-3.1"))
    assert str(error.value) == snapshot("fio 3.1 is installed, ssdlab needs 3.28 or newer")


def test_another_program_of_that_name_is_no_fio(tmp_path: Path) -> None:
    path = fake_fio(tmp_path, "Functional I/O 7")
    with pytest.raises(FioMissing) as error:
        find_fio(path)
    assert str(error.value).replace(path, "PATH") == snapshot("`PATH` is no fio: `--version` says `Functional I/O 7`")


def test_a_fio_that_cannot_be_started_is_as_good_as_missing(tmp_path: Path) -> None:
    broken = tmp_path / "fio"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    with pytest.raises(FioMissing, match=r"`.*/fio --version` does not answer"):
        find_fio(str(broken))
