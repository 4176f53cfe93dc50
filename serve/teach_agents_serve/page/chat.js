// Talk: what was said with its times and what came of it, and a line to say something. Drafts and unsent words are kept, unless
// nothing of the session is to be.

import { unique } from "./api.js";
import { button, h, panel } from "./dom.js";
import { icon } from "./icons.js";
import { keep as keepThere, recall } from "./kept.js";
import { starters } from "./starters.js";
import { capital, clock, counted, exactClock } from "./words.js";

const MOVES = /^(Forward|Backward|Pan|Turn|Look)/, WALKS = /^(Forward|Backward|Pan)/;
/** An agent that has done nothing for so long is not said to be at work. */
const AT_WORK_MS = 2500;

/** What is said first in a chair, and what may be: `agent` is whether a Follower of no person listens. */
function opening(seat) {
  if (seat.role === "follower") return { words: "You do not know the task yet. Ask for it:", say: ["What should I do today?"] };
  if (seat.role !== "commander") return null;
  const words = seat.free
    ? "Tell the Follower what to do, or ask it something, in your own words. It cannot see your screen."
    : "Open the progress check to see the task, then tell the Follower one step at a time. It cannot see your screen.";
  return { words: seat.agent ? `${words} For example:` : words, say: seat.agent ? starters(seat.room) : [] };
}

/** The chat of a seat; watchers only read. */
export class Chat {
  #seat; #waiting; #hint = null; #count = 0; #exchanges = new Map(); #deed = null; #resting = 0; #keep;

  constructor(seat) {
    this.#seat = seat;
    this.#waiting = new Map();
    this.#keep = (...what) => { if (seat.recorded) keepThere(...what); };
    this.log = h("div", { class: "log", role: "log", "aria-label": "What was said", tabindex: "0", "aria-live": "off" });
    this.now = h("p", { class: "thinking-now", role: "status" });
    this.element = panel("chat", "Talk", h("span", { class: "small soft", text: seat.watches ? "You are watching" : "" }), this.log, this.now);
    this.element.dataset.panel = "chat";
    if (seat.sendsTo) this.element.append(h("p", { class: "notice small sends", text: `What you type is sent to ${seat.sendsTo}: the Follower runs on it.` }));
    if (!seat.recorded) this.element.append(h("p", { class: "small soft sends", text: "Nothing of this session is kept." }));
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
        input: () => { this.#keep(draft, this.input.value || null, false); this.#grow(); },
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
      this.#keep(draft, null, false);
      this.#grow();
      this.#send(text);
    } } }, this.input, h("button", { type: "submit", class: "primary icon", "aria-label": "Send" }, icon("send")),
    this.#seat.role === "commander" && this.#seat.agent
      ? button("Stop", () => this.#send("stop"), { class: "stop", "data-do": "stop", title: "The Follower stops at once" }) : null);
    return this.form;
  }

  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
  }

  #greet() {
    const first = opening(this.#seat);
    if (!first) return;
    this.#hint = h("div", { class: "hint" }, h("p", { text: first.words }));
    if (first.say.length) {
      this.#hint.append(h("div", { class: "row" }, ...first.say.map((text) => button(text, () => this.#send(text), { class: "compact" }))));
    }
    this.log.append(this.#hint);
  }

  async #send(text, id = unique()) {
    const box = `outbox.${this.#seat.id}.${this.#seat.role}`;
    this.#keep(box, { ...recall(box, {}, false), [id]: text }, false);
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
    this.#keep(box, Object.keys(left).length ? left : null, false);
    if (this.#waiting.delete(id) && line.classList.contains("sending") && !line.querySelector(".bad")) line.remove();
  }

  /** An utterance has been published. */
  said(event) {
    const mine = event.role === this.#seat.role;
    if (mine || this.#seat.role === "follower") {
      this.#hint?.remove();
      this.#hint = null;
    }
    const text = event.data.text ?? event.data.utterance ?? "";
    if (mine) this.#settle(text);
    else this.#count += 1;
    this.#deed = null;
    const exchange = h("div", { class: "exchange", "data-seq": event.seq }, this.#line(event.role, text, event.time_ms));
    this.#exchanges.set(event.seq, exchange);
    this.#add(exchange, mine, event.data.reply_to);
  }

  /** Somebody else did something that can be seen: a line below what it was done about; motions in a row are one line. */
  did(event) {
    const { words, action, result, reply_to: about } = event.data;
    if (!words) return;
    const step = MOVES.test(action?.name ?? "") && result.success;
    const last = this.#deed;
    if (step && last && last.role === event.role && last.about === about && last.line.isConnected) {
      last.steps += Number(WALKS.test(action.name));
      last.line.lastChild.textContent = last.steps ? `walked ${counted(last.steps, "step")}` : "looked round";
      return;
    }
    const line = h("p", { class: `deed${result.success ? "" : " bad"}`, "data-who": event.role }, h("b", { class: "unseen", text: `The ${capital(event.role)}: ` }), h("span", { text: words }));
    this.#deed = step ? { line, role: event.role, about, steps: Number(WALKS.test(action.name)) } : null;
    this.#add(line, false, about);
  }

  /** Someone came or went, or the session was paused: a line between the utterances, or below the one that it is about. */
  tell(words, about = null) {
    this.#deed = null;
    this.#add(h("p", { class: `told${about === null ? "" : " held"}`, text: words }), false, about);
  }

  /** What somebody is doing now, in words below the talk; "" for nothing. It goes by itself where it says that somebody is at work. */
  doing(role, words, passing = false) {
    clearTimeout(this.#resting);
    this.now.textContent = words;
    if (words) this.now.dataset.role = role; else delete this.now.dataset.role;
    if (passing) this.#resting = setTimeout(() => this.doing(role, ""), AT_WORK_MS);
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

  #add(line, follow, about = null) {
    const low = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
    (this.#exchanges.get(about) ?? this.log).append(line);
    if (this.#hint && this.log.lastChild !== this.#hint) this.log.append(this.#hint);
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
