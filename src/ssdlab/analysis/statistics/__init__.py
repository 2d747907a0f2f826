"""Statistics the analyses share, without any knowledge of drives."""
