// The end of a game.
import { news } from "./dice.js";
import { make, named } from "./dom.js";

export function drawEnd(game) {
  const parts = game.ending.map((line, place) =>
    make(place ? "p" : "h1", [place ? "" : "★ ", named(line)], { class: "ending" }),
  );
  if (game.news) parts.push(make("p", news(game), { class: "news" }));
  return parts;
}
