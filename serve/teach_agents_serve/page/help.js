// Keys, and the short tutorial of each chair.

import { button, h, openDialog } from "./dom.js";
import { keep, recall } from "./kept.js";

const SHARED = [["W S or ↑ ↓", "forward, back"], ["A D or ← →", "turn left, right"], ["Q E", "step left, right"]];
const KEYS = {
  follower: [...SHARED, ["R F", "look up, down"], ["1 … 8", "choose what to do: pick up, place, open, close, turn on, turn off, slice, pour"],
    ["O", "choose an object first"], ["Tab, Enter", "go through the highlighted objects, act on one"], ["Shift + click", "act on exactly this point"],
    ["Esc", "let go of what is chosen"], ["T", "say something"]],
  commander: [...SHARED, ["R F", "rise, sink"], ["P", "progress check"], ["/", "search for an object"], ["T", "say something"]],
  watcher: [["T", "go to the talk"]],
};

const TUTORIALS = {
  follower: [
    ["You are the Follower", "You are the robot: you move and act. The Commander knows the task but cannot touch anything. Ask what to do, and say when a step is done."],
    ["Move", "Use the arrow keys or W A S D, or the buttons under the picture. Q and E step sideways, R and F look up and down. You must be near a thing to act on it."],
    ["Act", "Choose an action: objects that allow it are outlined in green; click one. Or click an object in the picture and choose from what applies to it. You hold one thing at a time."],
    ["When it does not work", "The console says why and what might help. Look into drawers and cabinets, and ask the Commander where things are before searching long yourself."],
  ],
  commander: [
    ["You are the Commander", "You know the task; the Follower does not. You cannot touch anything: tell it what to do, in your own words."],
    ["See what is to be done", "Progress check lists the steps. Choose one to see its object. Check again whenever the Follower says that something is done."],
    ["Find things", "Search shows any object, wherever it is. The map shows the Follower in blue, your camera in red and the search camera in yellow. Your camera flies through walls."],
    ["Talk", "Give one step at a time and say where things are. Help when the Follower is stuck; say so when you do not know. When the task is complete, finish the session."],
  ],
  exploring: [
    ["You tell the Follower what to do", "Nothing has to be done here. Ask it for something, or about something, in plain English. You cannot touch anything yourself."],
    ["Watch it", "The large picture is what it sees. What it does stands below what you said. Stop has it stop at once; so do the words “stop” and “wait”."],
    ["Find things", "Search shows any object, wherever it is. The map shows the Follower in blue, your camera in red and the search camera in yellow. Your camera flies through walls."],
  ],
};

/** The keys of a chair, and the switch for those of one letter. */
export function openHelp(role, replayTutorial) {
  const toggle = h("input", { type: "checkbox", id: "single-keys", on: { change: () => keep("keys", toggle.checked) } });
  toggle.checked = recall("keys", true);
  openDialog("Help", (close) => [
    h("h2", { text: "Keys" }),
    h("table", {}, h("tbody", {}, ...[...KEYS[role], ["?", "this help"]].map(([keys, words]) =>
      h("tr", {}, h("th", { scope: "row" }, ...keys.split(" ").map((part) => (/^[A-Z0-9↑↓←→/?]$|^(Esc|Tab,?|Enter|Shift)$/.test(part)
        ? [h("kbd", { text: part.replace(",", "") }), " "] : `${part} `)).flat()), h("td", { text: words }))))),
    role === "watcher" ? null : h("p", { class: "row" }, toggle, h("label", { for: "single-keys", text: "Keys of one letter are on" })),
    h("div", { class: "row end" },
      TUTORIALS[role] ? button("Show the tutorial", () => { close(); replayTutorial(); }) : null,
      button("Close", close, { class: "primary" })),
  ].filter(Boolean));
}

/** The tutorial of a chair, a card at a time. */
export function openTutorial(role) {
  const pages = TUTORIALS[role];
  if (!pages) return;
  let at = 0;
  openDialog("Tutorial", (close) => {
    const heading = h("h2", { tabindex: "-1" });
    const words = h("p", {});
    const count = h("span", { class: "soft small" });
    const next = button("", () => { if (at === pages.length - 1) close(); else { at += 1; show(); heading.focus(); } }, { class: "primary", "data-do": "next" });
    const back = button("Back", () => { at -= 1; show(); heading.focus(); });
    const skip = button("Skip", close, { class: "quiet", "data-do": "skip" });
    function show() {
      heading.textContent = pages[at][0];
      words.textContent = pages[at][1];
      count.textContent = `${at + 1} of ${pages.length}`;
      next.textContent = at === pages.length - 1 ? "Begin" : "Next";
      back.hidden = at === 0;
      skip.hidden = at === pages.length - 1;
    }
    show();
    const foot = h("div", { class: "row end" }, count, skip, back, next);
    count.style.marginRight = "auto";
    return [heading, words, foot];
  }).addEventListener("close", () => keep(`tutorial.${role}`, true));
}

/** Show the tutorial to whoever takes a chair for the first time. */
export function tutorialOnce(role) {
  if (TUTORIALS[role] && !recall(`tutorial.${role}`)) openTutorial(role);
}
