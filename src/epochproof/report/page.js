"use strict";
// The lab. Worlds and residues come from the table `lab-data`: nothing about schedules is computed here.
const data = JSON.parse(document.getElementById("lab-data").textContent);
const at = (id) => document.getElementById(id);
const chosen = (name) => at(`lab-${name}`).value;
const NUMBERS = ["size", "ranks", "workers", "batch"];
const GOLDEN = 137;
let taken = 0;
let counted = 0;

function make(tag, text, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  if (text !== null) made.append(text);
  made.append(...children);
  return made;
}

function chip(record, kinds, sign, words) {
  const made = make("span", String(record), { class: ["chip", ...kinds].join(" ") });
  made.style.setProperty("--h", (record * GOLDEN) % 360);
  if (sign) made.append(make("i", sign, { "aria-hidden": "true" }));
  made.append(make("span", `${words} `, { class: "unseen" }));
  return made;
}

// For each rank its steps: the worker that reads, and the records with their padding.
function world() {
  const tail = chosen("deal") === "nobody" ? "pad" : chosen("tail");
  const table = data.worlds[`${chosen("deal")} ${tail} ${chosen("end")}`].split(";");
  const place = NUMBERS.reduce((sum, name, k) => sum * data.sizes[k] + at(`lab-${name}`).selectedIndex, 0);
  return table[place].split("|").map((rank) =>
    rank.split(" ").filter(Boolean).map((step) => ({
      worker: Number(step[0]),
      cells: [...step.slice(1)].map((letter) => ({
        record: letter.toLowerCase().charCodeAt(0) - data.letters.charCodeAt(0),
        padded: letter !== letter.toLowerCase(),
      })),
    })),
  );
}

function steps(ranks) {
  return Math.max(0, ...ranks.map((rank) => rank.length));
}

// How often each record was read in the steps that were taken.
function tally(ranks) {
  const times = new Array(Number(chosen("size"))).fill(0);
  for (const rank of ranks) for (const step of rank.slice(0, taken)) for (const cell of step.cells) times[cell.record] += 1;
  return times;
}

function drawn(ranks) {
  const watch = at("lab-watch").checked;
  const times = tally(ranks);
  const many = steps(ranks);
  const head = ["rank", "worker", ...Array(many).keys()].map((name) => make("th", typeof name === "number" ? `step ${name}` : name, { scope: "col", ...(name === taken - 1 ? { class: "now" } : {}) }));
  const rows = [];
  ranks.forEach((rank, r) => {
    for (let worker = 0; worker < Number(chosen("workers")); worker += 1) {
      const row = make("tr", null, {}, make("th", `rank ${r}`, { scope: "row" }), make("th", `worker ${worker}`, { scope: "row" }));
      for (let step = 0; step < many; step += 1) {
        const cell = make("td", null, step === taken - 1 ? { class: "now" } : {});
        if (step >= taken) cell.append(make("span", "?", { class: "none" }));
        else if (step >= rank.length) cell.append(make("span", "\u2013", { class: "none" }));
        else if (rank[step].worker === worker) {
          for (const { record, padded } of rank[step].cells) {
            const again = watch && times[record] > 1;
            const words = `${padded ? " padding" : ""}${again ? ` read ${times[record]} times` : ""}`;
            const kinds = [...(padded ? ["pad"] : []), ...(again ? ["again"] : [])];
            cell.append(chip(record, kinds, `${padded ? "+" : ""}${again ? `\u00d7${times[record]}` : ""}`, words));
          }
        }
        row.append(cell);
      }
      rows.push(row);
    }
  });
  const caption = make("caption", "what each worker read so far; ? is still to come");
  return make("table", null, { class: "grid" }, caption, make("thead", null, {}, make("tr", null, {}, ...head)), make("tbody", null, {}, ...rows));
}

function coverage(ranks) {
  const times = tally(ranks);
  const over = taken >= steps(ranks);
  const chips = times.map((many, record) => {
    if (many === 0) return chip(record, [over ? "lost" : "waiting"], "", over ? " omitted" : " not read yet");
    return chip(record, many > 1 ? ["again"] : [], `\u00d7${many}`, ` read ${many} times`);
  });
  const read = times.filter((many) => many > 0).length;
  const again = times.filter((many) => many > 1).length;
  const line = `coverage: ${read} of ${times.length} records read, ${again} of them more than once`;
  return [make("p", line), make("p", null, {}, ...chips)];
}

function show() {
  const ranks = world();
  const many = steps(ranks);
  taken = Math.min(taken, many);
  const read = tally(ranks).reduce((sum, each) => sum + each, 0);
  at("lab-tail").disabled = chosen("deal") === "nobody";
  at("lab-grid").replaceChildren(drawn(ranks));
  at("lab-coverage").replaceChildren(...(at("lab-watch").checked ? coverage(ranks) : []));
  at("lab-said").textContent = `step ${taken} of ${many}: ${read} occurrences read`;
  at("lab-back").disabled = taken === 0;
  at("lab-step").disabled = at("lab-last").disabled = taken === many;
  const deal = data.deals[chosen("deal")].replace("{tail}", chosen("tail"));
  at("lab-spec").textContent = [
    "edition 1", "", `dataset records { size = ${chosen("size")} }`, "", "loader lab over records {",
    "  style   = iterable", `  ranks   = ${chosen("ranks")}`, `  workers = ${chosen("workers")}`,
    `  ${deal}`, `  batch(${chosen("batch")}, tail = ${chosen("end")})`, "}",
  ].join("\n");
}

function count() {
  const cycle = data.residues[`${chosen("m")} ${chosen("a")}`].slice(1);
  const seen = [0, ...Array.from({ length: counted }, (_, k) => cycle[k % cycle.length])];
  const now = seen[seen.length - 1];
  at("counter-said").textContent = `step ${counted}: ${seen.slice(-13).join(", ")}; a cycle takes ${cycle.length}`;
  const slots = Array.from({ length: Number(chosen("m")) }, (_, slot) =>
    make("li", String(slot), slot === now ? { class: "now", "aria-current": "true" } : {}));
  at("counter-slots").replaceChildren(...slots);
}

function go(id, change, then) {
  at(id).addEventListener("click", () => { change(); then(); });
}

go("lab-step", () => { taken += 1; }, show);
go("lab-back", () => { taken -= 1; }, show);
go("lab-last", () => { taken = steps(world()); }, show);
go("lab-reset", () => { taken = 0; }, show);
go("counter-step", () => { counted += 1; }, count);
go("counter-reset", () => { counted = 0; }, count);
// A changed world starts afresh: only fresh runs compare.
at("lab-world").addEventListener("change", (event) => { if (event.target.id !== "lab-watch") taken = 0; show(); });
at("lab-counter").addEventListener("change", () => { counted = 0; count(); });
for (const id of ["lab-world", "lab-counter"]) at(id).addEventListener("submit", (event) => event.preventDefault());
// What is folded is printed all the same.
addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("details")) each.open = true; });
show();
count();
