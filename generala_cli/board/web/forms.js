// Forms for the keeper. The board defines their fields and handles them; the page only shows them.
import { button, capital, make, named, question, row, say, sentence, title, toggle } from "./dom.js";
import { ask, busy, mail, once, onDone, onRefused, post } from "./requests.js";
import { redraw, shown, state, tell } from "./state.js";

// The open form, with the values and the opening throws typed so far; `more` is a new name. `doubt` is a known
// name that a typed name resembles, and `spellings` says for such names whether it is the same person.
export const paper = { form: null };
export const isFormOpen = () => paper.form !== null;

export async function openForm(name, typed = {}) {
  const game = shown()?.game ?? 0;
  const query = new URLSearchParams({ name, game });
  for (const [key, value] of Object.entries(typed)) query.set(`.${key}`, value);
  const found = await ask(`form?${query}`);
  if (found) {
    const before = paper.form?.name === name ? paper.form : null;
    const values = Object.fromEntries(
      found.fields.map((field) => [field.key, startOf(field, before, typed)]),
    );
    const { throws, spellings, more } = before ?? { throws: {}, spellings: {} };
    paper.form = { ...found, game, values, throws, spellings, more };
    state.done = mail.certain = "";
    if (!before) scrollTo(0, 0);
  }
  redraw();
}
function startOf(field, before, typed) {
  if (field.key in typed) return typed[field.key];
  const old = before?.fields.find((each) => each.key === field.key);
  const isKept = old && (old.value === field.value || field.kind === "names");
  return isKept ? before.values[field.key] : field.value;
}
const namesOf = (text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
const written = (names) => names.map((name) => `${name},`).join(" ");

function change(field, value) {
  paper.form.values[field.key] = value;
  if (field.shapes_form) openForm(paper.form.name, { [field.key]: value });
  else redraw();
}
function close() {
  paper.form = null;
  mail.certain = "";
  redraw();
  scrollTo(0, 0);
}
export function drawForm() {
  const { form } = paper;
  const fields = form.fields.filter((field) => !field.is_seldom).map(drawFramed);
  const seldom = form.fields.filter((field) => field.is_seldom).map(drawFramed);
  if (seldom.length) fields.push(make("details", [make("summary", say("more")), ...seldom], { id: "more" }));
  const question = form.question.replace(/\{(\w+)\}/g, (_, key) => form.values[key]);
  const confirm = once("form", `✓ ${capital(form.confirm)}`, question, sendForm, { class: "main" });
  const isAsked = mail.certain === "form";
  const end = form.doubt
    ? drawDoubt(form)
    : [row([...confirm, isAsked ? null : button(say("back"), close)], { class: "row actions" })];
  return [title(2, form.title), ...fields, ...end];
}
// The board asks whether a new name is a known person.
function drawDoubt({ doubt, spellings }) {
  const decide = (isSame) => () => {
    spellings[doubt.known] = isSame;
    sendForm();
  };
  const choice = (word, isSame) =>
    button(sentence(word, { player: doubt.known }), decide(isSame), { disabled: busy() });
  const choices = [choice("yesitis", true), choice("noother", false)];
  return question(capital(doubt.question), choices);
}
function drawFramed(field) {
  const isClear = ["choice", "names", "throws"].includes(field.kind);
  const about = field.about && !isClear ? make("small", capital(field.about)) : null;
  return make("div", [...drawField(field), about], { class: "field", id: `field-${field.key}` });
}
function drawField(field) {
  if (field.kind === "choice")
    return Object.keys(field.lines).length ? drawChoiceCards(field) : drawChoice(field);
  if (field.kind === "names") return drawPlayers(field, namesOf(paper.form.values[field.key]));
  if (field.kind === "throws") return drawThrows(field);
  const inputmode = field.kind === "digits" ? "numeric" : null;
  const oninput = (event) => change(field, event.target.value);
  const parts = [field.label, make("input", [], { value: paper.form.values[field.key], oninput, inputmode })];
  const now = paper.form.values[field.key];
  const group = { role: "group", "aria-label": field.label };
  const offers = field.offers.map((offer) =>
    toggle(named(offer), offer === now, () => change(field, offer === now ? "" : offer)),
  );
  return [make("label", parts), ...(offers.length ? [row(offers, { class: "row actions", ...group })] : [])];
}
// The chosen card, with the others behind a key.
function drawChoiceCards(field) {
  const { values, opened } = paper.form;
  const now = values[field.key];
  const isOpen = opened === field.key;
  const tap = (offer) => () => {
    paper.form.opened = isOpen ? "" : field.key;
    if (isOpen && offer !== now) change(field, offer);
    else redraw();
  };
  const card = (offer) => {
    const name = make("b", capital(field.shown_as[offer] || offer));
    const line = make("span", capital(field.lines[offer] ?? ""));
    const parts = [name, line, ...(isOpen ? [] : [make("i", `${capital(say("change"))} ▾`)])];
    return toggle(parts, offer === now, tap(offer), { class: "card" });
  };
  const shown = isOpen ? field.offers : [now];
  return [make("p", field.label), make("div", shown.map(card), { role: "group", "aria-label": field.label })];
}
function drawChoice(field) {
  const value = paper.form.values[field.key];
  const offers = field.offers.map((offer) =>
    make("option", field.shown_as[offer] || offer, { value: offer }),
  );
  if (!field.offers.includes(value)) offers.unshift(make("option", value, { value }));
  const onchange = (event) => change(field, event.target.value);
  return [make("label", [field.label, make("select", offers, { onchange, value })])];
}
// One line per player for the throws that decide who starts.
function drawThrows(field) {
  const { fields, values, throws } = paper.form;
  const players = fields.some((each) => each.key === "players") ? namesOf(values.players) : [];
  const drawn = (field.offers.length ? field.offers : players).map((name) => {
    const oninput = (event) => {
      throws[name] = event.target.value;
    };
    return make("label", [
      named(name),
      make("input", [], { inputmode: "numeric", value: throws[name] || "", oninput }),
    ]);
  });
  return [make("p", field.label), make("small", capital(say("eachthrows"))), ...drawn];
}
function drawPlayers(field, names) {
  const { form } = paper;
  const put = (next) => {
    form.more = "";
    change(field, written(next));
  };
  const swapped = (at) => names.with(at, names[at - 1]).with(at - 1, names[at]);
  const inside = names.map((name, at) => {
    const move = () => {
      put(swapped(at));
      tell([`${at}. ${name}`]);
      document.querySelectorAll(`#field-${field.key} .chosen li`)[at - 1].querySelector("button").focus();
    };
    const up = button("↑", move, {
      "aria-label": say("moveup", { player: name }),
      disabled: !at,
    });
    const out = button("✕", () => put(names.filter((each) => each !== name)), {
      "aria-label": say("remove", { player: name }),
    });
    return make("li", [make("span", [`${at + 1}. `, named(name)]), up, out]);
  });
  const turned = () => {
    const [by] = crypto.getRandomValues(new Uint32Array(1));
    const first = by % names.length;
    put([...names.slice(first), ...names.slice(0, first)]);
  };
  if (names.length > 1 && field.key === "players")
    inside.push(make("li", button(`⚂ ${say("anyfirst")}`, turned)));
  const present = field.key === "players" ? state.seat.seats.map(({ name }) => name) : [];
  const others = [...new Set([...field.offers, ...present])]
    .filter((name) => !names.includes(name))
    .map((name) => button(["+ ", named(name)], () => put([...names, name])));
  const oninput = (event) => {
    form.more = event.target.value;
  };
  const onsubmit = (event) => {
    event.preventDefault();
    if (form.more?.trim()) put([...names, ...namesOf(form.more)]);
  };
  const settings = { value: form.more || "", oninput, placeholder: capital(say("newname")) };
  const input = make("input", [], { ...settings, "aria-label": say("newname") });
  const add = make("button", "+", { "aria-label": say("add") });
  return [
    make("p", field.label),
    make("ol", inside, { class: "chosen" }),
    row(others, { class: "row actions" }),
    make("form", [input, add], { class: "row ask", onsubmit }),
  ];
}
export function sendForm() {
  const { form } = paper;
  const values = { ...form.values };
  form.doubt = null;
  for (const { key, kind } of form.fields) {
    if (kind === "names" && form.more?.trim())
      values[key] = written([...namesOf(values[key]), ...namesOf(form.more)]);
    if (kind === "throws") values[key] = openings(form.throws);
  }
  post("form", {
    game: form.game,
    name: form.name,
    state: form.state,
    values,
    spellings: form.spellings,
  });
}
const openings = (throws) =>
  Object.entries(throws)
    .filter(([, dice]) => dice.trim())
    .map(([name, dice]) => `${name}=${dice.trim().replace(/[^0-9]+/g, ",")}\n`)
    .join("");
onDone("form", () => {
  paper.form = null;
  state.chosen = null;
  scrollTo(0, 0);
});
onRefused("form", (_, error) => {
  if (error?.kind !== "similar-name" || !paper.form) return false;
  paper.form.doubt = { known: error.hint, question: error.message };
  return true;
});
