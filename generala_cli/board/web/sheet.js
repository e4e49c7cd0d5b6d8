// A game: who is next, the sheet, the ranking, and the debts.
import { news } from "./dice.js";
import {
  capital,
  capitalized,
  language,
  make,
  named,
  say,
  sentence,
  title,
  unseen,
  withAmounts,
} from "./dom.js";
import { drawEnd, signed } from "./end.js";
import { badge, colorClass, person } from "./people.js";
import { isKeeper, ownName, state, wall } from "./state.js";

const MOST_LINES = 3; // of a name in a narrow column
const CROWD = 6; // more players than this need narrow columns

export function drawGame(game) {
  const { sheet } = game;
  if (!sheet) {
    const heading = title(1, say("game", { number: game.game }));
    return make("section", [heading, ...drawProblem(game)], { class: "game" });
  }
  const isCrowded = sheet.players.length > CROWD;
  const top = make("div", [...drawProblem(game), ...(sheet.over ? drawEnd(game) : drawTurn(game))], {
    class: "top",
  });
  const side = make("div", drawSide(game), { class: "side" });
  const kinds = ["game", isCrowded && "crowded", sheet.over && "over"].filter(Boolean);
  const root = make("section", [top, drawSheet(game), side], { class: kinds.join(" ") });
  root.style.setProperty("--players", sheet.players.length);
  return root;
}
const drawProblem = (game) =>
  game.problem ? [make("p", capital(`⚠ ${game.problem}`), { class: "problem", role: "alert" })] : [];

function drawTurn(game) {
  const { next, players } = game.sheet;
  const isOwn = ownName(game) === next;
  const word = isOwn ? "yourturn" : ownName(game) && !isKeeper() ? "throwing" : "next";
  const heading = [badge(next, players), " ", make("span", capitalized(sentence(word, { player: next })))];
  const parts = [title(1, heading, { class: `turn ${colorClass(next, players)}${isOwn ? " own" : ""}` })];
  if (game.news) parts.push(make("p", news(game), { class: "news" }));
  return parts;
}

function drawSide(game) {
  const ranking = [title(2, say("ranking")), drawPlaces(game)];
  if (game.odds_problem) ranking.push(make("p", capital(`⚠ ${game.odds_problem}`), { class: "problem" }));
  const parts = [make("div", ranking, { class: "ranking" })];
  if (game.debts.length) parts.push(drawLines("debts", game.sheet.over ? "debts" : "sofar", game.debts));
  if (game.trophies.length) parts.push(drawLines("trophies", "trophies", game.trophies.map(capital)));
  const { owed } = state.seat;
  if (owed?.length && !isKeeper() && !game.sheet.over)
    parts.push(
      drawLines(
        "debts",
        "ledger",
        owed.map(({ line }) => capital(line)),
      ),
    );
  if (!wall.isShown()) parts.push(make("p", named(capital(game.terms)), { class: "terms" }));
  return parts;
}
function drawLines(kind, heading, lines) {
  const drawn = lines.map((line) => make("li", withAmounts(line)));
  return make("div", [title(2, say(heading)), make("ul", drawn)], { class: kind });
}

