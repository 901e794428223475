import { make, some } from "./build.js";
import { failing, look, noted } from "./cell.js";
import { heat, titleOf } from "./heat.js";
import { talliesOf } from "./model.js";
import { hashOf } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").SchemaData} SchemaData */

/** The maximum number of failing assertions that are listed above the schema. */
const mostListed = 12;

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
  const fails = (/** @type {SchemaData} */ { id }) => sitesWith(failing, model, tallies, id).length;
  const notes = (/** @type {SchemaData} */ { id }) => sitesWith(noted, model, tallies, id).length;
  const schemas = [...group.schemas].sort((one, other) => fails(other) - fails(one) || notes(other) - notes(one));
  const schema = schemas.find(({ id }) => id === query.get("schema")) ?? /** @type {SchemaData} */ (schemas[0]);
  const all = [...tallies.keys()].filter((site) => site.startsWith(`${schema.id}#`)).length;
  const failed = sitesWith(failing, model, tallies, schema.id);
  const warned = sitesWith(noted, model, tallies, schema.id).filter((site) => !failed.includes(site));
  return [
    title,
    make(
      "p",
      { class: "lead" },
      `${some(all, "assertion")} of ${titleOf(schema)} ${all === 1 ? "has" : "have"} ${model.page.noun[1]}; ${failed.length} of them ${failed.length === 1 ? "has" : "have"} ${model.page.worst}${warned.length === 0 ? "" : `, ${warned.length} only warnings`}.`,
    ),
    schemaForm(model, groups, group, schemas, schema, { fails, go }),
    ...worst(model, group, schema, { failed, warned }, tallies),
    heat(model, group, schema, tallies, query.get("at") ?? ""),
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
 * @param {typeof failing} countOf
 * @param {Model} model
 * @param {Map<string, number[][]>} tallies
 * @param {string} id
 */
function sitesWith(countOf, model, tallies, id) {
  const count = (/** @type {number[][]} */ runs) => Math.max(...runs.map((counts) => countOf(model, counts)));
  return [...tallies]
    .filter(([site, runs]) => site.startsWith(`${id}#`) && count(runs) > 0)
    .sort(([, one], [, other]) => count(other) - count(one))
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
  const options = schemas.map((each) =>
    option(each.id, `${titleOf(each)}: ${fails(each)} with ${model.page.worst}`, schema.id),
  );
  const [, many] = model.page.noun;
  const { outcomes, grave, concerns } = model.page;
  const [bad, good] = [outcomes[0], outcomes[model.page.good]];
  const mild = grave < concerns ? outcomes[grave] : undefined;
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
      make("span", { class: "cell bad step2" }, `${bad?.sign}2/9`),
      ` 2 of 9 ${many}: ${bad?.name} · `,
      ...(mild === undefined
        ? []
        : [make("span", { class: `cell ${mild.tone}` }, `${mild.sign}2/9`), ` 2 of 9: ${mild.name}, none fails · `]),
      make("span", { class: "cell good" }, `${good?.sign}9`),
      ` all 9: ${good?.name} · no colour: no ${many}`,
    ),
  );
  return element;
}

/**
 * The assertions with the most failures, each a link to its line. Those that only warn are shown on demand.
 * @param {Model} model
 * @param {GroupData} group
 * @param {SchemaData} schema
 * @param {{ failed: string[], warned: string[] }} sites
 * @param {Map<string, number[][]>} tallies
 */
function worst(model, group, schema, { failed, warned }, tallies) {
  const list = (/** @type {string[]} */ sites) => listed(model, group, schema, sites, tallies);
  const fails = failed.length === 0 ? [] : [make("h2", {}, `Most ${model.page.worst}`), ...list(failed)];
  const warns =
    warned.length === 0
      ? []
      : [
          make(
            "details",
            {},
            make("summary", {}, `${some(warned.length, "assertion")} with warnings only`),
            ...list(warned),
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
function listed(model, group, schema, sites, tallies) {
  const items = sites.slice(0, mostListed).map((site) => {
    const counts = (tallies.get(site) ?? []).map((run) => {
      const seen = look(model, run);
      if (seen === undefined) return make("span", { class: "soft" }, "– ");
      return make(
        "span",
        { class: seen.outcome.tone },
        `${seen.outcome.sign}${seen.hits}${seen.hits === seen.all ? "" : `/${seen.all}`} `,
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
  const left = sites.length - items.length;
  return [
    make("ul", { class: "worst" }, ...items),
    left === 0 ? "" : make("p", { class: "soft" }, `And ${left} more, marked in the schema.`),
  ];
}
