// What became of actions, and what agents thought: two panels that list the latest and unfold the rest.

import { button, h, panel } from "./dom.js";
import { actionWords, capital, clock, exactClock, objectWords } from "./words.js";

const MOST = 200;

/** An action with what it was done to, in words. */
export function deedWords(action, result = {}) {
  const at = result.object_id ? ` ${objectWords(result.object_id)}` : "";
  const about = action.query ? ` “${action.query.includes("|") ? objectWords(action.query) : action.query}”` : "";
  return `${actionWords(action.name)}${at}${about}`;
}

/** The console of a seat: why an action failed and what might help. */
export function makeConsole() {
  const latest = h("div", { class: "latest", role: "status", "aria-live": "polite" }, h("p", { class: "soft", text: "Nothing done yet." }));
  const list = h("ol", {});
  const details = h("details", {}, h("summary", { text: "All actions" }), list);
  const element = panel("console", "Console", null, latest, details);
  element.dataset.panel = "log";
  return {
    element,
    /** An action event; `quiet` while the past is being told. */
    done({ data, time_ms: time, role }, named, quiet) {
      const { action, result } = data;
      const words = `${named ? `${capital(role)}: ` : ""}${deedWords(action, result)}`;
      list.prepend(h("li", {}, h("time", { title: exactClock(time), text: clock(time) }),
        h("span", { class: result.success ? "" : "bad", text: result.success ? words : `${words}: failed` })));
      if (list.childElementCount > MOST) list.lastElementChild.remove();
      latest.setAttribute("aria-live", quiet ? "off" : "polite");
      latest.className = `latest${result.success ? "" : " bad"}`;
      latest.replaceChildren(h("p", { text: result.success ? words : `${words} did not work.` }));
      if (result.success) return;
      if (result.help) latest.append(h("p", { class: "tip", text: result.help }));
      if (result.message) latest.append(h("p", { class: "mono", text: result.message }));
    },
    /** Something the page itself refused or the server did. */
    say(words) {
      latest.className = "latest bad";
      latest.replaceChildren(h("p", { text: words }));
    },
  };
}

const readable = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

/** What the agents of a session thought, folded: plan, choice, seconds of the model. */
export function makeThoughts() {
  const list = h("ol", { class: "thoughts", tabindex: "0", "aria-label": "Thoughts, the latest first" });
  const empty = h("p", { class: "thoughts soft", text: "Nothing yet. Agents that say what they think are shown here." });
  const details = h("details", {}, h("summary", { text: "The agent’s thinking" }), empty, list);
  const element = h("section", { class: "panel thinking", "aria-label": "The agent’s thinking", "data-panel": "log" }, details);
  return {
    element,
    add({ data, role, time_ms: time }) {
      empty.hidden = true;
      const { plan, choice, seconds, error, turn: _, ...rest } = data.thought && typeof data.thought === "object" ? { ...data.thought, ...data } : data;
      delete rest.thought;
      const item = h("li", {}, h("p", { class: "row" }, h("time", { title: exactClock(time), text: clock(time) }), h("b", { text: capital(role) }),
        seconds === undefined ? null : h("span", { class: "tag", text: `${Number(seconds).toFixed(2)} s` })));
      const chosen = choice ?? data.action;
      if (plan) item.append(h("p", { text: `Plan: ${readable(plan)}` }));
      if (chosen) item.append(h("p", { text: `Chose: ${typeof chosen === "object" && chosen.name ? deedWords(chosen) : readable(chosen)}` }));
      if (typeof data.thought === "string") item.append(h("p", { text: data.thought }));
      if (error) item.append(h("p", { class: "bad", text: readable(error) }));
      if (Object.keys(rest).length) {
        item.append(h("details", {}, h("summary", { text: "All of it" }), h("pre", { class: "mono", text: readable(rest) })));
      }
      list.prepend(item);
      if (list.childElementCount > MOST) list.lastElementChild.remove();
    },
  };
}

/** Buttons of an alert that an agent has failed. */
export const retryButton = (retry) => button("Try again", retry, { class: "compact" });
