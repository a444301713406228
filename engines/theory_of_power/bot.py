"""A player better than chance."""

BOTS = {}
