"""Fetches and builds what guests need: `python -m tests.vm.prepare`."""

import sys
import sysconfig

from tests.vm.fio_source import prepare_fio
from tests.vm.guest import REPOSITORY
from tests.vm.kernel import prepare_kernel
from tests.vm.programs import NotPrepared, run
from tests.vm.python_image import prepare_python_image


def compile_python() -> None:
    """Write the byte code of what guests run: compiling takes one of them ten seconds, and again after each boot."""
    run(sys.executable, "-m", "compileall", "-q", "-j0", sysconfig.get_path("purelib"), REPOSITORY / "src")


def main() -> None:
    """Prepare all, or say what could not be had."""
    try:
        print(f"kernel {prepare_kernel().release}, {prepare_fio() / 'fio'}")
        compile_python()
        print(prepare_python_image())
    except NotPrepared as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
