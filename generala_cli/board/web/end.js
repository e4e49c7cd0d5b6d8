// The end of a game: who won, the podium, and what the viewer owes and is owed.
import { news } from "./dice.js";
import { button, capital, make, named, row, say, title } from "./dom.js";
import { badge, colorClass } from "./people.js";
import { isKeeper, keeper, redraw, state } from "./state.js";

const PODIUM = 3;
let copied = 0; // the number of the game whose result was copied

export function drawEnd(game) {
  const [first, ...others] = linesOf(game);
  const parts = [title(1, ["★ ", named(first)], { class: "ending" })];
  parts.push(...others.map((line) => make("p", named(line), { class: "ending" })));
  if (game.news && game.ending.length < 2) parts.push(make("p", news(game), { class: "news" }));
  if (game.standings.winners.length) parts.push(drawPodium(game));
  if (state.seat.owes?.length) parts.push(drawBalance(state.seat.owes));
  return [...parts, drawActions(game)];
}
const linesOf = ({ headline, ending }) => [headline, ...ending].filter(Boolean).map(capital);
// The first places: the winner in the middle, and equal players on equal steps.
function drawPodium({ standings, sheet }) {
  const best = standings.standings.filter((each) => each.place <= PODIUM).slice(0, PODIUM);
  const steps = best.map(({ place, player, team, total }) => {
    const name = player || team;
    const step = make("span", [make("b", `${place}.`), " ", String(total)], { class: "step" });
    const parts = [badge(name, sheet.players), make("span", named(name), { class: "name" }), step];
    return make("li", parts, { class: `place-${place} ${colorClass(name, sheet.players)}` });
  });
  return make("ol", steps, { class: "podium" });
}
// The debts of tonight, after payments.
function drawBalance(owes) {
  const lines = owes.map((line) => make("li", named(capital(line))));
  return make("section", [title(2, say("ledger")), make("ul", lines)], { class: "balance" });
}
function drawActions(game) {
  const copy = () =>
    copyText(resultOf(game)).then(() => {
      copied = game.game;
      redraw();
    });
  const parts = [button(copied === game.game ? `✓ ${say("copied")}` : say("copy"), copy)];
  if (isKeeper()) parts.push(button(say("correct"), () => keeper.chooseTurn()));
  return row(parts, { class: "row actions" });
}
function resultOf(game) {
  const { terms, standings, debts } = game;
  const places = standings.standings.map(
    (each) => `${each.place}. ${each.player || each.team} ${each.total}`,
  );
  return [terms, ...linesOf(game), ...places, ...debts].join("\n");
}
// On plain HTTP, a browser copies only what is selected.
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = make("textarea", text);
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
