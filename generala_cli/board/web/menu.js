// The menu: games of the evening, debts, the code for joining, and switches of this phone.
import { drawCode } from "./code.js";
import { button, capital, fill, row, say, title, toggle } from "./dom.js";
import { flip, isOn, SENSES } from "./senses.js";
import { memory, menu, redraw, show, shown, state, tournament, turns } from "./state.js";

const LIGHTS = ["auto", "light", "dark"];
const darkness = matchMedia("(prefers-color-scheme: dark)");
const panel = document.getElementById("menu");
const key = document.getElementById("menu-key");

export function openMenu(isOpen) {
  panel.hidden = !isOpen;
  key.setAttribute("aria-expanded", String(isOpen));
  redraw();
  (isOpen ? panel.querySelector("button") : key)?.focus();
}
export function listenToMenu() {
  key.onclick = () => openMenu(panel.hidden);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) openMenu(false);
  });
  darkness.addEventListener("change", light);
  light();
}
export function drawMenu() {
  key.textContent = `☰ ${capital(say("menu"))}`;
  key.hidden = panel.parentElement.hidden = false;
  if (panel.hidden) return;
  const { view, seat } = state;
  const parts = [];
  const moves = turns.moves(shown());
  if (moves.length) parts.push(row(moves, { class: "row actions" }));
  if (!tournament.draw) parts.push(...drawPages());
  parts.push(...drawSwitches(seat.kind === "player" || seat.kind === "keeper" ? SENSES : []));
  if (view.join) parts.push(...drawCode("join", view.join));
  parts.push(
    row(
      button(say("back"), () => openMenu(false)),
      { class: "row actions" },
    ),
  );
  fill(panel, parts);
}
function drawPages() {
  const { view, chosen } = state;
  if (view.games.length < 2 && !view.ledger) return [];
  const go = (what) => () => {
    openMenu(false);
    show(what);
  };
  const game = shown();
  const pages = view.games.map((each) => {
    const name = `${say("game", { number: each.game })}${each.label ? ` ${each.label}` : ""}`;
    return toggle(name, game === each, go(each.game === view.current ? null : each.game));
  });
  if (view.ledger) pages.unshift(toggle(say("ledger"), chosen === "ledger", go("ledger")));
  return [title(2, say("evening")), row(pages, { class: "row actions pages" })];
}
function drawSwitches(senses) {
  const flipped = (sense) => () => {
    flip(sense);
    redraw();
  };
  const switches = senses.map((sense) => toggle(say(sense), isOn(sense), flipped(sense)));
  const pick = (kind) => () => {
    memory.set("light", kind === "auto" ? null : kind);
    light();
    redraw();
  };
  const now = memory.get("light") ?? "auto";
  const lights = LIGHTS.map((kind) => toggle(say(kind), kind === now, pick(kind)));
  const tongues = Object.entries(JSON.parse(panel.dataset.languages)).map(([code, name]) =>
    toggle(name, document.documentElement.lang === code, () => speak(code), { lang: code }),
  );
  return [
    title(2, say("phone")),
    ...(switches.length ? [row(switches, { class: "row actions" })] : []),
    row(lights, { class: "row actions", role: "group", "aria-label": say("colors") }),
    row(tongues, { class: "row actions", role: "group", "aria-label": say("language") }),
  ];
}
Object.assign(menu, { isOpen: () => !panel.hidden, close: () => panel.hidden || openMenu(false) });

function light() {
  const kind = memory.get("light") ?? (darkness.matches ? "dark" : "light");
  document.documentElement.classList.toggle("dark", kind === "dark");
}
function speak(code) {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookie store on plain HTTP
  document.cookie = `language=${code}; path=/; max-age=31536000; SameSite=Strict`;
  location.reload();
}
