// Talk: what was said with its times, and a line to say something. Nothing typed is lost: drafts and unsent words are kept.

import { unique } from "./api.js";
import { button, h, panel } from "./dom.js";
import { icon } from "./icons.js";
import { keep, recall } from "./kept.js";
import { capital, clock, exactClock } from "./words.js";

const OPENINGS = {
  follower: { words: "You do not know the task yet. Ask for it:", say: ["What should I do today?"] },
  commander: { words: "Open the progress check to see the task, then tell the Follower one step at a time. It cannot see your screen.", say: [] },
};

/** The chat of a seat; watchers only read. */
export class Chat {
  #seat; #waiting; #hint = null; #count = 0;

  constructor(seat) {
    this.#seat = seat;
    this.#waiting = new Map();
    this.log = h("div", { class: "log", role: "log", "aria-label": "What was said", tabindex: "0", "aria-live": "off" });
    this.now = h("p", { class: "thinking-now", role: "status" });
    this.element = panel("chat", "Talk", h("span", { class: "small soft", text: seat.watches ? "You are watching" : "" }), this.log, this.now);
    this.element.dataset.panel = "chat";
    if (!seat.watches) this.element.append(this.#form());
    this.#greet();
  }

  /** Utterances that were not answered before the page was left are said now; the server says each only once. */
  resume() {
    if (this.#seat.watches) return;
    for (const [id, text] of Object.entries(recall(`outbox.${this.#seat.id}.${this.#seat.role}`, {}, false))) this.#send(text, id);
  }

  #form() {
    const draft = `draft.${this.#seat.id}.${this.#seat.role}`;
    this.input = h("textarea", { rows: "1", "aria-label": "Say something", placeholder: "Say something", maxlength: "2000", enterkeyhint: "send",
      autocomplete: "off", on: {
        input: () => { keep(draft, this.input.value || null, false); this.#grow(); },
        keydown: (event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); this.form.requestSubmit(); }
          if (event.key === "Escape") this.input.blur();
        },
      } });
    this.input.value = recall(draft, "", false);
    this.form = h("form", { on: { submit: (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      this.input.value = "";
      keep(draft, null, false);
      this.#grow();
      this.#send(text);
    } } }, this.input, h("button", { type: "submit", class: "primary icon", "aria-label": "Send" }, icon("send")));
    return this.form;
  }

  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
  }

  #greet() {
    const opening = OPENINGS[this.#seat.role];
    if (!opening) return;
    this.#hint = h("div", { class: "hint" }, h("p", { text: opening.words }));
    if (opening.say.length) {
      this.#hint.append(h("div", { class: "row" }, ...opening.say.map((text) => button(text, () => this.#send(text), { class: "compact" }))));
    }
    this.log.append(this.#hint);
  }

  async #send(text, id = unique()) {
    const box = `outbox.${this.#seat.id}.${this.#seat.role}`;
    keep(box, { ...recall(box, {}, false), [id]: text }, false);
    const line = this.#line(this.#seat.role, text, null);
    line.classList.add("sending");
    this.#waiting.set(id, { text, line });
    this.#add(line, true);
    try {
      await this.#seat.connection.act({ name: "Text", utterance: text }, id);
    } catch (error) {
      line.querySelector(".who time")?.replaceWith(h("span", { class: "tag bad", text: error.message }));
    }
    const left = recall(box, {}, false);
    delete left[id];
    keep(box, Object.keys(left).length ? left : null, false);
    if (this.#waiting.delete(id) && line.classList.contains("sending") && !line.querySelector(".bad")) line.remove();
  }

  /** An utterance has been published. */
  said(event) {
    this.#hint?.remove();
    this.#hint = null;
    const text = event.data.text ?? event.data.utterance ?? "";
    if (event.role === this.#seat.role) this.#settle(text);
    else this.#count += 1;
    this.#add(this.#line(event.role, text, event.time_ms), event.role === this.#seat.role);
  }

  /** Someone came or went, or the session was paused: a line between the utterances. */
  tell(words) {
    this.#add(h("p", { class: "told", text: words }), false);
  }

  #settle(text) {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.text !== text) continue;
      waiting.line.remove();
      this.#waiting.delete(id);
      return;
    }
  }

  #line(role, text, time) {
    const mine = role === this.#seat.role;
    return h("div", { class: `said${mine ? " mine" : ""}`, "data-who": role },
      h("p", { class: "who" }, h("b", { text: mine ? "You" : capital(role) }),
        time === null ? h("time", { text: "sending" }) : h("time", { title: exactClock(time), "data-ms": time, text: clock(time) })),
      h("p", { class: "words", text }));
  }

  #add(line, follow) {
    const low = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
    this.log.append(line);
    if (low || follow) this.log.scrollTop = this.log.scrollHeight;
  }

  /** How many utterances of others came since this was asked. */
  takeCount() {
    const count = this.#count;
    this.#count = 0;
    return count;
  }

  /** From now on new lines are read out. */
  live() {
    this.log.setAttribute("aria-live", "polite");
    this.log.scrollTop = this.log.scrollHeight;
  }
}
