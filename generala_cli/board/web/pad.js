// The pad for a turn. The board decides on points, the marked box, and whether a hand may be entered.
import { die, faceOf } from "./dice.js";
import {
  button,
  capital,
  capitalized,
  fill,
  make,
  named,
  question,
  row,
  say,
  sentence,
  toggle,
  unseen,
} from "./dom.js";
import { withBadge } from "./people.js";
import { ask, busy, drawSent, mail, once, onDone, post } from "./requests.js";
import { feelTap } from "./senses.js";
import {
  here,
  isAsItWas,
  isKeeper,
  keeper,
  mayEnter,
  memory,
  menu,
  ownName,
  redraw,
  shown,
  state,
  tell,
  turns,
} from "./state.js";

const STORED_HAND = `${here} hand`;
const TOAST_FOR = 8000;
const MOST_BOXES = 12; // if there are more, scratches are behind a key
const dock = document.getElementById("pad");
// A typed hand belongs to one state of one game and to one player. `of` has them from the first die on.
// `turn` is the number of the turn that it corrects, or 0, and `was` is the entry of that turn.
export const nothing = () => ({
  of: null,
  dice: [],
  roll: 0,
  options: null,
  notes: [],
  choice: null,
  isScratching: false,
  turn: 0,
  was: "",
});
// `player` is the player whom the keeper chose. `toast` has the move back from what this phone just did.
// `isChoosing` is set while the keeper chooses a turn to correct.
export const pad = {
  hand: { ...nothing(), ...memory.get(STORED_HAND) },
  player: "",
  toast: null,
  isChoosing: false,
};

// The player of a new hand, and the state of the game.
export const forNow = (game) => ({
  game: game.game,
  events: game.events,
  player: pad.player || game.sheet.next,
});
const isOf = (one, game) => one.game === game.game && one.events === game.events;
export function drop() {
  pad.hand = nothing();
  pad.player = "";
  pad.isChoosing = false;
  memory.set(STORED_HAND, null);
}
export function discard() {
  drop();
  state.trouble = "";
  redraw();
}
const mayType = (game) => mayEnter(game) || (isKeeper() && pad.hand.turn > 0);
// The page has a new view.
function catchUp() {
  if (!pad.hand.dice.length) pad.player = "";
  if (mail.awaited && !isAsItWas(mail.awaited)) mail.awaited = null;
  if (pad.hand.dice.length && !pad.hand.options) rethink();
}

function drawPad(game) {
  const isTheirs = isKeeper() || Boolean(game && ownName(game));
  dock.hidden = !game?.sheet || !isTheirs || keeper.isFormOpen() || menu.isOpen();
  document.documentElement.classList.toggle("docked", !dock.hidden);
  if (dock.hidden) return;
  const { hand } = pad;
  const isLeft = hand.of !== null && !isOf(hand.of, game);
  const rows = drawToast(game);
  if (pad.isChoosing) rows.push(...keeper.drawTurns(game));
  else if (isLeft) rows.push(...drawLeft(game));
  else if (mayType(game)) rows.push(...drawHand(game));
  else if (!game.sheet.over) rows.push(drawWaiting(game));
  fill(dock, rows);
  dock.hidden = !rows.length;
  document.documentElement.style.setProperty("--dock", `${dock.offsetHeight}px`);
}
function drawWaiting(game) {
  const hasLeft = game.sheet.left.includes(ownName(game));
  return make("p", capital(say(hasLeft ? "lefttable" : "wait")), { class: "wait" });
}

// After an entry or an undo, the way back stays near the thumb for a while.
function drawToast(game) {
  const parts = drawSent();
  const { toast } = pad;
  if (!parts.length) return [];
  if (toast && state.done && toast.game === game.game && !busy())
    parts.push(button(arrowed(toast.back), () => move(toast.back, game), { class: "undo" }));
  return [make("div", parts, { class: "toast", id: "toast" })];
}
const arrowed = (action) => `${action === "undo" ? "↶" : "↷"} ${say(action)}`;
export const move = (action, game) => post(action, { game: game.game, seen: game.events });
function showToast(game, back) {
  const toast = { game, back };
  pad.toast = toast;
  const end = () => {
    if (pad.toast !== toast) return;
    if (document.getElementById("toast")?.contains(document.activeElement)) setTimeout(end, 1000);
    else {
      pad.toast = null;
      state.done = "";
      redraw();
    }
  };
  setTimeout(end, TOAST_FOR);
}

// The game moved on while a hand was being typed, so first ask whose hand it is.
function drawLeft(game) {
  const { of, dice } = pad.hand;
  const text = sentence("moved", {
    player: of.player,
    dice: dice.map((face) => faceOf(face, game)).join(" "),
  });
  const keep = () => {
    pad.hand.of = forNow(game);
    rethink();
  };
  const choices = [button(say("drop"), discard)];
  if (mayEnter(game) && !pad.hand.turn)
    choices.push(button(sentence("keep", { player: forNow(game).player }), keep));
  return question(text, choices);
}

