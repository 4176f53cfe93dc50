// The form of a new session: task with parameters in words, room, chairs.

import { button, h } from "./dom.js";
import { keep, recall } from "./kept.js";
import { capital } from "./words.js";

let number = 0;

function field(label, control, attributes = {}, ...more) {
  control.id ||= `field-${(number += 1)}`;
  return h("div", attributes, h("label", { class: "label", for: control.id, text: label }), control, ...more);
}

function select(values, chosen, change = () => {}) {
  const element = h("select", { on: { change: () => change(element.value) } }, ...values.map(([value, text]) => h("option", { value, text })));
  if (values.some(([value]) => value === chosen)) element.value = chosen;
  return element;
}

function choices(label, name, values, chosen, change) {
  return h("fieldset", {}, h("legend", { text: label }), h("div", { class: "choices" }, ...values.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value, on: { change: () => change(value) } });
    input.checked = value === chosen;
    return h("label", {}, input, h("span", { text }));
  })));
}

const PACES = [["0.25", "At a person’s pace"], ["1", "Slowly"], ["0", "As fast as they can"]];
const randomSeed = () => Math.floor(Math.random() * 100000);

/** `create(request, chair)` posts it; chair is "commander", "follower" or "watch". What was chosen last is offered again. */
export function makeSessionForm(options, create) {
  const last = recall("form", {});
  const chosen = { what: last.what ?? "task", you: last.you ?? "commander" };
  const what = makeWhat(options, last);
  const chairs = makeChairs(options, last);
  const alarm = h("p", { class: "notice bad", role: "alert" });
  const submit = h("button", { type: "submit", class: "primary", text: "Start" });
  const kinds = [["task", "A task"], ["explore", "Just explore"], ...(options.games?.length ? [["game", "A recorded game’s room"]] : [])];
  const you = [["commander", "Commander"], ["follower", "Follower"], ["watch", "Watcher"]];
  if (!kinds.some(([kind]) => kind === chosen.what)) chosen.what = "task";
  const form = h("form", { on: { submit: async (event) => {
    event.preventDefault();
    alarm.textContent = "";
    submit.disabled = true;
    submit.textContent = "Furnishing the room …";
    const request = { ...what.read(chosen.what), ...chairs.read(chosen.you) };
    keep("form", { ...last, ...chosen, ...what.kept(), ...chairs.kept() });
    try {
      await create(request, chosen.you);
    } catch (error) {
      alarm.textContent = error.message;
    } finally {
      submit.disabled = false;
      submit.textContent = "Start";
    }
  } } },
  choices("What is to be done", "what", kinds, chosen.what, (value) => { chosen.what = value; what.show(value); chairs.suit(value); }),
  what.element,
  choices("You are", "you", you, chosen.you, (value) => { chosen.you = value; chairs.show(value); }),
  chairs.element, alarm, h("div", { class: "submit" }, submit));
  what.show(chosen.what);
  chairs.show(chosen.you);
  return form;
}

