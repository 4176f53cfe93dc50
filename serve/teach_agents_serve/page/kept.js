// What the browser keeps: keys of sessions, drafts, choices. Storage may be switched off; then it lasts as long as the page.

const fallback = new Map();

function area(lasting) {
  try { return lasting ? window.localStorage : window.sessionStorage; } catch { return null; }
}

/** Read a value, or `otherwise`. */
export function recall(name, otherwise = null, lasting = true) {
  const full = `teach_agents.${name}`;
  try {
    const text = area(lasting)?.getItem(full) ?? fallback.get(full) ?? null;
    return text === null ? otherwise : JSON.parse(text);
  } catch { return otherwise; }
}

/** Keep a value; null forgets it. `lasting` is beyond this tab. */
export function keep(name, value, lasting = true) {
  const full = `teach_agents.${name}`;
  if (value === null) fallback.delete(full); else fallback.set(full, JSON.stringify(value));
  try {
    if (value === null) area(lasting)?.removeItem(full); else area(lasting)?.setItem(full, JSON.stringify(value));
  } catch { /* full or forbidden: the fallback holds it */ }
}

/** The keys of a session that this browser opened or was given: {commander, follower, watch}. */
export const sessionKeys = (id) => recall(`keys.${id}`, {});

/** Remember keys of a session beside those that are known. */
export const keepKeys = (id, keys) => keep(`keys.${id}`, { ...sessionKeys(id), ...keys });
