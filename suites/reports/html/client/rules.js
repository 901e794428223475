import { badge, countNoun, make, paragraph } from "./build.js";
import { cellLook, countFailing, matrixCell } from "./cell.js";
import { talliesOf } from "./model.js";
import { hashOf } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").RuleData} RuleData */

/** Counts of each outcome, for each run. @typedef {number[][]} Tally */

const ruleFilters = {
  all: "all rules",
  asked: "rules with results",
  failing: "rules with failures",
  differs: "rules on which implementations differ",
};

/**
 * The rules of one protocol, with the results of each implementation.
 * @param {Model} model
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
export function rulesView(model, query, go) {
  const group = model.page.groups.find(({ name }) => name === query.get("protocol")) ?? model.page.groups[0];
  const title = make("h1", { tabindex: "-1" }, "Rules");
  if (group === undefined) return [title, make("p", {}, "Nothing was run.")];
  const tallies = talliesOf(model, group, ({ rule }) => rule);
  const show = query.get("show") ?? "all";
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const rows = group.rules.filter((rule) => {
    const text = `${rule.id} ${rule.level} ${rule.clause} ${rule.statement}`.toLowerCase();
    return isShown(model, tallies.get(rule.id), show) && words.every((word) => text.includes(word));
  });
  // Rules with different results come first. Within both groups, more serious failures come first.
  const weight = (/** @type {RuleData} */ { id }) => {
    const { concerns } = model.page;
    const tally = tallies.get(id) ?? [];
    const worst = Array.from({ length: concerns }).findIndex((_, outcome) => tally.some((counts) => counts[outcome]));
    return (isShown(model, tally, "differs") ? concerns + 1 : 0) + (worst === -1 ? 0 : concerns - worst);
  };
  rows.sort((first, second) => weight(second) - weight(first));
  const judgedTallies = group.rules.map(({ id }) => tallies.get(id)).filter((tally) => tally !== undefined);
  return [
    title,
    make(
      "p",
      { class: "lead" },
      `${judgedTallies.length} of ${countNoun(group.rules.length, "rule")} of ${group.name} have results: `,
      ...badgesByGravity(model, judgedTallies),
    ),
    rulesForm(model, group, query, go),
    make("p", { role: "status", class: "soft" }, `${rows.length} of ${countNoun(group.rules.length, "rule")}`),
    rulesTable(model, group, rows, tallies),
  ];
}

/**
 * The number of rules by their most serious outcome.
 * @param {Model} model
 * @param {Tally[]} tallies
 */
function badgesByGravity(model, tallies) {
  const worstOutcomes = tallies.map((tally) => {
    const sum = model.page.outcomes.map((_, outcome) =>
      tally.reduce((total, counts) => total + (counts[outcome] ?? 0), 0),
    );
    return cellLook(model, sum)?.outcome;
  });
  return model.page.outcomes.flatMap((outcome) => {
    const count = worstOutcomes.filter((runData) => runData === outcome).length;
    return count === 0 ? [] : [badge(outcome, count), " "];
  });
}

/**
 * @param {Model} model
 * @param {Tally | undefined} tally
 * @param {string} show
 */
function isShown(model, tally, show) {
  if (show === "asked") return tally !== undefined;
  if (show === "failing") return tally?.some((counts) => countFailing(model, counts) > 0) ?? false;
  if (show === "differs") return new Set(tally?.map((counts) => counts.slice(0, model.page.concerns).join())).size > 1;
  return true;
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
function rulesForm(model, group, query, go) {
  const makeOption = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ chosen) =>
    make("option", { value, selected: value === chosen }, text);
  const protocols = model.page.groups.map(({ name }) => makeOption(name, name, group.name));
  const availableFilters = Object.entries(ruleFilters).filter(([name]) => name !== "differs" || group.runs.length > 1);
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
      make(
        "select",
        { name: "show" },
        ...availableFilters.map(([name, text]) => makeOption(name, text, query.get("show") ?? "all")),
      ),
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
function rulesTable(model, group, rules, tallies) {
  const headCell = (/** @type {string} */ name) => make("th", { scope: "col" }, name);
  const rows = rules.map((rule) => {
    const tally = tallies.get(rule.id);
    const query = { protocol: group.name, rule: rule.id };
    const name = tally === undefined ? rule.id : make("a", { href: hashOf("results", query) }, rule.id);
    const cells = group.runs.map((worstOutcome, run) => {
      const column = group.runs.length > 1 ? worstOutcome.target : "result";
      const target = group.runs.length > 1 ? { target: String(run) } : {};
      return matrixCell(model, tally?.[run], hashOf("results", { ...query, ...target }), column);
    });
    return make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        name,
        " ",
        make("span", { class: "soft" }, `${rule.level} · clause ${rule.clause}`),
        paragraph(rule.statement),
        rule.status === undefined || tally !== undefined ? undefined : make("p", { class: "soft" }, rule.status),
      ),
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
      make("thead", {}, make("tr", {}, headCell("rule"), ...group.runs.map(({ target }) => headCell(target)))),
      make("tbody", {}, ...rows),
    ),
  );
}
