// The connection to the board: what it tells, and whether it is still there.
import { capital, language, say } from "./dom.js";
import { redraw, state, tournament } from "./state.js";

const SILENCE = 12; // seconds without a heartbeat
const feed = location.pathname.endsWith("/games") ? "games-events" : "events";
const link = { stream: null, heard: 0, isOver: false, retry: 0, take() {}, greet() {} };

// `take` gets each new view, and `greet` is called when a connection begins.
export function follow(take, greet) {
  Object.assign(link, { take, greet });
  // A hidden page needs no stream, and a browser allows only six connections to a board.
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  addEventListener("pageshow", connect);
  addEventListener("online", connect);
  setInterval(tick, 1000);
}
export function connect() {
  disconnect();
  if (document.hidden) return;
  const stream = new EventSource(feed + tournament.query);
  const on = (name, react) => stream.addEventListener(name, react);
  link.stream = stream;
  tournament.listen(stream);
  on("seat", (event) => {
    state.seat = JSON.parse(event.data);
    link.greet();
  });
  on("view", (event) => {
    link.take(JSON.parse(event.data));
    hear();
  });
  on("beat", hear);
  on("closed", () => {
    link.isOver = true;
    tick();
    again();
  });
  stream.onerror = again;
  link.greet();
}
export function disconnect() {
  clearTimeout(link.retry);
  link.stream?.close();
  link.stream = null;
}
async function again() {
  disconnect();
  tick();
  link.retry = setTimeout(connect, 1000);
  try {
    // Tell a phone that lost its seat.
    const found = await fetch("", { method: "HEAD" });
    if (found.status === 404 && state.seat.kind !== "gone") {
      state.seat = { kind: "gone" };
      redraw();
    }
  } catch {}
}
export function hear() {
  link.heard = Date.now();
  link.isOver = false;
  tick();
}
export function isLive() {
  return link.stream !== null && Date.now() - link.heard < SILENCE * 1000;
}
function tick() {
  const status = document.getElementById("state");
  const time = new Date(link.heard).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const late = link.isOver ? `■ ${say("closed")}` : link.heard ? `○ ${say("lost", { time })}` : "○";
  const text = isLive() ? `● ${capital(say("live"))}` : late;
  status.className = isLive() ? "live" : "late";
  if (status.textContent !== text) status.textContent = text;
}
