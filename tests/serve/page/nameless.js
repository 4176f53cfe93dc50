// Controls and pictures on the screen that a screen reader has no name for.
() => [...document.querySelectorAll("button, a[href], input, select, textarea, canvas, svg[role=img], summary")]
  .filter((one) => one.getClientRects().length && one.getAttribute("aria-hidden") !== "true")
  .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()))
  .filter((one) => ![...(one.labels ?? [])].some((label) => label.textContent.trim()))
  .map((one) => one.outerHTML.slice(0, 120))
