// What a player feels and hears: vibration, a sound, a caller's voice, and a screen that stays awake.
import { spokenNews } from "./dice.js";
import { language } from "./dom.js";
import { memory } from "./state.js";

export const SENSES = ["vibration", "sound", "caller"];
const OFF_AT_FIRST = ["caller"];
const TAP = 15;
const TURN = [120, 60, 120];
let lock = null;

export const isOn = (sense) => memory.get(sense) ?? !OFF_AT_FIRST.includes(sense);
export function flip(sense) {
  const next = !isOn(sense);
  memory.set(sense, next === OFF_AT_FIRST.includes(sense) ? next : null);
  if (!next) return;
  if (sense === "vibration") navigator.vibrate?.(TURN);
  if (sense === "sound") chime();
}
export function feelTap() {
  if (isOn("vibration")) navigator.vibrate?.(TAP);
}
export function ringTurn() {
  if (isOn("vibration")) navigator.vibrate?.(TURN);
  if (isOn("sound")) chime();
}
function chime() {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.connect(context.destination);
  volume.gain.setValueAtTime(0.25, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.6);
  for (const [at, frequency] of [659, 880].entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + at * 0.15);
    tone.stop(context.currentTime + 0.6);
    tone.onended = () => at && context.close();
  }
}
// Read out an entry. An undo or a correction is not an entry, so it has no hand.
export function call(game) {
  if (!isOn("caller") || !game.hand.length || !("speechSynthesis" in window)) return;
  const spoken = new SpeechSynthesisUtterance(spokenNews(game));
  spoken.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(spoken);
}
// Keep the screen on while a game is played. Browsers allow it only on https and localhost.
export async function stayAwake(isPlaying) {
  if (!navigator.wakeLock || document.hidden) return;
  if (isPlaying && (!lock || lock.released))
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  else if (!isPlaying && lock) await lock.release().catch(() => null);
}
