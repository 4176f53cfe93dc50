// The tools of a session in the page's bar: invite, pause, end or finish.

import { post } from "./api.js";
import { announce, button, confirmed, h, openDialog } from "./dom.js";
import { sessionKeys } from "./kept.js";
import { progressWords } from "./task.js";
import { address } from "./start.js";
import { capital } from "./words.js";

/** `doors` = {help, progress, act}: open the help, make a progress check, take an action. */
export function makeMenu(seat, session, doors) {
  const pause = button("Pause", () => ask(paused() ? "resume" : "pause"), { class: "compact", "data-do": "pause" });
  const end = seat.role === "commander"
    ? button(seat.free ? "End" : "Finish", () => (seat.free ? leave(doors) : finish(seat, doors)), { class: "compact", "data-do": "finish" })
    : button("End", stop, { class: "compact", "data-do": "end" });
  const invite = button("Invite", () => openInvitation(seat, session), { class: "compact", "data-do": "invite" });
  const help = button("?", doors.help, { class: "quiet icon", "aria-label": "Help and keys", "data-do": "help" });
  invite.hidden = !Object.keys(invitations(seat, session)).length;
  const paused = () => pause.dataset.status === "paused";

  async function ask(what) {
    try { await post(`${seat.path}/${what}`, {}, seat.key); } catch (error) { announce(error.message); pause.title = error.message; }
  }

  async function stop() {
    if (await confirmed("End the session?", "It cannot be taken up again; it can be replayed and downloaded.", "End it")) ask("end");
  }

  const element = h("div", { class: "tools" }, invite, ...(seat.watches ? [] : [pause, end]), help);
  return {
    element, help: doors.help,
    show(status) {
      pause.dataset.status = status;
      pause.textContent = status === "paused" ? "Go on" : "Pause";
      pause.hidden = end.hidden = status === "ended";
    },
  };
}

/** End a session in which nothing had to be done. */
async function leave(doors) {
  if (await confirmed("End the session?", "It cannot be taken up again.", "End it")) await doors.act({ name: "Finish" });
}

/** Finish after a progress check of this moment, which says whether the task is complete. */
async function finish(seat, doors) {
  const reply = await doors.progress();
  const words = reply ? progressWords(reply) : "Whether the task is complete is not known.";
  if (await confirmed("Finish the session?", `${words} Finishing ends the session for both.`, reply && !reply.success ? "Finish anyway" : "Finish")) {
    await doors.act({ name: "Finish" });
  }
}

/** The places that others may be invited to, with their keys. */
function invitations(seat, session) {
  const keys = sessionKeys(seat.id);
  const chairs = session.setting?.chairs ?? session.chairs ?? {};
  return Object.fromEntries(Object.entries(keys).filter(([place]) => (place === "watch" ? !seat.watches : place !== seat.role && chairs[place] === "human")));
}

function openInvitation(seat, session) {
  openDialog("Invite", (close) => [
    h("h2", { text: "Invite" }),
    h("p", { class: "soft", text: "Whoever has a link may sit there. Send each to one person only." }),
    ...Object.entries(invitations(seat, session)).map(([place, key]) => {
      const input = h("input", { readonly: true, value: `${location.origin}/${address("live", seat.id, key)}`, "aria-label": `Link for the ${place}`, "data-link": place });
      const copy = button("Copy", async () => {
        input.select();
        try { await navigator.clipboard.writeText(input.value); copy.textContent = "Copied"; } catch { announce("Copy the selected link."); }
      });
      return h("div", {}, h("p", { class: "label", text: place === "watch" ? "To watch" : `To be the ${capital(place)}` }), h("div", { class: "search" }, input, copy));
    }),
    h("div", { class: "row end" }, button("Close", close, { class: "primary" })),
  ]);
}
