/** @typedef {import("../shape.ts").PageData} PageData */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").RuleData} RuleData */

/**
 * @typedef {object} Vector
 * @property {GroupData} group
 * @property {number} number
 * @property {string} id
 * @property {string} description
 * @property {string} kind
 * @property {string} document
 * @property {string} verdict
 * @property {string} level
 * @property {string} rule
 * @property {string} site
 * @property {string} at
 * @property {string} fault
 * @property {number[]} outcomes of each run, by number; -1 where it has none
 * @property {string} [haystack]
 */

/**
 * @typedef {object} Model
 * @property {PageData} page
 * @property {Vector[]} vectors
 * @property {Map<string, Vector>} byId
 * @property {Map<string, RuleData>} rules
 */

/**
 * @param {string} text
 * @returns {Model}
 */
export function modelOf(text) {
  /** @type {PageData} */
  const page = JSON.parse(text);
  const vectors = page.groups.flatMap((group) => group.vectors.map((_, number) => vectorOf(page, group, number)));
  return {
    page,
    vectors,
    // Of those that share an id, the first.
    byId: new Map([...vectors].reverse().map((vector) => [vector.id, vector])),
    rules: new Map(page.groups.flatMap((group) => group.rules.map((rule) => [rule.id, rule]))),
  };
}

/**
 * @param {PageData} page
 * @param {GroupData} group
 * @param {number} number
 * @returns {Vector}
 */
function vectorOf(page, group, number) {
  const [id = "", description = "", ...rest] = group.vectors[number] ?? [];
  const [kind = "", document = "", verdict = "", level = "", rule = "", site = "", at = "", fault = ""] = rest.map(
    (text) => page.texts[Number(text)] ?? "",
  );
  return {
    ...{ group, number, description, kind, document, verdict, level, rule, site, at, fault },
    id: id.startsWith("/") ? id.slice(1) : group.prefix + id,
    outcomes: group.runs.map((run) => (run.outcomes[number] === "-" ? -1 : Number(run.outcomes[number]))),
  };
}

/**
 * What the results with one outcome are grouped by: the rule, or for a missing answer the stage.
 * @param {Vector} vector
 * @param {number} outcome
 */
export function causeOf({ group, number, outcomes, rule, document }, outcome) {
  const run = group.runs[outcomes.indexOf(outcome)];
  return run?.details[number]?.cause ?? (rule || `${document}: no rule named`);
}

/**
 * @param {Vector} vector
 * @param {number} run
 */
export function detailOf({ group, number }, run) {
  return group.runs[run]?.details[number];
}
