// The code for joining.
import { draw, make, named, say, title } from "./dom.js";
import { state } from "./state.js";

export function drawCode() {
  const { join } = state.view;
  const link = make("p", make("a", named(join.address), { href: join.address }));
  return [title(2, say("join")), drawSquares(join), link];
}
// A QR code.
export function drawSquares({ address, path, modules }) {
  const edge = modules + 4;
  const settings = { viewBox: `-2 -2 ${edge} ${edge}`, class: "squares", role: "img", "aria-label": address };
  return draw("svg", draw("path", [], { d: path }), settings);
}
