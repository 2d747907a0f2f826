"""Many bundles: what was measured so far, ranked, compared and asked by SQL."""
