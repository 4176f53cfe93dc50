// The Commander's panels: the progress check with its steps, the search for objects and what it shows.

import { announce, button, h, panel } from "./dom.js";
import { makeCanvas } from "./frames.js";
import { icon } from "./icons.js";
import { keep, recall } from "./kept.js";
import { clock, counted, objectWords } from "./words.js";

/** How many steps of a progress check's reply are done, of how many. */
export function stepCount(reply) {
  const steps = reply.subgoals.flatMap((goal) => goal.steps);
  return { done: steps.filter((step) => step.success).length, all: steps.length };
}

/** What a reply says, in one sentence. */
export function progressWords(reply) {
  if (reply.success) return "The task is complete.";
  const { done, all } = stepCount(reply);
  return `The task is not complete: ${done} of ${counted(all, "step")} done.`;
}

/** The task panel. `check()` asks for a progress check, `select(objectId, event)` shows an object; both null for watchers. */
export function makeTask(check, select) {
  const say = h("p", { class: "soft", role: "status" });
  const list = h("div", { class: "steps" });
  const words = h("p", { class: "task-words", hidden: true });
  const done = h("p", { class: "notice good", hidden: true });
  const tool = check && button("Progress check", check, { class: "compact", "aria-keyshortcuts": "p", "data-do": "progress" });
  const element = panel("task", "Task", tool, h("div", { class: "inner" }, words, done, say, list));
  element.classList.add("work");
  element.dataset.panel = "task";
  say.textContent = check ? "Open the progress check to see what has to be done." : "The Commander has not opened the progress check yet.";
  let shown = "";

  function step(one, chosen) {
    const label = [icon(one.success ? "done" : "open", 18), h("span", { text: one.desc || objectWords(one.objectType) })];
    label[0].classList.add("tick");
    const state = h("span", { class: "unseen", text: one.success ? "Done: " : "To do: " });
    const look = `step ${one.success ? "done" : "open"}`;
    if (!select || !one.objectId) return h("li", {}, h("div", { class: look }, state, ...label));
    const thing = button("", (event) => select(one.objectId, event), {
      class: look, "aria-pressed": String(one.objectId === chosen), title: `Show the ${objectWords(one.objectType)}`, "data-step": one.objectId,
    });
    thing.append(state, ...label);
    return h("li", {}, thing);
  }

  return {
    element,
    /** A reply of the progress check, when it was made (ms), and the object that is shown. */
    show(reply, time, chosen) {
      if (!reply) return;
      const text = JSON.stringify([reply, time, chosen]);
      if (text === shown) return;
      shown = text;
      const focused = document.activeElement?.dataset?.step;
      words.hidden = false;
      words.textContent = reply.task_desc;
      done.hidden = !reply.success;
      done.textContent = check ? "The task is complete. You can finish the session." : "The task is complete.";
      const { done: ready, all } = stepCount(reply);
      say.textContent = `${ready} of ${counted(all, "step")} done${time === null || time === undefined ? "" : ` at ${clock(time)}`}.${select ? " Choose a step to see its object." : ""}`;
      list.replaceChildren(...reply.subgoals.flatMap((goal, at) => [
        goal.description ? h("h3", { id: `goal-${at}`, text: goal.description }) : null,
        h("ul", { "aria-label": goal.description || "Steps" }, ...goal.steps.map((one) => step(one, chosen))),
      ]).filter(Boolean));
      if (focused) list.querySelector(`[data-step="${CSS.escape(focused)}"]`)?.focus();
    },
  };
}

const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The search panel: words, and the target's picture in true colours and green by turns. `search(words, event)` is null for watchers; `free`: no task. */
export function makeTarget(search, free = false) {
  const plain = makeCanvas("The search camera’s picture");
  const lit = makeCanvas("The same with the object in green", "lit");
  lit.canvas.setAttribute("aria-hidden", "true");
  const empty = h("p", { class: "empty", text: !search ? "Nothing searched yet." : free ? "Search for an object." : "Search for an object, or choose a step of the task." });
  const frame = h("div", { class: "frame" }, plain.canvas, lit.canvas, empty);
  const say = h("p", { class: "small soft", role: "status" });
  const inner = h("div", { class: "inner" });
  if (search) {
    const input = h("input", { type: "search", "aria-label": "Object to search for", placeholder: "Mug, Cabinet, Knife …", autocomplete: "off", maxlength: "200",
      "aria-keyshortcuts": "/", "data-do": "search" });
    inner.append(h("form", { class: "search", role: "search", on: { submit: (event) => {
      event.preventDefault();
      if (input.value.trim()) search(input.value.trim(), event);
    } } }, input, h("button", { type: "submit", text: "Search" })));
  }
  const ways = calm() ? ["green", "plain"] : ["blink", "green", "plain"];
  const names = { blink: "Blink", green: "Green", plain: "Plain" };
  const kept = recall("target", ways[0]);
  const choices = h("div", { class: "choices", role: "radiogroup", "aria-label": "How the object is shown" }, ...ways.map((way) => {
    const input = h("input", { type: "radio", name: "target-way", value: way, on: { change: () => { keep("target", way); set(way); } } });
    input.checked = way === (ways.includes(kept) ? kept : ways[0]);
    return h("label", {}, input, h("span", { text: names[way] }));
  }));
  function set(way) { frame.className = `frame ${way}`; }
  set(ways.includes(kept) ? kept : ways[0]);
  inner.append(say, frame, choices);
  const element = panel("target", "Object", null, inner);
  element.classList.add("work");
  element.dataset.panel = "find";
  let last = "";
  return {
    element, frame,
    draw(view, bitmap) {
      empty.hidden = true;
      (view === "target_lit" ? lit : plain).draw(bitmap);
    },
    /** What the last search found, from the screen: {oid, shown_oid, message}. */
    show(found) {
      if (!found) return;
      const { oid, shown_oid: seen } = found;
      let words = found.message ?? "";
      if (oid && seen === oid) words = `Shown: ${objectWords(oid)}`;
      else if (oid && seen) words = `The ${objectWords(oid)} cannot be seen from outside. Shown: ${objectWords(seen)}, which holds it or is near it.`;
      else if (oid) words = `The ${objectWords(oid)} cannot be seen from anywhere.`;
      if (words === last) return;
      last = words;
      say.textContent = words;
      plain.canvas.setAttribute("aria-label", words);
    },
    fail(words) {
      last = "";
      say.textContent = words;
      announce(words);
    },
  };
}
