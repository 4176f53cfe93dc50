// A live session as one of its chairs, or a watcher, sees it.

import { get, post } from "./api.js";
import { Chat } from "./chat.js";
import { Connection } from "./connection.js";
import { makeConsole, makeThoughts, retryButton } from "./console.js";
import { DEEDS, listenForKeys, MOTION_KEYS } from "./controls.js";
import { announce, button, h } from "./dom.js";
import { ActClock, wantedSize } from "./frames.js";
import { openHelp, openTutorial, tutorialOnce } from "./help.js";
import { keepKeys, recall } from "./kept.js";
import { makeMap } from "./map.js";
import { makeMenu } from "./menu.js";
import { makeCommanderStage, makeFollowerStage, makeTabs, makeWatchStage } from "./stage.js";
import { address, sessionTitle } from "./start.js";
import { makeTarget, makeTask, progressWords } from "./task.js";
import { capital, objectWords } from "./words.js";

const MOVES_AT_ONCE = 2;
/** What a person's stop, wait and go on do to who acts. */
const HELD = { stop: "stops.", wait: "waits. Say “go on” when it may.", resume: "may act again." };
const STATUS = { running: ["Running", "good"], paused: ["Paused", "warn"], ended: ["Finished", ""] };

/** Show a live session in `main`, its tools in `bar`; resolves when it is there. `signal` aborts when another screen comes. */
export async function showSession(main, bar, id, key, signal) {
  const path = `/v1/live/${encodeURIComponent(id)}`;
  const session = await get(path, key);
  if (signal.aborted) return;
  if (key) keepKeys(id, { [session.you ?? "watch"]: key });
  if (session.status === "ended") {
    location.replace(address("replay", id, key));
    return;
  }
  new LiveScreen(main, bar, { id, key, path, session, place: session.you ?? "watch" }, signal).open();
}

class LiveScreen {
  constructor(main, bar, { id, key, path, session, place }, signal) {
    const watches = place === "watch";
    this.signal = signal;
    this.session = session;
    this.clock = new ActClock();
    this.moving = 0;
    this.upToDate = false;
    this.screen = null;
    this.seat = {
      id, key, path, role: watches ? null : place, watches, connection: new Connection(id, key), room: session.room, sendsTo: session.sends_to,
      recorded: session.recorded !== false, agent: session.chairs?.follower !== "human", free: place !== "follower" && !session.task_name,
    };
    this.look = watches ? "watcher" : place;
    const guide = this.guide = this.seat.free && place === "commander" ? "exploring" : this.look;
    this.menu = makeMenu(this.seat, session, {
      help: () => openHelp(this.look, () => openTutorial(guide)), progress: () => this.checkProgress(), act: (action) => this.perform(action),
    });
    this.alerts = h("div", { class: "alerts", "aria-live": "assertive" });
    this.chat = new Chat(this.seat);
    this.console = makeConsole();
    this.thoughts = makeThoughts();
    this.map = makeMap(this.seat.role);
    this.build(main, bar);
  }

  build(main, bar) {
    const move = (name, event) => this.move(name, event);
    const side = h("div", { class: "column side" });
    const work = h("div", { class: "column work-column" });
    const tabs = [["chat", "Talk"]];
    if (this.look === "follower") {
      this.stage = makeFollowerStage(this.seat, move, (action, event) => this.perform(action, event));
      side.append(this.map.element, this.console.element, this.thoughts.element);
      tabs.push(["map", "Map"], ["log", "Console"]);
    } else {
      this.buildCommander(move, work, side);
      tabs.push(...(this.seat.free ? [] : [["task", "Task"]]), ["find", "Object"], ["map", "Map"], ["log", "Log"]);
    }
    const desk = h("div", { class: "desk" });
    this.tabs = makeTabs(desk, tabs, () => this.wantSoon());
    const talk = h("div", { class: "column talk" }, this.chat.element);
    desk.append(h("div", { class: "column main" }, this.stage.element, this.tabs.element, this.pair ?? ""));
    if (this.look === "commander") desk.append(work, talk);
    else desk.append(talk, side);
    main.replaceChildren(h("div", { class: "session", "data-role": this.look, "data-session": this.seat.id }, this.alerts, desk));
    this.status = h("span", { class: "tag" });
    this.line = h("span", { class: "tag bad", role: "status", hidden: true });
    bar.replaceChildren(
      h("div", { class: "title" }, h("h1", { text: sessionTitle(this.session, this.look) }), this.status, this.line), this.menu.element);
    document.title = `${sessionTitle(this.session, this.look)} – ${capital(this.look)}`;
    this.showStatus(this.session.status);
  }

