// Requests to the board. Each is repeated under the same id until it is answered, and carried out once.
import { button, capital, make, named, say } from "./dom.js";
import { here, isAsItWas, memory, redraw, state } from "./state.js";

const STORED_REQUEST = `${here} pending`;
const AGAIN_AFTER = 2000;
const GIVE_UP_AFTER = 10000;
// `pending` is the request without an answer. `awaited` is the state that the latest change was written for:
// until the page shows the change, nothing can be typed. `certain` names the button that was tapped once.
export const mail = {
  pending: memory.get(STORED_REQUEST),
  awaited: null,
  certain: "",
  isSending: false,
  resend: 0,
};
if (mail.pending) mail.pending.body.again = true; // it may have arrived
const receivers = new Map();
const refusals = new Map();

// `receive` gets the body of each request that succeeded, and its message.
export const onDone = (action, receive) => receivers.set(action, receive);
// `receive` gets the body of each refused request, and the error.
export const onRefused = (action, receive) => refusals.set(action, receive);
export const busy = () => mail.pending !== null || mail.awaited !== null;
export const random = (count) => [...crypto.getRandomValues(new Uint8Array(count))];
const newId = () =>
  random(16)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

export function post(action, body) {
  if (mail.pending) return;
  keep({ action, body: { ...body, id: newId(), again: false } });
  state.trouble = state.done = "";
  deliver();
  redraw();
}
function keep(pending) {
  mail.pending = pending;
  memory.set(STORED_REQUEST, pending);
}
export async function deliver() {
  clearTimeout(mail.resend);
  if (!mail.pending || mail.isSending) return;
  mail.isSending = true;
  const [reply, answer] = await sent(mail.pending);
  mail.isSending = false;
  if (!reply || (reply.ok && !answer)) {
    mail.pending.body.again = true;
    keep(mail.pending);
    mail.resend = setTimeout(deliver, AGAIN_AFTER);
  } else {
    const { action, body } = mail.pending;
    keep(null);
    if (reply.ok) finish(action, body, answer.message);
    else if (!refusals.get(action)?.(body, answer?.error))
      state.trouble = answer ? problem(answer) : say("gone");
  }
  redraw();
}
async function sent({ action, body }) {
  try {
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(GIVE_UP_AFTER);
    const reply = await fetch(action, { method: "POST", headers, body: JSON.stringify(body), signal });
    return [reply, await reply.json().catch(() => null)];
  } catch {
    return [null, null];
  }
}
function finish(action, body, message) {
  state.done = message;
  mail.certain = "";
  const written = { game: body.game, events: body.seen };
  if ("seen" in body && state.view && isAsItWas(written)) {
    mail.awaited = written;
    setTimeout(() => {
      mail.awaited = null;
      redraw();
    }, 3000);
  }
  receivers.get(action)?.(body, message);
}
const problem = (answer) => [answer.error.message, answer.error.hint].filter(Boolean).join("; ");

// Show a refusal only if the line it is about is still there.
export async function ask(what, isStill = () => true) {
  state.trouble = "";
  let found = say("nothere");
  try {
    const reply = await fetch(what);
    const answer = await reply.json();
    if (reply.ok) return answer;
    found = problem(answer);
  } catch {}
  if (isStill()) state.trouble = found;
  redraw();
  return null;
}
// The result of the latest request.
export function drawSent() {
  const { pending } = mail;
  if (pending)
    return [make("p", `… ${say(pending.body.again ? "unreachable" : "sending")}`, { role: "status" })];
  if (state.trouble) return [make("p", capital(state.trouble), { role: "alert" })];
  return state.done ? [make("p", ["✓ ", named(capital(state.done))], { role: "status", class: "done" })] : [];
}
// A button that needs two taps: the first asks, the second acts. A second button takes the first tap back.
export function once(key, label, question, act, settings) {
  const isSure = mail.certain === key || !question;
  const tap = () => {
    mail.certain = isSure ? "" : key;
    if (isSure) act();
    redraw();
  };
  const isAsked = mail.certain === key;
  const sure = button(isAsked ? question : label, tap, { disabled: busy(), ...settings });
  const back = () => {
    mail.certain = "";
    redraw();
  };
  return isAsked ? [sure, button(say("back"), back)] : [sure];
}
