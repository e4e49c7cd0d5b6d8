// The page: it draws what the board tells.
import { drawCode } from "./code.js";
import { button, capital, fill, make, named, say, title } from "./dom.js";
import { linesOf } from "./end.js";
import { drawMenu, listenToMenu } from "./menu.js";
import { busy, deliver } from "./requests.js";
import { drawMe, drawSeat, greet } from "./seat.js";
import { call, ringTurn, stayAwake } from "./senses.js";
import { drawGame, drawLedger, shorten } from "./sheet.js";
import {
  isPlain,
  isStrip,
  keeper,
  listed,
  menu,
  overlay,
  ownName,
  redraw,
  show,
  shown,
  state,
  tell,
  tournament,
  turns,
  wall,
} from "./state.js";
import { follow } from "./stream.js";

const main = document.getElementById("main");
let wasMine = null;

function take(view) {
  const before = state.view;
  state.view = view;
  if (before && before.current !== view.current) state.chosen = null; // a new game shows itself
  const game = shown();
  const old = before?.games.find((each) => each.game === game?.game);
  const isNews = game && (!old || old.news !== game.news || old.events !== game.events);
  if (isNews) tell(game.problem ? [game.problem] : [game.news, ...linesOf(game), nextOf(game)]);
  if (old && isNews && game.events > old.events) call(game);
  if (isNews && !busy()) state.done = ""; // an old message ends with the next event
  turns.catchUp();
  keeper.hear();
  ring();
  stayAwake(Boolean(current()?.sheet?.next));
  redraw();
}
function nextOf(game) {
  const player = game.sheet?.next;
  if (!player) return "";
  return say(ownName(game) === player ? "yourturn" : "next", { player });
}
const current = () => state.view.games.find((each) => each.game === state.view.current);
const isMine = (game) => Boolean(game?.sheet?.next) && ownName(game) === game.sheet.next;
function ring() {
  const mine = isMine(current());
  if (mine && wasMine === false) {
    menu.close(); // it hides the pad
    ringTurn();
  }
  wasMine = mine;
}

function drawAll() {
  document.documentElement.classList.toggle("wall", isBig());
  if (tournament.draw) return tournament.draw();
  const { view, chosen } = state;
  const game = shown();
  drawHeader(game ? gameTitle(game) : "generala");
  document.title = game?.sheet?.next ? say("next", { player: game.sheet.next }) : "generala";
  const isLedger = chosen === "ledger" && view.ledger;
  fill(main, [...drawElsewhere(), ...(isLedger ? drawTonight() : drawPage(game))]);
  turns.draw(game);
  drawSeat();
  if (isBig()) wall.fit();
  shorten();
}
const isBig = () => wall.isShown() && !isStrip && state.chosen !== "ledger";
// A phone shows the terms below the ranking.
const gameTitle = (game) =>
  say("game", { number: game.game }) + (isBig() && game.terms ? `: ${game.terms}` : "");
const drawTonight = () => [
  title(1, say("ledger")),
  make("section", drawLedger(state.view.ledger), { class: "between" }),
];

export function drawHeader(terms) {
  fill(document.getElementById("terms"), [named(capital(terms))]);
  fill(document.getElementById("me"), drawMe(shown()));
  drawMenu();
}
function drawPage(game) {
  if (isBig()) return [wall.draw(game)];
  if (isStrip) return game ? [wall.drawStrip(game)] : [];
  const isBetween = state.view.join && !game?.sheet?.next;
  return [
    game ? drawGame(game) : title(1, state.seat.kind === "player" ? say("nogame") : state.view.hint),
    ...(isBetween ? [drawBetween()] : []),
  ];
}
// Between games: debts, players present, and the code for joining.
function drawBetween() {
  const { view } = state;
  const isOwed = view.ledger?.transfers.length || view.ledger?.problem;
  const debts = isOwed ? [title(2, say("ledger")), drawLedger(view.ledger)] : [];
  const present = view.present.length ? [title(2, say("present")), make("p", listed(view.present))] : [];
  const parts = [...debts, ...present, ...drawCode("join", view.join)];
  return make("section", parts, { class: "between", id: "between" });
}
// A player who looks at something else gets back to the game in play with one tap.
function drawElsewhere() {
  const now = current();
  if (!now?.sheet?.next || shown() === now) return [];
  const word = isMine(now) ? "turnin" : "backto";
  const go = button(say(word, { number: now.game }), () => show(null), {
    class: isMine(now) ? "main" : null,
  });
  return [make("p", go, { class: "elsewhere", role: "status" })];
}

state.draw = drawAll;
document.documentElement.classList.toggle("overlay", overlay !== null);
document.documentElement.classList.toggle("plain", isPlain);
listenToMenu();
addEventListener("resize", redraw);
follow(take, () => {
  greet();
  deliver();
});
