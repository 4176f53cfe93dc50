// The buttons under the picture, and the keys that do the same.

import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { actionWords } from "./words.js";

/** The Follower's interactions in the order of their number keys. */
export const DEEDS = ["Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour"];

const WALKING = ["Turn Left", "Forward", "Turn Right", "Look Up", "Pan Left", "Backward", "Pan Right", "Look Down"];
const FLYING = ["Forward", "Backward", "Turn Left", "Turn Right", "Pan Left", "Pan Right", "Look Up", "Look Down"];
const HEIGHTS = { "Look Up": "Rise", "Look Down": "Sink" };

/** Motions by key, lower case. */
export const MOTION_KEYS = {
  arrowup: "Forward", w: "Forward", arrowdown: "Backward", s: "Backward", arrowleft: "Turn Left", a: "Turn Left",
  arrowright: "Turn Right", d: "Turn Right", q: "Pan Left", e: "Pan Right", r: "Look Up", f: "Look Down",
};

/** What a motion is called: the Commander's camera rises and sinks where the Follower looks up and down. */
export const motionWords = (name, flies) => (flies && HEIGHTS[name]) || actionWords(name);

/** The eight motions. */
export function makePad(move, flies) {
  return h("div", { class: "pad", role: "group", "aria-label": flies ? "Fly" : "Move" }, ...(flies ? FLYING : WALKING).map((name) => {
    const words = motionWords(name, flies);
    return button(icon((flies && HEIGHTS[name]) || name), (event) => move(name, event), { "aria-label": words, title: words, "data-motion": name });
  }));
}

/** The eight interactions; `aim(name, byKeyboard)` chooses one. `mark(mode)` shows which is chosen. */
export function makeDeeds(aim) {
  const buttons = DEEDS.map((name, at) => button(actionWords(name), (event) => aim(name, event.detail === 0), {
    "aria-pressed": "false", "data-deed": name, "aria-keyshortcuts": String(at + 1),
  }));
  buttons.forEach((one, at) => one.append(h("kbd", { text: at + 1, "aria-hidden": "true" })));
  return {
    element: h("div", { class: "deeds", role: "group", "aria-label": "Act" }, ...buttons),
    mark(mode) { for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.deed === mode)); },
  };
}

/** Whether a key press belongs to something that takes text or choices, that scrolls, or to a dialog. */
function elsewhere(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  if (!(event.target instanceof Element)) return false;
  const scrolls = event.key.startsWith("Arrow") && event.target.closest(".log, .thoughts, .steps, ol");
  return Boolean(scrolls || event.target.closest("input, textarea, select, [contenteditable]"));
}

/**
 * Listen for keys until `signal` aborts. `keys` maps lower-case keys to functions of the event; those of one letter work only while
 * `single()` says so (WCAG 2.1.4).
 */
export function listenForKeys(keys, single, signal) {
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key.toLowerCase()];
    if (!act || elsewhere(event)) return;
    if (event.key !== "Escape" && !single()) return;
    if (act(event) !== false) event.preventDefault();
  }, { signal });
}