function drawHand(game) {
  const rows = pad.hand.turn ? [drawWas()] : [];
  const players = pad.hand.turn ? game.sheet.players : game.waiting;
  if (isKeeper() && players.length > 1) rows.push(drawWhose(game, players));
  rows.push(drawSlots(game));
  const { options, notes, choice } = pad.hand;
  if (!options) rows.push(drawKeys(game));
  if (game.throws_matter) rows.push(drawThrowKeys(game));
  if (options) {
    rows.push(...notes.map((note) => make("p", named(note), { class: "note" })));
    rows.push(row(drawOffered(game, options), { class: "row boxes" }));
  }
  if (choice) {
    const entry = pad.hand.turn ? say("becomes", { entry: entryOf(game, choice) }) : describe(game, choice);
    const enter = button(`✓ ${entry}`, send, { disabled: busy() });
    rows.push(row(enter, { class: "row send" }));
  }
  return rows;
}
function drawWas() {
  const was = make("p", capitalized(sentence("was", { entry: pad.hand.was })));
  return row([was, button(say("back"), discard, { class: "undo" })], { class: "toast" });
}
// Change the typed hand. Its first die decides which state of the game it belongs to.
function type(game, change) {
  if (busy()) return;
  feelTap();
  change(pad.hand);
  pad.hand.of = pad.hand.of || forNow(game);
  rethink();
}
function drawWhose(game, players) {
  const now = (pad.hand.of || forNow(game)).player;
  const choose = (name) => () =>
    type(game, (hand) => {
      pad.player = name;
      hand.of = { ...forNow(game), player: name };
    });
  const drawn = players.map((name) =>
    toggle(withBadge(name, game.sheet.players), name === now, choose(name)),
  );
  return row(drawn, { class: "row whose", role: "group", "aria-label": say("whose") });
}
function drawSlots(game) {
  const { dice } = pad.hand;
  const slots = [...Array(game.dice).keys()].map((place) => {
    const face = dice[place] && faceOf(dice[place], game);
    const erase = () => type(game, (hand) => hand.dice.splice(place, 1));
    const name = face ? `${say("erase")} ${face}` : say("nodie");
    const settings = { "aria-label": name, disabled: !face, class: face ? "filled" : null };
    return button(face ? die(face) : "", erase, settings);
  });
  const clear = (name, sign, change) =>
    button(sign, () => type(game, change), {
      "aria-label": say(name),
      disabled: !dice.length,
      class: "clear",
    });
  const clears = [clear("eraselast", "⌫", (hand) => hand.dice.pop()), clear("eraseall", "✕", empty)];
  return row([...slots, ...clears], { class: "row hand", role: "group", "aria-label": say("hand") });
}
function drawKeys(game) {
  const isFull = pad.hand.dice.length >= game.dice;
  const keys = [...Array(game.faces).keys()].map((at) => {
    const push = () => type(game, (hand) => hand.dice.push(at + 1));
    const face = faceOf(at + 1, game);
    return button([die(face), unseen(face)], push, { disabled: isFull || busy() });
  });
  return row(keys, { class: "row keys", role: "group", "aria-label": say("dice") });
}
function drawThrowKeys(game) {
  const now = pad.hand.roll || game.usual_throw;
  const choose = (at) => () =>
    type(game, (hand) => {
      hand.roll = at;
    });
  const throws = [...Array(game.last_throw).keys()].map((at) =>
    toggle(String(at + 1), now === at + 1, choose(at + 1)),
  );
  if (game.de_mano) throws.push(toggle(game.de_mano, now === game.de_mano, choose(game.de_mano)));
  const label = make("span", capital(say("throw")), { class: "label" });
  return row([label, ...throws], { class: "row throws", role: "group", "aria-label": say("throw") });
}
function drawOffered(game, options) {
  const scoring = options.filter((option) => !isScratch(option));
  if (options.length <= MOST_BOXES || !scoring.length) return options.map((each) => drawOption(game, each));
  const { isScratching } = pad.hand;
  const flip = () => {
    pad.hand.isScratching = !isScratching;
    drawPad(shown());
  };
  const offered = isScratching ? options.filter(isScratch) : scoring;
  const other = toggle(say("scratchother"), isScratching, flip, { class: "given-up" });
  return [...offered.map((option) => drawOption(game, option)), other];
}
function empty(hand) {
  hand.dice = [];
  hand.roll = 0;
}
const isScratch = (option) => !option.wins && option.points === null;
function drawOption(game, option) {
  const choose = (event) => {
    if (event?.detail > 1) return; // the rest of a double tap on a die
    feelTap();
    pad.hand.choice = option;
    drawPad(shown());
  };
  const box = option.wins ? game.instant_win : game.names[option.category];
  const name = make("span", capital(box), { class: "name" });
  const points = isScratch(option) ? "✕" : option.points === null ? "★" : String(option.points);
  const content = isScratch(option) ? ["✕ ", name] : [name, " ", make("b", points)];
  return toggle(content, pad.hand.choice === option, choose, {
    class: isScratch(option) ? "given-up" : null,
  });
}
// An entry or an option, such as `Full house 30`.
export function entryOf(game, { category, points, scratched, ...option }) {
  const isWin = option.wins || option.instant_win;
  const isCrossed = scratched ?? isScratch({ points, ...option });
  const name = capital(isWin ? game.instant_win : game.names[category]);
  if (isWin) return `★ ${name}`;
  return isCrossed ? `✕ ${name}` : `${name} ${points}`;
}
function describe(game, option) {
  const box = game.names[option.category];
  if (option.wins) return say("win", { box: game.instant_win });
  return isScratch(option) ? say("scratch", { box }) : say("score", { box, points: option.points });
}

