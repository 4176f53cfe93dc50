(() => {
  const form = document.getElementById("find"), found = document.getElementById("found");
  const cards = [...document.querySelectorAll(".card")].map((card) => [card, card.textContent.toLowerCase()]);
  const find = () => {
    const words = form.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [card, text] of cards) {
      const fits = (!form.state.value || card.dataset.state === form.state.value)
        && (!form.group.value || card.dataset.group === form.group.value)
        && words.every((word) => text.includes(word));
      card.hidden = !fits;
      shown += fits;
    }
    found.textContent = `${shown} of ${cards.length}`;
  };
  form.addEventListener("input", find);
  find();
})();
