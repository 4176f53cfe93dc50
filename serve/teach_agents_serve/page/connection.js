// The socket of a session: comes back by itself with the number of the last event, sends again what got no answer.

import { keyed, unique } from "./api.js";

const PING_MS = 10000;
const SILENT_MS = 25000;
const FINAL = { 4401: "This link does not open the session.", 4404: "There is no such session." };

/**
 * Tells `event`, `screen`, `frame` ({view, seq, bitmap}) and `state` ("connecting", "online", "offline", "over", "refused") as
 * CustomEvents. Acts and utterances are kept until they are answered and carry an id, so that none is done twice.
 */
export class Connection extends EventTarget {
  #socket = null;
  #pending = new Map();
  #views = {};
  #header = null;
  #drawn = {};
  #tries = 0;
  #heard = 0;
  #timers = [];
  #closed = false;

  constructor(id, key) {
    super();
    this.id = id;
    this.key = key;
    this.after = -1;
    this.state = "connecting";
  }

  open() {
    const soon = () => { if (this.state === "offline") this.#connect(); };
    window.addEventListener("online", soon);
    document.addEventListener("visibilitychange", soon);
    this.#timers.push(setInterval(() => this.#beat(), PING_MS));
    this.#connect();
  }

  close() {
    this.#closed = true;
    this.#timers.forEach(clearInterval);
    this.#socket?.close(1000);
  }

  /** Take an action; resolves to the server's answer, rejects with its words when it is refused. */
  act(action, id = unique()) {
    return new Promise((resolve, reject) => {
      const message = { type: "act", id, action };
      this.#pending.set(id, { message, resolve, reject });
      this.#send(message);
    });
  }

  /** Which pictures are wanted, by name with their size in pixels. */
  want(views) {
    if (JSON.stringify(views) === JSON.stringify(this.#views)) return;
    this.#views = views;
    this.#send({ type: "views", views });
  }

  #connect() {
    if (this.#closed || this.#socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.retry);
    const address = keyed(`/v1/live/${encodeURIComponent(this.id)}/socket?after=${this.after}`, this.key);
    const socket = new WebSocket(new URL(address, location.href.replace(/^http/, "ws")));
    socket.binaryType = "blob";
    this.#socket = socket;
    this.#heard = Date.now();
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.#set("online");
      this.#send({ type: "views", views: this.#views });
      for (const { message } of this.#pending.values()) this.#send(message);
    });
    socket.addEventListener("message", (message) => { if (socket === this.#socket) this.#read(message.data); });
    socket.addEventListener("close", (closed) => { if (socket === this.#socket) this.#lost(closed.code); });
  }

  #lost(code) {
    this.#socket = null;
    this.#header = null;
    if (this.#closed) return;
    if (code === 1000) return this.#set("over");
    if (FINAL[code]) return this.#set("refused", FINAL[code]);
    this.#set("offline");
    const wait = Math.min(5000, 250 * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    this.#tries += 1;
    this.retry = setTimeout(() => this.#connect(), wait);
  }

  #beat() {
    if (!this.#socket) return;
    if (Date.now() - this.#heard > SILENT_MS) {
      const silent = this.#socket;
      this.#lost(4000);
      silent.close();
      return;
    }
    this.#send({ type: "ping" });
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #set(state, words = "") {
    this.state = state;
    this.#tell("state", { state, words });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #read(data) {
    this.#heard = Date.now();
    if (data instanceof Blob) {
      this.#draw(this.#header, data);
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "frame") this.#header = message;
    else if (message.type === "event") this.#event(message);
    else if (message.type === "screen") this.#tell("screen", message);
    else if (message.type === "answer" || message.type === "refused") this.#answer(message);
  }

  #event(event) {
    if (event.seq <= this.after) return;
    this.after = event.seq;
    this.#tell("event", event);
  }

  #answer(message) {
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === "answer") waiting?.resolve(message);
    else waiting?.reject(new Error(message.message ?? message.error));
  }

  async #draw(header, blob) {
    if (!header) return;
    const number = (this.#drawn[header.view]?.asked ?? 0) + 1;
    this.#drawn[header.view] = { ...this.#drawn[header.view], asked: number };
    const bitmap = await createImageBitmap(blob).catch(() => null);
    // Pictures are decoded side by side; an older one must not replace a newer.
    if (!bitmap || (this.#drawn[header.view].shown ?? 0) > number) return;
    this.#drawn[header.view].shown = number;
    this.#tell("frame", { view: header.view, seq: header.seq, bitmap });
  }
}
