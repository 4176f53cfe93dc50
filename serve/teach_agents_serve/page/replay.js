// A session that is over, with a scrubber: pictures after each action, talk to jump by.

import { download, get, picture } from "./api.js";
import { deedWords } from "./console.js";
import { button, h, panel } from "./dom.js";
import { makeCanvas, wantedSize } from "./frames.js";
import { icon } from "./icons.js";
import { makeMap } from "./map.js";
import { sessionTitle } from "./start.js";
import { capital, clock, exactClock } from "./words.js";

const SPEEDS = [1, 4, 16];
const STILL_MS = 250;
const LONGEST_WAIT_MS = 3000;

/** Show the replay of a session in `main`. */
export async function showReplay(main, bar, id, key, signal) {
  const path = `/v1/live/${encodeURIComponent(id)}`;
  const [session, replay] = await Promise.all([get(path, key), get(`${path}/replay`, key)]);
  if (signal.aborted) return;
  const screen = new ReplayScreen(path, key, session, replay, signal);
  main.replaceChildren(screen.element);
  bar.replaceChildren(h("div", { class: "title" }, h("h1", { text: sessionTitle(session) }), h("span", { class: "tag", text: "Replay" })),
    h("div", { class: "tools" }, button("Download", () => download(`${path}/game`, key, `${id}.game.json`), { class: "compact", "data-do": "download" })));
  document.title = `${sessionTitle(session)} – replay`;
  screen.go(0);
}

/** Whether a turn is talk. */
const talk = (turn) => turn.action?.name === "Text";

class ReplayScreen {
  constructor(path, key, session, replay, signal) {
    Object.assign(this, { path, key, replay, signal, at: 0, asked: 0, speed: SPEEDS[1], timer: null });
    this.turns = replay.turns;
    this.eyes = makeCanvas("What the Follower sees");
    this.eyesFrame = h("div", { class: "frame" }, this.eyes.canvas);
    this.camera = makeCanvas("What the Commander’s camera sees");
    this.cameraFrame = h("div", { class: "frame" }, this.camera.canvas);
    this.views = replay.views;
    // The Follower's key opens its own eyes only; everybody else's sees both.
    this.main = this.views.includes("follower_view") ? "follower_view" : "view";
    this.map = makeMap();
    this.map.explain();
    this.caption = h("p", { class: "caption", role: "status", "aria-live": "off" });
    this.scrub = h("input", { type: "range", min: "0", max: String(this.turns.length), step: "1", value: "0", "aria-label": "Place in the session",
      on: { input: () => { this.stop(); this.go(Number(this.scrub.value)); } } });
    this.time = h("span", { class: "small soft" });
    this.build(session);
    signal.addEventListener("abort", () => this.stop());
    new ResizeObserver(() => this.draw()).observe(this.eyesFrame);
  }

  build() {
    this.play = button(icon("play"), () => (this.timer === null ? this.start() : this.stop()), { class: "primary icon", "aria-label": "Play", "data-do": "play" });
    const step = (words, by, label) => button(words, () => { this.stop(); this.go(this.at + by); }, { class: "compact", "aria-label": label, "data-do": label.toLowerCase() });
    const speed = h("select", { "aria-label": "Speed", on: { change: () => { this.speed = Number(speed.value); } } },
      ...SPEEDS.map((one) => h("option", { value: one, text: `${one} ×` })));
    speed.value = String(this.speed);
    speed.style.width = "auto";
    const controls = h("div", { class: "player" }, this.caption,
      h("div", { class: "scrub" }, this.scrub, h("div", { class: "row" }, this.time)),
      h("div", { class: "row" }, h("div", { class: "row" }, step("‹", -1, "Back"), this.play, step("›", 1, "Forward")),
        h("div", { class: "row" }, button("Last words", () => this.jump(-1), { class: "compact" }), button("Next words", () => this.jump(1), { class: "compact", "data-do": "next-words" })), speed));
    this.words = this.turns.map((turn, index) => ({ turn, index })).filter(({ turn }) => talk(turn));
    this.lines = this.words.map(({ turn, index }) => {
      const line = button("", () => { this.stop(); this.go(index + 1); }, { "data-turn": index });
      line.append(h("time", { title: exactClock(turn.time_ms), text: clock(turn.time_ms) }), h("span", {}, h("b", { text: `${capital(turn.role)}: ` }), turn.action.utterance));
      return line;
    });
    const said = panel("chat", "Talk", null, this.words.length
      ? h("ol", { class: "log" }, ...this.lines.map((line) => h("li", {}, line))) : h("p", { class: "inner soft", text: "Nothing was said." }));
    const camera = panel("eyes", "Commander’s camera", null, this.cameraFrame);
    this.element = h("div", { class: "session replay", "data-role": "replay" }, h("div", { class: "desk" },
      h("div", { class: "column main" }, h("section", { class: "stage", "aria-label": "Replay" }, this.eyesFrame, controls)),
      h("div", { class: "column" }, said), h("div", { class: "column side" }, this.map.element, this.main === "view" ? "" : camera)));
  }

