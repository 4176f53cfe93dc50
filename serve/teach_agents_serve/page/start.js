// The first screen: make a session, or go to one that there is.

import { download, get, post, Refused } from "./api.js";
import { button, h } from "./dom.js";
import { keep, keepKeys, recall, sessionKeys } from "./kept.js";
import { makeSessionForm } from "./start_form.js";
import { capital, counted, roomWords, when } from "./words.js";

const REFRESH_MS = 5000;
const STATES = { running: ["Running", "good"], paused: ["Paused", "warn"], asleep: ["Waiting", ""], ended: ["Finished", ""] };

/** The page's address of a session; the part behind # never reaches a server. */
export const address = (kind, id, key) => `#/${kind}/${encodeURIComponent(id)}${key ? `?key=${encodeURIComponent(key)}` : ""}`;

/** Fill `main` with the first screen; `signal` aborts when another screen comes. */
export async function showStart(main, signal) {
  const place = h("div", { class: "columns" });
  main.replaceChildren(h("div", { class: "start" },
    h("div", { class: "opening" }, h("h1", { text: "Two minds, one household" }),
      h("p", { text: "The Commander knows the task and cannot touch a thing. The Follower acts and does not know the task. They have only words. Take a chair, or watch." })),
    place));
  let options;
  try {
    options = await get("/v1/live/options");
  } catch (error) {
    place.replaceChildren(error.status === 401 ? tokenForm(main, signal, error) : h("p", { class: "notice bad", role: "alert", text: error.message }));
    return;
  }
  if (signal.aborted) return;
  const list = h("ul", { class: "sessions" });
  const more = h("p", { class: "soft", text: "None yet." });
  const sessions = h("section", { class: "panel", "aria-labelledby": "head-sessions" },
    h("div", { class: "sessions-head" }, h("h2", { id: "head-sessions", text: "Sessions" })), more, list);
  place.replaceChildren(
    h("section", { class: "panel", "aria-labelledby": "head-new" }, h("h2", { id: "head-new", text: "New session" }), makeSessionForm(options, create)),
    sessions);
  keepListed(list, more, signal);
}

async function create(request, chair) {
  const made = await post("/v1/live", request);
  keepKeys(made.id, made.keys);
  location.hash = address("live", made.id, made.keys[chair]);
}

/** Asks for the server's token where it wants one. It is kept in this tab only. */
function tokenForm(main, signal, error) {
  const input = h("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
  const tried = recall("token", "", false);
  return h("section", { class: "panel", "aria-labelledby": "head-token" },
    h("h2", { id: "head-token", text: "This server asks for a token" }),
    h("form", { on: { submit: (event) => {
      event.preventDefault();
      keep("token", input.value.trim(), false);
      showStart(main, signal);
    } } },
    h("div", {}, h("label", { for: "token", class: "label", text: "Token" }), input,
      h("p", { class: "about small", text: "Whoever runs the server has it (TEACH_AGENTS_TOKEN). It stays in this tab." })),
    tried ? h("p", { class: "notice bad", role: "alert", text: error.message }) : null,
    h("div", {}, h("button", { type: "submit", class: "primary", text: "Go on" }))));
}

function keepListed(list, more, signal) {
  let latest = "";
  const refresh = async () => {
    if (document.hidden || signal.aborted) return;
    try {
      const { sessions } = await get("/v1/live");
      const text = JSON.stringify(sessions);
      if (text === latest || signal.aborted || list.contains(document.activeElement)) return;
      latest = text;
      more.hidden = sessions.length > 0;
      list.replaceChildren(...sessions.map(entry));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!latest) { more.hidden = false; more.textContent = error.message; }
    }
  };
  refresh();
  const timer = setInterval(refresh, REFRESH_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

function entry(session) {
  const keys = sessionKeys(session.id);
  const chairs = session.chairs ?? session.setting?.chairs ?? {};
  const [state, tone] = STATES[session.status] ?? [session.status, ""];
  const over = session.status === "ended";
  const outcome = over && session.task_name && typeof session.success === "boolean" ? h("span", { class: `tag ${session.success ? "good" : ""}`, text: session.success ? "Task done" : "Not done" }) : null;
  const who = Object.entries(chairs).map(([role, name]) => `${capital(role)}: ${name === "human" ? "person" : name}`).join(" · ");
  const facts = [session.created ? when(session.created) : "", counted(session.turns ?? 0, "action"), counted(session.utterances ?? 0, "utterance")].filter(Boolean).join(" · ");
  const doors = [];
  if (over) {
    doors.push(link("Replay", address("replay", session.id, keys.watch)), button("Download", () => download(`/v1/live/${session.id}/game`, keys.watch, `${session.id}.game.json`), {
      class: "compact", "aria-label": `Download the game file of ${sessionTitle(session)}`,
    }));
  } else {
    for (const role of ["commander", "follower"]) {
      if (chairs[role] === "human" && keys[role]) doors.push(link(`Sit down as ${capital(role)}`, address("live", session.id, keys[role])));
    }
    doors.push(link("Watch", address("live", session.id, keys.watch)));
  }
  return h("li", {}, h("p", { class: "name", text: sessionTitle(session) }), h("p", { class: "small soft", text: who }), h("p", { class: "small soft", text: facts }),
    h("div", { class: "row" }, h("span", { class: `tag ${tone}`, text: state }), outcome, ...doors));
}

/** A session in words: its task where it is known, and the room. The Follower is not told of any. */
export function sessionTitle(session, look = "watcher") {
  const { setting = {} } = session;
  const task = session.title ?? session.task ?? setting.task ?? (look === "follower" ? "" : "Just explore");
  const room = roomWords(session.room ?? setting.room ?? "");
  return [task.replace(/\.$/, ""), room].filter(Boolean).join(" · ") || "Session";
}

const link = (text, href) => h("a", { class: "button compact", href, text });
