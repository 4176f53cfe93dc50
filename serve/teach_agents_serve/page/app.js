// Which screen is shown: #/ the start, #/live/ID a session, #/replay/ID one that is over.

import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { keep, recall } from "./kept.js";
import { showReplay } from "./replay.js";
import { showSession } from "./session.js";
import { showStart } from "./start.js";

const THEMES = { light: "dark", dark: "light" };
const main = document.getElementById("main");
const header = document.getElementById("bar");
const middle = h("div", { class: "title" });
let leaving = new AbortController();

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function shownTheme() {
  return document.documentElement.dataset.theme ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function buildBar() {
  const theme = button(icon("theme"), () => {
    const next = THEMES[shownTheme()];
    keep("theme", next);
    setTheme(next);
  }, { class: "quiet icon", "aria-label": "Light or dark", title: "Light or dark", "data-do": "theme" });
  header.replaceChildren(
    h("a", { class: "home", href: "#/", "aria-label": "All sessions" }, h("img", { src: "/page/icon.svg", width: 28, height: 28, alt: "" }), h("span", { text: "teach_agents" })),
    middle, theme);
}

const NO_WAY_IN = { wrong_key: "This link does not open the session.", no_such_session: "There is no such session." };

/** A failure to open a session, in words, with the way back. */
function showFailure(error) {
  main.replaceChildren(h("div", { class: "start" }, h("p", { class: "notice bad", role: "alert", text: NO_WAY_IN[error.kind] ?? error.message }),
    h("p", {}, h("a", { class: "button", href: "#/", text: "All sessions" }))));
}

async function route() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  const [, kind = "", id = "", query = ""] = /^#\/(live|replay)\/([^?]+)\??(.*)$/.exec(location.hash) ?? [];
  const key = new URLSearchParams(query).get("key") ?? "";
  middle.replaceChildren();
  document.title = "Household sessions – teach_agents";
  try {
    if (kind === "live") await showSession(main, middle, decodeURIComponent(id), key, signal);
    else if (kind === "replay") await showReplay(main, middle, decodeURIComponent(id), key, signal);
    else await showStart(main, signal);
  } catch (error) {
    if (!signal.aborted) showFailure(error);
  }
}

setTheme(recall("theme"));
buildBar();
window.addEventListener("hashchange", route);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
route();
