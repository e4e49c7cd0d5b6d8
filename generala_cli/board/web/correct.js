// Correct a turn on the keeper's pad: choose it, then enter it again.
import { dice } from "./dice.js";
import { button, make, row, say, title } from "./dom.js";
import { discard, drop, entryOf, nothing, pad, rethink } from "./pad.js";
import { withBadge } from "./people.js";
import { keeper, redraw } from "./state.js";

export const hasTurns = (game) => Boolean(game?.sheet) && turnsOf(game).length > 0;
function turnsOf({ sheet }) {
  const found = new Map();
  for (const player of sheet.players)
    for (const [category, box] of Object.entries(sheet.boxes[player]))
      for (const entry of sheet.rows?.[player]?.[category] ?? [box])
        if (entry) found.set(entry.turn, { ...entry, player, category });
  if (sheet.instant_win) found.set(sheet.instant_win.turn, sheet.instant_win);
  return [...found.values()].sort((one, other) => other.turn - one.turn);
}
export function chooseTurn() {
  drop();
  pad.isChoosing = true;
  redraw();
}
function drawTurns(game) {
  const turns = turnsOf(game).map((each) => {
    const content = [...withBadge(each.player, game.sheet.players), ` ${entryOf(game, each)} `];
    if (each.dice) content.push(dice(each.dice, game));
    return button(content, () => begin(game, each));
  });
  return [
    title(2, say("whichturn")),
    make("div", turns, { class: "turns" }),
    row(button(say("back"), discard)),
  ];
}
function begin(game, each) {
  drop();
  pad.hand = {
    ...nothing(),
    of: { game: game.game, events: game.events, player: each.player },
    dice: [...(each.dice ?? [])],
    roll: (each.served ? game.de_mano : each.roll) ?? 0,
    turn: each.turn,
    was: `${each.player} ${entryOf(game, each)}`,
  };
  rethink();
}

keeper.drawTurns = drawTurns;
keeper.chooseTurn = chooseTurn;
