// The room from above: the picture, and on it where everybody is and looks.

import { h, panel, svg } from "./dom.js";
import { makeCanvas } from "./frames.js";
import { directionWords, placeWords } from "./words.js";

const NAMES = { follower: "Follower", commander: "Commander’s camera", search: "Search camera" };
const CONE_M = 1.2;
const DOT_M = 0.2;

/** A circle and a translucent cone of 90 degrees; the map's side is 100 units. */
function drawn(mark, unit) {
  const reach = CONE_M * unit, side = reach * Math.SQRT1_2;
  const x = mark.x * 100, y = mark.y * 100;
  return svg("g", { class: `mark-${mark.who}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${mark.yaw})`, "data-who": mark.who },
    svg("path", { class: "cone", d: `M0 0L${-side} ${-side}A${reach} ${reach} 0 0 1 ${side} ${-side}Z` }),
    svg("circle", { class: "dot", r: Math.max(1.9, DOT_M * unit) * (mark.who === "commander" ? 1.35 : 1) }));
}

const inWords = (mark, mine) => `${mark.who === mine ? "You are" : `${NAMES[mark.who]}:`} ${placeWords(mark.x, mark.y)}, facing ${directionWords(mark.yaw)}`;

/** The map's panel; `mine` is the mark of whoever looks at it. */
export function makeMap(mine = null) {
  const picture = makeCanvas("The room from above");
  const marks = svg("svg", { class: "marks", viewBox: "0 0 100 100", role: "img", "aria-label": "Where everybody is" });
  const legend = h("ul", { class: "legend" });
  const frame = h("div", { class: "frame" }, picture.canvas, marks);
  const element = panel("map", "Map", null, frame, legend);
  element.dataset.panel = "map";
  let latest = "";
  const name = (who) => h("li", {}, h("i", { class: `mark-${who}`, "aria-hidden": "true" }),
    who === mine ? (mine === "commander" ? "Your camera" : "You") : NAMES[who]);
  return {
    element,
    /** Say what the colours stand for, where the picture itself has the marks. */
    explain() {
      marks.remove();
      legend.replaceChildren(...Object.keys(NAMES).map(name));
    }, frame, draw: picture.draw,
    show(list, extent) {
      const text = JSON.stringify([list, extent]);
      if (text === latest) return;
      latest = text;
      const unit = 100 / (2 * (extent?.half ?? 4));
      marks.replaceChildren(...list.toReversed().map((mark) => drawn(mark, unit)));
      marks.setAttribute("aria-label", list.map((mark) => inWords(mark, mine)).join(". "));
      legend.replaceChildren(...list.map((mark) => name(mark.who)));
    },
  };
}
