"""Faults on purpose: what the disk loses, refuses or changes, and what turnlog then says.

`python -m tests.faults` is the long run, whose figures stand in docs/TRUST.md; `tests/test_faults.py` takes a
sample of it. A fault that is not met as promised comes as an `AssertionError` that names the place.
"""
