"use strict";
const filters = document.getElementById("filters");
const picks = [...filters.querySelectorAll("select")];
const cards = [...document.querySelectorAll("details.card")];
const count = document.getElementById("count");
const total = document.querySelectorAll(".card .member").length;
// A card holds questions that share their fate, so it stays whole while any of them matches.
const matches = member => picks.every(pick => !pick.value || member.dataset[pick.name] === pick.value);
function show() {
  let seen = 0;
  for (const card of cards) {
    const members = [...card.querySelectorAll(".member")];
    card.hidden = !members.some(matches);
    seen += card.hidden ? 0 : members.length;
  }
  count.textContent = seen === total ? `${total} questions` : `${seen} of ${total} questions`;
}
for (const pick of picks) pick.addEventListener("change", show);
filters.addEventListener("reset", () => setTimeout(show));
filters.addEventListener("submit", event => event.preventDefault());
filters.hidden = false;
show();
