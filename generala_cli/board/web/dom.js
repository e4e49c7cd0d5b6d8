// Texts in the viewer's language, and nodes that are redrawn in place.
const words = JSON.parse(document.getElementById("words").textContent);
export const language = document.documentElement.lang;
const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit"];
const SVG = document.getElementById("canvas").content.firstChild.namespaceURI;

export function say(word, values) {
  return words[word].replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? values[name] : all));
}
// A name in a sentence may be written in the opposite direction, so it is isolated.
export function sentence(word, values) {
  return words[word].split(/(\{\w+\})/).map((part) => {
    const name = part.slice(1, -1);
    return part.startsWith("{") && name in values ? named(String(values[name])) : part;
  });
}
export const named = (name) => make("bdi", name);

// A line in which amounts stay with their units.
export const withAmounts = (line) =>
  make(
    "bdi",
    line
      .split(/(\d+(?:[.,]\d+)* \S+)/)
      .map((part, at) => (at % 2 ? make("span", part, { class: "amount" }) : part)),
  );

// Headings and buttons start with a capital letter.
export const capital = (text) =>
  text.replace(/^([^\p{L}\d]+ )?\p{Ll}/u, (first) => first.toLocaleUpperCase(language));

// Text from players is only inserted as text, so no name can become markup.
export function make(tag, content, settings) {
  return furnish(document.createElement(tag), content, settings);
}
export function draw(tag, content, settings) {
  return furnish(document.createElementNS(SVG, tag), content, settings);
}
function furnish(node, content, settings) {
  for (const part of [content].flat()) if (part !== undefined && part !== null) node.append(part);
  for (const [name, value] of Object.entries(settings || {})) {
    if (HANDLERS.includes(name)) node[name] = value;
    else if (name === "value") node.value = node.wanted = value;
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}
export const title = (level, content, settings) => make(`h${level}`, capitalized(content), settings);
export function button(content, onclick, settings) {
  return make("button", capitalized(content), { type: "button", onclick, ...settings });
}
export function capitalized(content) {
  if (typeof content === "string") return capital(content);
  return Array.isArray(content) && typeof content[0] === "string"
    ? [capital(content[0]), ...content.slice(1)]
    : content;
}

// A button that is on or off.
export const toggle = (content, isOn, onclick, settings) =>
  button(content, onclick, { "aria-pressed": String(isOn), ...settings });
export const row = (content, settings) => make("div", content, { class: "row", ...settings });
// A question, and the keys that answer it.
export const question = (text, choices) => [
  make("p", text, { role: "alert" }),
  row(choices, { class: "row actions" }),
];
export const unseen = (text) => make("span", text, { class: "unseen" });

// Redraw, but reuse existing nodes, to keep the scroll position and the focus.
export function fill(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (at && isSimilar(at, node)) {
      const kept = at;
      at = at.nextSibling;
      if (kept.nodeType !== Node.TEXT_NODE) update(kept, node);
      else if (kept.data !== node.data) kept.data = node.data;
    } else parent.insertBefore(node, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}
const isSimilar = (one, other) =>
  one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.id === other.id;

function update(kept, node) {
  // Sections stay open, and the policy forbids style attributes.
  const isOwn = (name) => name === "open" || name === "style";
  for (const { name } of [...kept.attributes])
    if (!isOwn(name) && !node.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of node.attributes)
    if (!isOwn(name) && kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  kept.style.cssText = node.style.cssText;
  for (const name of HANDLERS) kept[name] = node[name];
  fill(kept, [...node.childNodes]);
  if (node.wanted !== undefined && kept.value !== node.wanted) kept.value = node.wanted;
}
