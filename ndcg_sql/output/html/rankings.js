// The rankings of a query, position by position, and where documents moved.

function documents(title, columns, rows) {
  const side = element("div", undefined, { class: "side" });
  const made = element("table");
  const caption = element("caption");
  caption.append(title);
  const head = element("tr");
  for (const [name, style] of columns) head.append(element("th", name, { scope: "col", class: style }));
  made.append(caption, made.createTHead(), made.createTBody());
  made.tHead.append(head);
  made.tBodies[0].append(...rows);
  side.append(made);
  return side;
}

// The rankings of two runs, or of one, beside the best possible ones.
function rankings(board, runs, q) {
  const steps = board.steps[q];
  const own = runs.map((r) => steps.runs[r] || []);
  const places = own.map((ranking) => new Map(ranking.map(([d], p) => [d, p])));
  let highest = 1;
  for (const [, grade] of Object.values(board.steps).flatMap((one) => one.runs.flat())) {
    highest = Math.max(highest, grade ?? 0);
  }

  function document_(d) {
    const cell = element("td", undefined, { class: "document" });
    if (d === null) return cell;
    cell.append(element("bdi", board.docs[d]));
    if (board.titles[d]) {
      cell.append(element("br"), element("bdi", board.titles[d], { class: "moved" }));
    }
    return cell;
  }

  function graded(grade) {
    if (grade === null) return element("td", "not judged", { class: "number grade unjudged" });
    const cell = element("td", String(grade), { class: "number grade" });
    cell.style.setProperty("--value", Math.max(0, grade) / highest);
    return cell;
  }

  function moved(there, p) {
    if (there === undefined) return `new: not among the first ${board.depth} there`;
    if (there === p) return "= same position";
    return `${there > p ? "▲" : "▼"} ${Math.abs(there - p)}, there at ${there + 1}`;
  }

  function ranking(side) {
    const columns = [["#", "number at"], ["document", ""], ["grade", "number grade"], ["gain/\u200bdiscount", "number gain"]];
    const other = runs.length > 1 && places[1 - side].size ? places[1 - side] : null;
    const rows = own[side].map(([d, grade, gain], p) => {
      const made = element("tr");
      const cell = document_(d);
      if (d !== null && other !== null) {
        cell.append(" ", element("span", moved(other.get(d), p), { class: "moved" }));
      }
      made.append(element("td", String(p + 1), { class: "number at" }), cell,
        d === null ? element("td") : graded(grade),
        element("td", gain === null ? "" : gain.toFixed(4), { class: "number gain" }));
      return made;
    });
    if (!rows.length) {
      const none = element("tr");
      none.append(element("td", "no answer", { colspan: "4", class: "unjudged" }));
      rows.push(none);
    }
    const r = runs[side];
    const values = board.values[board.explainedBy];
    const title = element("span");
    title.append(named(board.runs[r], r));
    if (values && values[r][q] !== null) title.append(`: ${shown(values[r][q])}`);
    return documents(title, columns, rows);
  }

  function ideal(title, best) {
    const columns = [["#", "number at"], ["document", ""], ["gain", "number gain"]];
    const rows = best.map(([d, gain], p) => {
      const made = element("tr");
      made.append(element("td", String(p + 1), { class: "number at" }), document_(d),
        element("td", gain === null ? "" : String(gain), { class: "number gain" }));
      return made;
    });
    return documents(element("bdi", title), columns, rows);
  }

  const made = element("div", undefined, { class: "rankings" });
  const sides = runs.map((_, side) => ranking(side));
  made.append(...sides);
  // The ideal ranking may depend on the run.
  const ideals = runs.map((r) => steps.ideal[r] || steps.ideal[0]);
  if (runs.length === 1 || JSON.stringify(ideals[0]) === JSON.stringify(ideals[1])) {
    made.append(ideal("the best possible ranking", ideals[0]));
  } else {
    runs.forEach((r, side) => made.append(
      ideal(`the best possible ranking of ${board.runs[r]}`, ideals[side])));
  }
  if (runs.length > 1) {
    const tables = sides.map((side) => side.firstChild);
    const both = own[0].flatMap(([d, grade], p) => (d === null || !places[1].has(d) ? [] : [{
      rows: [tables[0].tBodies[0].rows[p], tables[1].tBodies[0].rows[places[1].get(d)]],
      isRelevant: grade > 0,
    }]));
    connect(made, tables, both);
  }
  return made;
}

// Lines from where a document stands in one table to where it stands in the other.
// They show what the words beside the documents say, so that only eyes need them.
function connect(place, tables, both) {
  const create = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const drawing = create("svg");
  drawing.setAttribute("class", "moves");
  drawing.setAttribute("aria-hidden", "true");
  const lines = both.map(({ rows, isRelevant }) => {
    const line = create("path");
    if (isRelevant) line.setAttribute("class", "relevant");
    for (const row of rows) {
      row.addEventListener("pointerenter", () => line.classList.add("near"));
      row.addEventListener("pointerleave", () => line.classList.remove("near"));
    }
    return line;
  });
  drawing.append(...lines);
  place.append(drawing);
  new ResizeObserver(() => {
    const frame = place.getBoundingClientRect();
    const [one, other] = tables.map((table) => table.getBoundingClientRect());
    // One above the other, there is no room between them.
    drawing.toggleAttribute("hidden", one.right >= other.left);
    const [from, to] = [one.right - frame.left, other.left - frame.left];
    const middle = (from + to) / 2;
    both.forEach(({ rows }, n) => {
      const [start, end] = rows.map((row) => {
        const box = row.getBoundingClientRect();
        return (box.top + box.bottom) / 2 - frame.top;
      });
      lines[n].setAttribute("d", `M${from} ${start}C${middle} ${start} ${middle} ${end} ${to} ${end}`);
    });
  }).observe(place);
}
