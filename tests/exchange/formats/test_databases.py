"""Databases accept an export unchanged, whatever the first thousand games contain."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from generala_cli.exchange.answers import ExportedGameDocument, ExportedPlayer
from generala_cli.exchange.format import ExportFormat
from generala_cli.exchange.formats import csv
from generala_cli.exchange.formats.ndjson import FORM
from generala_cli.tournament.answers import ExportedNightPlace, ExportedSeat, ExportedStanding
from tests.exchange.formats.playing import file_of, written
from tests.game.table import Table, cached_rules, house

Ask = Callable[[str], list[tuple[Any, ...]]]

# From SQL:2016 (ISO/IEC 9075-2), plus Spark's own words.
RESERVED = set(
    """abs acos all allocate alter and any are array array_agg array_max_cardinality as asensitive asin
    asymmetric at atan atomic authorization avg begin begin_frame begin_partition between bigint binary blob
    boolean both by call called cardinality cascaded case cast ceil ceiling char char_length character
    character_length check classifier clob close coalesce collate collation collations collect column commit
    condition connect constraint contains convert copy corr corresponding cos cosh count covar_pop covar_samp
    create cross cube cume_dist current current_catalog current_date current_default_transform_group
    current_path current_role current_row current_schema current_time current_timestamp
    current_transform_group_for_type current_user cursor cycle date day deallocate dec decimal decfloat
    declare default define delete dense_rank deref describe deterministic disconnect distinct double drop
    dynamic each element else empty end end-exec end_frame end_partition equals escape every except exec
    execute exists exp external extract false fetch filter first_value float floor for foreign frame_row free
    from full function fusion get global grant group grouping groups having hold hour identity in indicator
    initial inner inout insensitive insert int integer intersect intersection interval into is join
    json_array json_arrayagg json_exists json_object json_objectagg json_query json_table
    json_table_primitive json_value lag language large last_value lateral lead leading left like like_regex
    listagg ln local localtime localtimestamp log log10 lower match match_number match_recognize matches max
    member merge method min minute mod modifies module month multiset national natural nchar nclob new no
    none normalize not nth_value ntile null nullif numeric occurrences_regex octet_length of offset old omit
    on one only open or order out outer over overlaps overlay parameter partition pattern per percent
    percent_rank percentile_cont percentile_disc period portion position position_regex power precedes
    precision prepare primary procedure ptf range rank reads real recursive ref references referencing
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy release
    result return returns revoke right rollback rollup row row_number rows running savepoint scope scroll
    search second seek select sensitive session_user set show similar sin sinh skip smallint some specific
    specifictype sql sqlexception sqlstate sqlwarning sqrt start static stddev_pop stddev_samp submultiset
    subset substring substring_regex succeeds sum symmetric system system_time system_user table tablesample
    tan tanh then time timestamp timezone_hour timezone_minute to trailing translate translate_regex
    translation treat trigger trim trim_array true truncate uescape union unique unknown unnest update upper
    user using value values value_of var_pop var_samp varbinary varchar varying versioning when whenever
    where width_bucket window with within without year anti minus semi offset unpivot pivot""".split()
)


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that queries a database in its own folder, which never downloads extensions."""
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    connection = duckdb.connect()
    return lambda query: list(connection.sql(query).fetchall())


def test_no_key_is_a_reserved_word(ask: Ask) -> None:
    of_games = (ExportedGameDocument, ExportedPlayer)
    of_tournaments = (ExportedStanding, ExportedSeat, ExportedNightPlace)
    keys = {field.name for kind in (*of_games, *of_tournaments) for field in fields(kind)}
    of_duckdb = {
        word
        for word, how in ask("select keyword_name, keyword_category from duckdb_keywords()")
        if how != "unreserved"
    }
    assert {"select", "left"} < of_duckdb
    assert ({"version", *keys, *csv.COLUMNS} & (of_duckdb | RESERVED)) == set()


def alone() -> Table:
    table = Table(cached_rules("general"), "Ana", "Beto")
    table.score("Ana", "66666", None, roll=1)
    return table


def in_teams() -> Table:
    players, teams = ("Ana", "Beto", "Cora", "Dani"), ("Ana+Cora", "Beto+Dani")
    table = Table(house("general", "throws=2"), *players, teams=teams)
    table.score("Ana", "66666", None, roll=1)
    return table


def exported(form: ExportFormat, table: Table) -> str:
    return written(form, file_of(table.agreed, table.events))


def test_teams_and_settings_that_come_late_are_not_lost(ask: Ask) -> None:
    Path("games.ndjson").write_text(exported(FORM, alone()) * 5000 + exported(FORM, in_teams()))
    found = ask(
        """select settings, list_transform(players, lambda p: p.team), count(*)
            from read_json('games.ndjson', sample_size = 1000) group by all order by all"""
    )
    assert found == [
        ("", ["", ""], 5000),
        ("throws=2", ["Ana+Cora", "Beto+Dani", "Ana+Cora", "Beto+Dani"], 1),
    ]


def test_files_with_and_without_teams_have_the_same_columns_and_are_read_together(ask: Ask) -> None:
    for name, table in (("alone", alone()), ("teams", in_teams())):
        Path(f"{name}.ndjson").write_text(exported(FORM, table))
        ask(f"copy (from '{name}.ndjson') to '{name}.parquet'")
    types = [ask(f"select name, type from parquet_schema('{name}.parquet')") for name in ("alone", "teams")]
    assert types[0] == types[1]
    assert ask("select sum(len(players)) from '*.parquet'") == [(6,)]


def test_in_a_table_of_entries_empty_differs_from_missing(ask: Ask) -> None:
    table = Table(cached_rules("general"), "Ana", "Beto")
    table.scratch("Ana", "ones")
    Path("entries.csv").write_text(exported(csv.FORM, table), newline="")
    found = ask("select team, label, settings, dice from read_csv('entries.csv', allow_quoted_nulls = false)")
    assert found == [("", "", "", None)]
