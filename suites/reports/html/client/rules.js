import { badge, make, prose, some } from "./build.js";
import { hashOf } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").RuleData} RuleData */

/** Counts of each outcome, for each run. @typedef {number[][]} Tally */

/** As many outcomes as are failures stand first in the list. */
const grave = 5;

const choices = {
  all: "all rules",
  asked: "rules with results",
  failing: "rules with failures",
  differs: "rules on which implementations differ",
};

/**
 * The rules of one protocol, and what each implementation made of them.
 * @param {Model} model
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
export function rulesView(model, query, go) {
  const group = model.page.groups.find(({ name }) => name === query.get("protocol")) ?? model.page.groups[0];
  const title = make("h1", { tabindex: "-1" }, "Rules");
  if (group === undefined) return [title, make("p", {}, "Nothing was run.")];
  const tallies = talliesOf(model, group);
  const show = query.get("show") ?? "all";
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const rows = group.rules.filter((rule) => {
    const text = `${rule.id} ${rule.level} ${rule.clause} ${rule.statement}`.toLowerCase();
    return isShown(tallies.get(rule.id), show) && words.every((word) => text.includes(word));
  });
  const asked = group.rules.filter(({ id }) => tallies.has(id)).length;
  const broken = group.rules.filter(({ id }) => isShown(tallies.get(id), "failing")).length;
  return [
    title,
    make(
      "p",
      { class: "lead" },
      `${asked} of ${some(group.rules.length, "rule")} of ${group.name} have results; ${broken} of them have failures.`,
    ),
    form(model, group, query, go),
    make("p", { role: "status", class: "soft" }, `${rows.length} of ${some(group.rules.length, "rule")}`),
    table(model, group, rows, tallies),
  ];
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @returns {Map<string, Tally>}
 */
function talliesOf(model, group) {
  /** @type {Map<string, Tally>} */
  const tallies = new Map();
  for (const vector of model.vectors) {
    if (vector.group !== group || vector.rule === "") continue;
    const tally = tallies.get(vector.rule) ?? group.runs.map(() => model.page.outcomes.map(() => 0));
    tallies.set(vector.rule, tally);
    vector.outcomes.forEach((outcome, run) => {
      const counts = tally[run];
      if (outcome !== -1 && counts !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1;
    });
  }
  return tallies;
}

/**
 * @param {Tally | undefined} tally
 * @param {string} show
 */
function isShown(tally, show) {
  if (show === "asked") return tally !== undefined;
  if (show === "failing") return tally?.some((counts) => counts.slice(0, grave).some(Boolean)) ?? false;
  if (show === "differs") return new Set(tally?.map((counts) => counts.slice(0, grave).join())).size > 1;
  return true;
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
function form(model, group, query, go) {
  const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ chosen) =>
    make("option", { value, selected: value === chosen }, text);
  const protocols = model.page.groups.map(({ name }) => option(name, name, group.name));
  const shows = Object.entries(choices).filter(([name]) => name !== "differs" || group.runs.length > 1);
  const change = () => {
    const fields = new FormData(element);
    go(new URLSearchParams([...fields].flatMap(([name, value]) => (value ? [[name, String(value)]] : []))));
  };
  const element = make(
    "form",
    { class: "filters short", oninput: change, onsubmit: (event) => event.preventDefault() },
    make(
      "label",
      { class: "search" },
      "Search the rules ",
      make("input", { type: "search", name: "q", value: query.get("q") ?? "", autocomplete: "off" }),
    ),
    protocols.length > 1
      ? make("label", {}, "Protocol ", make("select", { name: "protocol" }, ...protocols))
      : undefined,
    make(
      "label",
      {},
      "Show ",
      make("select", { name: "show" }, ...shows.map(([name, text]) => option(name, text, query.get("show") ?? "all"))),
    ),
  );
  return element;
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @param {RuleData[]} rules
 * @param {Map<string, Tally>} tallies
 */
function table(model, group, rules, tallies) {
  const column = (/** @type {string} */ name) => make("th", { scope: "col" }, name);
  const rows = rules.map((rule) => {
    const tally = tallies.get(rule.id);
    const query = { protocol: group.name, rule: rule.id };
    const name = tally === undefined ? rule.id : make("a", { href: hashOf("results", query) }, rule.id);
    const cells = group.runs.map((_, run) => {
      const target = group.runs.length > 1 ? { target: String(run) } : {};
      return make("td", {}, ...cell(model, tally?.[run], hashOf("results", { ...query, ...target })));
    });
    return make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        name,
        prose(rule.statement),
        rule.status === undefined || tally !== undefined ? undefined : make("p", { class: "soft" }, rule.status),
      ),
      make("td", {}, rule.level, make("br", {}), make("span", { class: "soft" }, `clause ${rule.clause}`)),
      ...cells,
    );
  });
  return make(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": `Rules of ${group.name}` },
    make(
      "table",
      { class: "matrix rules" },
      make("caption", {}, `Rules of ${group.name} by implementation`),
      make(
        "thead",
        {},
        make("tr", {}, column("rule"), column("level"), ...group.runs.map(({ target }) => column(target))),
      ),
      make("tbody", {}, ...rows),
    ),
  );
}

/**
 * @param {Model} model
 * @param {number[] | undefined} counts
 * @param {string} href
 */
function cell(model, counts, href) {
  const all = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counts === undefined || all === 0) return [make("span", { class: "soft" }, "no result")];
  const parts = model.page.outcomes.flatMap((outcome, number) => {
    const count = counts[number] ?? 0;
    return count === 0 ? [] : [badge({ ...outcome, name: `${count} ${outcome.name}` }), " "];
  });
  return [make("a", { href, class: "quiet" }, ...parts, make("span", { class: "soft" }, `of ${all}`))];
}
