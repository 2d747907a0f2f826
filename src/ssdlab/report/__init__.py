"""The published page: HTML, PNG and SVG."""
