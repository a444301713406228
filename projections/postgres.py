"""The tables of the projections in PostgreSQL, as `projections.schema` makes them in SQLite.

A name is compared byte by byte, as there. This is their first version; a later one says what it adds.
"""

_TEXT = 'text collate "C"'

TABLES = f"""
create table snapshots (
    game {_TEXT} not null, seq bigint not null, head bigint not null, version {_TEXT} not null,
    timeline bytea not null, state bytea not null, primary key (game, seq)
);
create table games (
    game {_TEXT} primary key, slug {_TEXT} not null, seats {_TEXT} not null, events bigint not null,
    moves bigint not null, state {_TEXT} not null, to_move {_TEXT} not null, winners {_TEXT}, reason {_TEXT},
    created bigint not null, touched bigint not null, digest {_TEXT}
);
create index games_touched on games (touched);
create table results (
    game {_TEXT} not null, seat integer not null, slug {_TEXT} not null, name {_TEXT} not null,
    score double precision, won integer not null, shared integer not null, primary key (game, seat)
);
create view standings as select slug, name, count(*) as games, sum(won) as wins, sum(shared) as shared,
    round(avg(score)::numeric, 2)::double precision as mean_score, max(score) as best_score
    from results group by slug, name order by slug, wins desc, games, name;
create table tokens (
    digest bytea primary key, game {_TEXT}, role {_TEXT} not null, seat integer, created bigint not null,
    used bigint, revoked bigint
);
create index tokens_game on tokens (game);
create table public_games (game {_TEXT} primary key);
create table open_seats (game {_TEXT} not null, seat integer not null, primary key (game, seat));
create table clocks (
    game {_TEXT} not null, seat integer not null, seq bigint not null, since bigint not null, due bigint not null,
    primary key (game, seat)
);
create index clocks_due on clocks (due);
create table orders (
    game {_TEXT} not null, seat integer not null, number integer not null, move {_TEXT} not null, dropped bigint,
    primary key (game, seat, number)
);
create table subscriptions (
    game {_TEXT} not null, seat integer not null, means {_TEXT} not null, target {_TEXT} not null,
    secret {_TEXT} not null, seen bigint not null, told_turn bigint not null, told_time bigint not null,
    told_dropped bigint not null, told_over bigint not null, primary key (game, seat)
);
create table notices (
    game {_TEXT} not null, seat integer not null, kind {_TEXT} not null, seq bigint not null,
    tries integer not null, next_try bigint not null, primary key (game, seat, kind, seq)
);
create index notices_next_try on notices (next_try);
create table takebacks (
    game {_TEXT} primary key, seq bigint not null, state {_TEXT} not null, data {_TEXT} not null
);
create table takeback_answers (
    game {_TEXT} not null, request {_TEXT} not null, data {_TEXT} not null, primary key (game, request)
);
"""
