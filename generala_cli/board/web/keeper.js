// The keeper's panels: phones that ask for a seat, the table, and the seats.

import { drawCode } from "./code.js";
import { chooseTurn, hasTurns } from "./correct.js";
import { button, make, named, row, say, sentence } from "./dom.js";
import { drawForm, isFormOpen, openForm } from "./forms.js";
import { busy, once, post } from "./requests.js";
import { feelTap } from "./senses.js";
import { keeper, shown, state, tell } from "./state.js";

let heard = null; // the number of the latest request that was announced

function drawKeeper() {
  const asking = state.seat.asking.map(drawAsking);
  if (asking.length > 1) asking.push(drawForAll());
  if (isFormOpen()) return [...asking, ...drawForm()];
  return [...asking, drawTable(), drawSeated()];
}
function drawAsking({ number, name, replaces }) {
  const question = replaces ? say("replaces", { player: name }) : "";
  const refuse = () => post("turn-away", { number });
  const parts = [
    make("p", sentence("asks", { player: name })),
    ...once(`in${number}`, `✓ ${say("letin")}`, question, () => post("let-in", { number }), {
      class: "main",
    }),
    button(`✕ ${say("turnaway")}`, refuse, { disabled: busy() }),
  ];
  return row(parts, { class: "row actions asks", role: "group", "aria-label": name });
}
function drawForAll() {
  const all = (word, action) => button(say(word), () => post(action, {}), { disabled: busy() });
  return row([all("allin", "let-all-in"), all("allaway", "turn-all-away")], { class: "row actions" });
}
// Announce new requests for a seat.
function hearAsking() {
  const { asking } = state.seat;
  const last = Math.max(0, ...(asking ?? []).map((each) => each.number));
  const name = asking?.at(-1)?.name;
  if (heard !== null && last > heard) {
    feelTap();
    tell([say("asks", { player: name })]);
  }
  heard = last;
}
function drawTable() {
  const isBetween = !shown()?.sheet?.next;
  const open = (name) => () => openForm(name);
  const buttons = state.seat.forms.map(({ name, label }) =>
    button(label, open(name), { disabled: busy(), class: isBetween && name === "new" ? "main" : null }),
  );
  if (hasTurns(shown())) buttons.push(button(say("correctturn"), chooseTurn, { disabled: busy() }));
  const parts = [make("summary", say("table")), row(buttons, { class: "row actions" })];
  return make("details", parts, { id: isBetween ? "table-between" : "table", open: isBetween });
}
function drawSeated() {
  const seats = state.seat.seats.map(({ name, phone }) => {
    const take = () => post("take-seat", { player: name });
    const question = say("reallytake", { player: name });
    const keys = phone
      ? once(`seat${name}`, say("takeseat"), question, take, { title: name })
      : [say("nophone")];
    return make("li", [named(name), " ", ...keys]);
  });
  const isClosed = Boolean(state.seat.closed);
  const turn = () => post("door", { is_closed: !isClosed });
  const door = button(say(isClosed ? "opendoor" : "closedoor"), turn, { disabled: busy() });
  const parts = [make("summary", say("seats")), make("ul", seats), row(door, { class: "row actions" })];
  if (state.seat.own_code) parts.push(...drawCode("share", state.seat.own_code));
  return make("details", parts, { id: "seats" });
}

Object.assign(keeper, { draw: drawKeeper, hear: hearAsking, isFormOpen });
