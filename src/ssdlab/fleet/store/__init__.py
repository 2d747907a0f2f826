"""The store of a fleet: bundles that are whole from the moment their manifest is there, and never change then.

    runs/NAME/...            a bundle, its `manifest.json` last
    arriving/NAME/...        in a directory: what was brought of one that is not whole
    of-run/ID                in a bucket: the name of a run's bundle

It is laid out as a lab, so that every command that reads a lab reads a store that is a directory.
"""
