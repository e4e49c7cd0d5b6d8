// The keeper's panels: phones that ask for a seat, the table, and the seats.
import { button, make, named, row, say, sentence } from "./dom.js";
import { drawForm, isFormOpen, openForm } from "./forms.js";
import { busy, once, post } from "./requests.js";
import { shown, state } from "./state.js";

export function drawKeeper() {
  const asking = state.seat.asking.map(drawAsking);
  if (isFormOpen()) return [...asking, ...drawForm()];
  return [...asking, drawTable(), ...(state.seat.seats.length ? [drawSeated()] : [])];
}
function drawAsking({ number, name, replaces }) {
  const question = replaces ? say("replaces", { player: name }) : "";
  const refuse = () => post("turn-away", { number });
  const parts = [
    make("p", sentence("asks", { player: name })),
    once(`in${number}`, `✓ ${say("letin")}`, question, () => post("let-in", { number }), { class: "main" }),
    button(`✕ ${say("turnaway")}`, refuse, { disabled: busy() }),
  ];
  return row(parts, { class: "row actions asks", role: "group", "aria-label": name });
}
function drawTable() {
  const open = (name) => () => openForm(name);
  const buttons = state.seat.forms.map(({ name, label }) => button(label, open(name), { disabled: busy() }));
  const isBetween = !shown()?.sheet?.next;
  const parts = [make("summary", say("table")), row(buttons, { class: "row actions" })];
  return make("details", parts, { id: isBetween ? "table-between" : "table", open: isBetween });
}
function drawSeated() {
  const seats = state.seat.seats.map(({ name, phone }) => {
    const take = () => post("take-seat", { player: name });
    const question = say("reallytake", { player: name });
    const key = phone
      ? once(`seat${name}`, say("takeseat"), question, take, { title: name })
      : say("nophone");
    return make("li", [named(name), " ", key]);
  });
  return make("details", [make("summary", say("seats")), make("ul", seats)], { id: "seats" });
}
