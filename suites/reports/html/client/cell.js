import { make } from "./build.js";

/** @typedef {import("./model.js").Model} Model */

/**
 * @param {Model} model
 * @param {number[] | undefined} counts by index of the outcome
 */
export function countFailing({ page: { grave } }, counts) {
  return counts?.slice(0, grave).reduce((sum, count) => sum + count, 0) ?? 0;
}

/**
 * The number of results that do not fail but should be looked at: warnings, and refusals for another cause.
 * @param {Model} model
 * @param {number[] | undefined} counts
 */
export function countNoted({ page: { grave, concerns } }, counts) {
  return counts?.slice(grave, concerns).reduce((sum, count) => sum + count, 0) ?? 0;
}

/**
 * The look of a cell in a matrix: its outcome, its numbers, and its class, which shows the share of failures.
 * @param {Model} model
 * @param {number[] | undefined} counts
 */
export function cellLook(model, counts) {
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counts === undefined || total === 0) return undefined;
  const { outcomes, concerns, good } = model.page;
  const fails = countFailing(model, counts);
  const first = counts.findIndex((count) => count > 0);
  const outcomeIndex = first >= concerns && (counts[good] ?? 0) > 0 ? good : first;
  const outcome = outcomes[outcomeIndex];
  if (outcome === undefined) return undefined;
  // Skipped vectors do not count.
  const all = outcome.name === "skipped" ? total : total - (counts[skippedIn(model)] ?? 0);
  const step = fails > 0 ? ` step${Math.min(4, Math.ceil((fails / all) * 4))}` : "";
  const hint = outcomes.flatMap(({ name }, index) => (counts[index] ? [`${counts[index]} ${name}`] : [])).join(", ");
  return { outcome, all, hits: fails > 0 ? fails : (counts[outcomeIndex] ?? 0), kind: `${outcome.tone}${step}`, hint };
}

/** The index of the outcome "skipped". @param {Model} model */
export function skippedIn({ page }) {
  return page.outcomes.findIndex(({ name }) => name === "skipped");
}

/**
 * A cell of a matrix: the sign, the number of failures or successes, and the total.
 * @param {Model} model
 * @param {number[] | undefined} counts
 * @param {string} href
 * @param {string} column
 */
export function matrixCell(model, counts, href, column) {
  const cell = cellLook(model, counts);
  if (cell === undefined)
    return make(
      "td",
      { class: "none" },
      make("span", { "aria-hidden": "true" }, "·"),
      make("span", { class: "unseen" }, "no result"),
    );
  const { outcome, all, hits, kind, hint } = cell;
  return make(
    "td",
    { class: `cell ${kind}`, "data-label": column, title: `${column}: ${hint} of ${all}` },
    make(
      "a",
      { href },
      make("span", { class: "sign", "aria-hidden": "true" }, outcome.sign),
      hits,
      hits === all ? undefined : make("span", { class: "of" }, `/${all}`),
      make("span", { class: "unseen" }, ` ${outcome.name}`),
    ),
  );
}