// The viewer's own column comes first.
function columnsOf(game) {
  const own = ownName(game);
  const { players } = game.sheet;
  return own ? [own, ...players.filter((each) => each !== own)] : players;
}
export function drawSheet(game) {
  const { sheet } = game;
  const players = columnsOf(game);
  const drawRow = (name, cells, kind) =>
    make("tr", [make("th", capital(name), { scope: "row" }), ...cells], { class: kind });
  const own = ownName(game);
  const mark = (player) => (player === own ? "own" : null);
  const last = game.corrected || lastTurn(sheet);
  const drawBoxes = (names) =>
    names.map((name) =>
      drawRow(
        game.names[name],
        players.map((player) => drawCell(game, player, name, last, mark(player))),
      ),
    );
  const numbers = (name, value) =>
    drawRow(
      name,
      players.map((player) => make("td", value(player), { class: mark(player) })),
      "extra",
    );
  const upper = sheet.categories.filter((name) => game.upper.includes(name));
  const lower = sheet.categories.filter((name) => !game.upper.includes(name));
  const blocks = [
    [...drawBoxes(upper), ...drawBonus(sheet, numbers)],
    [...drawBoxes(lower), ...drawExtras(game, numbers)],
  ];
  const total = (player) => String(sheet.totals[player]);
  const parts = [
    make(
      "thead",
      make("tr", [make("td", ""), ...players.map((player) => drawHead(game, player, mark(player)))]),
    ),
    ...blocks.filter((rows) => rows.length).map((rows) => make("tbody", rows)),
    make("tfoot", numbers(say("total"), total)),
  ];
  const settings = { class: "sheet", tabindex: "0", role: "group", "aria-label": game.terms };
  return make("div", make("table", parts), settings);
}
function drawHead(game, player, mark) {
  const { next, left, players } = game.sheet;
  const isGone = left.includes(player);
  const name = make("span", [named(player), isGone ? ` ← ${say("left")}` : ""], { class: "name" });
  const kinds = [player === next && "next", isGone && "gone", mark, colorClass(player, players)];
  const settings = { scope: "col", class: kinds.filter(Boolean).join(" "), title: player };
  return make("th", [badge(player, players), name], settings);
}
function lastTurn(sheet) {
  const boxes = sheet.players.flatMap((player) => Object.values(sheet.boxes[player]));
  return Math.max(0, ...boxes.filter(Boolean).map((box) => box.turn));
}
// A category may have several boxes; `rows` has their entries.
function drawCell(game, player, name, last, mark) {
  const { boxes, rows } = game.sheet;
  const several = rows?.[player]?.[name];
  if (!several) return drawBox(game, player, boxes[player][name], last, mark);
  const parts = several.map((box) => {
    const cell = drawBox(game, player, box, last, null);
    return make("span", [...cell.childNodes], { class: cell.className });
  });
  return make("td", parts, { class: ["several", mark].filter(Boolean).join(" ") });
}
function drawBox(game, player, box, last, mark) {
  if (!box) {
    const isGone = game.sheet.left.includes(player);
    return make("td", isGone ? "←" : ["·", unseen(say("open"))], {
      class: ["open", mark].filter(Boolean).join(" "),
    });
  }
  const isLast = box.turn === last;
  const star = game.marks_first_throw && (box.roll === 1 || box.served) ? "*" : "";
  const cross = [make("span", "✕", { "aria-hidden": "true" }), unseen(say("scratched"))];
  const settings = {
    class: [isLast && "last", mark].filter(Boolean).join(" ") || null,
    "aria-current": isLast && "true",
  };
  return make("td", box.scratched ? cross : box.points + star, settings);
}
function drawBonus(sheet, numbers) {
  if (!sheet.upper_bonus) return [];
  const bonus = ({ points, numbers: found, from }) => (points ? `+${points}` : `${found}/${from}`);
  return [numbers(say("bonus"), (player) => bonus(sheet.upper_bonus[player]))];
}
function drawExtras({ sheet, extra }, numbers) {
  const rows = [];
  if (sheet.extra_bonus) rows.push(numbers(extra, (player) => String(sheet.extra_bonus[player])));
  const spares = ({ saved, used }) => String(saved - used);
  if (sheet.spares) rows.push(numbers(say("spares"), (player) => spares(sheet.spares[player])));
  return rows;
}

export function drawPlaces(game) {
  const odds = game.odds?.odds;
  const hasPoints = game.standings.standings.some((each) => each.game_points !== undefined);
  const points = hasPoints ? [say("gamepoints")] : [];
  const behind = hasPoints ? [] : [say("behind")]; // game points decide, not the total
  const heads = ["", "", ...points, say("total"), ...behind, ...(odds ? [say("wins")] : [])];
  const rows = game.standings.standings.map((each) => {
    const name = each.player || each.team;
    const chance = odds ? [drawChance(odds.find((other) => (other.player || other.team) === name))] : [];
    const shown = make("td", person(name, game.sheet.players), { class: "who" });
    return make("tr", [
      make("td", `${each.place}.`),
      shown,
      ...(hasPoints ? [make("td", signed(each.game_points))] : []),
      make("td", String(each.total)),
      ...(hasPoints ? [] : [make("td", each.behind ? `−${each.behind}` : "")]),
      ...chance,
    ]);
  });
  const head = heads.map((text) => (text ? make("th", capital(text), { scope: "col" }) : make("td", "")));
  return make("table", [make("thead", make("tr", head)), make("tbody", rows)], {
    class: odds ? "places odds" : "places",
  });
}
function drawChance(found) {
  if (!found) return make("td", "");
  const bar = make("span", "", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--part", found.wins);
  return make("td", [found.wins.toLocaleString(language, { style: "percent" }), bar], { class: "chance" });
}

export function drawLedger(ledger) {
  const lines = ledger.transfers.map((line) => make("li", withAmounts(line)));
  if (ledger.problem) lines.push(make("li", `⚠ ${ledger.problem}`, { class: "problem" }));
  if (!lines.length) lines.push(make("li", capital(say("even"))));
  return make("ul", lines, { class: "ledger" });
}

// A name that does not fit its column or step becomes smaller, then gives way to its initials.
export function shorten() {
  let heads = [...document.querySelectorAll(".sheet thead th, .podium li")];
  for (const head of heads) head.classList.remove("small", "tight");
  for (const kind of ["small", "tight"]) {
    heads = heads.filter(isTooNarrow);
    for (const head of heads) head.classList.add(kind);
  }
}
function isTooNarrow(head) {
  const name = head.querySelector(".name");
  const lines = name.offsetHeight / parseFloat(getComputedStyle(name).fontSize);
  return name.scrollWidth > name.clientWidth || lines > MOST_LINES;
}
