import { countNoun, make } from "./build.js";
import { cellLook, countFailing, countNoted } from "./cell.js";
import { heatTable, titleOf } from "./heat.js";
import { talliesOf } from "./model.js";
import { hashOf } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").SchemaData} SchemaData */

/** The maximum number of failing assertions that are listed above the schema. */
const maxListed = 12;

/** The protocols with schemas on the page. @param {Model} model */
export function withSchemas(model) {
  return model.page.groups.filter(({ schemas }) => schemas.length > 0);
}

/**
 * A schema as a heat map: each keyword in the colour of the results of its vectors.
 * @param {Model} model
 * @param {URLSearchParams} query
 * @param {(query: URLSearchParams) => void} go
 */
export function schemaView(model, query, go) {
  const groups = withSchemas(model);
  const group = groups.find(({ name }) => name === query.get("protocol")) ?? groups[0];
  const title = make("h1", { tabindex: "-1" }, "Schema");
  if (group === undefined) return [title, make("p", {}, "The schemas were not at hand when this page was made.")];
  const tallies = sitesOf(model, group);
  const countFailingSites = (/** @type {SchemaData} */ { id }) => sitesWith(countFailing, model, tallies, id).length;
  const countNotedSites = (/** @type {SchemaData} */ { id }) => sitesWith(countNoted, model, tallies, id).length;
  const schemas = [...group.schemas].sort(
    (first, second) =>
      countFailingSites(second) - countFailingSites(first) || countNotedSites(second) - countNotedSites(first),
  );
  const schema = schemas.find(({ id }) => id === query.get("schema")) ?? /** @type {SchemaData} */ (schemas[0]);
  const assertionCount = [...tallies.keys()].filter((site) => site.startsWith(`${schema.id}#`)).length;
  const failed = sitesWith(countFailing, model, tallies, schema.id);
  const warned = sitesWith(countNoted, model, tallies, schema.id).filter((site) => !failed.includes(site));
  return [
    title,
    make(
      "p",
      { class: "lead" },
      `${countNoun(assertionCount, "assertion")} of ${titleOf(schema)} ${assertionCount === 1 ? "has" : "have"} ${model.page.noun[1]}; ${failed.length} of them ${failed.length === 1 ? "has" : "have"} ${model.page.worst}${warned.length === 0 ? "" : `, ${warned.length} only warnings`}.`,
    ),
    schemaForm(model, groups, group, schemas, schema, { fails: countFailingSites, go }),
    ...worstSites(model, group, schema, { failed, warned }, tallies),
    heatTable(model, group, schema, tallies, query.get("at") ?? ""),
  ];
}

/**
 * Counts by assertion.
 * @param {Model} model
 * @param {GroupData} group
 */
function sitesOf(model, group) {
  return talliesOf(model, group, ({ site }) => site);
}

/**
 * The assertions of a schema that have results of a kind, those with the most results first.
 * @param {typeof countFailing} countOf
 * @param {Model} model
 * @param {Map<string, number[][]>} tallies
 * @param {string} id
 */
function sitesWith(countOf, model, tallies, id) {
  const count = (/** @type {number[][]} */ runs) => Math.max(...runs.map((counts) => countOf(model, counts)));
  return [...tallies]
    .filter(([site, runs]) => site.startsWith(`${id}#`) && count(runs) > 0)
    .sort(([, firstRuns], [, secondRuns]) => count(secondRuns) - count(firstRuns))
    .map(([site]) => site);
}

/**
 * @param {Model} model
 * @param {GroupData[]} groups
 * @param {GroupData} group
 * @param {SchemaData[]} schemas
 * @param {SchemaData} schema
 * @param {{ fails: (schema: SchemaData) => number, go: (query: URLSearchParams) => void }} more
 */
