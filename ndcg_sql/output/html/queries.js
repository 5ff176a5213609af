// The list of queries, and one query position by position.

// --- Queries ---

const COLOURED = 8;
// A run with the colour that it has everywhere.
const named = (name, r) =>
  element("bdi", name, { class: r < COLOURED ? `run run-${r}` : "run" });

function queries(root) {
  const key = root.dataset.board;
  const board = data.boards[key];
  const form = root.querySelector("form");
  const table = root.querySelector("table");
  const count = root.querySelector(".count");
  const panel = root.querySelector(".explained");
  const place = panel.querySelector(".query");
  const [back, next] = root.querySelectorAll(".pages button");
  const [before_, after, close] = panel.querySelectorAll(".steps button");
  const texts = board.texts || [];
  const words = board.queries.map((id, q) => `${id} ${texts[q] || ""}`.toLowerCase());
  const state = { sort: null, sign: 1, page: 0, chosen: null, order: [] };

  const field = (name) => form.elements.namedItem(name);
  const pair = field("baseline") !== null;
  const run = (name) => (pair ? Number(field(name).value) : 0);
  const columns = () => board.values[field("measure").value];
  function difference(q) {
    const values = columns();
    const [one, other] = [values[run("baseline")][q], values[run("candidate")][q]];
    return one === null || other === null ? null : other - one;
  }
  // How much better the candidate is; of a measure such as latency, by a lower value.
  const gain = (q) => difference(q) * (board.lowest.includes(field("measure").value) ? -1 : 1);
  // Of many runs, those with a colour and the two that are compared.
  const listed = () => board.runs.map((_, r) => r).filter((r) =>
    r < COLOURED || (pair && (r === run("baseline") || r === run("candidate"))));

  const kept = {
    all: () => true,
    lost: (q) => difference(q) !== null && gain(q) < -TIE,
    won: (q) => difference(q) !== null && gain(q) > TIE,
    tied: (q) => difference(q) !== null && Math.abs(difference(q)) <= TIE,
    explained: (q) => q in board.steps,
  };

  // --- Filters ---

  const slices = [...form.querySelectorAll("select[data-attribute]")];
  for (const select of slices) {
    const { values, of } = board.attributes[select.dataset.attribute];
    select.append(element("option", "all", { value: "" }));
    values.forEach((text, v) => select.append(element("option", text, { value: v })));
    if (of.includes(null)) select.append(element("option", "not known", { value: "unknown" }));
  }
  const fits = (q) => slices.every((select) => {
    const of = board.attributes[select.dataset.attribute].of[q];
    return select.value === "" || select.value === (of === null ? "unknown" : String(of));
  });
  // --- The list ---

  function heading(content, name, isNumber) {
    const cell = element("th", undefined, { scope: "col" });
    if (isNumber) cell.className = "number";
    if (state.sort === name) {
      cell.setAttribute("aria-sort", state.sign > 0 ? "ascending" : "descending");
    }
    const button = element("button", undefined, { type: "button" });
    button.append(content);
    button.addEventListener("click", () => {
      // Numbers are first sorted from the lowest: the worst queries are looked for.
      state.sign = state.sort === name ? -state.sign : 1;
      state.sort = name;
      state.page = 0;
      show();
      table.tHead.querySelector("[aria-sort] button").focus();
    });
    cell.append(button);
    return cell;
  }

  function sortKey(q) {
    if (state.sort === "query") return board.queries[q];
    if (state.sort === "text") return texts[q] || null;
    if (state.sort === "difference") return difference(q);
    return columns()[state.sort][q];
  }

  function show() {
    const text = field("text").value.trim().toLowerCase();
    const which = kept[pair ? field("which").value : "all"];
    const found = board.queries.map((_, q) => q)
      .filter((q) => words[q].includes(text) && which(q) && fits(q));
    if (state.sort !== null) {
      const keys = new Map(found.map((q) => [q, sortKey(q)]));
      found.sort((one, other) => {
        const [a, b] = [keys.get(one), keys.get(other)];
        return a === null || b === null ? before(a, b) : state.sign * before(a, b);
      });
    } else if (pair) {
      // At first, the queries that differ most come first.
      const size = (q) => Math.abs(difference(q) ?? -1);
      found.sort((one, other) => size(other) - size(one));
    }
    state.order = found;
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const head = element("tr");
    head.append(heading("query", "query"));
    if (pair) head.append(heading("difference", "difference", true));
    for (const r of listed()) head.append(heading(named(board.runs[r], r), r, true));
    if (board.texts) {
      head.append(heading("text", "text"));
      head.lastChild.className = "words";
    }
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(
      ...found.slice(state.page * PAGE, (state.page + 1) * PAGE).map(row));
    count.textContent = `${whole(found.length)} of ${whole(board.queries.length)} queries`
      + (board.queryCount > board.queries.length
        ? `; the page lists ${whole(board.queries.length)} of ${whole(board.queryCount)}` : "");
    root.querySelector(".page").textContent = `Page ${state.page + 1} of ${pages}`;
    back.disabled = state.page === 0;
    next.disabled = state.page === pages - 1;
  }

  function row(q) {
    const made = element("tr");
    if (q === state.chosen) made.className = "chosen";
    const name = element("th", undefined, { scope: "row" });
    const button = element("button", undefined, { type: "button", class: "leads" });
    button.append(element("bdi", board.queries[q]));
    button.addEventListener("click", () => { reach(q); });
    name.append(button);
    made.append(name);
    if (pair) {
      const found = difference(q);
      const style = found === null || Math.abs(found) <= TIE ? "" : gain(q) > 0 ? " won" : " lost";
      const cell = element("td", signed(found), { class: `number difference${style}`, "data-label": "difference" });
      // Most measures are at most 1; what is larger fills the cell.
      cell.style.setProperty("--size", Math.min(Math.abs(found ?? 0), 1));
      made.append(cell);
    }
    for (const r of listed()) {
      const value_ = columns()[r][q];
      const cell = element("td", shown(value_), { class: "number value", "data-label": board.runs[r] });
      cell.style.setProperty("--value", Math.max(0, Math.min(value_ ?? 0, 1)));
      made.append(cell);
    }
    if (board.texts) {
      const cell = element("td", undefined, { class: "words" });
      cell.append(element("bdi", texts[q] || ""));
      made.append(cell);
    }
    return made;
  }

  // --- One query, position by position ---

  function leave() {
    const q = state.chosen;
    if (panel.hidden) return;
    panel.hidden = true;
    root.classList.remove("open");
    state.chosen = null;
    show();
    const button = [...table.querySelectorAll("tbody button")].find((own) => own.textContent === board.queries[q]);
    if (button) button.focus({ preventScroll: true });
  }

  function open(...content) {
    panel.hidden = false;
    root.classList.add("open");
    place.replaceChildren(...content);
    const at = state.order.indexOf(state.chosen);
    before_.disabled = at <= 0;
    after.disabled = at < 0 || at === state.order.length - 1;
  }

  function explain(q) {
    state.chosen = q;
    const title = element("h4", "Query ");
    title.append(element("bdi", board.queries[q]));
    const content = [title];
    if (texts[q]) {
      const text = element("p");
      text.append(element("bdi", texts[q]));
      content.push(text);
    }
    const about = Object.entries(board.attributes).filter(([, { of }]) => of[q] !== null);
    if (about.length) {
      content.push(element("p", about.map(([name, { values, of }]) =>
        `${name}: ${values[of[q]]}`).join(" · "), { class: "note" }));
    }
    const two = pair ? [run("baseline"), run("candidate")] : [0];
    const steps = board.steps[q];
    if (board.away.length) {
      open(...content, element("p", "No ranking is shown, because those of these runs are not in"
        + ` the warehouse: ${board.away.join(", ")}`));
      return;
    }
    if (!steps) {
      const [one, other] = two.map((r) => board.runs[r]);
      const asked = [other === undefined ? one : other, board.queries[q]];
      const names = asked.map(quoted).join(" ");
      const options = (other === undefined ? "" : `--against ${quoted(one)} `)
        + `--dataset ${quoted(board.dataset)} --judgments ${quoted(board.judgments)}`;
      // After two hyphens, nothing is an option.
      const words = asked.some((name) => name.startsWith("-"))
        ? `${options} -- ${names}` : `${names} ${options}`;
      open(...content, element("p",
        "This page does not hold the rankings of this query. To see them, run "
        + `ndcg-sql explain ${words}`));
      return;
    }
    open(...content,
      element("p", `By ${board.explainedBy}. A grade is what the judges gave; gain/discount is`
        + " the gain of the grade after the discount of the position.", { class: "note" }),
      rankings(board, two, q));
  }

  function reach(q) {
    state.chosen = q;
    show();
    explain(q);
    panel.focus({ preventScroll: true });
    root.scrollIntoView({ block: "start" });
  }
  function step(by) {
    const at = state.order.indexOf(state.chosen) + by;
    state.page = Math.floor(at / PAGE);
    reach(state.order[at]);
  }
  before_.addEventListener("click", () => { step(-1); });
  after.addEventListener("click", () => { step(1); });
  close.addEventListener("click", leave);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    state.page = 0;
    show();
    if (state.chosen !== null) explain(state.chosen);
  });
  back.addEventListener("click", () => { state.page -= 1; show(); });
  next.addEventListener("click", () => { state.page += 1; show(); });
  show();

  // A tile leads to its query, a slice to its queries.
  const article = document.getElementById(key);
  for (const tile of article.querySelectorAll(".tile[data-query]")) {
    tile.addEventListener("click", (event) => {
      const q = board.queries.indexOf(tile.dataset.query);
      if (q < 0) return;
      event.preventDefault();
      form.reset();
      state.page = 0;
      reach(q);
    });
  }
  for (const part of article.querySelectorAll("tr[data-attribute]")) {
    const { attribute, slice } = part.dataset;
    const select = slices.find((own) => own.dataset.attribute === attribute);
    if (!select) continue;
    const v = "unknown" in part.dataset ? "unknown" : String(board.attributes[attribute].values.indexOf(slice));
    const cell = part.cells[0];
    const button = element("button", undefined, { type: "button", class: "leads" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      select.value = v;
      form.dispatchEvent(new Event("input"));
      root.scrollIntoView({ block: "start" });
    });
  }
}

for (const root of document.querySelectorAll(".queries")) queries(root);
document.documentElement.dataset.ready = "yes";
