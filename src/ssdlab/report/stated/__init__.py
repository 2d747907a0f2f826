"""Facts that only the operator knows: read from files beside the lab, and held against what was measured."""
