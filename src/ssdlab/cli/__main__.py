"""`python -m ssdlab.cli`."""

from ssdlab.cli import main

main()
