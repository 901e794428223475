import { capitalize, countNoun, make, paragraph, withCode } from "./build.js";
import { skippedIn } from "./cell.js";
import { isKnown, selectHits } from "./filter.js";
import { resultsForm } from "./form.js";
import { hashOfVector } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./filter.js").Hit} Hit */

/** The number of rows that are added at a time, so that a page with many results stays fast. */
const rowsPerStep = 100;

/**
 * @param {Model} model
 * @param {URLSearchParams} query
 * @param {{ id: string, shown: number }} last the vector from which the reader comes back, and the number of rows at that time
 * @param {(query: URLSearchParams) => void} go
 */
export function resultsView(model, query, last, go) {
  const status = make("p", { role: "status" });
  const list = make("div", { class: "list" });
  const show = (/** @type {URLSearchParams} */ current) => {
    form.showCounts(current);
    const hits = selectHits(model, current);
    status.textContent = `${hits.length} of ${countNoun(model.vectors.length, model.page.noun[0])}`;
    list.replaceChildren(...rowsOf(model, hits, last));
  };
  const form = resultsForm(model, query, (next) => {
    go(next);
    show(next);
  });
  show(query);
  const comparedGroups = model.page.groups.filter(({ runs }) => runs.length > 1);
  const legends = comparedGroups.map(({ name, runs }) =>
    make(
      "p",
      { class: "soft" },
      `The signs of ${name} stand for ${runs.map(({ target }) => target).join("; ")}, in this order.`,
    ),
  );
  return [make("h1", { tabindex: "-1" }, capitalize(model.page.noun[1])), form.element, status, ...legends, list];
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {{ id: string, shown: number }} last
 */
function rowsOf(model, hits, last) {
  const body = make("div", {});
  const moreButton = make("button", { type: "button", class: "more" });
  let shown = 0;
  /** @type {HTMLElement | undefined} */
  let rows;
  const addRows = () => {
    /** @type {HTMLElement | undefined} */
    let first;
    for (const end = Math.min(shown + rowsPerStep, hits.length); shown < end; shown += 1) {
      const hit = /** @type {Hit} */ (hits[shown]);
      const before = hits[shown - 1];
      if (hit.outcome !== before?.outcome) body.append(outcomeHeading(model, hits, hit));
      if (hit.outcome !== before?.outcome || hit.cause !== before.cause) {
        rows = make("ul", { class: "rows" });
        body.append(causeHeading(model, hits, hit), rows);
      }
      const link = hitLink(model, hit);
      rows?.append(make("li", {}, link));
      first ??= link;
    }
    moreButton.hidden = shown === hits.length;
    moreButton.textContent = `Show ${Math.min(rowsPerStep, hits.length - shown)} more of ${hits.length - shown}`;
    return first;
  };
  moreButton.addEventListener("click", () => addRows()?.focus());
  addRows();
  const lastIndex = hits.findIndex(({ vector }) => vector.id === last.id);
  while ((shown <= lastIndex && lastIndex < 10 * rowsPerStep) || (shown < last.shown && shown < hits.length)) addRows();
  if (hits.length === 0) body.append(make("p", {}, `No ${model.page.noun[0]} matches. Remove a filter.`));
  return [body, moreButton];
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {Hit} hit
 */
function outcomeHeading(model, hits, { outcome }) {
  const { heading: text = "", sign = "", tone = "soft" } = model.page.outcomes[outcome] ?? {};
  const count = hits.filter((hit) => hit.outcome === outcome).length;
  return make(
    "h2",
    {},
    make("span", { class: `sign ${tone}`, "aria-hidden": "true" }, sign),
    ` ${text} `,
    make("span", { class: "soft" }, `${count} of ${countNoun(model.vectors.length, model.page.noun[0])}`),
  );
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {Hit} hit
 */
function causeHeading(model, hits, hit) {
  const rule = model.rules.get(hit.cause);
  const sameCount = hits.filter((otherHit) => otherHit.outcome === hit.outcome && otherHit.cause === hit.cause).length;
  const skipped = skippedIn(model);
  const isRun = (/** @type {number} */ outcome) => outcome !== -1 && (outcome !== skipped || hit.outcome === skipped);
  const judgedVectors = model.vectors.filter((vector) => vector.rule === rule?.id && vector.outcomes.some(isRun));
  const ruleTotal = rule === undefined ? undefined : judgedVectors.length;
  const facts = [
    ...(rule === undefined ? [] : [rule.level, `clause ${rule.clause}`]),
    ruleTotal === undefined
      ? countNoun(sameCount, model.page.noun[0])
      : `${sameCount} of ${countNoun(ruleTotal, "result")} of this rule`,
  ];
  return make(
    "div",
    { class: "cause" },
    make("h3", {}, hit.cause, " ", make("span", { class: "soft" }, facts.join(" · "))),
    rule === undefined ? undefined : paragraph(rule.statement),
  );
}

/**
 * @param {Model} model
 * @param {Hit} hit
 */
function hitLink({ page }, { vector }) {
  const isCompared = vector.group.runs.length > 1;
  const signs = vector.outcomes.map((outcomeIndex, run) => {
    const outcome = page.outcomes[outcomeIndex];
    const target = vector.group.runs[run]?.target ?? "";
    return make(
      "span",
      { class: `sign ${outcome?.tone ?? "soft"}`, title: `${target}: ${outcome?.name ?? "not run"}` },
      make("span", { "aria-hidden": "true" }, outcome?.sign ?? "·"),
      make("span", { class: "unseen" }, `${target}: ${outcome?.name ?? "not run"}. `),
    );
  });
  return make(
    "a",
    { href: hashOfVector(vector.id), "data-id": vector.id, class: isCompared ? "several" : undefined },
    isCompared ? make("span", { class: "signs" }, ...signs) : undefined,
    make("span", { class: "what" }, ...withCode(vector.description)),
    make("code", {}, vector.id),
    isKnown(vector) ? make("span", { class: "soft" }, "known to the baseline") : undefined,
  );
}