  /** Show the session as it was after `turn` actions. */
  go(turn) {
    this.at = Math.max(0, Math.min(this.turns.length, turn));
    const last = this.at ? this.turns[this.at - 1] : null;
    this.scrub.value = String(this.at);
    const time = last?.time_ms ?? 0;
    this.scrub.setAttribute("aria-valuetext", `${this.at} of ${this.turns.length} actions, ${clock(time)}`);
    this.time.textContent = `${clock(time)} of ${clock(this.replay.duration_ms ?? 0)} · action ${this.at} of ${this.turns.length}`;
    this.caption.replaceChildren(...(last ? this.told(last) : ["The beginning."]));
    const current = this.words.findLast(({ index }) => index < this.at);
    for (const line of this.lines) {
      const now = Number(line.dataset.turn) === current?.index;
      line.setAttribute("aria-current", String(now));
      if (now) this.reveal(line);
    }
    this.draw();
  }

  /** Scroll the talk so that a line is in sight, and nothing else. */
  reveal(line) {
    const list = line.closest(".log");
    const top = line.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 2;
  }

  told({ role, action, success, message }) {
    const who = h("b", { text: `${capital(role)}: ` });
    if (!action) return [who, "no valid action"];
    if (action.name === "Text") return [who, `“${action.utterance}”`];
    return [who, deedWords(action), success === false ? ` – failed. ${message ?? ""}` : ""];
  }

  async draw() {
    const number = (this.asked += 1);
    const turn = this.at;
    const show = async (view, frame, draw) => {
      const size = wantedSize(frame, view === this.main ? 900 : 450);
      if (!size || !this.views.includes(view)) return;
      const bitmap = await picture(`${this.path}/replay/${turn}/${view}.jpg?size=${size}`, this.key).catch(() => null);
      if (bitmap && number === this.asked) draw(bitmap);
    };
    await Promise.all([show(this.main, this.eyesFrame, this.eyes.draw), show(this.views.includes("map") ? "map" : "overhead", this.map.frame, this.map.draw), ...(this.main === "view" ? [] : [show("view", this.cameraFrame, this.camera.draw)])]);
  }

  start() {
    if (this.at >= this.turns.length) this.go(0);
    this.play.replaceChildren(icon("pause"));
    this.play.setAttribute("aria-label", "Pause");
    const next = () => {
      if (this.at >= this.turns.length || this.signal.aborted) { this.stop(); return; }
      const before = this.at ? this.turns[this.at - 1].time_ms : 0;
      const wait = Math.min(LONGEST_WAIT_MS, this.turns[this.at].time_ms - before) / this.speed;
      this.timer = setTimeout(async () => {
        if (this.timer === null) return;
        this.at += 1;
        this.go(this.at);
        next();
      }, Math.max(STILL_MS / this.speed, wait));
    };
    next();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.play.replaceChildren(icon("play"));
    this.play.setAttribute("aria-label", "Play");
  }

  /** To the next utterance, or the one before. */
  jump(by) {
    this.stop();
    const places = this.words.map(({ index }) => index + 1);
    const to = by > 0 ? places.find((place) => place > this.at) : places.findLast((place) => place < this.at);
    if (to !== undefined) this.go(to);
  }
}
