// A large screen for everyone, and a strip over a video.

import { drawSquares } from "./code.js";
import { news } from "./dice.js";
import { make, say, sentence, title } from "./dom.js";
import { badge, withBadge } from "./people.js";
import { drawGame, drawLedger } from "./sheet.js";
import { state, wall } from "./state.js";

const wide = matchMedia("(min-width: 1000px) and (min-height: 500px)");
const STEPS = 12;
const asked = Number(new URLSearchParams(location.search).get("size")) || 100;
const isWall = () => wide.matches && ["watcher", "guest"].includes(state.seat.kind);

function drawWall(game) {
  const { view } = state;
  const corner = make("aside", view.join ? drawJoin(view.join) : [], {
    class: "corner",
    "aria-label": say("join"),
  });
  const main = game ? drawGame(game) : make("section", title(1, view.hint), { class: "game" });
  if (view.ledger?.transfers.length && !game?.sheet?.next)
    main.querySelector(".side")?.append(title(2, say("ledger")), drawLedger(view.ledger));
  (main.querySelector(".side") ?? main).append(corner);
  return main;
}
function drawJoin(join) {
  const { present } = state.view;
  const names = present.length
    ? [
        make(
          "p",
          present.flatMap((name) => [...withBadge(name, present), " "]),
        ),
      ]
    : [];
  return [drawSquares(join), make("div", [title(2, say("join")), make("p", join.address), ...names])];
}
// The largest letters with which the sheet and the rest fit the screen.
function fitWall() {
  const root = document.querySelector(".game");
  if (!root) return;
  fitLetters(root.querySelector(".sheet"), 0.4, 2.6);
  fitLetters(root.querySelector(".side"), 0.4, 1.5);
}
function fitLetters(part, least, most) {
  if (!part) return;
  let [low, high] = [least, most];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    part.style.setProperty("--letters", middle);
    if (doesFit(part)) low = middle;
    else high = middle;
  }
  part.style.setProperty("--letters", (low * Math.min(asked, 100)) / 100);
}
function doesFit(part) {
  const { bottom, right } = part.getBoundingClientRect();
  const isInside =
    bottom <= innerHeight - 10 && part.firstElementChild.getBoundingClientRect().right <= right + 1;
  return isInside && part.scrollWidth <= part.clientWidth;
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
