import { badge, make } from "./build.js";
import { aspects, countOutcomes, isKnown } from "./filter.js";

/** @typedef {import("./model.js").Model} Model */

/**
 * The filters of results. Calls `go` with each new query. The returned `showCounts` shows the counts for a query.
 * @param {Model} model
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
export function resultsForm(model, query, go) {
  const text = make("input", { type: "search", name: "q", value: query.get("q") ?? "", autocomplete: "off" });
  const chips = model.page.outcomes.map(({ name }) =>
    make("input", { type: "checkbox", name: "outcome", value: name, checked: query.getAll("outcome").includes(name) }),
  );
  const badges = chips.map(() => make("span", {}));
  const labels = chips.map((chip, index) => make("label", { class: "chip" }, chip, badges[index]));
  const selects = make("div", { class: "selects" }, ...selectsOf(model, query));
  const readQuery = () =>
    new URLSearchParams([...new FormData(element)].flatMap(([name, value]) => (value ? [[name, String(value)]] : [])));
  const element = make(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": "Results",
      onsubmit: (event) => event.preventDefault(),
      oninput: (event) => {
        const next = readQuery();
        const isProtocol = event.target instanceof HTMLSelectElement && event.target.name === "protocol";
        if (isProtocol) {
          // Documents, rules and faults belong to one protocol, so another protocol clears them.
          for (const aspect of ["document", "rule", "family", "fault", "site", "target"]) next.delete(aspect);
          selects.replaceChildren(...selectsOf(model, next));
          selects.querySelector("select")?.focus();
        }
        go(next);
      },
    },
    make(
      "label",
      { class: "search" },
      model.page.noun[0] === "result" ? "Search ids, descriptions, rules and reasons " : "Search ",
      text,
    ),
    make("fieldset", { class: "chips" }, make("legend", {}, "Outcome"), ...labels),
    selects,
  );
  const showCounts = (/** @type {URLSearchParams} */ current) => {
    const counts = countOutcomes(model, current);
    labels.forEach((label, index) => {
      const outcome = model.page.outcomes[index];
      const chip = chips[index];
      if (outcome === undefined || chip === undefined) return;
      const count = counts[index] ?? 0;
      badges[index]?.replaceChildren(badge(outcome, count));
      label.hidden = count === 0 && !chip.checked;
    });
  };
  return { element, showCounts };
}

/**
 * @param {Model} model
 * @param {URLSearchParams} query
 */
function selectsOf(model, query) {
  const { groups } = model.page;
  const chosen =
    groups.find(({ name }) => name === query.get("protocol")) ?? (groups.length === 1 ? groups[0] : undefined);
  const vectors = chosen === undefined ? model.vectors : model.vectors.filter(({ group }) => group === chosen);
  const fields = [];
  if (groups.length > 1) {
    fields.push(
      menu(
        "protocol",
        "Protocol",
        groups.map(({ name }) => [name, name]),
        query,
      ),
    );
  }
  if (chosen !== undefined && chosen.runs.length > 1) {
    fields.push(
      menu(
        "target",
        "Implementation",
        chosen.runs.map(({ target }, index) => [String(index), target]),
        query,
      ),
    );
    fields.push(checkbox("differs", "only where they differ", query));
  }
  if (vectors.some(isKnown)) fields.push(checkbox("unlisted", "without what the baseline knows", query));
  for (const aspect of aspects) {
    const values = [...new Set(vectors.map((vector) => vector[aspect]))].filter(Boolean);
    // Levels are not sorted by name.
    const sortedValues =
      aspect === "level" ? model.page.levels.filter((level) => values.includes(level)) : values.sort();
    // There are too many assertions for a menu. The view of the schema links to each.
    if (aspect === "site" ? query.has(aspect) : sortedValues.length > 1 || query.has(aspect))
      fields.push(
        menu(
          aspect,
          model.page.titles[aspect],
          aspect === "site"
            ? [[query.get("site") ?? "", (query.get("site") ?? "").replace(/^.*\//, "… ")]]
            : sortedValues.map((value) => [value, value]),
          query,
        ),
      );
  }
  return fields;
}

/**
 * @param {string} name
 * @param {string} title
 * @param {URLSearchParams} query
 */
function checkbox(name, title, query) {
  const input = make("input", { type: "checkbox", name, value: "1", checked: query.has(name) });
  return make("label", { class: "check" }, input, ` ${title}`);
}

/**
 * @param {string} name
 * @param {string} title
 * @param {string[][]} options
 * @param {URLSearchParams} query
 */
function menu(name, title, options, query) {
  const chosen = query.get(name);
  const anyOption = make("option", { value: "" }, "any");
  return make(
    "label",
    {},
    `${title} `,
    make(
      "select",
      { name },
      anyOption,
      ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
    ),
  );
}
