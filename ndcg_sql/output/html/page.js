// The page's data, its tables and its charts. All files of the script share one scope.

const data = JSON.parse(document.getElementById("data").textContent);
const PAGE = 50;
const SCALE = 1.4;

// Text from the data only ever becomes text nodes.
function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  return made;
}

const shown = (value) => (value === null ? "" : value.toFixed(4));
const signed = (value) => (value === null ? "" : (value >= 0 ? "+" : "") + value.toFixed(4));
const whole = (count) => count.toLocaleString("en");
const TIE = 5e-13;
// For a shell, as ids can be anything.
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// --- Tables: sorted, one measure at a time ---

function value(cell) {
  if (cell.dataset.value === undefined) return cell.textContent;
  return cell.dataset.value === "" ? null : Number(cell.dataset.value);
}

function before(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

function direction(heading) {
  const next = heading.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  for (const other of heading.parentElement.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", next);
  return next === "ascending" ? 1 : -1;
}

for (const root of document.querySelectorAll(".table")) {
  const table = root.querySelector("table");
  const parts = [...table.querySelectorAll("[data-measure]")];
  // What names the measure of a row is shown where there are several.
  const names = [...table.querySelectorAll("[data-all]")];
  const choose = (measure) => {
    for (const part of parts) part.hidden = measure !== "" && part.dataset.measure !== measure;
    for (const name of names) name.hidden = measure !== "";
  };
  const choices = root.querySelector(".switch");
  if (choices) {
    choices.hidden = false;
    choices.addEventListener("change", (event) => choose(event.target.value));
    choose(choices.querySelector(":checked").value);
  }
}

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  for (const button of table.querySelectorAll("thead button")) {
    button.addEventListener("click", () => {
      const heading = button.parentElement;
      const sign = direction(heading);
      const rows = [...body.rows].map((row) => [value(row.cells[heading.cellIndex]), row]);
      // Rows without a value stay last in both directions.
      rows.sort(([one], [other]) =>
        one === null || other === null ? before(one, other) : sign * before(one, other));
      body.append(...rows.map(([, row]) => row));
    });
  }
}

// --- Charts ---

const tooltip = element("div", undefined, { class: "tooltip", hidden: "" });
document.body.append(tooltip);
function hover(_handler, event, _item, told) {
  if (told === null || told === undefined || told === "") {
    tooltip.hidden = true;
    return;
  }
  tooltip.textContent = typeof told === "object"
    ? Object.entries(told).map(([name, text]) => `${name}: ${text}`).join("\n")
    : String(told);
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.min(event.clientX + 12, innerWidth - box.width - 8)}px`;
  tooltip.style.top = `${Math.min(event.clientY + 12, innerHeight - box.height - 8)}px`;
}

// The theme of the figures is for paper; here its colours are those of the page.
const COLOURS = {
  white: "--paper", "#000000": "--ink", "#333333": "--soft", "#555555": "--soft",
  "#d9d9d9": "--line", "#d55e00": "--lost", "#777777": "--tied", "#cccccc": "--tied",
  "#0072b2": "--won", "#b3b3b3": "--run-more",
};
// What may hold text of the data.
const TEXTS = new Set(["domain", "values", "title", "description"]);
function themed(part, style) {
  if (Array.isArray(part)) return part.map((own) => themed(own, style));
  if (part && typeof part === "object") {
    return Object.fromEntries(Object.entries(part).map(([name, own]) =>
      [name, TEXTS.has(name) ? own : themed(own, style)]));
  }
  let name;
  if (Object.hasOwn(COLOURS, part)) name = COLOURS[part];
  else if (/^\$(run|name)-\d$/.test(part)) name = `--${part.slice(1)}`;
  return name === undefined ? part : style.getPropertyValue(name).trim();
}

const width = (place) => place.querySelector("svg").width.baseVal.value;

async function draw(place) {
  const style = getComputedStyle(document.documentElement);
  const { data: rows, ...rest } = data.charts[place.dataset.chart];
  const spec = { ...themed(rest, style), data: rows, config: themed(data.config, style) };
  const options = {
    ast: true,
    actions: false,
    // An interval that no row has is no fault.
    logLevel: 1,
    defaultStyle: false,
    renderer: "svg",
    tooltip: hover,
  };
  await draw.embed(place, spec, options);
  // Rows of bars that stand alone are as wide as the page.
  const spare = place.clientWidth / SCALE - width(place);
  if (spec.facet?.row && spare > 0 && place.closest(".charts").children.length === 1) {
    spec.spec.width += Math.floor(spare);
    await draw.embed(place, spec, options);
  }
  // The figures are made for the column of a paper.
  const drawing = place.querySelector("svg");
  drawing.style.width = `${SCALE * width(place)}px`;
  drawing.style.height = "auto";
  drawing.style.maxWidth = "100%";
  // The place has a description for all of it.
  drawing.setAttribute("aria-hidden", "true");
  place.classList.add("drawn");
}
draw.embed = window.vegaEmbed;

const places = [...document.querySelectorAll(".drawing")];
if (draw.embed) {
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      seen.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "600px" });
  for (const place of places) seen.observe(place);
  const again = () => places.filter((place) => place.classList.contains("drawn")).forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  addEventListener("beforeprint", () => {
    for (const place of places) if (!place.classList.contains("drawn")) draw(place);
  });
}
