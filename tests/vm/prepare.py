"""Fetches and builds what guests need: `python -m tests.vm.prepare`."""

import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.vm.fio_source import prepare_fio
from tests.vm.guest import REPOSITORY
from tests.vm.kernel import prepare_kernel
from tests.vm.programs import NotPrepared, run
from tests.vm.python_image import prepare_python_image


def compile_python() -> None:
    """Write the byte code of what guests run: compiling takes one of them ten seconds, and again after each boot."""
    run(sys.executable, "-m", "compileall", "-q", "-j0", sysconfig.get_path("purelib"), REPOSITORY / "src")


def prepare_python() -> Path:
    """The disk that guests have Python from, with its byte code."""
    compile_python()
    return prepare_python_image()


def main() -> None:
    """Prepare all, or say what could not be had."""
    try:
        with ThreadPoolExecutor() as at_once:
            booting, fio = at_once.submit(prepare_kernel), at_once.submit(prepare_fio)
            python = at_once.submit(prepare_python)
        print(f"kernel {booting.result().release}, {fio.result() / 'fio'}, {python.result()}")
    except NotPrepared as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
