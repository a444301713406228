"""Venusian Vegas, the card game: trick-taking for 2 to 5 seats, where a trick pays a bonus printed on a card."""

from engines.kit.game import Game

GAME = Game(
    "venusian-vegas",
    "Venusian Vegas",
    __name__,
    seats=(2, 5),
    passes=("decline",),
    draws={
        "deck": "all 65 cards, shuffled for each round and drawn from the front, whole hands in seat order first",
        "first-player": "the seat that raises its tracks first, and is first among level ones in round one",
        "stolen-card": "the card that a Game bonus takes out of another seat's hand",
    },
)
