// What the page knows: the latest documents of the board, and what this phone remembers.
import { named } from "./dom.js";

const query = new URLSearchParams(location.search);
export const here = location.pathname;
// ?overlay shows a strip over a video; ?overlay=full also shows the sheet.
export const overlay = query.get("overlay");
export const isStrip = overlay !== null && overlay !== "full";
export const isPlain = query.has("light"); // black on white

// `chosen` is the page that the viewer chose: the number of a game, "ledger", or null for the current game.
// `trouble` and `done` are the answer to the latest request.
export const state = {
  view: null,
  seat: { kind: "watcher" },
  chosen: null,
  trouble: "",
  done: "",
  draw() {},
};
export const redraw = () => state.view && state.draw();

// Hooks for parts that only some pages have, set by their own modules.
export const tournament = { query: "", listen() {}, rows: () => [], draw: null, drawHall: () => [] };
export const keeper = {
  draw: () => [],
  hear() {},
  isFormOpen: () => false,
  drawTurns: () => [],
  chooseTurn() {},
};
export const turns = { draw() {}, catchUp() {}, moves: () => [], isShown: () => false };
export const menu = { isOpen: () => false, close() {} };
export const wall = { isShown: () => false, draw() {}, drawStrip() {}, fit() {} };

// State that must survive sleep, a closed page or a lost network. A private window forgets it.
export const memory = {
  get(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
    } catch {}
  },
};

export function shown() {
  const { view, chosen } = state;
  if (!view || chosen === "ledger") return null;
  return view.games.find((each) => each.game === (chosen || view.current)) || view.games[0] || null;
}
// The name that the owner of this pad has in a game, or undefined.
export const ownName = (game) => state.seat.players?.[game.game];
export const isKeeper = () => state.seat.kind === "keeper";
export const mayEnter = (game) =>
  Boolean(game?.sheet?.next) && (isKeeper() || ownName(game) === game.sheet.next);
export const isAsItWas = (one) =>
  state.view.games.some((each) => each.game === one.game && each.events === one.events);

export function show(chosen) {
  state.chosen = chosen;
  state.trouble = "";
  redraw();
  scrollTo(0, 0);
}
// Let a screen reader say it.
export function tell(sentences) {
  document.getElementById("news").textContent = sentences
    .filter(Boolean)
    .join(". ")
    .replace(/([!?])\./g, "$1");
}
export const listed = (names) => names.flatMap((name, at) => [at ? ", " : "", named(name)]);
