"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { objects, atoms, steps, goal } = data;
const at = id => document.getElementById(id);
const words = atom => `(${[atom[0], ...atom.slice(1).map(each => objects[each])].join(" ")})`;
const MOST_OBJECTS = 60; // shown at a time
const MOST_GOALS = 12; // open ones that are listed
const FAR = 10; // above the best value: from there on, values that only rank actions are not worth a number
let now = 0; // how many steps have been taken
let holds = new Set(data.initial);
let timer = null;

function make(tag, text = "", kind = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function draw(tag, attributes, parent, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

// The state is kept as a set of atoms; a step forth or back changes only what the step changes.
function go(to) {
  const end = Math.max(0, Math.min(steps.length, to));
  for (; now < end; ++now) change(steps[now].deletes, steps[now].adds);
  for (; now > end; --now) change(steps[now - 1].adds, steps[now - 1].deletes);
  show();
}

function change(gone, come) {
  gone.forEach(atom => holds.delete(atom));
  come.forEach(atom => holds.add(atom));
}

function show() {
  const last = now > 0 ? steps[now - 1] : { adds: [], deletes: [], action: "" };
  history.replaceState(null, "", `#${now}`); // a link to this step; no entry for the back button
  at("slider").value = now;
  at("place").textContent = `${now} / ${steps.length}`;
  showCandidates();
  showState(last);
  showPlan();
  if (cursor) cursor.setAttribute("transform", `translate(${placeOf(now)} 0)`);
  if (data.drawing) showDrawing(last);
  else if (data.towers) showTowers(last);
}

function showCandidates() {
  const step = steps[now];
  at("state").textContent = step ? `Next: ${step.action}` : data.solved ? "The goal is reached" : "The end, short of the goal";
  const told = (step?.marks ?? []).map(name => make("span", data.meanings[name], "mark"));
  if (step?.withLast) told.unshift(make("span", "from the same pass of the network as the step before", "mark"));
  at("marks").replaceChildren(...told);
  const lowest = Math.min(...(step?.candidates ?? []).map(each => each[2]).filter(each => typeof each === "number"));
  at("candidates").tBodies[0].replaceChildren(...(step?.candidates ?? []).map(each => candidateRow(each, lowest)));
  at("candidates").hidden = !step?.candidates.length;
  const left = step?.count ? step.count - step.candidates.length : 0;
  // A page that gets shorter at the end would jump.
  at("choice").style.minHeight = `${Math.max(parseFloat(at("choice").style.minHeight) || 0, at("choice").offsetHeight)}px`;
  at("more").textContent = !step ? "" : step.count === null ? "Its candidates were not valued." : left > 0 ? `and ${left} more, valued worse` : "";
}

function candidateRow([action, alike, value, bound, taken, visited], lowest) {
  const row = make("tr", "", [taken && "taken", visited && "visited"].filter(Boolean).join(" "));
  const said = [taken ? "taken" : "", visited ? "leads back" : ""].filter(Boolean).join(", ");
  const number = each => each === null ? "" : typeof each === "number" ? each.toFixed(2) : each;
  const far = data.onlyRanks && value > lowest + FAR;
  const shown = far ? `> ${(lowest + FAR).toFixed(0)}` : number(value);
  row.append(...[action, alike, shown, number(bound), said].map(text => make("td", text)));
  return row;
}

const open = () => goal.filter(([atom, positive]) => holds.has(atom) !== positive);

function showState(last) {
  at("goals").textContent = goal.length ? `${goal.length - open().length} of ${goal.length} ${data.goalIs} hold` : "";
  const missing = open().map(([atom, positive]) => positive ? words(atoms[atom]) : `(not ${words(atoms[atom])})`);
  const more = missing.length > MOST_GOALS ? ` and ${missing.length - MOST_GOALS} more` : "";
  at("open").textContent = missing.length ? `Open goals: ${missing.slice(0, MOST_GOALS).join(" ")}${more}` : "";
  const changes = [...last.adds.map(atom => make("span", words(atoms[atom]), "new")),
    ...last.deletes.map(atom => make("span", words(atoms[atom]), "gone"))];
  at("changes").replaceChildren(...changes.flatMap(each => [each, " "]));
  const touched = new Set([...last.adds, ...last.deletes]);
  const wanted = at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const byObject = new Map();
  for (const atom of [...touched, ...holds]) {
    const text = words(atoms[atom]);
    if (!wanted.every(word => text.toLowerCase().includes(word))) continue;
    for (const object of new Set(atoms[atom].slice(1))) {
      if (!byObject.has(object)) byObject.set(object, new Map());
      byObject.get(object).set(atom, text);
    }
  }
  const changed = new Set([...touched].flatMap(atom => atoms[atom].slice(1))); // first, then in the problem's order
  const ordered = [...byObject].sort(([a], [b]) => changed.has(b) - changed.has(a) || a - b);
  const rows = ordered.slice(0, MOST_OBJECTS).flatMap(([object, own]) => [make("dt", objects[object]), atomsOf(own, last)]);
  at("atoms").replaceChildren(...rows);
  const left = byObject.size - MOST_OBJECTS;
  at("rest").textContent = left > 0 ? `and ${left} more objects: filter them above` : "";
}

function atomsOf(own, last) {
  const list = make("dd");
  for (const [atom, text] of own) {
    const kind = !holds.has(atom) ? "gone" : last.adds.includes(atom) ? "new" : "";
    list.append(make("span", text, kind), " ");
  }
  return list;
}

const planRows = steps.map((step, number) => {
  const row = make("li", step.action, [step.withLast && "with-last", ...step.marks].filter(Boolean).join(" "));
  row.addEventListener("click", () => go(number));
  return row;
});
at("plan").append(...planRows);

function showPlan() {
  at("plan").querySelector(".now")?.classList.remove("now");
  const row = planRows[now];
  if (!row) return;
  row.classList.add("now");
  at("plan").scrollTop = row.offsetTop - at("plan").offsetTop - at("plan").clientHeight / 2;
}

// Best value over time; spots where the policy was lost or turned away.
const WIDTH = Math.min(600, at("main").clientWidth), HEIGHT = 150, LEFT = 36; // as wide as it is shown: text keeps its size
const best = steps.map(step => Math.min(...step.candidates.map(each => each[2]).filter(each => typeof each === "number")));
const placeOf = step => LEFT + (WIDTH - LEFT - 8) * step / Math.max(1, steps.length);
const cursor = drawValues();

function drawValues() {
  const isSpotted = steps.some(step => step.marks.some(name => name !== "even"));
  const known = best.filter(Number.isFinite);
  if (!known.length) return null;
  const low = Math.min(0, ...known), high = Math.max(...known, low + 1);
  const level = value => 10 + (HEIGHT - 30) * (high - value) / (high - low);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "best value by step" }, at("values"));
  for (const value of [low, high]) {
    draw("line", { class: "axis", x1: LEFT, x2: WIDTH - 8, y1: level(value), y2: level(value) }, svg);
    draw("text", { x: LEFT - 4, y: level(value) + 4, "text-anchor": "end" }, svg, value.toFixed(0));
  }
  draw("text", { x: LEFT, y: HEIGHT - 4 }, svg, "best value before each step" + (isSpotted ? "; dots: lost, or turned back" : ""));
  const points = best.map((value, step) => [step, value]).filter(each => Number.isFinite(each[1]));
  draw("path", { class: "curve", d: "M" + points.map(([step, value]) => `${placeOf(step).toFixed(1)} ${level(value).toFixed(1)}`).join("L") }, svg);
  for (const [step, value] of points)
    if (steps[step].marks.some(name => name !== "even"))
      draw("circle", { class: "spot", cx: placeOf(step), cy: level(value), r: 3 }, svg);
  svg.addEventListener("click", event => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * WIDTH / box.width;
    go(Math.round((x - LEFT) * steps.length / (WIDTH - LEFT - 8)));
  });
  return draw("line", { class: "cursor", x1: 0, x2: 0, y1: 4, y2: HEIGHT - 18 }, svg);
}

