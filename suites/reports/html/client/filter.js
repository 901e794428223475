import { causeOf } from "./model.js";

/** @typedef {import("./model.js").Vector} Vector */
/** @typedef {import("./model.js").Model} Model */

/** The filters for results, in addition to the outcome and the text. */
export const aspects = /** @type {const} */ (["document", "level", "rule", "family", "fault", "site"]);

/**
 * @param {Model} model
 * @param {URLSearchParams} query
 * @returns {(vector: Vector) => boolean}
 */
export function matcher(model, query) {
  const wanted = aspects.flatMap((aspect) => {
    const value = query.get(aspect);
    return value ? [{ aspect, value }] : [];
  });
  const protocol = query.get("protocol");
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const differs = query.has("differs");
  const unlisted = query.has("unlisted");
  return (vector) =>
    (!protocol || vector.group.name === protocol) &&
    wanted.every(({ aspect, value }) => vector[aspect] === value) &&
    seen(vector, query).length > 0 &&
    (!unlisted || !isKnown(vector)) &&
    (!differs || new Set(vector.outcomes.filter((outcome) => outcome !== -1)).size > 1) &&
    words.every((word) => haystack(model, vector).includes(word));
}

/**
 * Whether the baseline lists a failure of the vector.
 * @param {Vector} vector
 */
export function isKnown({ group, number }) {
  return group.runs.some((run) => run.details[number]?.known !== undefined);
}

/**
 * The outcomes to filter by: those of the chosen implementation, or of all.
 * @param {Vector} vector
 * @param {URLSearchParams} query
 */
function seen({ outcomes }, query) {
  const target = query.get("target");
  return (target ? outcomes.slice(Number(target), Number(target) + 1) : outcomes).filter((outcome) => outcome !== -1);
}

/**
 * @param {Model} model
 * @param {Vector} vector
 */
function haystack({ rules }, vector) {
  if (vector.haystack === undefined) {
    const whys = vector.group.runs.map((run) => run.details[vector.number]?.facts.map(([, text]) => text).join("\n"));
    const { id, description, rule, site, fault } = vector;
    vector.haystack = [id, description, rule, rules.get(rule)?.statement, site, fault, ...whys]
      .join("\n")
      .toLowerCase();
  }
  return vector.haystack;
}

/**
 * The number of results with each outcome, regardless of the chosen outcomes.
 * @param {Model} model
 * @param {URLSearchParams} query
 */
export function tally(model, query) {
  const counts = model.page.outcomes.map(() => 0);
  for (const vector of model.vectors.filter(matcher(model, query))) {
    for (const outcome of new Set(seen(vector, query))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** @typedef {{ outcome: number, cause: string, vector: Vector }} Hit */

/**
 * The selected results: by outcome, the most serious first, then by cause, in the order of first occurrence.
 * @param {Model} model
 * @param {URLSearchParams} query
 * @returns {Hit[]}
 */
export function select(model, query) {
  const chosen = query.getAll("outcome");
  const numbers = new Set(chosen.map((name) => model.page.outcomes.findIndex((outcome) => outcome.name === name)));
  /** @type {Map<string, Hit[]>[]} */
  const found = model.page.outcomes.map(() => new Map());
  for (const vector of model.vectors.filter(matcher(model, query))) {
    const outcome = Math.min(...seen(vector, query).filter((each) => chosen.length === 0 || numbers.has(each)));
    if (outcome === Number.POSITIVE_INFINITY) continue;
    const cause = causeOf(vector, outcome);
    const there = found[outcome]?.get(cause);
    if (there === undefined) found[outcome]?.set(cause, [{ outcome, cause, vector }]);
    else there.push({ outcome, cause, vector });
  }
  return found.flatMap((causes) => [...causes.values()].flat());
}
