// A large screen for everyone, and a strip over a video.

import { drawSquares } from "./code.js";
import { news } from "./dice.js";
import { make, say, sentence, title } from "./dom.js";
import { badge, person, withBadge } from "./people.js";
import { drawGame, drawLedger, shorten } from "./sheet.js";
import { state, wall } from "./state.js";

const wide = matchMedia("(min-width: 1000px) and (min-height: 500px)");
const STEPS = 7;
const NAMED = 0.6; // the least share of the largest letters for which initials give way to names
const LEAST = 0.4; // the smallest letters
const TOP = 0.22; // the share of the height for who is next, or for the headline
const asked = Number(new URLSearchParams(location.search).get("size")) || 100;
const isWall = () => wide.matches && ["watcher", "guest"].includes(state.seat.kind);

function drawWall(game) {
  const { join } = state.view;
  const corner = make("aside", join ? drawJoin(join) : [], { class: "corner", "aria-label": say("join") });
  if (!game?.sheet) return drawNoGame(game, corner);
  const root = drawGame(game);
  const side = root.querySelector(".side");
  if (game.sheet.over) moveEnd(game, root, side);
  side.append(corner);
  return root;
}
// At the end, the podium and tonight's debts are in large letters next to the sheet.
function moveEnd(game, root, side) {
  const [podium, debts] = [root.querySelector(".podium"), side.querySelector(".debts")];
  const tonight = drawEvening();
  debts?.remove();
  const ranking = side.querySelector(".ranking");
  const isWhole = podium?.children.length === game.standings.standings.length;
  if (isWhole || root.matches(".crowded")) ranking.remove();
  side.prepend(...[podium].filter(Boolean));
  side.append(...[tonight ?? debts].filter(Boolean));
}
const people = (names) => names.map((name) => make("li", person(name, names)));
function drawEvening() {
  const { ledger } = state.view;
  return ledger?.transfers.length
    ? make("div", [title(2, say("ledger")), drawLedger(ledger)], { class: "debts" })
    : null;
}
// Between games: the code, large, the players present, and the debts.
function drawNoGame(game, corner) {
  const { hint, present } = state.view;
  const who = present.length ? make("div", [title(2, say("present")), make("ul", people(present))]) : null;
  const top = make("div", game ? [...drawGame(game).childNodes] : title(1, hint), { class: "top" });
  const news = [who, drawEvening()].filter(Boolean);
  const side = make("div", [news.length ? make("div", news) : null, corner], { class: "side" });
  return make("section", [top, side], { class: "game idle" });
}
function drawJoin(join) {
  const parts = join.address.split(/(?<=\/)/).flatMap((part) => [part, make("wbr", [])]);
  return [drawSquares(join), make("div", [title(2, say("join")), make("p", parts)])];
}

// The largest letters with which everything fits the screen.
function fitWall() {
  const root = document.querySelector(".game");
  if (!root) return;
  const isLow = (part) => part.getBoundingClientRect().bottom <= innerHeight * TOP;
  fitLetters(root.querySelector(".top"), 100 / Math.max(asked, 100), isLow); // larger letters are for the sheet
  fitSheet(root.querySelector(".sheet"));
  fitLetters(root.querySelector(".side"), 1.7, isInside);
}
// Whole names are worth smaller letters.
function fitSheet(sheet) {
  const fits = (part) => {
    shorten();
    return isInside(part) && [...part.querySelectorAll("tfoot td")].every(isNarrow);
  };
  const largest = fitLetters(sheet, 2.6, fits);
  if (!sheet?.querySelector(".tight") || sheet.closest(".crowded")) return;
  const named = fitLetters(sheet, 2.6, (part) => fits(part) && !part.querySelector(".tight"));
  if (named < largest * NAMED) fitLetters(sheet, largest, fits);
}
const isInside = (part) => part.scrollHeight <= part.clientHeight;
const isNarrow = (part) => part.scrollWidth <= part.clientWidth;
function fitLetters(part, most, fits) {
  if (!part) return 0;
  let [low, high] = [LEAST, (most * Math.max(asked, 100)) / 100];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    part.style.setProperty("--letters", middle);
    if (fits(part) && [part, ...part.children].every(isNarrow)) low = middle;
    else high = middle;
  }
  part.style.setProperty("--letters", (low * Math.min(asked, 100)) / 100);
  return low;
}

// Over a video: the next player, the last hand and the totals.
function drawStrip(game) {
  const { sheet } = game;
  if (!sheet) return make("section", []);
  const first = sheet.over
    ? ["★ ", make("bdi", game.ending[0] || "")]
    : [badge(sheet.next, sheet.players), " ", ...sentence("next", { player: sheet.next })];
  const totals = sheet.players.map((player) =>
    make("li", [...withBadge(player, sheet.players), ` ${sheet.totals[player]}`], {
      class: player === sheet.next ? "next" : null,
    }),
  );
  const parts = [title(1, first), make("p", game.news ? news(game) : ""), make("ul", totals)];
  return make("section", parts, { class: "strip" });
}

Object.assign(wall, { isShown: isWall, draw: drawWall, drawStrip, fit: fitWall });