// Static relations between two objects, and on each node what an atom with two arguments puts there.
const UNIT = 78, RADIUS = 15, MOST_LETTERS = 14; // below a node
const nodes = new Map((data.drawing?.nodes ?? []).map(([node, x, y]) => [node, { x: x * UNIT, y: y * UNIT }]));
if (data.drawing) drawNodes();

function drawNodes() {
  const xs = [...nodes.values()].map(each => each.x), ys = [...nodes.values()].map(each => each.y);
  const box = [Math.min(...xs) - 45, Math.min(...ys) - 30, Math.max(...xs) - Math.min(...xs) + 90, Math.max(...ys) - Math.min(...ys) + 75];
  const svg = draw("svg", { viewBox: box.join(" "), role: "img", "aria-label": data.drawing.kinds.join(", ") }, at("drawing"));
  svg.style.maxWidth = `${box[2] * 1.3}px`; // a small drawing stays small
  for (const [left, right] of data.drawing.edges) {
    const [a, b] = [nodes.get(left), nodes.get(right)];
    draw("line", { class: "edge", x1: a.x, y1: a.y, x2: b.x, y2: b.y }, svg);
  }
  for (const [node, place] of nodes) {
    place.shape = draw("circle", { class: "node", cx: place.x, cy: place.y, r: RADIUS }, svg);
    draw("title", {}, place.shape, objects[node]);
    draw("text", { x: place.x, y: place.y - RADIUS - 3, "text-anchor": "middle" }, svg, objects[node]);
    place.text = draw("text", { x: place.x, y: place.y + RADIUS + 12, "text-anchor": "middle" }, svg);
  }
}