export function rethink() {
  const { hand } = pad;
  hand.options = hand.choice = null;
  hand.isScratching = false;
  hand.notes = [];
  state.trouble = state.done = "";
  pad.toast = null;
  if (!hand.dice.length && !hand.roll && !hand.turn) hand.of = null;
  const { of, dice, roll, turn, was } = hand;
  memory.set(STORED_HAND, of && { of, dice, roll, turn, was });
  const game = shown();
  if (game && hand.of && isOf(hand.of, game) && hand.dice.length === game.dice) offer(hand);
  drawPad(shown());
}
async function offer(typed) {
  const { of } = typed;
  const written = () => typed.dice.join("") + typed.roll;
  const asked = written();
  const query = new URLSearchParams({ game: of.game, dice: typed.dice.join(""), player: of.player });
  if (typed.roll) query.set("roll", typed.roll);
  if (typed.turn) query.set("turn", typed.turn);
  const isStill = () => !mail.pending && pad.hand === typed && typed.of === of && asked === written();
  const answer = await ask(`options?${query}`, isStill);
  if (!answer || !isStill()) return;
  typed.options = answer.options;
  typed.notes = answer.notes;
  typed.choice = answer.options.find((option) => option.marked) || null;
  const game = shown();
  if (game) tell([...typed.notes, typed.choice && capital(describe(game, typed.choice))]);
  const hadFocus = document.activeElement?.closest(".keys");
  drawPad(shown());
  const marked = dock.querySelector(".boxes [aria-pressed=true]");
  marked?.scrollIntoView({ block: "nearest" });
  if (hadFocus) (marked ?? dock.querySelector(".boxes button"))?.focus();
}
export function send() {
  const { choice, of, dice, roll, turn } = pad.hand;
  feelTap();
  post(turn ? "correct" : "turn", {
    ...(turn && { turn }),
    game: of.game,
    seen: of.events,
    dice: dice.join(""),
    roll: roll ? String(roll) : "",
    category: choice.wins ? "" : choice.category,
    scratch: isScratch(choice),
    player: of.player,
  });
}
for (const action of ["turn", "correct", "undo", "redo"])
  onDone(action, (body, message) => {
    state.done = message.replace(/ \(\d( \d)+\)/, ""); // the news shows the hand as dice
    showToast(body.game, action === "undo" ? "redo" : "undo");
    if (!body.dice) return;
    drop();
    document.querySelector(".sheet")?.focus({ preventScroll: true }); // the key that had the focus is gone
  });

// Undo and redo, for the menu. With a hand typed, or for the keeper, an undo asks first.
function drawMoves(game) {
  if (!game?.sheet || !(isKeeper() || ownName(game) === game.undo_of)) return [];
  const doubt = isKeeper() || pad.hand.dice.length ? `? ${capital(say("undo"))}: ${game.news}` : "";
  const go = (action) => {
    menu.close(); // the toast shows the answer
    move(action, game);
  };
  const undo = once("undo", arrowed("undo"), doubt, () => go("undo"));
  if (!isKeeper()) return undo;
  return [...undo, button(arrowed("redo"), () => go("redo"), { disabled: busy() })];
}

// Digits on a keyboard enter dice, and Escape clears them.
document.addEventListener("keydown", (event) => {
  const game = shown();
  const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select");
  if (isElsewhere || dock.hidden || !game || !mayType(game)) return;
  const { dice, of } = pad.hand;
  if (of && !isOf(of, game)) return;
  const face = Number(event.key);
  if (face >= 1 && face <= game.faces && dice.length < game.dice) type(game, (hand) => hand.dice.push(face));
  else if (event.key === "Backspace" && dice.length) type(game, (hand) => hand.dice.pop());
  else if (event.key === "Escape" && dice.length) type(game, empty);
});

Object.assign(turns, { draw: drawPad, catchUp, moves: drawMoves, isShown: () => !dock.hidden });
