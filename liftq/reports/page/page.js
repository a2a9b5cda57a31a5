"use strict";
const figures = document.getElementById("figures");

function draw(place) {
  const chart = JSON.parse(figures.textContent)[place.dataset.figure];
  // SVG takes its ink from the page (currentColor), so that it follows dark mode.
  const options = { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } };
  vegaEmbed(place, { ...chart, width: "container" }, options);
}

// What is folded has no width, and would take long to draw on a page with many figures.
const isFolded = place => place.closest("details:not([open])") !== null;
const places = [...document.querySelectorAll(".chart")];
places.filter(place => !isFolded(place)).forEach(draw);
for (const fold of document.querySelectorAll("details"))
  fold.addEventListener("toggle", () =>
    places.filter(place => fold.contains(place) && !isFolded(place) && !place.hasChildNodes()).forEach(draw));

for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const numeric = head.classList.contains("number");
    const key = row => {
      const text = row.cells[column].textContent;
      return numeric ? (text === "-" ? -Infinity : Number(text)) : text;
    };
    const compare = (a, b) => numeric ? a - b : a.localeCompare(b, undefined, { numeric: true });
    const rows = [...table.tBodies[0].rows].sort((a, b) => direction * (compare(key(a), key(b)) || 0));
    heads.forEach(each => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    table.tBodies[0].append(...rows);
  }));
}
