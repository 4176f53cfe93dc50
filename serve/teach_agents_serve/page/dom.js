// Making elements, saying things to screen readers, dialogs.

/** An element: attributes by name, `on` for listeners, `class`, `text`; null and false attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes);
  element.append(...children);
  return element;
}

function fill(element, { on = {}, text, ...attributes }) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  if (text !== undefined) element.textContent = text;
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
}

/** A button that submits nothing. */
export function button(label, press, attributes = {}) {
  return h("button", { type: "button", ...attributes, on: { click: press } }, label);
}

/** A panel with a heading; `tools` stand at the right of it. */
export function panel(name, heading, tools, ...children) {
  const id = `head-${name}`;
  return h(
    "section", { class: `panel ${name}`, "aria-labelledby": id },
    h("header", {}, h("h2", { id, text: heading }), tools), ...children,
  );
}

/** Let a screen reader say something that is seen elsewhere on the screen. */
export function announce(words) {
  const place = document.getElementById("announcer");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = words; });
}

/** Open a modal dialog; it is removed when closed. `build(close)` gives its children. Returns the dialog. */
export function openDialog(label, build) {
  const before = document.activeElement;
  const dialog = h("dialog", { "aria-label": label });
  dialog.append(...[build(() => dialog.close())].flat());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Ask before something that cannot be undone; resolves to whether it is wanted. */
export function confirmed(heading, words, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(heading, (close) => [
      h("h2", { text: heading }),
      h("p", { text: words }),
      h("div", { class: "row end" },
        button("Cancel", close),
        button(yes, () => { answer = true; close(); }, { class: "primary" })),
    ]);
    dialog.addEventListener("close", () => resolve(answer));
  });
}
