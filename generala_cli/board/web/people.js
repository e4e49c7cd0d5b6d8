// A color and initials for each player, the same on every device.
import { make, named } from "./dom.js";

const COLORS = 8;

// Players get their favorite color, which follows from their name, unless someone before them has it.
export function colorsOf(players) {
  const found = new Map();
  for (const [at, player] of players.entries()) {
    const taken = [...found.values()].slice(at - (at % COLORS));
    let color = favorite(player);
    while (taken.includes(color)) color = (color + 1) % COLORS;
    found.set(player, color);
  }
  return found;
}
function favorite(player) {
  let sum = 0;
  for (const letter of player.toLocaleLowerCase("en")) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
  return sum % COLORS;
}
export const colorClass = (player, players) => `player-${colorsOf(players).get(player) ?? 0}`;

// The shortest beginning that no other player shares, of at most three letters. `Guest 12` keeps its number.
export function initialsOf(player, players) {
  const parts = player.split(/\s+/u).filter(Boolean);
  const number = player.match(/\d{1,2}$/)?.[0];
  if (number) return [...player][0] + number;
  if (parts.length > 1) return [parts[0], parts.at(-1)].map((part) => [...part][0]).join("");
  const begins = (count) => [...player].slice(0, count).join("").toLocaleLowerCase();
  const isShared = (count) =>
    players.some((each) => each !== player && each.toLocaleLowerCase().startsWith(begins(count)));
  let count = 1;
  while (count < 3 && isShared(count)) count++;
  return [...player].slice(0, count).join("");
}
export function badge(player, players) {
  const color = `badge ${colorClass(player, players)}`;
  return make("span", "", { class: color, "data-initials": initialsOf(player, players) });
}
export const withBadge = (player, players) => [badge(player, players), named(player)];
// A name that wraps next to its initials.
export const person = (player, players) => make("span", withBadge(player, players), { class: "person" });
