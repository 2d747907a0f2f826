"""The kinds of drives, one file each."""
