// biome-ignore lint/suspicious/noRedundantUseStrict: it is a script, and no module
"use strict";
const words = JSON.parse(document.getElementById("words").textContent);
const main = document.getElementById("main"), pad = document.getElementById("pad");
// ?overlay: a strip over a picture; ?overlay=full: the sheet too.
const overlay = new URLSearchParams(location.search).get("overlay"), isStrip = overlay !== null && overlay !== "full";
let stream = null, view = null, seat = null, chosen = null, heard = 0, over = false, retry = 0;
// What is typed belongs to one state of one game, and to one player: that of `of`, since the first die.
const nothing = () => ({ of: null, dice: [], roll: 0, options: null, choice: null });
let hand = nothing(), chosenPlayer = "", trouble = "", busy = false;

function say(word, values) {
  return words[word].replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? values[name] : all));
}
// What players typed is only ever text: no name becomes markup.
function make(tag, content, settings) {
  const node = document.createElement(tag);
  for (const part of [content].flat()) if (part !== undefined && part !== null) node.append(part);
  for (const [name, value] of Object.entries(settings || {})) {
    if (name === "click") node.onclick = value;
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}
// Draw anew, and keep what is there already: who scrolls stays where they are, and the focus on its button.
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
  for (const { name } of [...kept.attributes]) if (!node.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of node.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  kept.onclick = node.onclick;
  fill(kept, [...node.childNodes]);
}
const named = (name) => make("bdi", name);

// A name stands in a sentence of its language, and may be written in the other direction.
function sentence(word, values) {
  return words[word].split(/(\{\w+\})/).map((part) => {
    const name = part.slice(1, -1);
    return part.startsWith("{") && name in values ? named(String(values[name])) : part;
  });
}

function connect() {
  disconnect();
  if (document.hidden) return;
  stream = new EventSource("events");
  stream.addEventListener("seat", (event) => { seat = JSON.parse(event.data); });
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
function again() { disconnect(); retry = setTimeout(connect, 1000); tick(); }
function hear() { heard = Date.now(); over = false; tick(); }
function tick() {
  const state = document.getElementById("state"), seconds = Math.round((Date.now() - heard) / 1000);
  const live = stream !== null && seconds < 12;
  state.className = live ? "live" : "late";
  const text = live ? "● " + say("live") : over ? "■ " + say("closed") : heard ? "○ " + say("reconnecting", { seconds }) : "○";
  if (state.textContent !== text) state.textContent = text;
}

function show(next) {
  const before = view;
  view = next;
  const game = shown();
  const old = before && game && before.games.find((each) => each.game === game.game);
  if (game && (!old || old.news !== game.news || old.events !== game.events))
    document.getElementById("news").textContent = game.problem || [game.news, ...game.ending].join(". ");
  if (!hand.dice.length) chosenPlayer = "";
  draw();
}
function shown() {
  if (!view || chosen === "ledger") return null;
  return view.games.find((each) => each.game === (chosen || view.current)) || view.games[0] || null;
}

function draw() {
  const game = shown(), tabs = document.getElementById("tabs");
  const pick = (what) => () => { chosen = what; draw(); };
  const tab = (text, what, on) => make("button", text, { click: pick(what), "aria-pressed": String(on) });
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
  fill(main, [chosen === "ledger" && view.ledger ? drawLedger(view.ledger) : game ? drawn(game) : make("h1", view.hint)]);
  drawPad(game);
}

// Over a picture: who is next, the last hand, the totals.
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
  if (sheet.extra_bonus) numbers(say("extra"), (player) => String(sheet.extra_bonus[player]));
  if (sheet.spares) numbers(say("spares"), (player) => String(sheet.spares[player].saved - sheet.spares[player].used));
  const foot = row(say("total"), players.map((player) => make("td", String(sheet.totals[player]))));
  return make("div", make("table", [make("thead", make("tr", [make("td", ""), ...heads])), make("tbody", body), make("tfoot", foot)]), { class: "sheet", tabindex: "0" });
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

// The pad: what it would pay where, which box is marked, and whether it may be entered, is the answer of the board.
function drawPad(game) {
  const player = seat === true ? game?.sheet?.next : game && seat?.[game.game];
  pad.hidden = !seat || !player;
  if (pad.hidden) return;
  const mine = game.sheet.next === player;
  const rows = game.sheet.over ? [] : [make("h2", sentence("next", { player: game.sheet.next || player }))];
  if (hand.of && !isOf(hand.of, game)) rows.push(...drawLeft(game, mine));
  else if (mine) rows.push(...drawHand(game));
  else if (!game.sheet.over) rows.push(make("p", say("wait")));
  if (trouble) rows.push(make("p", trouble, { role: "alert" }));
  const last = [make("button", "↶ " + say("undo"), { click: () => post("undo", game, {}), disabled: busy })];
  if (seat === true) last.push(make("button", "↷ " + say("redo"), { click: () => post("redo", game, {}), disabled: busy }));
  rows.push(make("div", last, { class: "row back" }));
  fill(pad, rows);
}
// For whom a hand is typed, and in which state of which game.
const forNow = (game) => ({ game: game.game, events: game.events, player: chosenPlayer || game.sheet.next });
const isOf = (one, game) => one.game === game.game && one.events === game.events;

// The game has moved on since a hand was begun: it is entered for nobody before somebody says for whom.
function drawLeft(game, mine) {
  const dice = hand.dice.join(" ");
  const rows = [make("p", sentence("moved", { player: hand.of.player, dice }), { role: "alert" })];
  const keep = () => { hand.of = forNow(game); rethink(); };
  const choices = [make("button", say("drop"), { click: () => { hand = nothing(); trouble = ""; draw(); } })];
  if (mine) choices.push(make("button", sentence("keep", { player: forNow(game).player }), { click: keep }));
  rows.push(make("div", choices, { class: "row back" }));
  return rows;
}

function drawHand(game) {
  const rows = [], count = game.dice, typed = (change) => () => { change(); hand.of = forNow(game); rethink(); };
  if (seat === true && game.waiting.length > 1)
    rows.push(make("div", game.waiting.map((name) => make("button", named(name),
      { click: typed(() => { chosenPlayer = name; }), "aria-pressed": String(forNow(game).player === name) })), { class: "row" }));
  rows.push(make("div", [...Array(count).keys()].map((place) => make("button", hand.dice[place] ? String(hand.dice[place]) : " ",
    { click: typed(() => hand.dice.splice(place, 1)), "aria-label": hand.dice[place] ? say("erase") + " " + hand.dice[place] : " ", disabled: !hand.dice[place] })), { class: "row hand" }));
  rows.push(make("div", [...Array(game.faces).keys()].map((face) => make("button", String(face + 1),
    { click: typed(() => hand.dice.push(face + 1)), disabled: hand.dice.length >= count })), { class: "row keys" }));
  if (game.throws_matter)
    rows.push(make("div", [say("throw"), ...[...Array(game.last_throw).keys()].map((at) => make("button", String(at + 1),
      { click: typed(() => { hand.roll = at + 1; }), "aria-pressed": String((hand.roll || game.usual_throw) === at + 1) }))], { class: "row" }));
  if (hand.options)
    rows.push(make("div", hand.options.map((option) => make("button", label(game, option),
      { click: () => { hand.choice = option; draw(); }, "aria-pressed": String(hand.choice === option), class: gives(option) ? "given-up" : null })), { class: "row boxes" }));
  if (hand.choice)
    rows.push(make("div", make("button", "✓ " + title(game, hand.choice), { click: send, disabled: busy }), { class: "row send" }));
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
  trouble = "";
  const game = shown();
  if (game && hand.dice.length === game.dice) offer(hand);
  draw();
}
async function offer(typed) {
  const of = typed.of, asked = typed.dice.join("") + typed.roll;
  const query = new URLSearchParams({ game: of.game, dice: typed.dice.join(""), player: of.player });
  if (typed.roll) query.set("roll", typed.roll);
  const answer = await ask("options?" + query);
  if (!answer || hand !== typed || hand.of !== of || asked !== hand.dice.join("") + hand.roll) return;
  hand.options = answer.options;
  hand.choice = answer.options.find((option) => option.marked) || null;
  draw();
}
function send() {
  const choice = hand.choice;
  post("turn", hand.of, { dice: hand.dice.join(""), roll: hand.roll ? String(hand.roll) : "", category: choice.wins ? "" : choice.category, scratch: gives(choice), player: hand.of.player });
}
// `of`: the state of the game that was seen when that was meant.
async function post(action, of, move) {
  busy = true;
  draw();
  const answer = await ask(action, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: of.game, seen: of.events, ...move }) });
  busy = false;
  if (answer) {
    hand = nothing();
    chosenPlayer = "";
  }
  draw();
}
async function ask(what, settings) {
  trouble = "";
  try {
    const found = await fetch(what, settings), answer = await found.json();
    if (found.ok) return answer;
    trouble = [answer.error.message, answer.error.hint].filter(Boolean).join("; ");
  } catch {
    trouble = say("unreachable");
  }
  draw();
  return null;
}

if (overlay !== null) document.documentElement.classList.add("overlay");
// A phone that sleeps is sent nothing; a browser has six connections for one board, and a hidden page needs none.
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
addEventListener("pageshow", connect);
addEventListener("online", connect);
setInterval(tick, 1000);