function showDrawing(last) {
  const touched = new Set([...last.adds, ...last.deletes].flatMap(atom => atoms[atom].slice(1)));
  const wanted = node => goal.filter(([atom]) => atoms[atom].includes(node, 1));
  const guests = guestsByNode(), alone = predicatesByNode();
  for (const [node, place] of nodes) {
    const own = wanted(node);
    const state = !own.length ? "" : own.some(([atom, positive]) => holds.has(atom) !== positive) ? "open" : "done";
    place.shape.setAttribute("class", `node ${state} ${touched.has(node) ? "touched" : ""}`);
    const here = [...(alone.get(node) ?? []), ...(guests.get(node) ?? []).map(each => objects[each])];
    const named = here.slice(0, 2).join(" ").length <= MOST_LETTERS ? 2 : 1;
    place.text.textContent = here.slice(0, named).join(" ") + (here.length > named ? ` +${here.length - named}` : "");
    place.text.setAttribute("class", alone.has(node) && touched.has(node) || guests.get(node)?.some(each => touched.has(each)) ? "moved" : "");
  }
}

// Objects on each other, as in blocksworld, in the order of the lowest ones.
const BLOCK = { width: 46, height: 24, gap: 10 };

function towersOf(holds) {
  const below = new Map(), above = new Map();
  for (const [, top, bottom] of [...holds].map(atom => atoms[atom]).filter(atom => atom[0] === data.towers)) {
    below.set(top, bottom);
    above.set(bottom, top);
  }
  const members = objects.map((_, object) => object).filter(object => data.stacked.includes(object));
  return members.filter(object => !below.has(object)).map(object => {
    const tower = [object];
    while (above.has(tower.at(-1))) tower.push(above.get(tower.at(-1)));
    return tower;
  });
}

function showTowers(last) {
  const towers = towersOf(holds), touched = new Set([...last.adds, ...last.deletes].flatMap(atom => atoms[atom].slice(1)));
  const tallest = Math.max(data.tallest, ...towers.map(each => each.length));
  const [step, line] = [BLOCK.width + BLOCK.gap, BLOCK.height];
  const perRow = Math.max(4, Math.floor(760 / step)), rows = Math.ceil(Math.max(data.widest, towers.length) / perRow);
  const height = (tallest + 1) * line;
  const svg = draw("svg", { viewBox: `-4 -4 ${Math.min(perRow, Math.max(data.widest, towers.length)) * step + 8} ${rows * height + 8}`, role: "img", "aria-label": "towers" }, document.createElement("div"));
  svg.style.maxWidth = `${perRow * step * 1.2}px`;
  towers.forEach((tower, number) => {
    const x = (number % perRow) * step, ground = (Math.floor(number / perRow) + 1) * height;
    draw("line", { class: "edge", x1: x - 3, x2: x + BLOCK.width + 3, y1: ground, y2: ground }, svg);
    tower.forEach((object, level) => {
      const own = goal.filter(([atom]) => atoms[atom][1] === object); // what is on it is the other one's goal
      const state = !own.length ? "" : own.some(([atom, positive]) => holds.has(atom) !== positive) ? "open" : "done";
      const y = ground - (level + 1) * line;
      const shape = draw("rect", { class: `node ${state} ${touched.has(object) ? "touched" : ""}`, x, y: y + 1, width: BLOCK.width, height: line - 3, rx: 3 }, svg);
      draw("title", {}, shape, objects[object]);
      draw("text", { x: x + BLOCK.width / 2, y: y + line / 2 + 4, "text-anchor": "middle" }, svg, objects[object].slice(0, 7));
    });
  });
  at("drawing").replaceChildren(svg);
}

