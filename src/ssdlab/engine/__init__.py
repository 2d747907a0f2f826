"""Engines turn a Job into a RawResult: real fio, ssdlab's own load engine, or the drive model in virtual time."""
