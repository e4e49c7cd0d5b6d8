// A seat at the table: a guest asks for one, and a player sees their own.
import { button, capital, fill, make, named, question, row, say, sentence, title } from "./dom.js";
import { badge, colorClass } from "./people.js";
import { busy, drawSent, onDone, onRefused, post, random } from "./requests.js";
import { here, keeper, mayEnter, memory, ownName, redraw, shown, state, tournament, turns } from "./state.js";

const WELCOME_FOR = 10000;
const panelOfSeat = document.getElementById("seat");
let typed = "";
let similar = null; // the typed name, and a known name that may be the same
let mayAskAt = 0;

export function drawSeat() {
  const { kind, name } = state.seat;
  const rows = tournament.rows();
  if (kind === "gone") rows.push(make("p", say("gone"), { role: "alert" }));
  else if (kind === "guest" && !tournament.draw) rows.push(title(2, say("who")), ...drawNames());
  else if (kind === "asking" && state.seat.again_in !== undefined) rows.push(...drawRefused(name));
  else if (kind === "player" && memory.get("asked") && !mayEnter(shown())) rows.push(drawWelcome(name));
  else if (kind === "asking") rows.push(title(2, sentence("asked", { player: name })), drawOtherName());
  else if (kind === "keeper") rows.push(...keeper.draw());
  if (kind !== "watcher" && !turns.isShown()) rows.push(...drawSent()); // otherwise the pad shows it
  panelOfSeat.hidden = !rows.length;
  fill(panelOfSeat, rows);
}
// The owner of this phone, in the header.
export function drawMe(game) {
  const { kind, name } = state.seat;
  const own = (game && ownName(game)) || name;
  if (kind !== "player") return [];
  return [make("span", [badge(own, game?.sheet?.players ?? [own]), " ", named(own)])];
}
function drawWelcome(name) {
  const content = [badge(name, [name]), " ", ...sentence("welcome", { player: name })];
  return title(2, content, { class: `welcome ${colorClass(name, [name])}`, role: "status" });
}
function drawRefused(player) {
  const again = button(say("again"), () => join(player, true), { disabled: mayNotAsk(), class: "main" });
  return [make("p", sentence("noseat", { player }), { role: "status" }), row(again), drawOtherName()];
}
const mayNotAsk = () => busy() || Date.now() < mayAskAt;
const drawOtherName = () => make("details", [make("summary", say("othername")), ...drawNames()]);
function drawNames() {
  if (state.seat.closed) return [make("p", capital(say("closeddoor")))];
  if (similar) return drawSimilar();
  const known = state.seat.known.map((name) =>
    button(named(name), () => join(name), { disabled: mayNotAsk() }),
  );
  const input = (event) => {
    typed = event.target.value;
  };
  const settings = { value: typed, oninput: input, maxlength: "100", autocomplete: "nickname" };
  const field = make("label", [make("span", say("name")), make("input", [], settings)]);
  const send = (event) => {
    event.preventDefault();
    if (typed.trim()) join(typed);
  };
  const ask = button(say("ask"), null, { type: "submit", disabled: mayNotAsk(), class: "main" });
  const rows = known.length ? [row(known, { class: "row actions" })] : [];
  return [...rows, make("form", [field, ask], { class: "row ask", onsubmit: send })];
}
function drawSimilar() {
  const choice = (word, player) =>
    button(sentence(word, { player }), () => join(player, true), { disabled: busy() });
  const choices = [choice("yesiam", similar.known), choice("noiam", similar.name)];
  return question(capital(similar.question), choices);
}
export function join(name, is_new = false) {
  similar = null;
  const token = btoa(String.fromCharCode(...random(9)))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  post("join", { name, is_new, token: state.seat.kind === "asking" ? here.slice(1, -1) : token });
}
onDone("join", ({ token }) => {
  memory.set("seat", token);
  memory.set("asked", true); // until the player has seen the welcome
  if (here !== `/${token}/`) location.replace(`/${token}/`);
});
onRefused("join", ({ name }, error) => {
  if (error?.kind === "similar-name") similar = { name, known: error.hint, question: error.message };
  return similar !== null;
});
export function greet() {
  const { kind, again_in } = state.seat;
  if (again_in) {
    mayAskAt = Date.now() + again_in * 1000;
    setTimeout(redraw, again_in * 1000 + 100);
  }
  if (kind === "player" && memory.get("asked")) setTimeout(endWelcome, WELCOME_FOR);
  if (kind === "guest") goBack();
}
function endWelcome() {
  memory.set("asked", null);
  redraw();
}
// Return players who scan the shared code again to their own seat.
async function goBack() {
  const token = memory.get("seat");
  if (!token || here === `/${token}/`) return;
  try {
    const found = await fetch(`/${token}/`, { method: "HEAD" });
    if (found.ok) location.replace(`/${token}/`);
    else memory.set("seat", null);
  } catch {}
}
