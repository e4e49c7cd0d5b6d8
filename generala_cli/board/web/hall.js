// The wall of a tournament: the seats, the tables next to the standings, and the result.
import { drawSquares } from "./code.js";
import { button, capital, make, named, say, title } from "./dom.js";
import { tournament, wall } from "./state.js";
import {
  byName,
  code,
  drawMeter,
  drawPlayersOf,
  drawPrizes,
  drawStandings,
  drawState,
  openTable,
  playing,
  progressOf,
  standings,
  tables,
  turnOf,
} from "./tournament.js";

const SEATS_FOR = 15000;
const PAGE_FOR = 12000;
const HELD_FOR = 60000;
const STEP = 8; // the width of a step of the podium, in letters
const LONGEST = 14; // the width of a column of names, in letters
const brush = document.createElement("canvas").getContext("2d");
let phase = ""; // what the clock shows: seats or tables, and which page
let turned = { by: 0, at: 0 }; // the last manual page turn

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
// A name that is wider than the room for it, in letters, gets smaller ones.
function fitted(node, name, room) {
  const wide = widest([name], 100);
  if (wide > room) node.style.setProperty("font-size", `${Math.max(0.45, room / wide)}em`);
  return node;
}
const longestWord = (name) =>
  name.split(" ").reduce((one, other) => (other.length > one.length ? other : one));
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
function drawHall(warnings) {
  const main = document.getElementById("main"),
    { left, top } = main.getBoundingClientRect(),
    width = innerWidth - 2 * left,
    height = innerHeight * 0.98 - top - left - heightOf(warnings, main);
  const side = code ? height * 0.22 : 0;
  const isBesideCode = !standings.over && (showsSeats() || !tables.tables.length);
  const room = isBesideCode ? width - side * 1.15 : width;
  const parts = standings.over
    ? drawResult(room, height, side)
    : showsSeats()
      ? drawSeatsBeside(room, height)
      : tables.tables.length
        ? drawTablesBeside(room, height, side)
        : drawComing(room, height);
  const corner = code ? [drawFinder(side)] : [];
  const section = make("section", [...parts, ...corner], { class: "wall-parts" });
  section.style.setProperty("width", `${room}px`);
  return [section];
}
// The height that nodes will have in a part of the page.
function heightOf(nodes, parent) {
  const probe = make("div", nodes, { "aria-hidden": "true" });
  parent.append(probe);
  const height = probe.offsetHeight;
  probe.remove();
  return height;
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
  for (const name of left.querySelectorAll(".podium .name"))
    fitted(name, longestWord(name.textContent), STEP);
  left.style.setProperty("width", `${width * 0.62}px`);
  return [left, list, ...drawTurner(at, pages)];
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
function drawComing(width, height) {
  const names = playing().map((name) => ({ name }));
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
          make("span", table.over || !table.rounds ? "" : progressOf(table), { title: turnOf(table) }),
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

tournament.drawHall = drawHall;
setInterval(() => {
  if (!tables || !wall.isShown()) return;
  const now = `${Math.floor(Date.now() / SEATS_FOR)} ${Math.floor(Date.now() / PAGE_FOR)} ${isHeld()}`;
  if (now !== phase) {
    phase = now;
    tournament.draw();
  }
}, 500);
