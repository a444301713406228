#!/usr/bin/env python3
"""A bot for any game of turnlog: it plays a legal move at random. docs/BOTS.md tells of the protocol.

turnlog create power-vacuum -p lucia -p exec:examples/bot.py
"""

import json
import random
import sys


def chosen(question: dict) -> str:
    """The move to play: `view` is what your seat sees, `moves` what it may do. Write something better here."""
    return random.Random(question["chance"]).choice(question["moves"])


def answer(question: dict) -> dict:
    """The first question is the greeting; each other one asks for a move."""
    if "moves" not in question:
        return {"turnlog": 1}
    return {"move": chosen(question)}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
