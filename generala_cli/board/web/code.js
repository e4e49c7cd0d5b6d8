// Codes to scan.
import { draw, make, named, say, title } from "./dom.js";

export function drawCode(word, code) {
  const link = make("p", make("a", named(code.address), { href: code.address }));
  return [title(2, say(word)), drawSquares(code), link];
}
// A QR code.
export function drawSquares({ address, path, modules }) {
  const edge = modules + 4;
  const settings = { viewBox: `-2 -2 ${edge} ${edge}`, class: "squares", role: "img", "aria-label": address };
  return draw("svg", draw("path", [], { d: path }), settings);
}
