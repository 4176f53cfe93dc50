// Pictures on canvases, and how large they are wanted.

import { h } from "./dom.js";

const SIZES = [150, 200, 300, 450, 600, 750, 900];

/** A square canvas with a name; `draw` shows a picture. */
export function makeCanvas(label, className = "") {
  const canvas = h("canvas", { class: className, role: "img", "aria-label": label, width: 300, height: 300 });
  const context = canvas.getContext("2d", { alpha: false });
  return {
    canvas,
    draw(bitmap) {
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
      }
      context.drawImage(bitmap, 0, 0);
      canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
    },
    /** Show a camera without a picture. */
    clear() { context.clearRect(0, 0, canvas.width, canvas.height); },
  };
}

/** How many pixels a side an element's picture should have: sharp on this screen, of few different sizes; 0 when hidden. */
export function wantedSize(element, most = 900) {
  const pixels = element.getBoundingClientRect().width * (window.devicePixelRatio || 1);
  if (pixels < 1) return 0;
  return Math.min(most, SIZES.find((size) => size >= pixels * 0.96) ?? most);
}

/** Time from an act to its picture on the screen, as performance entries named "act to picture". */
export class ActClock {
  #running = [];
  #newest = -1;

  /** An act began at `start` (performance time); returns what to call with the event it became, or null where it failed. */
  begin(start) {
    const act = { start, seq: null };
    this.#running.push(act);
    return (event) => {
      act.seq = event ? event.seq : -1;
      if (!event) this.#running = this.#running.filter((other) => other !== act);
      else this.#settle();
    };
  }

  /** The view of event `seq` has been drawn. */
  drawn(seq) {
    this.#newest = Math.max(this.#newest, seq);
    this.#settle();
  }

  #settle() {
    const shown = this.#running.filter((act) => act.seq !== null && act.seq <= this.#newest);
    this.#running = this.#running.filter((act) => !shown.includes(act));
    for (const act of shown) {
      requestAnimationFrame(() => performance.measure("act to picture", { start: act.start, end: performance.now() }));
    }
  }
}
