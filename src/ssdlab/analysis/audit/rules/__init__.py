"""The rules of the audit, one file a subject."""
