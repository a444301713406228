"""A player better than chance."""

from engines.kit.game import Bot

BOTS: dict[str, Bot] = {}
