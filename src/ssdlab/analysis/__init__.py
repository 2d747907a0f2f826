"""Pure functions from a bundle to metrics, verdicts and the audit."""
