"""Fetches and builds what guests need: `python -m tests.vm.prepare`."""

import sys

from tests.vm.fio_source import prepare_fio
from tests.vm.kernel import prepare_kernel
from tests.vm.programs import NotPrepared


def main() -> None:
    """Prepare all, or say what could not be had."""
    try:
        print(f"kernel {prepare_kernel().release}, {prepare_fio() / 'fio'}")
    except NotPrepared as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
