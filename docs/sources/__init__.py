"""One module a generated page: what the code says, and words for what it cannot say. Missing words raise KeyError."""
