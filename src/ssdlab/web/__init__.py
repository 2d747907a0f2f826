"""The lab in a browser: reads the journals and series of bundles, never an engine, and changes nothing but by `--control`."""
