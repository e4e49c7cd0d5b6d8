// The board of a tournament on a phone: the own table, progress and standings.
import { button, capital, fill, language, make, named, say, sentence, title, toggle } from "./dom.js";
import { bestOf, podium } from "./end.js";
import { drawHeader } from "./main.js";
import { badge } from "./people.js";
import { busy } from "./requests.js";
import { drawSeat, join } from "./seat.js";
import { drawGame, shorten } from "./sheet.js";
import { memory, shown, state, tell, tournament, turns, wall } from "./state.js";
import { connect, hear } from "./stream.js";

export const byName = new Intl.Collator(language, { numeric: true });
// The latest documents: the round, the ranking, and the code for joining.
export let tables = null;
export let standings = null;
export let code = null;
// `tab` is the open tab, or null for the default. `me` is the player with this phone.
let tab = null;
let me = memory.get("me");
let typedName = "";

tournament.listen = (events) => {
  const on = (name, take) =>
    events.addEventListener(name, (event) => {
      take(JSON.parse(event.data));
      if (state.view) tournament.draw();
      hear();
    });
  on("standings", (found) => {
    standings = found;
  });
  on("code", (found) => {
    code = found;
  });
  on("tables", (found) => {
    const before = tables,
      name = before && mine(),
      there = name && whereIs(name);
    tables = found;
    if (before && (before.seating !== tables.seating || (name && there !== whereIs(name)))) moveOn();
  });
};
// After a new round or a changed seat, players want to know where they sit, so leave the open tab.
function moveOn() {
  tab = null;
  look("");
  scrollTo(0, 0);
  if (myTable()) navigator.vibrate?.(200);
  tell(mine() ? [tables.heading, whereIs(mine())] : [tables.heading]);
}
// Show the game of a table, or the player's own game for "".
function look(game) {
  const query = game ? `?game=${game}` : "";
  if (query === tournament.query) return;
  tournament.query = query;
  connect();
}
const mine = () =>
  ["player", "asking"].includes(state.seat.kind)
    ? state.seat.name
    : playing().includes(me) || tableOf(me)
      ? me
      : null;
export const playing = () =>
  standings.standings
    .filter((each) => !each.dropped)
    .map((each) => each.player)
    .sort(byName.compare);
const tableOf = (name) => tables.tables.find((each) => each.players.includes(name));
const myTable = () =>
  tables.tables.find((each) => each.game && state.seat.players?.[each.game]) || tableOf(mine());
function whereIs(name) {
  const table = tableOf(name);
  if (table) return say("seatof", { player: name, table: table.table });
  return say(tables.byes.includes(name) ? "sitsout" : "notseated", { player: name });
}

tournament.draw = () => {
  if (!state.view || !tables || !standings) return;
  // Otherwise the game has not arrived yet.
  const isAsked = (each) => tab !== "game" || `?game=${each?.game}` === tournament.query;
  const game = isAsked(shown()) ? shown() : null,
    first = wall.isShown() ? "tables" : state.seat.kind === "keeper" ? "tables" : "mine";
  const known = wall.isShown()
    ? ["tables", "mine"]
    : state.seat.kind === "keeper"
      ? ["tables", "standings"]
      : ["mine", "tables", "standings"];
  const now = tab || first,
    isPlain = wall.isShown() && now === "tables" && state.seat.kind === "watcher";
  const label = (each) => say(each === "mine" && !mine() ? "where" : each);
  const open = (each) => () => {
    tab = each;
    look("");
    tournament.draw();
  };
  const tabs = isPlain
    ? []
    : known
        .filter((each) => !wall.isShown() || each !== now)
        .map((each) => toggle(label(each), now === each, open(each)));
  const bar = document.getElementById("tabs");
  bar.hidden = !tabs.length;
  fill(bar, tabs);
  drawHeader(tables.heading);
  document.title = mine() ? whereIs(mine()) : tables.heading;
  document.documentElement.classList.toggle("hall", wall.isShown() && now === "tables");
  document.documentElement.classList.toggle("padded", state.seat.kind === "player");
  const warnings = [tables.problem, standings.lot].filter(Boolean).map(drawWarning),
    parts = [...warnings];
  if (now === "standings" || (now === "tables" && tables.tables.length))
    parts.unshift(title(1, tables.heading, { class: "unseen" }));
  if (now === "tables") parts.push(...(wall.isShown() ? tournament.drawHall(warnings) : drawTables()));
  else if (now === "standings") parts.push(...drawPrizes(), drawStandings(standings.standings));
  else if (game && (now === "game" || state.seat.players?.[game.game]))
    parts.push(title(2, say("tablenumber", { table: numberOf(game) })), drawGame(game));
  fill(document.getElementById("main"), parts);
  turns.draw(now === "game" || now === "mine" ? game : null);
  drawSeat();
  shorten();
};
const numberOf = (game) => tables.tables.find((each) => each.game === game.game)?.table ?? "";

