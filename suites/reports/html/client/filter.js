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
  const conditions = aspects.flatMap((aspect) => {
    const value = query.get(aspect);
    return value ? [{ aspect, value }] : [];
  });
  const protocol = query.get("protocol");
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const onlyDiffering = query.has("differs");
  const onlyUnlisted = query.has("unlisted");
  return (vector) =>
    (!protocol || vector.group.name === protocol) &&
    conditions.every(({ aspect, value }) => vector[aspect] === value) &&
    outcomesToFilter(vector, query).length > 0 &&
    (!onlyUnlisted || !isKnown(vector)) &&
    (!onlyDiffering || new Set(vector.outcomes.filter((outcome) => outcome !== -1)).size > 1) &&
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
function outcomesToFilter({ outcomes }, query) {
  const target = query.get("target");
  return (target ? outcomes.slice(Number(target), Number(target) + 1) : outcomes).filter((outcome) => outcome !== -1);
}

/**
 * @param {Model} model
 * @param {Vector} vector
 */
function haystack({ rules }, vector) {
  if (vector.haystack === undefined) {
    const reasons = vector.group.runs.map((run) =>
      run.details[vector.number]?.facts.map(([, text]) => text).join("\n"),
    );
    const { id, description, rule, site, fault } = vector;
    vector.haystack = [id, description, rule, rules.get(rule)?.statement, site, fault, ...reasons]
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
export function countOutcomes(model, query) {
  const counts = model.page.outcomes.map(() => 0);
  for (const vector of model.vectors.filter(matcher(model, query))) {
    for (const outcome of new Set(outcomesToFilter(vector, query))) counts[outcome] = (counts[outcome] ?? 0) + 1;
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
export function selectHits(model, query) {
  const outcomeNames = query.getAll("outcome");
  const outcomeIndexes = new Set(
    outcomeNames.map((name) => model.page.outcomes.findIndex((outcome) => outcome.name === name)),
  );
  /** @type {Map<string, Hit[]>[]} */
  const hitsByOutcome = model.page.outcomes.map(() => new Map());
  for (const vector of model.vectors.filter(matcher(model, query))) {
    const outcome = Math.min(
      ...outcomesToFilter(vector, query).filter(
        (outcomeIndex) => outcomeNames.length === 0 || outcomeIndexes.has(outcomeIndex),
      ),
    );
    if (outcome === Number.POSITIVE_INFINITY) continue;
    const cause = causeOf(vector, outcome);
    const hitsOfCause = hitsByOutcome[outcome]?.get(cause);
    if (hitsOfCause === undefined) hitsByOutcome[outcome]?.set(cause, [{ outcome, cause, vector }]);
    else hitsOfCause.push({ outcome, cause, vector });
  }
  return hitsByOutcome.flatMap((causes) => [...causes.values()].flat());
}