  /** The Commander's panels; watchers have the same without anything to press. */
  buildCommander(move, work, side) {
    const acts = !this.seat.watches;
    this.stage = acts ? makeCommanderStage(move, () => this.want()) : makeWatchStage(() => this.want());
    this.task = makeTask(acts && (() => this.checkProgress()), acts && ((oid, event) => this.select(oid, event)));
    this.target = makeTarget(acts && ((words, event) => this.search(words, event)), this.seat.free);
    this.task.element.hidden = this.seat.free;
    this.small = this.stage.small;
    this.pair = h("div", { class: "pair" }, ...(acts ? [this.small.element, this.map.element] : [this.task.element, this.target.element]));
    if (acts) work.append(this.task.element, this.target.element, this.thoughts.element);
    else side.append(this.map.element, this.console.element, this.thoughts.element);
  }

  open() {
    const { connection } = this.seat;
    connection.addEventListener("event", ({ detail }) => this.happened(detail));
    connection.addEventListener("screen", ({ detail }) => this.show(detail));
    connection.addEventListener("frame", ({ detail }) => this.frame(detail));
    connection.addEventListener("state", ({ detail }) => this.connected(detail));
    this.signal.addEventListener("abort", () => connection.close());
    this.chat.resume();
    connection.open();
    const sizes = new ResizeObserver(() => this.wantSoon());
    for (const one of [this.stage, this.map, this.small, this.target]) if (one) sizes.observe(one.frame);
    this.signal.addEventListener("abort", () => sizes.disconnect());
    listenForKeys(this.keys(), () => recall("keys", true), this.signal);
    this.want();
    tutorialOnce(this.guide);
  }

  keys() {
    const keys = { "?": () => this.menu.help(), t: () => this.say() };
    if (this.seat.watches) return keys;
    for (const [key, name] of Object.entries(MOTION_KEYS)) keys[key] = (event) => { if (!event.repeat || this.moving < MOVES_AT_ONCE) this.move(name, event); };
    if (this.look === "commander") {
      const check = this.seat.free ? {} : { p: () => this.checkProgress() };
      return { ...keys, ...check, "/": () => { this.tabs.show("find"); document.querySelector("[data-do=search]").focus(); } };
    }
    const { targets } = this.stage;
    DEEDS.forEach((name, at) => { keys[String(at + 1)] = () => targets.aim(name, true); });
    return { ...keys, o: () => targets.aim("*", true), escape: () => targets.cancel() };
  }

  say() {
    this.tabs.show("chat");
    (this.chat.input ?? this.chat.log).focus();
  }

  /** Pictures of the sizes that the screen has room for now. */
  want() {
    const views = { [this.stage.view()]: wantedSize(this.stage.frame), overhead: wantedSize(this.map.frame, 600) };
    if (this.small) views[this.small.view()] = wantedSize(this.small.frame, 450);
    if (this.target && this.screen?.shown) views.target_view = views.target_lit = wantedSize(this.target.frame, 450);
    this.seat.connection.want(Object.fromEntries(Object.entries(views).filter(([, size]) => size > 0)));
  }

  wantSoon() {
    clearTimeout(this.wanting);
    this.wanting = setTimeout(() => { if (!this.signal.aborted) this.want(); }, 80);
  }

  /** A motion; no more than two are on their way at a time. */
  async move(name, event) {
    if (this.moving >= MOVES_AT_ONCE) return;
    this.moving += 1;
    try { await this.perform({ name }, event); } finally { this.moving -= 1; }
  }

  /** Take an action; resolves to its result, or null where it was refused. */
  async perform(action, event) {
    const { connection } = this.seat;
    if (connection.state !== "online") {
      this.refused("Not connected: nothing was done. It goes on by itself when the server is there again.");
      return null;
    }
    const settle = this.clock.begin(event?.timeStamp || performance.now());
    try {
      const answer = await connection.act(action);
      const happened = answer.event ?? answer;
      const result = happened.data?.result ?? { success: true };
      settle(result.success ? happened : null);
      return result;
    } catch (error) {
      settle(null);
      this.refused(error.message);
      return null;
    }
  }

