"""Writes the golden transcripts anew."""

from tests.golden import lines_of, path_of
from tests.random_games import cases

for case in cases():
    path_of(case).write_text("".join(f"{line}\n" for line in lines_of(case)))
