"""A player better than chance."""

from engines.kit.bots import random_move

BOTS = {"greedy": random_move}