const drawWarning = (problem) => make("p", `⚠ ${problem}`, { class: "problem warning", role: "alert" });

// On a phone: the player's table, its players, the turn and the place in the standings.
tournament.rows = () => {
  if (
    !tables ||
    !standings ||
    (tab || "mine") !== "mine" ||
    state.seat.kind === "keeper" ||
    state.seat.kind === "gone" ||
    (wall.isShown() && tab !== "mine")
  )
    return [];
  const name = mine();
  if (!name) return drawWho();
  const table = myTable(),
    rows = [];
  if (!table)
    rows.push(
      title(
        1,
        sentence(tables.byes.includes(name) ? "sitsout" : tables.seating ? "notseated" : "noround", {
          player: name,
        }),
      ),
    );
  else rows.push(title(1, sentence("seatof", { player: name, table: table.table })), drawPlayersOf(table));
  // The pad shows the state anyway.
  if (table && state.seat.kind !== "player") rows.push(make("p", drawState(table)));
  const place = standings.standings.find((each) => each.player === name);
  if (place?.games)
    rows.push(
      make("p", sentence("place", { player: name, place: place.place, count: standings.standings.length })),
    );
  const others = [];
  if (state.seat.kind === "guest")
    others.push(button("✎ " + say("askpad"), () => join(name), { disabled: busy() }));
  if (state.seat.kind !== "player" && table?.game) others.push(button(say("sheet"), () => openTable(table)));
  if (state.seat.kind === "guest" || state.seat.kind === "watcher")
    others.push(button(say("other"), () => be(null)));
  if (others.length) rows.push(make("div", others, { class: "row actions" }));
  return rows;
};
function be(name) {
  me = name;
  typedName = "";
  memory.set("me", name);
  tournament.draw();
}
function drawWho() {
  const wanted = typedName.trim().toLocaleLowerCase();
  const names = playing().filter((name) => name.toLocaleLowerCase().includes(wanted));
  const field = make("input", [], {
    value: typedName,
    oninput: (event) => {
      typedName = event.target.value;
      tournament.draw();
    },
    "aria-label": say("yourname"),
    placeholder: say("yourname"),
    autocomplete: "nickname",
    maxlength: "100",
  });
  const choose = (event) => {
    event.preventDefault();
    if (names.length === 1) be(names[0]);
  };
  return [
    title(1, say("where")),
    make("form", field, { class: "row", onsubmit: choose }),
    make(
      "div",
      names.map((name) => button(named(name), () => be(name))),
      { class: "row actions" },
    ),
  ];
}
export function openTable(table) {
  tab = "game";
  look(table.game);
  tournament.draw();
}

