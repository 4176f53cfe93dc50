// Requests to the server. What it refuses is thrown as `Refused`, with its own words.

import { recall } from "./kept.js";

/** A refusal: `kind` and words from the server's {"error", "message"}, `status` 0 when there was no answer at all. */
export class Refused extends Error {
  constructor(status, kind, message) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** An id that nobody else chooses; `crypto.randomUUID` exists on secure origins only. */
export function unique() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The server's token, as typed into this tab. */
export const serverToken = () => recall("token", "", false);

/** An address with the key of a session, or the server's token, for what cannot send headers. */
export function keyed(path, key) {
  const secret = key || serverToken();
  return secret ? `${path}${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(secret)}` : path;
}

async function request(method, path, { key = "", body, idempotent = false } = {}) {
  const headers = { Accept: "application/json" };
  const secret = key || serverToken();
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (idempotent) headers["Idempotency-Key"] = unique();
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" });
  } catch {
    throw new Refused(0, "offline", "The server cannot be reached.");
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refused(response.status, told.error ?? "refused", told.message ?? `The server answered ${response.status}.`);
}

/** GET JSON. */
export const get = async (path, key = "") => (await request("GET", path, { key })).json();

/** POST JSON, done once however often it is sent. */
export const post = async (path, body = {}, key = "") => (await request("POST", path, { key, body, idempotent: true })).json();

/** Fetch a file and let the browser save it. */
export async function download(path, key, name) {
  const response = await request("GET", path, { key });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Fetch a picture, decoded. */
export async function picture(path, key) {
  return createImageBitmap(await (await request("GET", path, { key })).blob());
}
