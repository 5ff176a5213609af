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
  const chip = root.querySelector(".bin");
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
  // Of many runs, those with a colour and the two that are compared.
  const listed = () => board.runs.map((_, r) => r).filter((r) =>
    r < COLOURED || (pair && (r === run("baseline") || r === run("candidate"))));

  const kept = {
    all: () => true,
    lost: (q) => difference(q) !== null && difference(q) < -TIE,
    won: (q) => difference(q) !== null && difference(q) > TIE,
    tied: (q) => difference(q) !== null && Math.abs(difference(q)) <= TIE,
    explained: (q) => q in board.steps,
  };

  // --- Filters, which the address keeps ---

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
  const fields = [...form.elements].filter((own) => own.name);
  const first = new Map(fields.map((own) => [own, own.value]));
  const nameOf = (own) => (own.name === "of" ? `of ${own.dataset.attribute}` : own.name);

  function address(q) {
    const asked = new URLSearchParams();
    if (q !== null) asked.set("q", board.queries[q]);
    for (const own of fields) {
      if (own.value !== first.get(own)) asked.set(nameOf(own), own.value);
    }
    if (Object.keys(data.boards).length > 1) asked.set("in", key);
    return `#${asked.has("q") || [...asked].length ? asked : `${key}-queries`}`;
  }

  function restore(asked) {
    for (const own of fields) own.value = asked.get(nameOf(own)) ?? first.get(own);
  }

  // What a bar or a cell of a chart stands for: a range of differences; one of the values
  // of a run, which comes first; or one of the baseline's values and one of the candidate's.
  // An edge belongs to the same of two as in the figures.
  function bin() {
    const ends = field("bin").value.split(" ").map(Number);
    const values = columns();
    const isShare = values.flat().every((own) => own === null || (own >= 0 && own < 1 + TIE));
    const has = (r, low, high) => (q) => values[r]?.[q] != null && values[r][q] > low - TIE
      && (values[r][q] < high - TIE || (isShare && high === 1));
    if (ends.length === 3) {
      return { name: `${board.runs[ends[0]]}: ${ends[1]} to ${ends[2]}`, has: has(...ends) };
    }
    if (ends.length === 4) {
      const both = [has(run("baseline"), ends[0], ends[1]), has(run("candidate"), ends[2], ends[3])];
      return {
        name: `baseline ${ends[0]} to ${ends[1]}, candidate ${ends[2]} to ${ends[3]}`,
        has: (q) => both.every((own) => own(q)),
      };
    }
    const [near, far] = ends.map(Math.abs).sort((one, other) => one - other);
    if (far === 0) return { name: "no difference", has: kept.tied };
    const sign = Math.sign(ends[0] + ends[1]);
    return { name: `difference ${ends[0]} to ${ends[1]}`, has: (q) => {
      const size = sign * difference(q);
      return size > near + TIE && size < far + TIE;
    } };
  }

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
    const chosen = field("bin").value ? bin() : { name: "", has: kept.all };
    chip.textContent = `${chosen.name} ✕`;
    chip.hidden = chosen.name === "";
    const found = board.queries.map((_, q) => q)
      .filter((q) => words[q].includes(text) && which(q) && fits(q) && chosen.has(q));
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
    const link = element("a", undefined, { href: address(q) });
    link.append(element("bdi", board.queries[q]));
    name.append(link);
    made.append(name);
    if (pair) {
      const found = difference(q);
      const style = found === null || Math.abs(found) <= TIE ? "" : found > 0 ? " won" : " lost";
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

  root.querySelector(".csv").addEventListener("click", () => {
    const told = (value_) => (value_ === null ? "" : String(value_));
    save(`queries-${fileName(field("measure").value)}.csv`, csv([
      ["query", ...(board.texts ? ["text"] : []), ...Object.keys(board.attributes), ...board.runs],
      ...state.order.map((q) => [board.queries[q], ...(board.texts ? [texts[q] || ""] : []),
        ...Object.values(board.attributes).map(({ values, of }) => (of[q] === null ? "" : values[of[q]])),
        ...columns().map((values) => told(values[q]))]),
    ]), "text/csv");
  });

  // --- One query, position by position ---

  function leave() {
    const q = state.chosen;
    if (panel.hidden) return;
    panel.hidden = true;
    root.classList.remove("open");
    state.chosen = null;
    show();
    const link = [...table.querySelectorAll("tbody a")].find((own) => own.textContent === board.queries[q]);
    if (link) link.focus({ preventScroll: true });
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

  // --- The address decides what is open ---

  function follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const own = asked.get("in") || Object.keys(data.boards)[0];
    const isState = fields.some((part) => asked.has(nameOf(part)));
    if (own !== key || !(asked.has("q") || isState)) {
      leave();
      return;
    }
    restore(asked);
    if (!asked.has("q")) {
      leave();
      show();
      return;
    }
    const q = board.queries.indexOf(asked.get("q"));
    state.chosen = q < 0 ? null : q;
    show();
    if (q < 0) {
      open(element("h4", "No such query"),
        element("p", `This page does not list the query ${asked.get("q")}.`, { role: "alert" }));
    } else {
      explain(q);
    }
    panel.focus({ preventScroll: true });
    root.scrollIntoView({ block: "start" });
  }

  function go(hash) {
    history.pushState(null, "", hash);
    follow();
  }
  function step(by) {
    const to = state.order[state.order.indexOf(state.chosen) + by];
    // The way back leads to the list, not through all that was seen.
    history.replaceState(null, "", address(to));
    state.page = Math.floor(state.order.indexOf(to) / PAGE);
    follow();
  }
  before_.addEventListener("click", () => { step(-1); });
  after.addEventListener("click", () => { step(1); });
  close.addEventListener("click", () => { go(address(null)); });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) go(address(null));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    state.page = 0;
    show();
    history.replaceState(null, "", address(state.chosen));
    if (state.chosen !== null) explain(state.chosen);
  });
  chip.addEventListener("click", () => {
    field("bin").value = "";
    form.dispatchEvent(new Event("input"));
    form.querySelector("input").focus();
  });
  back.addEventListener("click", () => { state.page -= 1; show(); });
  next.addEventListener("click", () => { state.page += 1; show(); });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  show();
  follow();

  // A slice leads to its queries.
  for (const part of document.getElementById(key).querySelectorAll("tr[data-attribute]")) {
    const { attribute, slice } = part.dataset;
    const select = slices.find((own) => own.dataset.attribute === attribute);
    if (!select) continue;
    const v = "unknown" in part.dataset ? "unknown" : String(board.attributes[attribute].values.indexOf(slice));
    const cell = part.cells[0];
    const button = element("button", undefined, { type: "button", class: "slice" });
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
