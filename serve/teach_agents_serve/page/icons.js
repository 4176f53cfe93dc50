// The few drawings that the buttons need; 24 x 24, strokes in the text's colour.

import { svg } from "./dom.js";

const PATHS = {
  "Forward": "M12 19V5M6 11l6-6 6 6",
  "Backward": "M12 5v14M6 13l6 6 6-6",
  "Turn Left": "M9 4 4 9l5 5M4 9h10a6 6 0 0 1 6 6v4",
  "Turn Right": "m15 4 5 5-5 5M20 9H10a6 6 0 0 0-6 6v4",
  "Pan Left": "M19 12H5M11 6l-6 6 6 6",
  "Pan Right": "M5 12h14M13 6l6 6-6 6",
  "Look Up": "M3 15s3.5-5 9-5 9 5 9 5-3.5 5-9 5-9-5-9-5zM12 17.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M9 5.5 12 3l3 2.5",
  "Look Down": "M3 9s3.5-5 9-5 9 5 9 5-3.5 5-9 5-9-5-9-5zM12 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M9 18.5l3 2.5 3-2.5",
  "Rise": "M12 21V9M7 13l5-5 5 5M5 4h14",
  "Sink": "M12 3v12M7 11l5 5 5-5M5 20h14",
  "done": "m5 12.5 4.5 4.5L19 7.5",
  "open": "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16",
  "theme": "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z",
  "send": "M5 12h13M12 6l6 6-6 6",
  "play": "M7 5v14l12-7z",
  "pause": "M8 5v14M16 5v14",
};

/** One icon; decorative, so it has no name of its own. */
export function icon(name, size = 20) {
  return svg("svg", {
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round",
    "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false",
  }, svg("path", { d: PATHS[name] }));
}
