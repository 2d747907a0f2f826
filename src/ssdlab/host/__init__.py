"""The machine a drive is measured on: what it is, what of it is set for measuring, and how that is put back."""
