"""The NBD server in a process of its own, so that measuring never shares an interpreter with it: `ssdlab-vdrive`."""

import sys

from ssdlab import _core


def main() -> int:
    """Serve until told to stop, and give the exit status."""
    return _core.serve_main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
