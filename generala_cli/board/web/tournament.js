// The board of a tournament: seats, progress and standings on a wall, and the player's own table on a phone.
import { drawSquares } from "./code.js";
import { button, capital, fill, language, make, named, say, sentence, title, toggle } from "./dom.js";
import { podium } from "./end.js";
import { drawHeader } from "./main.js";
import { drawPad } from "./pad.js";
import { badge } from "./people.js";
import { busy } from "./requests.js";
import { drawSeat, join } from "./seat.js";
import { drawGame } from "./sheet.js";
import { memory, shown, state, tell, tournament, wall } from "./state.js";
import { connect, hear } from "./stream.js";

const SEATS_FOR = 15000,
  PAGE_FOR = 12000,
  HELD_FOR = 60000,
  LONGEST = 14; // the width of a column of names on the wall, in letters
const byName = new Intl.Collator(language, { sensitivity: "base", numeric: true });
const brush = document.createElement("canvas").getContext("2d");
// `tab` is the open tab, or null for the default. `me` is the player with this phone. `turned` is the last
// manual page turn.
let tables = null,
  standings = null,
  code = null,
  tab = null,
  me = memory.get("me"),
  typedName = "",
  phase = "",
  turned = { by: 0, at: 0 };

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
const playing = () => standings.standings.filter((each) => !each.dropped).map((each) => each.player);
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
  const parts = tables.problem ? [drawWarning(tables.problem)] : [];
  if (now === "standings" || (now === "tables" && tables.tables.length))
    parts.unshift(title(1, tables.heading, { class: "unseen" }));
  if (now === "tables") parts.push(...(wall.isShown() ? drawHall() : drawTables()));
  else if (now === "standings") parts.push(...drawPrizes(), drawStandings(standings.standings));
  else if (game && (now === "game" || state.seat.players?.[game.game]))
    parts.push(title(2, say("tablenumber", { table: numberOf(game) })), drawGame(game));
  fill(document.getElementById("main"), parts);
  drawPad(now === "game" || now === "mine" ? game : null);
  drawSeat();
};
const numberOf = (game) => tables.tables.find((each) => each.game === game.game)?.table ?? "";

const drawWarning = (problem) => make("p", `⚠ ${problem}`, { class: "problem", role: "alert" });

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
  const names = playing()
    .sort(byName.compare)
    .filter((name) => name.toLocaleLowerCase().includes(wanted));
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
function openTable(table) {
  tab = "game";
  look(table.game);
  tournament.draw();
}

