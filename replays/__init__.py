"""Reviewing a log: export, import, verify, replay."""
