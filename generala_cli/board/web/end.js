// The end of a game: who won, the podium, and what the viewer owes and is owed.
import { withDice } from "./dice.js";
import { button, capital, make, named, row, say, title, withAmounts } from "./dom.js";
import { badge, colorClass } from "./people.js";
import { busy, onDone, post } from "./requests.js";
import { isKeeper, keeper, ownName, redraw, state, tell } from "./state.js";

const PODIUM = 3;
let settled = null; // the seat with which a payment was sent
let copied = 0; // the number of the game whose result was copied

export function drawEnd(game) {
  const [first, ...others] = linesOf(game);
  const parts = [title(1, ["★ ", named(first)], { class: "ending" })];
  const hand = game.sheet.instant_win?.dice ?? [];
  const drawLine = (line) => make("p", withDice(line, hand.join(" "), hand, game), { class: "ending" });
  parts.push(...others.map(drawLine));
  if (game.standings.winners.length) parts.push(drawPodium(game));
  return [...parts, ...drawBalance(game), drawActions(game)];
}
export const linesOf = ({ headline, ending, bests }) =>
  [headline, ...ending, ...bests].filter(Boolean).map(capital);
// The first places: the winner in the middle, and equal players on equal steps.
function drawPodium({ standings, sheet }) {
  const steps = bestOf(standings).map(({ place, player, team, total, game_points }) => ({
    place,
    name: player || team,
    figures:
      game_points === undefined
        ? [total]
        : [signed(game_points), capital(say("gamepoints")), `${capital(say("total"))} ${total}`],
  }));
  return podium(steps, sheet.players);
}
export const signed = (points) => String(points).replace("-", "−");
export const bestOf = ({ standings }) => standings.filter((each) => each.place <= PODIUM).slice(0, PODIUM);
export function podium(steps, players) {
  const drawn = steps.map(({ place, name, figures }) => {
    const lines = figures.slice(1).map((figure) => make("small", figure));
    const step = make("span", [make("b", `${place}.`), " ", String(figures[0]), ...lines], { class: "step" });
    const parts = [badge(name, players), make("span", named(name), { class: "name" }), step];
    return make("li", parts, { class: `place-${place} ${colorClass(name, players)}` });
  });
  return make("ol", drawn, { class: "podium" });
}
// The debts of tonight, after payments, and below them this game's part, if there are other games.
function drawBalance(game) {
  const { owed, paid } = state.seat;
  if (!owed?.length && !paid) return [];
  const settle = (word, action, body) =>
    button(word, () => pay(action, body), { disabled: busy() || (settled === state.seat && !state.trouble) });
  const rows = owed.map(({ line, ...debt }) =>
    make("li", [
      make("span", withAmounts(capital(line))),
      debt.amount ? settle(`✓ ${say("paid")}`, "pay", debt) : null,
    ]),
  );
  if (!owed.length) rows.push(make("li", capital(say(isKeeper() ? "even" : "owneven"))));
  if (paid) {
    const undo = settle(`↶ ${say("undo")}`, "unpay", { payment: paid.id });
    rows.push(make("li", [make("span", ["✓ ", withAmounts(paid.line)]), undo], { class: "past" }));
  }
  const own = game.debts.filter((_, at) => game.between[at].includes(ownName(game)));
  const part = `${capital(say("game", { number: game.game }))}: ${own.join("; ")}`;
  const isPart = state.view.games.length > 1 && own.length > 0;
  const parts = [title(2, say("ledger")), make("ul", rows), isPart ? make("p", named(part)) : null];
  return [make("section", parts, { class: "balance" })];
}
// A second tap does nothing: the board sends a new seat after a payment.
function pay(action, body) {
  settled = state.seat;
  post(action, body);
}
for (const action of ["pay", "unpay"])
  onDone(action, (_, message) => {
    state.done = "";
    tell([message]);
  });

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
  const { ledger } = state.view;
  const places = standings.standings.map(
    (each) => `${each.place}. ${each.player || each.team} ${each.total}`,
  );
  const open = ledger ? [`${capital(say("ledger"))}: ${ledger.transfers.join("; ") || say("even")}`] : debts;
  return [terms, ...linesOf(game), ...places, ...open].join("\n");
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