function makeWhat(options, last) {
  const about = h("p", { class: "about small", role: "status" });
  const params = h("div", { class: "params" });
  const byName = new Map(options.tasks.map((task) => [task.name, task]));
  const task = select(options.tasks.map((one) => [one.name, one.name]), last.task ?? "Coffee", () => showTask());
  const things = h("datalist", { id: "things" }, ...[...new Set([...(options.object_types ?? []), ...(options.object_classes ?? [])])].map((value) => h("option", { value })));
  let fields = [];
  /** The task in words with the parameters as they stand. */
  function tell() {
    const words = byName.get(task.value)?.description ?? "";
    about.textContent = words.replace(/#(\d+)/g, (name, at) => fields[at]?.value().trim() || name);
  }
  function showTask() {
    const known = byName.get(task.value);
    fields = (known?.params ?? []).map((param, at) => paramField(param, last.task === task.value ? last.params?.[at] : undefined, tell));
    const ready = (known?.examples ?? []).length > 1 ? [examples(known.examples, (values) => { values.forEach((value, at) => fields[at]?.set(value)); tell(); })] : [];
    params.replaceChildren(...ready, ...fields.map((one) => one.element));
    tell();
  }
  showTask();
  const room = makeRoom(options.rooms, last.room ?? "FloorPlan1");
  const game = select((options.games ?? []).map((one) => [one.name, [one.name, one.task, one.room].filter(Boolean).join(" · ")]), last.game);
  const seed = h("input", { type: "number", min: "0", max: "2147483647", step: "1", value: String(last.seed ?? 0), inputmode: "numeric" });
  const seeds = h("div", { class: "seed" }, seed, button("Another", () => { seed.value = String(randomSeed()); }, { "aria-label": "Another seed" }));
  seed.id = "seed";
  const seedField = h("div", { class: "wide" }, h("label", { class: "label", for: "seed", text: "Seed: how the room is furnished" }), seeds);
  const rows = {
    task: [field("Task", task, { class: "wide" }, about), params, things],
    game: [field("Game", game, { class: "wide" })],
    room: [...room.fields, seedField],
  };
  const element = h("div", { class: "fields" }, ...rows.task, ...rows.game, ...rows.room);
  return {
    element,
    show(kind) {
      for (const one of rows.task) one.hidden = kind !== "task";
      for (const one of rows.game) one.hidden = kind !== "game";
      for (const one of rows.room) one.hidden = kind === "game";
    },
    read(kind) {
      if (kind === "game") return { game: game.value };
      const where = { room: room.value(), seed: Number(seed.value) || 0 };
      return kind === "task" ? { task: task.value, params: fields.map((one) => one.value()), ...where } : where;
    },
    kept: () => ({ task: task.value, params: fields.map((one) => one.value()), room: room.value(), seed: Number(seed.value) || 0, game: game.value }),
  };
}

/** Parameters that go well together, to begin with. */
function examples(known, use) {
  const ready = select([["", "Choose an example …"], ...known.map((one, at) => [String(at), one.words])], "", (at) => { if (at) use(known[Number(at)].params); });
  return field("Examples", ready, { class: "wide" });
}

/** One parameter of a task; `changed` is called when it has another value. */
function paramField(param, before, changed) {
  const start = String(before ?? param.default ?? "");
  const on = { input: changed };
  let control;
  if (param.kind === "choice") control = select(param.choices.map((one) => [one, one.trim() || "(nothing)"]), start, changed);
  else if (param.kind === "count") control = h("input", { type: "number", min: "0", max: "20", value: start || "1", inputmode: "numeric", on });
  else control = h("input", { type: "text", value: start, autocomplete: "off", list: param.kind === "object" ? "things" : null, on });
  return { element: field(param.meaning || param.name, control), value: () => control.value, set: (value) => { control.value = value; } };
}

function makeRoom(rooms, chosen) {
  const kinds = [...new Set(rooms.map((room) => room.kind))];
  const first = rooms.find((room) => room.name === chosen) ?? rooms[0];
  const room = select([], "");
  const fill = (kind, name) => {
    const those = rooms.filter((one) => one.kind === kind);
    room.replaceChildren(...those.map((one, at) => h("option", { value: one.name, text: `${at + 1} (${one.name})` })));
    room.value = name ?? those[0]?.name;
  };
  const kind = select(kinds.map((one) => [one, capital(one)]), first?.kind, (value) => fill(value));
  fill(first?.kind, first?.name);
  return { fields: [field("Room", kind, {}), field("Number", room, {})], value: () => room.value };
}

function makeChairs(options, last) {
  const offered = (role) => [
    ...(options.agents[role] ?? []).filter((one) => one.name !== "human")
      .map(({ name, description }) => [name, description && description !== name ? `${name} – ${description}` : name]),
    ["human", "A person, by link"]];
  const pace = select(PACES, last.pace ?? PACES[0][0]);
  const seats = Object.fromEntries(["commander", "follower"].map((role) => [role, select(offered(role), last[role])]));
  const fields = Object.fromEntries(Object.entries(seats).map(([role, seat]) => [role, field(`The ${capital(role)} is`, seat, {})]));
  const element = h("div", { class: "fields" }, fields.commander, fields.follower, field("Agents act", pace, {}));
  return {
    element,
    /** Where there is no task an agent that commands has nothing to say, and would finish at once. */
    suit(what) { if (what === "explore") seats.commander.value = "human"; },
    show(you) { for (const [role, one] of Object.entries(fields)) { one.hidden = role === you; } },
    read: (you) => Object.fromEntries(Object.entries(seats).map(([role, seat]) => [role, role === you ? "human" : seat.value]).concat([["pace_s", Number(pace.value)]])),
    kept: () => ({ pace: pace.value, ...Object.fromEntries(Object.entries(seats).map(([role, seat]) => [role, seat.value])) }),
  };
}