  refused(words) {
    if (this.look === "follower") this.console.say(words);
    announce(words);
    this.alert("refused", words);
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.alert("refused", null), 6000);
  }

  async checkProgress() {
    const result = await this.perform({ name: "OpenProgressCheck" });
    if (!result?.reply) return null;
    this.tabs.show("task");
    this.task.show(result.reply, null, this.screen?.shown?.oid);
    announce(progressWords(result.reply));
    return result.reply;
  }

  async select(oid, event) {
    this.found(await this.perform({ name: "SelectOid", query: oid }, event));
  }

  async search(words, event) {
    this.found(await this.perform({ name: "SearchObject", query: words }, event));
  }

  found(result) {
    if (!result) return;
    if (!result.success) this.target.fail(result.message.replace(/^[^:]*: /, "").replace(/^./, (letter) => letter.toUpperCase()));
    else if (result.reply) this.target.show(result.reply);
  }

  frame({ view, seq, bitmap }) {
    if (view === this.stage.view()) {
      this.stage.draw(bitmap);
      this.clock.drawn(seq);
      this.stage.targets?.refresh();
    }
    if (view === "overhead") this.map.draw(bitmap);
    if (view === this.small?.view()) this.small.draw(bitmap);
    if (view === "target_view" || view === "target_lit") this.target?.draw(view, bitmap);
    bitmap.close();
  }

  show(screen) {
    const before = this.screen;
    this.screen = screen;
    if (screen.status) this.showStatus(screen.status);
    this.map.show(screen.marks, screen.map);
    if (this.stage.hand) this.stage.hand.textContent = screen.held ? `In hand: ${objectWords(screen.held)}` : "Hand empty";
    this.task?.show(screen.progress, screen.checked_ms, screen.shown?.oid);
    this.target?.show(screen.shown);
    if (!before?.shown !== !screen.shown) this.wantSoon();
    if (!this.upToDate) { this.upToDate = true; this.chat.live(); }
  }

  showStatus(status) {
    const [words, tone] = STATUS[status] ?? [capital(status ?? ""), ""];
    this.status.textContent = words;
    this.status.className = `tag ${tone}`;
    this.menu.show(status);
  }

  connected({ state, words }) {
    this.line.hidden = state === "online" || state === "over";
    this.line.textContent = state === "connecting" ? "Connecting …" : state === "refused" ? words : "Offline: trying again";
    if (state === "online" || state === "offline") this.seat.online = state === "online";
    if (state === "offline") announce("The connection is lost. It is tried again.");
    if (state === "online" && this.upToDate) announce("Connected again.");
    if (state === "refused") this.alert("refused", words);
  }

  /** Show an alert under a name; null takes it away. */
  alert(name, words, ...more) {
    this.alerts.querySelector(`[data-alert="${name}"]`)?.remove();
    if (words) this.alerts.append(h("div", { class: `notice${name === "over" ? "" : " bad"}`, "data-alert": name }, h("span", { text: words }), ...more));
  }

  happened(event) {
    const who = event.role ? capital(event.role) : "Somebody";
    const tell = {
      utterance: () => {
        this.chat.said(event);
        const count = this.tabs.element.offsetParent && this.tabs.element.parentElement.parentElement.dataset.tab !== "chat" ? this.chat.takeCount() : (this.chat.takeCount(), 0);
        if (count) this.tabs.count.textContent = String(Number(this.tabs.count.textContent || 0) + count);
        this.now(event.role, "");
      },
      action: () => { this.acted(event); this.now(event.role, event.role === this.seat.role ? "" : "is at work …", true); },
      getting_ready: () => this.now(event.role, "is getting ready: its model is loaded …"),
      control: () => { this.chat.tell(`The ${who} ${HELD[event.data.act]}`, event.seq - 1); this.now(event.role, ""); },
      thinking: () => this.now(event.role, event.data.first ? "is getting ready: its model is loaded …" : "is thinking …"),
      thought: () => { this.thoughts.add(event); this.now(event.role, ""); },
      joined: () => { this.came(event, "is here"); this.now(event.role, ""); },
      left: () => this.came(event, "left"),
      paused: () => { this.chat.tell("Paused."); this.showStatus("paused"); },
      resumed: () => { this.chat.tell("Going on."); this.showStatus("running"); },
      failed: () => this.failed(event, who),
      ended: () => this.ended(event),
    }[event.kind];
    tell?.();
  }

  /** Somebody came or left; nobody needs to be told of themselves, or of watchers. */
  came(event, what) {
    if (event.role && event.role !== this.seat.role) this.chat.tell(`The ${capital(event.role)}${event.data.agent ? ` (${event.data.agent})` : ""} ${what}.`);
  }

  acted(event) {
    if (this.seat.watches || event.role === this.seat.role) this.console.done(event, this.seat.watches, !this.upToDate);
    if (event.role === "follower" && event.role !== this.seat.role) this.chat.did(event);
    if (event.role) this.alert(`failed-${event.role}`, null);
  }

  /** What somebody does now, as long as nobody else does something; `passing` is forgotten by itself. */
  now(role, words, passing = false) {
    if (this.chat.now.dataset.role && this.chat.now.dataset.role !== role && !words) return;
    this.chat.doing(role, words && role ? `The ${capital(role)} ${words}` : "", passing);
  }

  failed(event, who) {
    this.now(event.role, "");
    const name = `failed-${event.role}`;
    const words = `The ${who} failed and stands still: ${event.data.problem ?? event.data.message ?? "no reason given"}`;
    const retry = retryButton(async () => {
      try { await post(`${this.seat.path}/retry`, {}, this.seat.key); this.alert(name, null); } catch (error) { this.refused(error.message); }
    });
    this.alert(name, words, ...(this.seat.watches ? [] : [retry]));
  }

  ended(event) {
    this.showStatus("ended");
    this.chat.tell("The session is over.");
    const { success } = event.data;
    const outcome = this.look !== "follower" && !this.seat.free && typeof success === "boolean" ? (success ? " The task was done." : " The task was not done.") : "";
    const replay = h("a", { class: "button compact", href: address("replay", this.seat.id, this.seat.key), text: "Replay" });
    this.alert("over", `The session is over.${outcome}`, ...(this.seat.recorded ? [replay] : []),
      button("New session", () => { location.hash = "#/"; }, { class: "compact" }));
  }
}