function schemaForm(model, groups, group, schemas, schema, { fails, go }) {
  const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ chosen) =>
    make("option", { value, selected: value === chosen }, text);
  const names = groups.map(({ name }) => option(name, name, group.name));
  const options = schemas.map((candidate) =>
    option(candidate.id, `${titleOf(candidate)}: ${fails(candidate)} with ${model.page.worst}`, schema.id),
  );
  const [, pluralNoun] = model.page.noun;
  const { outcomes, grave, concerns } = model.page;
  const [worstOutcome, bestOutcome] = [outcomes[0], outcomes[model.page.good]];
  const mildOutcome = grave < concerns ? outcomes[grave] : undefined;
  const change = (/** @type {Event} */ event) => {
    const isProtocol = event.target instanceof HTMLSelectElement && event.target.name === "protocol";
    const fields = [...new FormData(element)].filter(([name]) => !isProtocol || name === "protocol");
    go(new URLSearchParams(fields.map(([name, value]) => [name, String(value)])));
  };
  const element = make(
    "form",
    { class: "filters short", oninput: change, onsubmit: (event) => event.preventDefault() },
    groups.length > 1 ? make("label", {}, "Protocol ", make("select", { name: "protocol" }, ...names)) : undefined,
    make("label", {}, "Schema ", make("select", { name: "schema" }, ...options)),
    make(
      "p",
      { class: "key" },
      make("span", { class: "cell bad step2" }, `${worstOutcome?.sign}2/9`),
      ` 2 of 9 ${pluralNoun}: ${worstOutcome?.name} · `,
      ...(mildOutcome === undefined
        ? []
        : [
            make("span", { class: `cell ${mildOutcome.tone}` }, `${mildOutcome.sign}2/9`),
            ` 2 of 9: ${mildOutcome.name}, none fails · `,
          ]),
      make("span", { class: "cell good" }, `${bestOutcome?.sign}9`),
      ` all 9: ${bestOutcome?.name} · no colour: no ${pluralNoun}`,
    ),
  );
  return element;
}

/**
 * The assertions with the most failures, each a link to its line. Mere warnings are shown on demand.
 * @param {Model} model
 * @param {GroupData} group
 * @param {SchemaData} schema
 * @param {{ failed: string[], warned: string[] }} sites
 * @param {Map<string, number[][]>} tallies
 */
function worstSites(model, group, schema, { failed, warned }, tallies) {
  const linkSites = (/** @type {string[]} */ sites) => siteList(model, group, schema, sites, tallies);
  const fails = failed.length === 0 ? [] : [make("h2", {}, `Most ${model.page.worst}`), ...linkSites(failed)];
  const warns =
    warned.length === 0
      ? []
      : [
          make(
            "details",
            {},
            make("summary", {}, `${countNoun(warned.length, "assertion")} with warnings only`),
            ...linkSites(warned),
          ),
        ];
  return fails.length + warns.length === 0 ? [] : [...fails, ...warns, make("h2", {}, titleOf(schema))];
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @param {SchemaData} schema
 * @param {string[]} sites
 * @param {Map<string, number[][]>} tallies
 */
function siteList(model, group, schema, sites, tallies) {
  const items = sites.slice(0, maxListed).map((site) => {
    const counts = (tallies.get(site) ?? []).map((run) => {
      const cell = cellLook(model, run);
      if (cell === undefined) return make("span", { class: "soft" }, "– ");
      return make(
        "span",
        { class: cell.outcome.tone },
        `${cell.outcome.sign}${cell.hits}${cell.hits === cell.all ? "" : `/${cell.all}`} `,
      );
    });
    const href = hashOf("schema", { protocol: group.name, schema: schema.id, at: site });
    return make(
      "li",
      {},
      make("span", { class: "share" }, ...counts),
      make("a", { href }, make("code", {}, site.slice(schema.id.length + 1) || "the whole")),
    );
  });
  const hiddenCount = sites.length - items.length;
  return [
    make("ul", { class: "worst" }, ...items),
    hiddenCount === 0 ? "" : make("p", { class: "soft" }, `And ${hiddenCount} more, marked in the schema.`),
  ];
}