// What moves and has no name but that of its predicate, such as the only robot.
function predicatesByNode() {
  const found = new Map();
  for (const [predicate, node] of [...holds].map(atom => atoms[atom]).filter(atom => atom.length === 2))
    if (nodes.has(node) && data.moving.includes(predicate)) found.set(node, [...(found.get(node) ?? []), predicate]);
  return found;
}

function guestsByNode() {
  const pairs = [...holds].map(atom => atoms[atom]).filter(atom => atom.length === 3);
  const home = new Map(); // of an object: one of its nodes
  const guests = new Map();
  const add = (guest, node) => {
    home.set(guest, node);
    guests.set(node, [...(guests.get(node) ?? []), guest]);
  };
  const place = (chosen, isFree) => chosen.filter(([, a, b]) => nodes.has(a) !== nodes.has(b))
    .map(([, a, b]) => nodes.has(b) ? [a, b] : [b, a]).filter(([guest]) => isFree(guest)).forEach(pair => add(...pair));
  // What was once done somewhere tells less than what can end: a rover is where it is at, not where it took a sample.
  place(pairs.filter(([predicate]) => data.ending.includes(predicate)), () => true);
  const moving = new Set(home.keys());
  place(pairs.filter(([predicate]) => !data.ending.includes(predicate)), guest => !moving.has(guest));
  for (const [, a, b] of pairs) // what is in something is where that is
    if (!nodes.has(a) && !nodes.has(b) && !home.has(a) && home.has(b)) add(a, home.get(b));
  return guests;
}

function play() {
  if (timer) clearInterval(timer);
  timer = timer ? null : setInterval(() => now < steps.length ? go(now + 1) : play(), 500);
  at("play").setAttribute("aria-label", timer ? "pause" : "play");
  at("play").textContent = timer ? "\u275A\u275A" : "\u25B6";
}

const keys = { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(steps.length),
  PageUp: () => go(now - 10), PageDown: () => go(now + 10), " ": play };
addEventListener("keydown", event => {
  if (!keys[event.key] || event.target.matches("input") || (event.key === " " && event.target.matches("button"))) return;
  event.preventDefault();
  keys[event.key]();
});
const buttons = { first: () => go(0), back: () => go(now - 1), next: () => go(now + 1), last: () => go(steps.length), play };
for (const [id, act] of Object.entries(buttons)) at(id).addEventListener("click", act);
at("slider").max = steps.length;
at("slider").addEventListener("input", () => go(Number(at("slider").value)));
at("filter").addEventListener("input", show);

let start = null; // of a swipe
at("main").addEventListener("touchstart", event => { start = event.touches[0]; }, { passive: true });
at("main").addEventListener("touchend", event => {
  const end = event.changedTouches[0];
  const [dx, dy] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
  if (Math.abs(dx) > 50 && Math.abs(dx) > 2 * Math.abs(dy)) go(now + (dx < 0 ? 1 : -1));
});
const linked = () => go(Number(location.hash.slice(1)) || 0); // plan.html#12
addEventListener("hashchange", linked);
at("meaning").textContent = data.meaning ? `Values: ${data.meaning}.` : "";
at("picture").hidden = !data.drawing && !data.towers;
data.notes.forEach(note => at("notes").append(make("li", note)));
linked();
