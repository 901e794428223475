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
 * @property {string} family of faults, or the kind of the vector
 * @property {number[]} outcomes of each run, by index; -1 if the run does not have the vector
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
  /** @type {Map<string, Vector>} */
  const byId = new Map();
  // If several vectors have the same id, the first one counts.
  for (const vector of vectors) if (!byId.has(vector.id)) byId.set(vector.id, vector);
  return {
    page,
    vectors,
    byId,
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
  const row = /** @type {import("../shape.ts").VectorRow} */ (group.vectors[number]);
  // Writing out every member is faster, and a page may have forty thousand vectors.
  const [id, description, kind, document, verdict, level, rule, site, at, fault, family] = row;
  const { texts } = page;
  return {
    group,
    number,
    id: id.startsWith("/") ? id.slice(1) : group.prefix + id,
    description,
    kind: texts[kind] ?? "",
    document: texts[document] ?? "",
    verdict: texts[verdict] ?? "",
    level: texts[level] ?? "",
    rule: texts[rule] ?? "",
    site: texts[site] ?? "",
    at: texts[at] ?? "",
    fault: texts[fault] ?? "",
    family: texts[family] ?? "",
    outcomes: group.runs.map(({ outcomes }) =>
      outcomes[number] === "-" ? -1 : outcomes.charCodeAt(number) - zeroCode,
    ),
  };
}

/** Outcomes are digits. */
const zeroCode = "0".charCodeAt(0);

/**
 * The cause that groups the results with one outcome: the rule, or the stage if there was no answer.
 * @param {Vector} vector
 * @param {number} outcome
 */
export function causeOf({ group, number, outcomes, rule, document }, outcome) {
  const run = group.runs[outcomes.indexOf(outcome)];
  return run?.details[number]?.cause ?? (rule || `${document}: messages about no single assertion`);
}

/**
 * @param {Vector} vector
 * @param {number} run
 */
export function detailOf({ group, number }, run) {
  return group.runs[run]?.details[number];
}

/**
 * The counts of each run, by index of the outcome, for each value of an aspect.
 * @param {Model} model
 * @param {GroupData} group
 * @param {(vector: Vector) => string} aspect of a vector; empty values are left out
 * @returns {Map<string, number[][]>}
 */
export function talliesOf(model, group, aspect) {
  /** @type {Map<string, number[][]>} */
  const tallies = new Map();
  for (const vector of model.vectors) {
    const name = vector.group === group ? aspect(vector) : "";
    if (name === "") continue;
    const tally = tallies.get(name) ?? group.runs.map(() => model.page.outcomes.map(() => 0));
    tallies.set(name, tally);
    vector.outcomes.forEach((outcome, run) => {
      const counts = tally[run];
      if (outcome !== -1 && counts !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1;
    });
  }
  return tallies;
}
