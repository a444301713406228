// Times boardgame.io's local client: one move, one undo, a game of so many turns. Prints seconds as JSON.
"use strict";

process.env.NODE_ENV = "production"; // no development checks

const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const SEATS = 5;
const SUITS = ["R", "Y", "G", "W", "B"];
const HAND = 10;
const REPEATS = 20;

function deal(G, random) {
  const deck = SUITS.flatMap((suit) => Array.from({ length: HAND }, (_, rank) => ({ suit, rank })));
  const shuffled = random.Shuffle(deck);
  G.hands = Array.from({ length: SEATS }, (_, seat) => shuffled.slice(seat * HAND, (seat + 1) * HAND));
}

function legal(G, seat) {
  const hand = G.hands[seat];
  const led = G.trick.length ? G.trick[0].card.suit : null;
  const following = hand.filter((card) => card.suit === led);
  return following.length ? following : hand;
}

// Tricks of five cards: the led suit is followed, its highest card takes the trick and leads; dealt anew when
// the hands are empty.
const game = {
  name: "tricks",
  setup: ({ random }) => {
    const G = { hands: [], trick: [], taken: Array(SEATS).fill(0), turns: 0 };
    deal(G, random);
    return G;
  },
  moves: {
    play: ({ G, ctx, events, random }, suit, rank) => {
      const seat = Number(ctx.currentPlayer);
      const card = legal(G, seat).find((one) => one.suit === suit && one.rank === rank);
      if (!card) return INVALID_MOVE;
      G.hands[seat] = G.hands[seat].filter((one) => one.suit !== suit || one.rank !== rank);
      G.trick.push({ seat, card: { suit, rank } });
      G.turns += 1;
      if (G.trick.length < SEATS) {
        events.endTurn();
        return undefined;
      }
      const led = G.trick[0].card.suit;
      const winner = G.trick
        .filter((one) => one.card.suit === led)
        .reduce((best, one) => (one.card.rank > best.card.rank ? one : best)).seat;
      G.taken[winner] += 1;
      G.trick = [];
      if (G.hands.every((hand) => hand.length === 0)) deal(G, random);
      events.endTurn({ next: String(winner) });
      return undefined;
    },
    // Ends no turn, so that it can be undone: boardgame.io undoes within a turn only.
    discard: ({ G, ctx }) => {
      G.hands[Number(ctx.currentPlayer)].pop();
    },
  },
};

function started() {
  const client = Client({ game, numPlayers: SEATS, debug: false });
  client.start();
  return client;
}

function playOne(client) {
  const { G, ctx } = client.getState();
  const card = legal(G, Number(ctx.currentPlayer))[0];
  client.moves.play(card.suit, card.rank);
}

function seconds(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const turns = Number(process.argv[2]);
const games = [];
const moves = [];
const undos = [];
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  let client;
  games.push(seconds(() => {
    client = started();
    for (let turn = 0; turn < turns; turn += 1) playOne(client);
  }));
  if (client.getState().G.turns !== turns) throw new Error("not all turns were played");
  moves.push(seconds(() => playOne(client)));
  const before = client.getState().G;
  client.moves.discard();
  undos.push(seconds(() => client.undo()));
  if (client.getState().G !== before) throw new Error("nothing was undone");
  client.stop();
}
const warm = REPEATS / 4; // the compiler has seen the code by then
console.log(JSON.stringify({
  move: median(moves.slice(warm)),
  undo: median(undos.slice(warm)),
  game: median(games.slice(warm)),
}));
