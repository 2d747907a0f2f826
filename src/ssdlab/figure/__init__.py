"""Pure functions from bundles to Vega-Lite specifications; one file a figure."""
