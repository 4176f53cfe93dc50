// Names, times and places in words.

const LABELS = {
  "Forward": "Forward", "Backward": "Back", "Turn Left": "Turn left", "Turn Right": "Turn right", "Look Up": "Look up",
  "Look Down": "Look down", "Pan Left": "Step left", "Pan Right": "Step right", "Pickup": "Pick up", "Place": "Place", "Open": "Open",
  "Close": "Close", "ToggleOn": "Turn on", "ToggleOff": "Turn off", "Slice": "Slice", "Pour": "Pour", "Text": "Say", "Stop": "Stop",
  "OpenProgressCheck": "Progress check", "SelectOid": "Show object", "SearchObject": "Search", "Finish": "Finish",
};

/** An action's name as people read it. */
export const actionWords = (name) => LABELS[name] ?? name;

/** `CoffeeMachine` or `CoffeeMachine|-1.3|...` as "coffee machine". */
export function objectWords(typeOrId) {
  return typeOrId.split("|")[0].replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** The first letter large. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Milliseconds since the session began as 3:05. */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The same to the millisecond, as titles of times. */
export function exactClock(ms) {
  return `${clock(ms)}.${String(Math.max(0, Math.floor(ms)) % 1000).padStart(3, "0")}`;
}

/** A yaw (0 is the map's top, clockwise) as a direction on the map. */
export function directionWords(yaw) {
  return ["the top", "the right", "the bottom", "the left"][Math.round((((yaw % 360) + 360) % 360) / 90) % 4];
}

/** Where a fraction of the map lies. */
export function placeWords(x, y) {
  const down = y < 0.4 ? "top" : y > 0.6 ? "bottom" : "middle";
  const across = x < 0.4 ? "left" : x > 0.6 ? "right" : "";
  return down === "middle" && !across ? "in the middle" : `${down === "middle" ? "at the" : `at the ${down}`} ${across}`.trim();
}

/** A count with its noun. */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Seconds since 1970 as a short local time. */
export function when(seconds) {
  const date = new Date(seconds * 1000);
  const today = new Date().toDateString() === date.toDateString();
  const options = today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return date.toLocaleString(undefined, options);
}

const KINDS = ["Kitchen", "", "Living room", "Bedroom", "Bathroom"];

/** An iTHOR room by kind and number: FloorPlan201 is "Living room 1"; any other by its own name. */
export function roomWords(name) {
  const number = Number(/^FloorPlan(\d+)$/.exec(name)?.[1]);
  const kind = KINDS[Math.floor(number / 100)];
  return kind ? `${kind} ${number % 100}` : name;
}
