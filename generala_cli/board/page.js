// biome-ignore lint/suspicious/noRedundantUseStrict: it is a script, not a module
"use strict";
const words = JSON.parse(document.getElementById("words").textContent);
const main = document.getElementById("main"), pad = document.getElementById("pad");
// ?overlay shows a strip over a video; ?overlay=full also shows the sheet.
const overlay = new URLSearchParams(location.search).get("overlay"), isStrip = overlay !== null && overlay !== "full";
let stream = null, view = null, seat = { kind: "watcher" }, chosen = null, heard = 0, over = false, retry = 0;
// State that must survive sleep, a closed page or a lost network. A private window forgets it.
const memory = {
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
const here = location.pathname, feed = here.endsWith("/games") ? "games-events" : "events";
// A typed hand belongs to one state of one game and to one player. `of` has them from the first die on.
const nothing = () => ({ of: null, dice: [], roll: 0, options: null, notes: [], choice: null });
let hand = { ...nothing(), ...memory.get(`${here} hand`) }, chosenPlayer = "", trouble = "", done = "";
// A request is repeated under the same id until it is answered.
let pending = memory.get(`${here} pending`), sending = false, resend = 0;
if (pending) pending.body.again = true; // it may have arrived
// A change that was written but is not shown yet. Until then, typing is blocked: it would be for the old state.
let awaited = null;
// Hooks for the board of a tournament, set by its own script.
const tournament = { query: "", listen() {}, rows: () => [], draw: null };
let form = null, certain = "", wasMine = null, guestName = "";

function say(word, values) {
  return words[word].replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? values[name] : all));
}
const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit"];
// Text from players is only inserted as text, so no name can become markup.
function make(tag, content, settings) {
  const node = document.createElement(tag);
  for (const part of [content].flat()) if (part !== undefined && part !== null) node.append(part);
  for (const [name, value] of Object.entries(settings || {})) {
    if (HANDLERS.includes(name)) node[name] = value;
    else if (name === "value") node.value = node.wanted = value;
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}
// Redraw, but reuse existing nodes, to keep the scroll position and the focus.
function fill(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (at && at.nodeType === node.nodeType && at.nodeName === node.nodeName && at.id === node.id) {
      const kept = at;
      at = at.nextSibling;
      if (kept.nodeType === Node.TEXT_NODE) {
        if (kept.data !== node.data) kept.data = node.data;
      } else update(kept, node);
    } else parent.insertBefore(node, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}
function update(kept, node) {
  const mayGo = ({ name }) => !node.hasAttribute(name) && !["open", "style"].includes(name); // keep sections open
  for (const { name } of [...kept.attributes].filter(mayGo)) kept.removeAttribute(name);
  kept.style.cssText = node.style.cssText; // the policy forbids style attributes
  for (const { name, value } of node.attributes) if (!["open", "style"].includes(name) && kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  for (const name of HANDLERS) kept[name] = node[name];
  fill(kept, [...node.childNodes]);
  if (node.wanted !== undefined && kept.value !== node.wanted) kept.value = node.wanted;
}
const named = (name) => make("bdi", name);

// A name in a sentence may be written in the opposite direction, so it is isolated.
function sentence(word, values) {
  return words[word].split(/(\{\w+\})/).map((part) => {
    const name = part.slice(1, -1);
    return part.startsWith("{") && name in values ? named(String(values[name])) : part;
  });
}

function connect() {
  disconnect();
  if (document.hidden) return;
  stream = new EventSource(feed + tournament.query);
  tournament.listen(stream);
  stream.addEventListener("seat", (event) => {
    seat = JSON.parse(event.data);
    if (seat.kind === "guest") goBack();
  });
  deliver();
  stream.addEventListener("view", (event) => { show(JSON.parse(event.data)); hear(); });
  stream.addEventListener("beat", hear);
  stream.addEventListener("closed", () => { over = true; tick(); again(); });
  stream.onerror = again;
}
function disconnect() {
  clearTimeout(retry);
  if (stream) stream.close();
  stream = null;
}
async function again() {
  disconnect();
  tick();
  retry = setTimeout(connect, 1000);
  try { // tell a phone that lost its seat
    const found = await fetch("", { method: "HEAD" });
    if (found.status === 404 && seat.kind !== "gone") {
      seat = { kind: "gone" };
      if (view) draw();
    }
  } catch {}
}
function hear() { heard = Date.now(); over = false; tick(); }
function tick() {
  const state = document.getElementById("state"), seconds = Math.round((Date.now() - heard) / 1000);
  const live = stream !== null && seconds < 12;
  state.className = live ? "live" : "late";
  const time = new Date(heard).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  const text = live ? "● " + say("live") : over ? "■ " + say("closed") : heard ? "○ " + say("lost", { time }) : "○";
  if (state.textContent !== text) state.textContent = text;
}

function show(next) {
  const before = view;
  view = next;
  const game = shown();
  const old = before && game && before.games.find((each) => each.game === game.game);
  if (game && (!old || old.news !== game.news || old.events !== game.events))
    tell(game.problem ? [game.problem] : [game.news, ...game.ending]);
  if (!hand.dice.length) chosenPlayer = "";
  if (awaited && !isAsItWas(awaited)) awaited = null;
  if (hand.dice.length && !hand.options) rethink();
  ring(game);
  draw();
}
// Let a screen reader say it.
function tell(sentences) { document.getElementById("news").textContent = sentences.filter(Boolean).join(". "); }
// Tell players that it is their turn: the phone vibrates if it can, and beeps if sound is on.
function ring(game) {
  const mine = seat.kind === "player" && Boolean(game?.sheet?.next) && game.sheet.next === seat.players[game.game];
  if (mine && wasMine === false) {
    navigator.vibrate?.(200);
    if (memory.get("sound")) beep();
  }
  wasMine = mine;
}
function beep() {
  const context = new AudioContext(), tone = context.createOscillator();
  tone.connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.15);
  tone.onended = () => context.close();
}
function shown() {
  if (!view || chosen === "ledger") return null;
  return view.games.find((each) => each.game === (chosen || view.current)) || view.games[0] || null;
}

function draw() {
  if (tournament.draw) return tournament.draw();
  const game = shown(), tabs = document.getElementById("tabs");
  const pick = (what) => () => { chosen = what; draw(); };
  const tab = (text, what, on) => make("button", text, { onclick: pick(what), "aria-pressed": String(on) });
  const every = [];
  if (view.games.length > 1 || view.ledger) {
    for (const each of view.games)
      every.push(tab(say("game", { number: each.game }) + (each.label ? " " + each.label : ""), each.game === view.current ? null : each.game, game === each));
    if (view.ledger) every.push(tab(say("ledger"), "ledger", chosen === "ledger"));
  }
  fill(tabs, every);
  const terms = game ? named(say("game", { number: game.game }) + (game.terms ? ": " + game.terms : "")) : named("generala");
  fill(document.getElementById("terms"), [terms]);
  document.title = game?.sheet?.next ? say("next", { player: game.sheet.next }) : "generala";
  const drawn = isStrip ? drawStrip : drawGame;
  const parts = [chosen === "ledger" && view.ledger ? drawLedger(view.ledger) : game ? drawn(game) : make("h1", view.hint)];
  if (view.join && !isStrip && chosen !== "ledger" && !game?.sheet?.next) parts.push(drawBetween());
  fill(main, parts);
  drawSeat();
  drawPad(game);
}

// Between games: debts, players present, and the code for joining.
function drawBetween() {
  const { address, path, modules } = view.join, image = document.getElementById("code").content.firstChild.cloneNode(true);
  image.setAttribute("viewBox", `-2 -2 ${modules + 4} ${modules + 4}`);
  image.setAttribute("aria-label", address);
  image.firstChild.setAttribute("d", path);
  const parts = [];
  if (view.ledger) parts.push(drawLedger(view.ledger));
  parts.push(make("h2", say("present")), make("p", view.present.length ? view.present.flatMap((name, at) => [at ? ", " : "", named(name)]) : "–"));
  parts.push(make("h2", say("join")), image, make("p", make("a", address, { href: address })));
  return make("section", parts, { class: "between", id: "between" });
}

// Over a video: the next player, the last hand and the totals.
function drawStrip(game) {
  if (!game.sheet) return make("section", []);
  const sheet = game.sheet;
  const first = sheet.over ? ["★ ", named(game.ending[0] || "")] : ["▸ ", ...sentence("next", { player: sheet.next })];
  const totals = sheet.players.map((player) => make("li", [named(player), " " + sheet.totals[player]], { class: player === sheet.next ? "next" : null }));
  return make("section", [make("h1", first), make("p", game.news ? named(game.news) : ""), make("ul", totals)], { class: "strip" });
}

function drawGame(game) {
  const top = make("div", [], { class: "top" }), side = make("div", []);
  const players = game.sheet ? game.sheet.players.length : 1, isCrowded = players > 6;
  const root = make("section", top, { class: isCrowded ? "game crowded" : "game" });
  root.style.setProperty("--rows", game.sheet ? game.sheet.categories.length + (isCrowded ? 5 : 4) : 1);
  root.style.setProperty("--players", players);
  if (game.problem) top.append(make("p", "⚠ " + game.problem, { class: "problem", role: "alert" }));
  if (!game.sheet) return root;
  const sheet = game.sheet;
  if (sheet.over) for (const [place, line] of game.ending.entries()) top.append(make(place ? "p" : "h1", [place ? "" : "★ ", named(line)]));
  else top.append(make("h1", ["▸ ", ...sentence("next", { player: sheet.next })], { class: "next" }));
  if (game.news) top.append(make("p", named(game.news)));
  root.append(drawSheet(game), side);
  side.append(make("h2", say("places")), drawPlaces(game));
  if (game.odds_problem) side.append(make("p", "⚠ " + game.odds_problem, { class: "problem" }));
  if (game.debts.length) {
    if (!sheet.over) side.append(make("h2", say("sofar")));
    else side.append(make("h2", ""));
    side.append(make("ul", game.debts.map((debt) => make("li", named(debt)))));
  }
  return root;
}

function drawSheet(game) {
  const sheet = game.sheet, players = sheet.players;
  let last = 0;
  for (const player of players) for (const box of Object.values(sheet.boxes[player])) if (box) last = Math.max(last, box.turn);
  const row = (title, cells, kind) => make("tr", [make("th", title, { scope: "row" }), ...cells], { class: kind });
  const heads = players.map((player) => {
    const gone = sheet.left.includes(player);
    return make("th", [player === sheet.next ? make("span", "▸", { class: "turn" }) : "", named(player), gone ? " ← " + say("left") : ""],
      { scope: "col", class: player === sheet.next ? "next" : gone ? "gone" : null, title: player });
  });
  const body = sheet.categories.map((name) => row(game.names[name], players.map((player) => {
    const box = sheet.boxes[player][name];
    if (!box && sheet.left.includes(player)) return make("td", "←", { class: "open" });
    if (!box) return make("td", "·", { class: "open" });
    const text = box.scratched ? [make("span", "✕", { "aria-hidden": "true" }), make("span", say("scratched"), { class: "unseen" })]
      : String(box.points) + (game.marks_first_throw && box.roll === 1 ? "*" : "");
    return make("td", text, { class: box.turn === last ? "last" : null, "aria-current": box.turn === last ? "true" : null });
  })));
  const numbers = (title, value) => body.push(row(title, players.map((player) => make("td", value(player))), "extra"));
  if (sheet.upper_bonus) numbers(say("bonus"), (player) => {
    const bonus = sheet.upper_bonus[player];
    return bonus.points ? "+" + bonus.points : bonus.numbers + "/" + bonus.from;
  });
  if (sheet.extra_bonus) numbers(game.extra, (player) => String(sheet.extra_bonus[player]));
  if (sheet.spares) numbers(say("spares"), (player) => String(sheet.spares[player].saved - sheet.spares[player].used));
  const foot = row(say("total"), players.map((player) => make("td", String(sheet.totals[player]))));
  return make("div", make("table", [make("thead", make("tr", [make("td", ""), ...heads])), make("tbody", body), make("tfoot", foot)]), { class: "sheet", tabindex: "0", role: "group", "aria-label": game.terms });
}

function drawPlaces(game) {
  const odds = game.odds ? game.odds.odds : null;
  const chance = (name) => {
    const found = odds.find((each) => (each.player || each.team) === name);
    return found ? found.wins.toLocaleString(document.documentElement.lang, { style: "percent" }) : "";
  };
  const head = ["", "", say("total"), say("behind"), ...(odds ? [say("wins")] : [])];
  const rows = game.standings.standings.map((each) => {
    const name = each.player || each.team;
    const cells = [each.place + ".", named(name), String(each.total), each.behind ? "−" + each.behind : "", ...(odds ? [chance(name)] : [])];
    return make("tr", cells.map((cell) => make("td", cell)));
  });
  return make("table", [make("thead", make("tr", head.map((text) => make(text ? "th" : "td", text, text ? { scope: "col" } : {})))), make("tbody", rows)], { class: "places" });
}

function drawLedger(ledger) {
  const lines = ledger.transfers.map((line) => make("li", named(line)));
  if (ledger.problem) lines.push(make("li", "⚠ " + ledger.problem, { class: "problem" }));
  if (!lines.length) lines.push(make("li", say("even")));
  return make("section", [make("h1", say("ledger")), make("ul", lines)]);
}

// Depends on the viewer: a guest asks for a seat, the keeper lets guests in, a player sees debts.
function drawSeat() {
  const part = document.getElementById("seat"), rows = tournament.rows();
  if (seat.kind === "gone") rows.push(make("p", say("gone"), { role: "alert" }));
  else if (seat.kind === "guest" && !tournament.draw) rows.push(make("h2", say("who")), ...drawNames());
  else if (seat.kind === "asking") rows.push(make("h2", sentence("asked", { player: seat.name })), make("details", [make("summary", say("othername")), ...drawNames()]));
  else if (seat.kind === "keeper") rows.push(...drawKeeper());
  else if (seat.kind === "player") {
    rows.push(...seat.owes.map((line) => make("p", named(line))));
  }
  if (seat.kind !== "watcher") rows.push(...drawSent());
  part.hidden = !rows.length;
  fill(part, rows);
}
// The result of the last request.
function drawSent() {
  if (pending) return [make("p", "… " + say(pending.body.again ? "unreachable" : "sending"), { role: "status" })];
  if (trouble) return [make("p", trouble, { role: "alert" })];
  return done ? [make("p", ["✓ ", named(done)], { role: "status" })] : [];
}
function drawNames() {
  const known = seat.known.map((name) => make("button", named(name), { onclick: () => join(name), disabled: busy() }));
  const field = make("input", [], { value: guestName, oninput: (event) => { guestName = event.target.value; }, "aria-label": say("name"), maxlength: "100", autocomplete: "nickname" });
  const send = (event) => { event.preventDefault(); if (guestName.trim()) join(guestName); };
  return [make("div", known, { class: "row back" }), make("form", [field, make("button", say("ask"), { disabled: busy() })], { class: "row back", onsubmit: send })];
}
const random = (count) => [...crypto.getRandomValues(new Uint8Array(count))];
function join(name) {
  const token = btoa(String.fromCharCode(...random(9))).replaceAll("+", "-").replaceAll("/", "_");
  post("join", { name, token: seat.kind === "asking" ? here.slice(1, -1) : token });
}
// A button that needs two taps: the first asks, the second acts.
function once(key, label, question, act, settings) {
  const sure = certain === key;
  const tap = () => { certain = sure || !question ? "" : key; if (sure || !question) act(); draw(); };
  return make("button", sure ? "? " + question : label, { onclick: tap, disabled: busy(), ...settings });
}

function drawKeeper() {
  const rows = seat.asking.map((each) => {
    const question = each.replaces ? say("replaces", { player: each.name }) : "";
    return make("div", [
      make("p", sentence("asks", { player: each.name })),
      once(`in${each.number}`, "✓ " + say("letin"), question, () => post("let-in", { number: each.number })),
      make("button", "✕ " + say("turnaway"), { onclick: () => post("turn-away", { number: each.number }), disabled: busy() }),
    ], { class: "row back asks", role: "group", "aria-label": each.name });
  });
  if (form) return [...rows, ...drawForm()];
  const buttons = seat.forms.map((each) => make("button", each.label, { onclick: () => openForm(each.name), disabled: busy() }));
  rows.push(make("details", [make("summary", say("table")), make("div", buttons, { class: "row back" })], { id: "table", open: !shown()?.sheet?.next }));
  if (seat.seats.length) {
    const seats = seat.seats.map((each) => make("li", [
      named(each.name), " ",
      each.phone ? once(`seat${each.name}`, say("takeseat"), say("reallytake", { player: each.name }), () => post("take-seat", { player: each.name }), { title: each.name }) : say("nophone"),
    ]));
    rows.push(make("details", [make("summary", say("seats")), make("ul", seats)], { id: "seats" }));
  }
  return rows;
}

// A form for the keeper. The board defines its fields and handles it; the page only shows them.
async function openForm(name, typed = {}) {
  const game = shown()?.game ?? 0, query = new URLSearchParams({ name, game });
  for (const [key, value] of Object.entries(typed)) query.set("." + key, value);
  const found = await ask("form?" + query);
  if (found) {
    const before = form && form.name === name ? form : null, values = {};
    for (const field of found.fields) {
      const same = before?.fields.find((each) => each.key === field.key && each.value === field.value);
      values[field.key] = field.key in typed ? typed[field.key] : same ? before.values[field.key] : field.value;
    }
    form = { ...found, game, values, throws: before ? before.throws : {} };
    done = certain = "";
  }
  draw();
}
const namesOf = (text) => text.split(",").map((name) => name.trim()).filter(Boolean);
function change(field, value) {
  form.values[field.key] = value;
  if (field.shapes_form) openForm(form.name, { [field.key]: value });
  else draw();
}
function drawForm() {
  const drawn = (field) => make("div", [...drawField(field), field.about && !["choice", "names"].includes(field.kind) ? make("small", field.about) : null], { class: "field", id: "field-" + field.key });
  const fields = form.fields.filter((field) => !field.is_seldom).map(drawn), seldom = form.fields.filter((field) => field.is_seldom).map(drawn);
  if (seldom.length) fields.push(make("details", [make("summary", say("more")), ...seldom], { id: "more" }));
  const back = make("button", say("back"), { onclick: () => { form = null; certain = ""; draw(); } });
  return [make("h2", form.title), ...fields, make("div", [once("form", "✓ " + say("do"), form.question, sendForm, { class: "send" }), back], { class: "row back" })];
}
function drawField(field) {
  const value = form.values[field.key], label = field.label, set = (event) => change(field, event.target.value);
  if (field.kind === "choice") {
    const offers = field.offers.map((offer) => make("option", field.shown_as[offer] || offer, { value: offer }));
    if (!field.offers.includes(value)) offers.unshift(make("option", value, { value }));
    return [make("label", [label, make("select", offers, { onchange: set, value })])];
  }
  if (field.kind === "names") return drawPlayers(field, namesOf(value));
  if (field.kind === "throws") {
    const from = form.fields.find((each) => each.key === "players"), names = field.offers.length ? field.offers : from ? namesOf(form.values.players) : [];
    return [make("p", label), ...names.map((name) => make("label", [named(name), make("input", [], { inputmode: "numeric", value: form.throws[name] || "", oninput: (event) => { form.throws[name] = event.target.value; } })]))];
  }
  const list = field.offers.length ? "offers-" + field.key : null;
  const parts = [label, make("input", [], { value, oninput: set, inputmode: field.kind === "digits" ? "numeric" : null, list })];
  if (list) parts.push(make("datalist", field.offers.map((offer) => make("option", [], { value: offer })), { id: list }));
  return [make("label", parts)];
}
function drawPlayers(field, names) {
  const put = (next) => () => { form.more = ""; change(field, next.map((name) => name + ",").join(" ")); };
  const inside = names.map((name, at) => make("button", [`${at + 1}. `, named(name), " ✕"], { onclick: put(names.filter((each) => each !== name)), "aria-pressed": "true" }));
  const others = field.offers.filter((name) => !names.includes(name)).map((name) => make("button", ["+ ", named(name)], { onclick: put([...names, name]) }));
  const more = form.more || "";
  const add = (event) => { event.preventDefault(); if (more.trim()) put([...names, ...namesOf(form.more)])(); };
  return [make("p", field.label), make("div", [...inside, ...others], { class: "row back" }),
    make("form", [make("input", [], { value: more, oninput: (event) => { form.more = event.target.value; draw(); }, "aria-label": field.label }), make("button", "+")], { class: "row back", onsubmit: add })];
}
function sendForm() {
  const values = { ...form.values };
  for (const field of form.fields) {
    if (field.kind === "names" && form.more?.trim()) values[field.key] = [...namesOf(values[field.key]), ...namesOf(form.more)].map((name) => name + ",").join(" ");
    if (field.kind === "throws") {
      const lines = Object.entries(form.throws).filter(([, dice]) => dice.trim()).map(([name, dice]) => `${name}=${dice.trim().replace(/[^0-9]+/g, ",")}\n`);
      values[field.key] = lines.join("");
    }
  }
  post("form", { game: form.game, name: form.name, state: form.state, values });
}

// The pad. The board decides on points, the marked box, and whether a hand may be entered.
function drawPad(game) {
  const sheet = game?.sheet, mine = Boolean(sheet?.next) && (seat.kind === "keeper" || seat.players?.[game.game] === sheet.next);
  pad.hidden = !sheet || (seat.kind !== "keeper" && !seat.players?.[game.game]);
  if (pad.hidden) return;
  const rows = sheet.over ? [] : [make("h2", sentence("next", { player: sheet.next }))];
  if (hand.of && !isOf(hand.of, game)) rows.push(...drawLeft(game, mine));
  else if (mine) rows.push(...drawHand(game));
  else if (!sheet.over) rows.push(make("p", say(sheet.left.includes(seat.players?.[game.game]) ? "lefttable" : "wait")));
  const last = [make("button", "↶ " + say("undo"), { onclick: () => move("undo", game), disabled: busy() })];
  if (seat.kind === "keeper") last.push(make("button", "↷ " + say("redo"), { onclick: () => move("redo", game), disabled: busy() }));
  else {
    const loud = Boolean(memory.get("sound")), change = () => { memory.set("sound", loud ? null : true); if (!loud) beep(); draw(); };
    last.push(make("button", "♪ " + say("sound"), { onclick: change, "aria-pressed": String(loud) }));
  }
  rows.push(make("div", last, { class: "row back" }));
  fill(pad, rows);
}
const busy = () => pending !== null || awaited !== null;
const isAsItWas = (one) => view.games.some((each) => each.game === one.game && each.events === one.events);
const move = (action, game) => post(action, { game: game.game, seen: game.events });
// The player of a new hand, and the state of the game.
const forNow = (game) => ({ game: game.game, events: game.events, player: chosenPlayer || game.sheet.next });
const isOf = (one, game) => one.game === game.game && one.events === game.events;
function drop() {
  hand = nothing();
  chosenPlayer = "";
  memory.set(`${here} hand`, null);
}

// The game moved on while a hand was being typed, so first ask whose hand it is.
function drawLeft(game, mine) {
  const dice = hand.dice.join(" ");
  const rows = [make("p", sentence("moved", { player: hand.of.player, dice }), { role: "alert" })];
  const keep = () => { hand.of = forNow(game); rethink(); };
  const choices = [make("button", say("drop"), { onclick: () => { drop(); trouble = ""; draw(); } })];
  if (mine) choices.push(make("button", sentence("keep", { player: forNow(game).player }), { onclick: keep }));
  rows.push(make("div", choices, { class: "row back" }));
  return rows;
}

function drawHand(game) {
  const rows = [], count = game.dice, typed = (change) => () => { change(); hand.of = hand.of || forNow(game); rethink(); };
  if (seat.kind === "keeper" && game.waiting.length > 1)
    rows.push(make("div", game.waiting.map((name) => make("button", named(name),
      { onclick: typed(() => { chosenPlayer = name; hand.of = forNow(game); }), "aria-pressed": String((hand.of || forNow(game)).player === name) })), { class: "row" }));
  rows.push(make("div", [...Array(count).keys()].map((place) => make("button", hand.dice[place] ? String(hand.dice[place]) : " ",
    { onclick: typed(() => hand.dice.splice(place, 1)), "aria-label": hand.dice[place] ? say("erase") + " " + hand.dice[place] : "–", disabled: !hand.dice[place] })), { class: "row hand" }));
  rows.push(make("div", [...Array(game.faces).keys()].map((face) => make("button", String(face + 1),
    { onclick: typed(() => hand.dice.push(face + 1)), disabled: hand.dice.length >= count || busy() })), { class: "row keys" }));
  if (game.throws_matter)
    rows.push(make("div", [say("throw"), ...[...Array(game.last_throw).keys()].map((at) => make("button", String(at + 1),
      { onclick: typed(() => { hand.roll = at + 1; }), "aria-pressed": String((hand.roll || game.usual_throw) === at + 1) }))], { class: "row throws", role: "group", "aria-label": say("throw") }));
  if (hand.options) {
    rows.push(...hand.notes.map((note) => make("p", named(note))));
    rows.push(make("div", hand.options.map((option) => make("button", label(game, option),
      { onclick: () => { hand.choice = option; draw(); }, "aria-pressed": String(hand.choice === option), class: gives(option) ? "given-up" : null })), { class: "row boxes" }));
  }
  if (hand.choice)
    rows.push(make("div", make("button", "✓ " + title(game, hand.choice), { onclick: send, disabled: busy() }), { class: "row send" }));
  return rows;
}
const gives = (option) => !option.wins && option.points === null;
function label(game, option) {
  return (gives(option) ? "✕ " : "") + game.names[option.category] + (option.points === null ? "" : " " + option.points);
}
function title(game, option) {
  const box = game.names[option.category];
  if (option.wins) return say("win", { box });
  return gives(option) ? say("scratch", { box }) : say("score", { box, points: option.points });
}
function rethink() {
  hand.options = hand.choice = null;
  hand.notes = [];
  trouble = done = "";
  if (!hand.dice.length && !hand.roll) hand.of = null;
  memory.set(`${here} hand`, hand.of && { of: hand.of, dice: hand.dice, roll: hand.roll });
  const game = shown();
  if (game && hand.of && isOf(hand.of, game) && hand.dice.length === game.dice) offer(hand);
  draw();
}
async function offer(typed) {
  const of = typed.of, asked = typed.dice.join("") + typed.roll;
  const query = new URLSearchParams({ game: of.game, dice: typed.dice.join(""), player: of.player });
  if (typed.roll) query.set("roll", typed.roll);
  const isStill = () => !pending && hand === typed && hand.of === of && asked === hand.dice.join("") + hand.roll;
  const answer = await ask("options?" + query, isStill);
  if (!answer || !isStill()) return;
  hand.options = answer.options;
  hand.notes = answer.notes;
  hand.choice = answer.options.find((option) => option.marked) || null;
  const game = shown();
  if (game) tell([...hand.notes, hand.choice && title(game, hand.choice)]);
  draw();
}
function send() {
  const choice = hand.choice, of = hand.of;
  post("turn", {
    game: of.game, seen: of.events, dice: hand.dice.join(""), roll: hand.roll ? String(hand.roll) : "",
    category: choice.wins ? "" : choice.category, scratch: gives(choice), player: of.player,
  });
}
// A request is stored until it is answered. A phone that was asleep or closed repeats it, and the board executes it once.
function post(action, body) {
  if (pending) return;
  const id = random(16).map((byte) => byte.toString(16).padStart(2, "0")).join("");
  pending = { action, body: { ...body, id, again: false } };
  memory.set(`${here} pending`, pending);
  trouble = done = "";
  deliver();
  draw();
}
async function deliver() {
  clearTimeout(resend);
  if (!pending || sending) return;
  sending = true;
  let found = null, answer = null;
  try {
    const headers = { "Content-Type": "application/json" };
    found = await fetch(pending.action, { method: "POST", headers, body: JSON.stringify(pending.body), signal: AbortSignal.timeout(10000) });
    answer = await found.json().catch(() => null);
  } catch {}
  sending = false;
  if (!found || (found.ok && !answer)) {
    pending.body.again = true;
    memory.set(`${here} pending`, pending);
    resend = setTimeout(deliver, 2000);
  } else {
    const sent = pending;
    pending = null;
    memory.set(`${here} pending`, null);
    if (found.ok) finish(sent, answer.message);
    else trouble = answer ? problem(answer) : say("gone");
  }
  if (view) draw();
}
function finish({ action, body }, message) {
  done = message;
  certain = "";
  if (action === "turn") drop();
  if ("seen" in body && view && isAsItWas({ game: body.game, events: body.seen })) {
    awaited = { game: body.game, events: body.seen };
    setTimeout(() => { awaited = null; draw(); }, 3000);
  }
  if (action === "form") {
    form = null;
    chosen = null;
  }
  if (action === "join") {
    memory.set("seat", body.token);
    if (here !== `/${body.token}/`) location.replace(`/${body.token}/`);
  }
}
const problem = (answer) => [answer.error.message, answer.error.hint].filter(Boolean).join("; ");
// Show a refusal only if the line it is about is still there.
async function ask(what, isStill = () => true) {
  trouble = "";
  let found = say("nothere");
  try {
    const reply = await fetch(what), answer = await reply.json();
    if (reply.ok) return answer;
    found = problem(answer);
  } catch {}
  if (isStill()) trouble = found;
  draw();
  return null;
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

if (overlay !== null) document.documentElement.classList.add("overlay");
// A hidden page needs no stream, and a browser allows only six connections to a board.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pageshow", connect);
addEventListener("online", connect);
setInterval(tick, 1000);
