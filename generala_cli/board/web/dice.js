// Dice with pips; poker dice show cards, and faces above six their number.
import { draw, make } from "./dom.js";

const [LOW, MIDDLE, HIGH] = [8, 15, 22];
const CENTER = [[MIDDLE, MIDDLE]];
const TWO = [
  [LOW, HIGH],
  [HIGH, LOW],
];
const FOUR = [...TWO, [LOW, LOW], [HIGH, HIGH]];
const SIX = [...FOUR, [LOW, MIDDLE], [HIGH, MIDDLE]];
const PIPS = { 1: CENTER, 2: TWO, 3: [...TWO, ...CENTER], 4: FOUR, 5: [...FOUR, ...CENTER], 6: SIX };

export const faceOf = (face, { cards }) => cards[face - 1] ?? String(face);
export function die(face) {
  const body = draw("rect", [], { x: 1.5, y: 1.5, width: 27, height: 27, rx: 6 });
  const pips = (PIPS[face] ?? []).map(([cx, cy]) => draw("circle", [], { cx, cy, r: 2.9 }));
  if (!pips.length) pips.push(draw("text", face, { x: MIDDLE, y: 21, "text-anchor": "middle" }));
  return draw("svg", [body, ...pips], { viewBox: "0 0 30 30", class: "die", "aria-hidden": "true" });
}
export function dice(hand, game) {
  const faces = hand.map((face) => faceOf(face, game));
  return make("span", faces.map(die), { class: "dice", role: "img", "aria-label": faces.join(" ") });
}
// The news of a game, with its hand drawn as dice.
export function news(game) {
  return withDice(game.news, ` (${game.hand.join(" ")})`, game.hand, game);
}
// A text in which a written hand is drawn as dice.
export function withDice(text, written, hand, game) {
  const at = hand.length ? text.lastIndexOf(written) : -1;
  if (at < 0) return [make("bdi", text)];
  const [before, after] = [text.slice(0, at), text.slice(at + written.length)];
  return [make("bdi", before), " ", dice(hand, game), after];
}
// The news as it is read out.
export const spokenNews = (game) => game.news.replace(` (${game.hand.join(" ")})`, "");