// The players of a table in throwing order, with totals. The next player and the winner are marked.
function drawPlayersOf(table) {
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
function drawState(table) {
  if (table.problem) return ["⚠ " + table.problem];
  if (!table.game) return [say("missing")];
  if (!table.counts) return [say("notcounted")];
  if (table.over && !table.winners.length) return sentence("noentries");
  if (table.over) return sentence("wonby", { players: table.winners.join(", ") });
  if (!table.turns) return sentence("first", { player: table.next });
  return [...sentence("next", { player: table.next }), ", ", turnOf(table)];
}
const progressOf = ({ turns, round, rounds }) => say("page", { page: turns ? round : 0, pages: rounds });
const turnOf = (table) => say("turnof", { turn: table.round, turns: table.rounds });

function drawTables() {
  if (!tables.tables.length)
    return [
      title(1, say("noround")),
      make(
        "ul",
        playing()
          .sort(byName.compare)
          .map((name) => make("li", named(name))),
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
function drawMeter(table) {
  const meter = make("span", make("span", ""), { class: "meter", "aria-hidden": "true" });
  meter.firstChild.style.setProperty("width", `${table.played}%`);
  return meter;
}
// In the format of the language; a fraction without a finite decimal form stays one.
const pointsText = (points) =>
  points.includes("/") ? points : Number(points).toLocaleString(language, { useGrouping: false });
// The figure that decides first, then the total of all games.
function drawStandings(rows) {
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

// The largest letters that show all cells of a list at once; `cell` is their size in letters. If they are too
// small to read across the room, split the list into pages.
function fit(count, width, height, cell, least, most) {
  let best = { size: 0, columns: 1, rows: 1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns),
      size = Math.min(width / columns / cell.wide, height / rows / cell.tall, most);
    if (size > best.size) best = { size, columns, rows };
  }
  if (best.size >= least || !count) return { ...best, pages: 1 };
  const together =
    Math.max(1, Math.floor(width / least / cell.wide)) * Math.max(1, Math.floor(height / least / cell.tall));
  if (together >= count) return { ...best, pages: 1 };
  const pages = Math.ceil(count / together);
  return { ...fit(Math.ceil(count / pages), width, height, cell, 0, most), pages };
}
// The width of the names in letters, for that percentage of them and up to a maximum; longer names are cut.
function widest(names, most, share = 100) {
  brush.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  const widths = names.map((name) => brush.measureText(name).width / 100).sort((one, other) => one - other);
  return Math.min(most, Math.max(3, widths[Math.ceil((widths.length * share) / 100) - 1] || 0));
}
const isHeld = () => Date.now() - turned.at < HELD_FOR;
const pageOf = (pages) => (isHeld() ? turned.by : Math.floor(Date.now() / PAGE_FOR)) % pages;
const part = (list, page, pages) => {
  const many = Math.ceil(list.length / pages);
  return list.slice(page * many, (page + 1) * many);
};
// Pages turn automatically; a tap turns to the next one and holds it for a minute.
function drawTurner(page, pages) {
  if (pages < 2) return [];
  const turn = () => {
    turned = { by: pageOf(pages) + 1, at: Date.now() };
    tournament.draw();
  };
  return [
    make("button", say("page", { page: page + 1, pages }), {
      onclick: turn,
      title: say("nextpage"),
      class: "turner",
    }),
  ];
}
// Show only seats until the first table starts, then alternate until all tables have started.
function showsSeats() {
  const here = tables.tables.filter((each) => each.game),
    begun = here.filter((each) => each.turns || each.over).length;
  return (
    tables.tables.length > 0 &&
    (!begun || (begun < here.length && Math.floor(Date.now() / SEATS_FOR) % 2 === 0))
  );
}
function drawHall() {
  const { left, top } = document.getElementById("main").getBoundingClientRect(),
    width = innerWidth - 2 * left,
    height = innerHeight * 0.98 - top - left;
  const side = code ? height * (showsSeats() ? 0.22 : 0.17) : 0;
  const parts = standings.over
    ? drawResult(width, height, side)
    : showsSeats()
      ? drawSeatsBeside(width - side * 1.15, height)
      : tables.tables.length
        ? drawTablesBeside(width, height, side)
        : drawComing(width - side * 1.15, height);
  const corner = code ? [drawFinder(side)] : [];
  return [make("section", [...parts, ...corner], { class: "wall-parts" })];
}
function drawFinder(side) {
  const figure = make(
    "figure",
    [make("figcaption", [make("b", say("where")), " ", say("scan")]), drawSquares(code)],
    { class: showsSeats() ? "code" : "code beside" },
  );
  figure.style.setProperty("--side", `${side}px`);
  return figure;
}
function styled(node, found, settings = {}) {
  for (const [name, value] of Object.entries({
    "--size": `${found.size}px`,
    "--columns": found.columns,
    "--rows": found.rows,
    ...settings,
  }))
    node.style.setProperty(name, value);
  return node;
}
// The podium with the prizes, next to the final standings.
function drawResult(width, height, side) {
  const { list, at, pages } = drawAhead(width, height, side);
  const winners = standings.standings.filter((each) => each.place === 1).map((each) => each.player);
  const parts = [title(2, ["★ ", named(winners.join(", "))]), ...drawPrizes()];
  const left = make("section", parts, { class: "result" });
  left.style.setProperty("width", `${width * 0.62}px`);
  return [left, list, ...drawTurner(at, pages)];
}
function drawPrizes() {
  if (!standings.over) return [];
  const best = standings.standings.filter((each) => each.place <= 3).slice(0, 3);
  const steps = best.map((each) => ({
    place: each.place,
    name: each.player,
    figures: [
      standings.by === "points" ? pointsText(each.points) : each.total,
      standings.prizes[standings.standings.indexOf(each)],
    ].filter((figure) => figure !== ""),
  }));
  const drawn = podium(
    steps,
    best.map((each) => each.player),
  );
  for (const name of drawn.querySelectorAll(".name"))
    fitted(
      name,
      name.textContent.split(" ").reduce((one, other) => (other.length > one.length ? other : one)),
      8,
    );
  return [drawn];
}
// The seats, with the results of the last round next to them.
function drawSeatsBeside(width, height) {
  if (!tables.last.length) return drawSeats(width, height);
  const { grid } = drawCards(tables.last, width * 0.3, height * 0.93, null);
  const results = make("section", [title(2, capital(say("lastround"))), grid], { class: "last" });
  return [...drawSeats(width * 0.68, height), results];
}
// All players by name with their tables, in the largest possible letters.
function drawSeats(width, height) {
  const seats = tables.tables.flatMap((table) => table.players.map((name) => ({ name, table: table.table })));
  seats.push(...tables.byes.map((name) => ({ name, table: "–" })));
  seats.sort((one, other) => byName.compare(one.name, other.name));
  return drawList(
    seats,
    width,
    height,
    (each, room) =>
      make("li", [
        fitted(make("span", named(each.name), { class: "name" }), each.name, room),
        make("span", [make("small", say("tableword") + " "), String(each.table)], { class: "number" }),
      ]),
    4.1,
  );
}
// A name that is wider than the room for it, in letters, gets smaller ones.
function fitted(node, name, room) {
  const wide = widest([name], 100);
  if (wide > room) node.style.setProperty("font-size", `${Math.max(0.45, room / wide)}em`);
  return node;
}
function drawComing(width, height) {
  const names = playing()
    .sort(byName.compare)
    .map((name) => ({ name }));
  return drawList(
    names,
    width,
    height,
    (each) => make("li", make("span", named(each.name), { class: "name" })),
    1,
  );
}
function drawList(list, width, height, draw, beside) {
  const cell = {
    wide:
      widest(
        list.map((each) => each.name),
        LONGEST,
      ) + beside,
    tall: 1.3,
  };
  const found = fit(list.length, width, height, cell, height * 0.036, height * 0.12),
    page = pageOf(found.pages);
  const shown = part(list, page, found.pages);
  const rows = Math.ceil(shown.length / found.columns);
  return [
    styled(
      make(
        "ul",
        shown.map((each) => draw(each, width / found.columns / found.size - beside)),
        { class: "seats" },
      ),
      { ...found, rows: Math.max(1, rows) },
      { width: `${width}px` },
    ),
    ...drawTurner(page, found.pages),
  ];
}
function drawCards(list, width, height, open) {
  const most = Math.max(...list.map((each) => each.players.length)),
    names = list.flatMap((each) => each.players);
  const cell = { wide: Math.max(12, widest(names, 11, 95) + 5), tall: most * 1.2 + 2.7 };
  const found = fit(list.length, width, height, cell, height * 0.021, height * 0.042),
    page = pageOf(found.pages);
  const drawn = part(list, page, found.pages).map((table) =>
    make(
      "li",
      [
        title(2, [
          open
            ? button(say("tablenumber", table), () => open(table), { disabled: !table.game })
            : make("b", capital(say("tablenumber", table))),
          make("span", table.over || !table.game ? "" : progressOf(table), { title: turnOf(table) }),
        ]),
        drawMeter(table),
        drawPlayersOf(table),
        ...(table.game && !table.problem ? [] : [make("p", drawState(table), { class: "problem" })]),
      ],
      { class: table.over ? "over" : null },
    ),
  );
  const grid = styled(make("ul", drawn, { class: "cards" }), found, { width: `${width}px` });
  return { grid, page, pages: found.pages };
}
// The tables, with the standings next to them.
function drawTablesBeside(width, height, side) {
  const cards = drawCards(tables.tables, width * 0.64, height, openTable);
  const { list, at, pages } = drawAhead(width, height, side);
  return [cards.grid, list, ...drawTurner(pages > 1 ? at : cards.page, Math.max(pages, cards.pages))];
}
function drawAhead(width, height, side) {
  const room = { wide: width * 0.33, tall: height - side * 1.2 },
    line = {
      wide:
        widest(
          standings.standings.map((each) => each.player),
          11,
          95,
        ) + (standings.by === "totals" ? 6 : 9),
      tall: 1.42,
    };
  const together = Math.max(1, Math.floor(room.tall / (height * 0.031) / line.tall) - 1),
    pages = Math.ceil(standings.standings.length / together),
    at = pageOf(pages);
  const size = Math.min(
    room.tall / (Math.ceil(standings.standings.length / pages) + 1) / line.tall,
    height * 0.045,
    room.wide / line.wide,
  );
  const list = styled(
    make("section", drawStandings(part(standings.standings, at, pages)), {
      class: "ahead",
      "aria-label": say("standings"),
    }),
    { size, columns: 1, rows: 1 },
    { width: `${room.wide}px` },
  );
  return { list, at, pages };
}

addEventListener("resize", () => tournament.draw());
setInterval(() => {
  if (!tables || !wall.isShown()) return;
  const now = `${Math.floor(Date.now() / SEATS_FOR)} ${Math.floor(Date.now() / PAGE_FOR)} ${isHeld()}`;
  if (now !== phase) {
    phase = now;
    tournament.draw();
  }
}, 500);
