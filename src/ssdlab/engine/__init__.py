"""Engines turn a Job into a RawResult: real fio, or the drive model in virtual time."""
