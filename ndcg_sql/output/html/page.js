"use strict";
(() => {
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
  const TIE = 5e-13;
  // For a shell, as ids can be anything.
  const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  // --- Tables that can be sorted ---

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
    "#d9d9d9": "--line",
  };
  function themed(part, style) {
    if (Array.isArray(part)) return part.map((own) => themed(own, style));
    if (part && typeof part === "object") {
      return Object.fromEntries(Object.entries(part).map(([name, own]) => [name, themed(own, style)]));
    }
    return part in COLOURS ? style.getPropertyValue(COLOURS[part]).trim() : part;
  }

  async function draw(place) {
    const spec = data.charts[place.dataset.chart];
    const config = themed(data.config, getComputedStyle(document.documentElement));
    await draw.embed(place, { ...spec, config }, {
      ast: true,
      actions: false,
      // An interval that no row has is no fault.
      logLevel: 1,
      defaultStyle: false,
      renderer: "svg",
      tooltip: hover,
    });
    // The figures are made for the column of a paper.
    const drawing = place.querySelector("svg");
    drawing.style.width = `${SCALE * drawing.width.baseVal.value}px`;
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

  // --- Queries ---

  function queries(root) {
    const board = data.boards[root.dataset.board];
    const form = root.querySelector("form");
    const table = root.querySelector("table");
    const count = root.querySelector(".count");
    const panel = root.querySelector(".explained");
    const [back, next] = root.querySelectorAll(".pages button");
    const texts = board.texts || [];
    const words = board.queries.map((id, q) => `${id} ${texts[q] || ""}`.toLowerCase());
    const state = { sort: null, sign: 1, page: 0, chosen: null };

    const field = (name) => form.elements.namedItem(name);
    const run = (name) => (field(name) ? Number(field(name).value) : null);
    const columns = () => board.values[field("measure").value];
    function difference(q) {
      const values = columns();
      const [one, other] = [values[run("baseline")][q], values[run("candidate")][q]];
      return one === null || other === null ? null : other - one;
    }

    const kept = {
      all: () => true,
      lost: (q) => difference(q) !== null && difference(q) < -TIE,
      won: (q) => difference(q) !== null && difference(q) > TIE,
      tied: (q) => difference(q) !== null && Math.abs(difference(q)) <= TIE,
      explained: (q) => q in board.steps,
    };

    function heading(text, key, isNumber) {
      const cell = element("th", undefined, { scope: "col" });
      if (isNumber) cell.className = "number";
      if (state.sort === key) {
        cell.setAttribute("aria-sort", state.sign > 0 ? "ascending" : "descending");
      }
      const button = element("button", text, { type: "button" });
      button.addEventListener("click", () => {
        // Numbers are first sorted from the lowest: the worst queries are looked for.
        state.sign = state.sort === key ? -state.sign : 1;
        state.sort = key;
        state.page = 0;
        show();
        table.tHead.querySelector("[aria-sort] button").focus();
      });
      cell.append(button);
      return cell;
    }

    function key(q) {
      if (state.sort === "query") return board.queries[q];
      if (state.sort === "text") return texts[q] || null;
      if (state.sort === "difference") return difference(q);
      return columns()[state.sort][q];
    }

    function show() {
      const pair = field("baseline") !== null;
      const text = field("text").value.trim().toLowerCase();
      const which = kept[pair ? field("which").value : "all"];
      let found = board.queries.map((_, q) => q).filter((q) => words[q].includes(text) && which(q));
      if (state.sort !== null) {
        const keys = new Map(found.map((q) => [q, key(q)]));
        found.sort((one, other) => {
          const [a, b] = [keys.get(one), keys.get(other)];
          return a === null || b === null ? before(a, b) : state.sign * before(a, b);
        });
      } else if (pair) {
        // At first, the queries that differ most come first.
        const size = (q) => Math.abs(difference(q) ?? -1);
        found.sort((one, other) => size(other) - size(one));
      }
      const pages = Math.max(1, Math.ceil(found.length / PAGE));
      state.page = Math.min(state.page, pages - 1);
      const head = element("tr");
      head.append(heading("query", "query"));
      if (board.texts) head.append(heading("text", "text"));
      board.runs.forEach((name, r) => head.append(heading(name, r, true)));
      if (pair) head.append(heading("difference", "difference", true));
      table.tHead.replaceChildren(head);
      table.tBodies[0].replaceChildren(
        ...found.slice(state.page * PAGE, (state.page + 1) * PAGE).map((q) => row(q, pair)));
      count.textContent = `${found.length} of ${board.queries.length} queries`
        + (board.queryCount > board.queries.length
          ? `; the page lists ${board.queries.length} of ${board.queryCount}` : "");
      root.querySelector(".page").textContent = `Page ${state.page + 1} of ${pages}`;
      back.disabled = state.page === 0;
      next.disabled = state.page === pages - 1;
    }

    function row(q, pair) {
      const made = element("tr");
      if (q === state.chosen) made.className = "chosen";
      const name = element("th", undefined, { scope: "row" });
      const link = element("a", undefined, { href: `#${address(q)}` });
      link.append(element("bdi", board.queries[q]));
      name.append(link);
      made.append(name);
      if (board.texts) {
        const cell = element("td");
        cell.append(element("bdi", texts[q] || ""));
        made.append(cell);
      }
      for (const values of columns()) {
        made.append(element("td", shown(values[q]), { class: "number" }));
      }
      if (pair) {
        const found = difference(q);
        const style = found === null || Math.abs(found) <= TIE ? "" : found > 0 ? " better" : " worse";
        made.append(element("td", signed(found), { class: `number${style}` }));
      }
      return made;
    }

    const address = (q) => `q=${encodeURIComponent(board.queries[q])}`
      + (Object.keys(data.boards).length > 1 ? `&in=${root.dataset.board}` : "");

    // --- One query, position by position ---

    function explain(q) {
      state.chosen = q;
      panel.hidden = false;
      const title = element("h4", "Query ");
      title.append(element("bdi", board.queries[q]));
      panel.replaceChildren(title);
      if (texts[q]) {
        const text = element("p");
        text.append(element("bdi", texts[q]));
        panel.append(text);
      }
      const pair = run("baseline") === null ? [0] : [run("baseline"), run("candidate")];
      const steps = board.steps[q];
      if (board.away.length) {
        panel.append(element("p", "No ranking is shown, because those of these runs are not in"
          + ` the warehouse: ${board.away.join(", ")}`));
        return;
      }
      if (!steps) {
        const [first, second] = pair.map((r) => quoted(board.runs[r]));
        const asked = second === undefined ? first : second;
        const against = second === undefined ? "" : ` --against ${first}`;
        panel.append(element("p",
          "This page does not hold the rankings of this query. To see them, run "
          + `ndcg-sql explain ${asked} ${quoted(board.queries[q])}${against}`
          + ` --dataset ${quoted(board.dataset)} --judgments ${quoted(board.judgments)}`));
        return;
      }
      const place = pair.map((r) => new Map((steps.runs[r] || []).map((step, p) => [step[0], p + 1])));
      const rankings = element("div", undefined, { class: "rankings" });
      pair.forEach((r, side) => rankings.append(
        ranking(board.runs[r], q, steps.runs[r] || [], pair.length > 1 ? place[1 - side] : null)));
      // The ideal ranking may depend on the run.
      const ideals = pair.map((r) => steps.ideal[r] || steps.ideal[0]);
      if (pair.length === 1 || JSON.stringify(ideals[0]) === JSON.stringify(ideals[1])) {
        rankings.append(ideal("the best possible ranking", ideals[0]));
      } else {
        pair.forEach((r, side) => rankings.append(
          ideal(`the best possible ranking of ${board.runs[r]}`, ideals[side])));
      }
      panel.append(
        element("p", `By ${board.explainedBy}. A grade is what the judges gave; gain/discount is`
          + " the gain of the grade after the discount of the position.", { class: "note" }),
        rankings);
    }

    function documents(title, columns, rows) {
      const side = element("div", undefined, { role: "region", tabindex: "0", "aria-label": title });
      const made = element("table");
      const caption = element("caption");
      caption.append(element("bdi", title));
      const head = element("tr");
      for (const [name, isNumber] of columns) {
        head.append(element("th", name, isNumber ? { scope: "col", class: "number" } : { scope: "col" }));
      }
      made.append(caption, made.createTHead(), made.createTBody());
      made.tHead.append(head);
      made.tBodies[0].append(...rows);
      side.append(made);
      return side;
    }

    function document_(d) {
      const cell = element("td");
      if (d === null) return cell;
      cell.append(element("bdi", board.docs[d]));
      if (board.titles[d]) {
        cell.append(element("br"), element("bdi", board.titles[d], { class: "moved" }));
      }
      return cell;
    }

    function ranking(name, q, steps, other) {
      const columns = [["", true], ["document", false], ["grade", true], ["gain/discount", true]];
      const rows = steps.map(([d, grade, gain], p) => {
        const made = element("tr");
        const cell = document_(d);
        if (d !== null && other !== null) {
          const there = other.get(d);
          const moved = there === undefined
            ? `not among the first ${board.depth} there`
            : there === p + 1 ? "same position" : `there at ${there}`;
          cell.append(" ", element("span", moved, { class: "moved" }));
        }
        made.append(element("td", String(p + 1), { class: "number" }), cell,
          d === null ? element("td")
            : element("td", grade === null ? "not judged" : String(grade),
              { class: grade === null ? "number unjudged" : "number" }),
          element("td", gain === null ? "" : gain.toFixed(4), { class: "number" }));
        return made;
      });
      if (!steps.length) {
        const none = element("tr");
        none.append(element("td", "no answer", { colspan: "4", class: "unjudged" }));
        rows.push(none);
      }
      const values = board.values[board.explainedBy];
      const value = values ? values[board.runs.indexOf(name)][q] : null;
      return documents(value === null ? name : `${name}: ${shown(value)}`, columns, rows);
    }

    function ideal(title, steps) {
      const columns = [["", true], ["document", false], ["gain", true]];
      const rows = steps.map(([d, gain], p) => {
        const made = element("tr");
        made.append(element("td", String(p + 1), { class: "number" }), document_(d),
          element("td", gain === null ? "" : String(gain), { class: "number" }));
        return made;
      });
      return documents(title, columns, rows);
    }

    function follow() {
      const asked = new URLSearchParams(location.hash.slice(1));
      const own = asked.get("in") || Object.keys(data.boards)[0];
      if (!asked.has("q") || own !== root.dataset.board) return;
      const q = board.queries.indexOf(asked.get("q"));
      if (q < 0) {
        count.textContent = "The page does not list the query of this address.";
        return;
      }
      explain(q);
      show();
      panel.focus();
      panel.scrollIntoView({ block: "start" });
    }

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      state.page = 0;
      show();
      if (state.chosen !== null) explain(state.chosen);
    });
    back.addEventListener("click", () => { state.page -= 1; show(); });
    next.addEventListener("click", () => { state.page += 1; show(); });
    addEventListener("hashchange", follow);
    show();
    follow();
  }

  for (const root of document.querySelectorAll(".queries")) queries(root);
  document.documentElement.dataset.ready = "yes";
})();
