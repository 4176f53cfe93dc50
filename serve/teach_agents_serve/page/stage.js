// The large picture with its controls, for each chair.

import { button, h } from "./dom.js";
import { makeDeeds, makePad } from "./controls.js";
import { makeCanvas } from "./frames.js";
import { recall, keep } from "./kept.js";
import { Targets } from "./targets.js";
import { actionWords } from "./words.js";

function frameOf(label) {
  const picture = makeCanvas(label);
  const empty = h("p", { class: "empty", text: "Waiting for the picture …" });
  const frame = h("div", { class: "frame", tabindex: "-1" }, picture.canvas, empty);
  return { frame, canvas: picture.canvas, draw(bitmap) { empty.remove(); picture.draw(bitmap); } };
}

/** The Follower's: its eyes, what it holds, moving and acting. `move(name, event)`, `perform(action, event)`. */
export function makeFollowerStage(seat, move, perform) {
  const picture = frameOf("What you see");
  const hand = h("span", { class: "tag", role: "status", "data-hand": "", text: "Hand empty" });
  const aimed = h("p", { class: "aim" });
  const deeds = makeDeeds((name, byKeyboard) => targets.aim(name, byKeyboard));
  const objects = button("an object first", (event) => targets.aim("*", event.detail === 0), { class: "link", "data-deed": "*", "aria-keyshortcuts": "o" });
  const explain = (mode, count) => {
    deeds.mark(mode);
    picture.frame.classList.toggle("aiming", mode !== null);
    aimed.replaceChildren(...(mode === null ? ["Choose an action, or ", objects, "."] : [h("strong", { text: mode === "*" ? "Choose an object" : actionWords(mode) }),
      count === 0 ? ": nothing in view for this." : mode === "*" ? " and then what to do." : ": choose one of the outlined objects."]));
  };
  const targets = new Targets(seat, picture.frame, perform, explain);
  explain(null);
  return {
    element: h("section", { class: "stage", "aria-labelledby": "head-stage" },
      h("div", { class: "stage-head" }, h("h2", { id: "head-stage", text: "Your eyes" }), aimed, hand),
      picture.frame, h("div", { class: "controls" }, makePad(move, false), deeds.element)),
    ...picture, targets, hand, view: () => "view",
  };
}

/** Whose picture is the large one: radio buttons, kept under a name; `changed()` is told of a choice. */
function makeWays(name, ways, changed) {
  let way = recall(name, ways[0][0]);
  if (!ways.some(([value]) => value === way)) way = ways[0][0];
  const element = h("div", { class: "choices", role: "radiogroup", "aria-label": "Whose picture" }, ...ways.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value, on: { change: () => { way = value; keep(name, way); changed(); } } });
    input.checked = value === way;
    return h("label", {}, input, h("span", { text }));
  }));
  return { element, way: () => way };
}

const EYES = "follower_view";

/** The Commander's: the Follower's eyes large, or the free camera that it flies; `small` is the other of the two. */
export function makeCommanderStage(move, changed) {
  const picture = frameOf("What the Follower sees");
  const other = makeCanvas("What your camera sees");
  const hand = h("span", { class: "tag", role: "status", "data-hand": "", text: "Hand empty" });
  const head = h("h2", { id: "head-stage", class: "unseen" });
  const about = h("p", { class: "aim", text: "It flies, through walls too." });
  const name = h("h2", { id: "head-eyes" });
  const element = h("section", { class: "stage", "aria-labelledby": "head-stage" });
  const pad = makePad(move, true);
  const ways = makeWays("commander-view", [[EYES, "Follower’s eyes"], ["view", "Your camera"]], () => { show(); changed(); });
  const frame = h("div", { class: "frame" }, other.canvas);
  const small = h("section", { class: "panel eyes", "aria-labelledby": "head-eyes", "data-panel": "map" }, h("header", {}, name), frame);
  element.append(h("div", { class: "stage-head" }, head, ways.element, about, hand), picture.frame, pad);
  function show() {
    const flies = ways.way() === "view";
    element.classList.toggle("flying", flies);
    about.hidden = pad.hidden = !flies;
    hand.hidden = flies;
    head.textContent = flies ? "Your camera" : "The Follower’s eyes";
    name.textContent = flies ? "Follower’s view" : "Your camera";
    picture.canvas.setAttribute("aria-label", flies ? "What your camera sees" : "What the Follower sees");
    other.canvas.setAttribute("aria-label", flies ? "What the Follower sees" : "What your camera sees");
  }
  show();
  return { element, ...picture, hand, view: ways.way, small: { element: small, frame, draw: other.draw, view: () => (ways.way() === EYES ? "view" : EYES) } };
}

/** A watcher's picture: through the Follower's eyes, or the Commander's camera. */
export function makeWatchStage(changed) {
  const picture = frameOf("What the Follower sees");
  const hand = h("span", { class: "tag", "data-hand": "", text: "Hand empty" });
  const ways = makeWays("watch", [[EYES, "Follower’s eyes"], ["view", "Commander’s camera"]], changed);
  return {
    element: h("section", { class: "stage", "aria-labelledby": "head-stage" },
      h("div", { class: "stage-head" }, h("h2", { id: "head-stage", text: "Watching" }), hand), picture.frame, ways.element),
    ...picture, hand, view: ways.way,
  };
}

/** Tabs that a narrow screen shows in place of columns. `panels` are [name, words]; `count` marks the chat's news. */
export function makeTabs(desk, panels, opened) {
  const count = h("span", { class: "count", "aria-label": "new" });
  const buttons = panels.map(([name, words]) => button(words, () => show(name), { "aria-pressed": "false", "data-tab": name }));
  buttons[0].append(count);
  function show(name) {
    desk.dataset.tab = name;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.tab === name));
    if (name === panels[0][0]) count.textContent = "";
    opened(name);
  }
  show(panels[0][0]);
  return { element: h("nav", { class: "tabs", "aria-label": "Panels" }, ...buttons), count, show };
}
