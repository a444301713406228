"""The Acts of the Evangelists: the game of follows for 2 to 5 seats, and the designer's solitaire."""

from engines.kit.game import Game

GAME = Game(
    "evangelists",
    "The Acts of the Evangelists",
    __name__,
    seats=(1, 5),
    passes=("pass", "end"),
    draws={
        "traditions": "the 36 traditions, dealt four to each city in the set's order",
        "themes": "the theme cards, one a seat in seat order",
        "first-player": "the seat that is first all game",
        "bag": "a status cube drawn for a witness: white or black",
        "witness-deck": "alone: the witnesses in the order in which they are flipped, one a round",
        "open-traditions": "alone: the tradition that lies open in a city at the start, city by city",
    },
)
