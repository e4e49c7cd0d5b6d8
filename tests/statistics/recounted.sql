-- Games and entries as they were exported: people by the names that they are shown by.
create view line as
    select game, rules || ' ' || settings as kind, started, len(winners) as winners,
        unnest(players) as had
    from read_json('games.ndjson');
create view part as
    select game, kind, started, had.seat, had.player,
        if(had.team = '', had.player, had.team) as side, had.total, had.won, if(had.won, 1 / winners, 0) as share,
        sum(had.total) over (partition by game, side) as together
    from line;
create view box as
    select kind, part.player, category, points, scratched, served
    from read_csv('entries.csv') entry
    join part on part.game = entry.game and part.player = entry.player
    where category is not null;
create view side as
    select game, kind, started, string_agg(player, '+' order by seat) as name,
        any_value(together) as together, any_value(won) as won
    from part group by game, kind, started, side;
create view run as
    select player, game, won, share, started,
        row_number() over (partition by player, won, island order by started, game) as long
    from (
        select *, row_number() over (partition by player order by started, game)
            - row_number() over (partition by player, won order by started, game) as island
        from part
    );
create view duel as
    select mine.player as one, theirs.player as other, mine.kind, mine.total - theirs.total as points,
        (mine.won, mine.together) > (theirs.won, theirs.together) as ahead,
        (mine.won, mine.together) < (theirs.won, theirs.together) as behind
    from part mine join part theirs on mine.game = theirs.game and mine.side <> theirs.side;
