// Choosing an object in the picture: the action first and then one of the highlighted objects, or the object first.

import { get } from "./api.js";
import { announce, button, h } from "./dom.js";
import { actionWords, capital, counted, objectWords } from "./words.js";

/** The name of each target; two of a kind are numbered from left to right. */
export function targetNames(targets) {
  const byType = Map.groupBy(targets, (target) => target.object_type);
  return new Map(targets.map((target) => {
    const alike = byType.get(target.object_type).toSorted((one, other) => one.x - other.x);
    const words = capital(objectWords(target.object_type));
    return [target.object_id, alike.length > 1 ? `${words} ${alike.indexOf(target) + 1}` : words];
  }));
}

const area = ({ box: [left, top, right, bottom] }) => (right - left) * (bottom - top);

/**
 * Lies over the Follower's picture. `perform(action, event)` acts; `onMode(mode, count)` is told what is being
 * aimed (an action's name, "*" for any object, or null) and at how many objects, once that is known.
 */
export class Targets {
  #seat; #perform; #onMode; #menu = null; #asked = 0; #latest = ""; #focus = false; #aloud = false;

  constructor(seat, frame, perform, onMode) {
    this.#seat = seat;
    this.#perform = perform;
    this.#onMode = onMode;
    this.mode = null;
    this.frame = frame;
    this.element = h("div", { class: "targets", role: "group", "aria-label": "Objects to choose from" });
    frame.append(this.element);
    frame.addEventListener("click", (event) => this.#clicked(event));
    frame.addEventListener("keydown", (event) => { if (event.key === "Escape") this.cancel(); });
  }

  /** Aim an action (or "*"); the same again, or null, lets it go. With `focus` the first target gets the focus. */
  async aim(mode, focus = false) {
    this.#closeMenu();
    this.mode = mode === this.mode ? null : mode;
    this.#latest = "";
    this.#onMode(this.mode);
    this.element.replaceChildren();
    // A picture may come meanwhile and ask anew: whichever answer is shown first is told, and gets the focus.
    [this.#focus, this.#aloud] = [focus, true];
    await this.refresh();
  }

  /** Let go of whatever is being aimed. Returns whether there was anything. */
  cancel() {
    const was = this.mode !== null || this.#menu !== null;
    const inside = this.frame.contains(document.activeElement);
    this.#closeMenu();
    this.mode = null;
    this.element.replaceChildren();
    this.#onMode(null);
    if (was && inside) this.frame.focus({ preventScroll: true });
    return was;
  }

  /** Ask again which objects there are, for the picture has changed. */
  async refresh() {
    if (!this.mode) return;
    const targets = await this.#ask(this.mode);
    if (!targets) return;
    const text = JSON.stringify(targets);
    if (text === this.#latest) return;
    this.#latest = text;
    const held = document.activeElement?.dataset?.object;
    const names = targetNames(targets);
    this.#onMode(this.mode, targets.length);
    this.element.classList.toggle("few", targets.length <= 6);
    this.element.replaceChildren(...targets.toSorted((one, other) => area(other) - area(one)).map((target, at) => this.#box(target, names, at)));
    const again = held && this.element.querySelector(`[data-object="${CSS.escape(held)}"]`);
    (again || (this.#focus ? this.element.firstElementChild : null))?.focus({ preventScroll: true });
    if (this.#aloud) announce(this.#summary(targets, names));
    this.#focus = this.#aloud = false;
  }

  #summary(targets, names) {
    if (!targets.length) return "No object in view for this. Move, or choose another action.";
    return `${counted(targets.length, "object")}: ${[...names.values()].join(", ")}.`;
  }

  /** Targets of an action, or null when another question has been asked since. */
  async #ask(mode) {
    const number = ++this.#asked;
    const which = mode === "*" ? "" : `?action=${encodeURIComponent(mode)}`;
    try {
      const found = await get(`${this.#seat.path}/targets${which}`, this.#seat.key);
      return number === this.#asked ? found.targets ?? found : null;
    } catch (error) {
      if (number === this.#asked) announce(error.message);
      return null;
    }
  }

  #box(target, names, at) {
    const [left, top, right, bottom] = target.box;
    const name = names.get(target.object_id);
    const label = this.mode === "*" ? name : `${actionWords(this.mode)}: ${name}`;
    const place = `${top < 0.08 ? "high" : ""} ${left < 0.1 ? "left" : right > 0.9 ? "right" : ""}`.trim();
    const box = button("", (event) => { event.stopPropagation(); this.#chosen(target, name, event); }, {
      "aria-label": label, "data-object": target.object_id, class: place || null,
    });
    box.append(h("span", { text: name, "aria-hidden": "true" }));
    const width = Math.max(right - left, 0.045), height = Math.max(bottom - top, 0.045);
    box.style.left = `${Math.min(Math.max(0, (left + right - width) / 2), 1 - width) * 100}%`;
    box.style.top = `${Math.min(Math.max(0, (top + bottom - height) / 2), 1 - height) * 100}%`;
    box.style.width = `${width * 100}%`;
    box.style.height = `${height * 100}%`;
    box.style.zIndex = String(at + 1);
    return box;
  }

  #chosen(target, name, event) {
    if (this.mode === "*") return this.#openMenu([[target, name]], target.x, target.y);
    // With Shift the click is exactly where it was made: where on a counter a thing is put, for example.
    const exact = event.shiftKey && event.detail > 0 ? this.#point(event) : target;
    return this.#act(this.mode, exact.x, exact.y, event);
  }

  #point(event) {
    const area = this.frame.getBoundingClientRect();
    const within = (value) => Math.min(0.9999, Math.max(0, value));
    return { x: within((event.clientX - area.left) / area.width), y: within((event.clientY - area.top) / area.height) };
  }

  async #clicked(event) {
    if (this.#menu?.contains(event.target)) return;
    const { x, y } = this.#point(event);
    if (this.#menu) return this.#closeMenu();
    if (this.mode && this.mode !== "*") return this.#act(this.mode, x, y, event);
    const targets = await this.#ask("*");
    if (!targets) return;
    const names = targetNames(targets);
    const slack = 0.012;
    const hit = targets
      .filter(({ box: [left, top, right, bottom] }) => x >= left - slack && x <= right + slack && y >= top - slack && y <= bottom + slack)
      .toSorted((one, other) => area(one) - area(other));
    this.#openMenu(hit.slice(0, 3).map((target) => [target, names.get(target.object_id)]), x, y);
  }

  #openMenu(entries, x, y) {
    this.#closeMenu();
    const menu = h("div", { class: "picked", role: "menu", "aria-label": "What to do" });
    for (const [target, name] of entries) {
      menu.append(h("p", { text: name, role: "presentation" }));
      for (const action of target.actions ?? []) {
        menu.append(button(actionWords(action), (event) => { event.stopPropagation(); this.#act(action, target.x, target.y, event); }, {
          role: "menuitem", "aria-label": `${actionWords(action)}: ${name}`, "data-action": action,
        }));
      }
    }
    if (!entries.length) {
      menu.append(h("p", { text: "Nothing here to act on. Move closer, or choose an action to see what it applies to." }));
      announce(menu.textContent);
    }
    menu.addEventListener("keydown", (event) => this.#menuKey(event));
    menu.style.left = `min(${x * 100}%, calc(100% - 200px))`;
    if (y < 0.5) menu.style.top = `${y * 100}%`; else menu.style.bottom = `${(1 - y) * 100}%`;
    this.frame.append(menu);
    this.#menu = menu;
    menu.querySelector("button")?.focus({ preventScroll: true });
  }

  #menuKey(event) {
    const items = [...this.#menu.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Tab") return this.#closeMenu();
    if (!step || !items.length) return undefined;
    event.preventDefault();
    event.stopPropagation();
    return items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }

  #closeMenu() {
    const inside = this.#menu?.contains(document.activeElement);
    this.#menu?.remove();
    this.#menu = null;
    if (inside) this.frame.focus({ preventScroll: true });
  }

  async #act(name, x, y, event) {
    const kept = this.mode;
    this.#closeMenu();
    const mark = h("div", { class: "click-mark" });
    mark.style.left = `${x * 100}%`;
    mark.style.top = `${y * 100}%`;
    this.frame.append(mark);
    const result = await this.#perform({ name, x, y }, event);
    mark.remove();
    if (result?.success && kept === this.mode) this.cancel();
  }
}
