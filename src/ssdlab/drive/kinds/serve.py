"""`python -m ssdlab.drive.kinds.serve`: the NBD server in a process of its own, so that measuring never shares an interpreter with it."""

import sys

from ssdlab import _core

if __name__ == "__main__":
    sys.exit(_core.serve_main(sys.argv[1:]))