// The players of a table in throwing order, with totals. The next player and the winner are marked.
export function drawPlayersOf(table) {
  const rows = table.players.map((name) => {
    const isNext = table.next === name,
      won = table.winners.includes(name),
      total = table.turns ? String(table.totals[name] ?? "") : "";
    return make(
      "li",
      [
        make("span", isNext ? "▸" : won ? "★" : "", { class: "mark" }),
        badge(name, table.players),
        make("span", named(name), { class: "name" }),
        make("span", total, { class: "number" }),
      ],
      { class: isNext ? "next" : won ? "won" : null },
    );
  });
  return make("ul", rows, { class: "players" });
}
export function drawState(table) {
  if (table.problem) return ["⚠ " + table.problem];
  if (!table.game) return [say("missing")];
  if (!table.counts) return [say("notcounted")];
  if (table.over && !table.winners.length) return sentence("noentries");
  if (table.over) return sentence("wonby", { players: table.winners.join(", ") });
  if (!table.turns) return sentence("first", { player: table.next });
  return [...sentence("next", { player: table.next }), ", ", turnOf(table)];
}
export const progressOf = ({ turns, round, rounds }) =>
  say("page", { page: turns ? round : 0, pages: rounds });
export const turnOf = (table) => say("turnof", { turn: table.round, turns: table.rounds });

function drawTables() {
  if (!tables.tables.length)
    return [
      title(1, say("noround")),
      make(
        "ul",
        playing().map((name) => make("li", named(name))),
      ),
    ];
  const rows = tables.tables.map((table) =>
    make(
      "li",
      make(
        "button",
        [
          make("b", say("tablenumber", table)),
          make(
            "span",
            table.players.flatMap((name, at) => [at ? ", " : "", named(name)]),
          ),
          make("span", drawState(table), { class: table.over ? "over" : "next" }),
          drawMeter(table),
        ],
        { onclick: () => openTable(table), disabled: !table.game },
      ),
    ),
  );
  if (tables.byes.length) rows.push(make("li", sentence("byes", { players: tables.byes.join(", ") })));
  rows.push(...tables.elsewhere.map((each) => make("li", "⚠ " + each, { class: "problem" })));
  return [make("ul", rows, { class: "tables" })];
}
export function drawMeter(table) {
  const meter = make("span", make("span", ""), { class: "meter", "aria-hidden": "true" });
  meter.firstChild.style.setProperty("width", `${table.played}%`);
  return meter;
}
// In the format of the language; a fraction without a finite decimal form stays one.
export const pointsText = (points) =>
  points.includes("/") ? points : Number(points).toLocaleString(language, { useGrouping: false });
// The figure that decides first, then the total of all games.
export function drawStandings(rows) {
  const by = standings.by,
    of = (each) =>
      by === "points"
        ? [pointsText(each.points), each.total]
        : by === "totals"
          ? [each.total]
          : [each.places.slice(0, 3).join("–"), each.total];
  const heads = by === "points" ? ["points", "total"] : by === "totals" ? ["total"] : ["places", "total"];
  const head = make("tr", [
    make("td", ""),
    make("td", ""),
    ...heads.map((word) => make("th", capital(say(word)), { scope: "col" })),
  ]);
  const body = rows.map((each) =>
    make(
      "tr",
      [
        make("td", standings.standings[0].games ? each.place + "." : ""),
        make("td", named(each.player)),
        ...of(each).map((value) => make("td", String(value))),
      ],
      { class: each.player === mine() ? "me" : each.dropped ? "gone" : null },
    ),
  );
  return make("table", [make("thead", head), make("tbody", body)], { class: "places" });
}

export function drawPrizes() {
  if (!standings.over) return [];
  const best = bestOf(standings);
  const steps = best.map((each) => ({
    place: each.place,
    name: each.player,
    figures: [
      standings.by === "points" ? pointsText(each.points) : each.total,
      standings.prizes[standings.standings.indexOf(each)],
    ].filter((figure) => figure !== ""),
  }));
  const players = best.map((each) => each.player);
  return [podium(steps, players)];
}
