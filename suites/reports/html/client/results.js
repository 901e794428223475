import { capital, make, prose, some, withCode } from "./build.js";
import { skippedIn } from "./cell.js";
import { isKnown, select } from "./filter.js";
import { resultsForm } from "./form.js";
import { hashOfVector } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./filter.js").Hit} Hit */

/** The number of rows that are added at a time, so that a page with many results stays fast. */
const step = 100;

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
    form.counted(current);
    const hits = select(model, current);
    status.textContent = `${hits.length} of ${some(model.vectors.length, model.page.noun[0])}`;
    list.replaceChildren(...rowsOf(model, hits, last));
  };
  const form = resultsForm(model, query, (next) => {
    go(next);
    show(next);
  });
  show(query);
  const several = model.page.groups.filter(({ runs }) => runs.length > 1);
  const legends = several.map(({ name, runs }) =>
    make(
      "p",
      { class: "soft" },
      `The signs of ${name} stand for ${runs.map(({ target }) => target).join("; ")}, in this order.`,
    ),
  );
  return [make("h1", { tabindex: "-1" }, capital(model.page.noun[1])), form.element, status, ...legends, list];
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {{ id: string, shown: number }} last
 */
function rowsOf(model, hits, last) {
  const body = make("div", {});
  const more = make("button", { type: "button", class: "more" });
  let shown = 0;
  /** @type {HTMLElement | undefined} */
  let rows;
  const grow = () => {
    /** @type {HTMLElement | undefined} */
    let first;
    for (const end = Math.min(shown + step, hits.length); shown < end; shown += 1) {
      const hit = /** @type {Hit} */ (hits[shown]);
      const before = hits[shown - 1];
      if (hit.outcome !== before?.outcome) body.append(heading(model, hits, hit));
      if (hit.outcome !== before?.outcome || hit.cause !== before.cause) {
        rows = make("ul", { class: "rows" });
        body.append(cause(model, hits, hit), rows);
      }
      const link = row(model, hit);
      rows?.append(make("li", {}, link));
      first ??= link;
    }
    more.hidden = shown === hits.length;
    more.textContent = `Show ${Math.min(step, hits.length - shown)} more of ${hits.length - shown}`;
    return first;
  };
  more.addEventListener("click", () => grow()?.focus());
  grow();
  const place = hits.findIndex(({ vector }) => vector.id === last.id);
  while ((shown <= place && place < 10 * step) || (shown < last.shown && shown < hits.length)) grow();
  if (hits.length === 0) body.append(make("p", {}, `No ${model.page.noun[0]} matches. Remove a filter.`));
  return [body, more];
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {Hit} hit
 */
function heading(model, hits, { outcome }) {
  const { heading: text = "", sign = "", tone = "soft" } = model.page.outcomes[outcome] ?? {};
  const count = hits.filter((hit) => hit.outcome === outcome).length;
  return make(
    "h2",
    {},
    make("span", { class: `sign ${tone}`, "aria-hidden": "true" }, sign),
    ` ${text} `,
    make("span", { class: "soft" }, `${count} of ${some(model.vectors.length, model.page.noun[0])}`),
  );
}

/**
 * @param {Model} model
 * @param {Hit[]} hits
 * @param {Hit} hit
 */
function cause(model, hits, hit) {
  const rule = model.rules.get(hit.cause);
  const same = hits.filter((each) => each.outcome === hit.outcome && each.cause === hit.cause).length;
  const skipped = skippedIn(model);
  const isRun = (/** @type {number} */ outcome) => outcome !== -1 && (outcome !== skipped || hit.outcome === skipped);
  const ran = model.vectors.filter((vector) => vector.rule === rule?.id && vector.outcomes.some(isRun));
  const of = rule === undefined ? undefined : ran.length;
  const about = [
    ...(rule === undefined ? [] : [rule.level, `clause ${rule.clause}`]),
    of === undefined ? some(same, model.page.noun[0]) : `${same} of ${some(of, "result")} of this rule`,
  ];
  return make(
    "div",
    { class: "cause" },
    make("h3", {}, hit.cause, " ", make("span", { class: "soft" }, about.join(" · "))),
    rule === undefined ? undefined : prose(rule.statement),
  );
}

/**
 * @param {Model} model
 * @param {Hit} hit
 */
function row({ page }, { vector }) {
  const several = vector.group.runs.length > 1;
  const signs = vector.outcomes.map((each, run) => {
    const said = page.outcomes[each];
    const target = vector.group.runs[run]?.target ?? "";
    return make(
      "span",
      { class: `sign ${said?.tone ?? "soft"}`, title: `${target}: ${said?.name ?? "not run"}` },
      make("span", { "aria-hidden": "true" }, said?.sign ?? "·"),
      make("span", { class: "unseen" }, `${target}: ${said?.name ?? "not run"}. `),
    );
  });
  return make(
    "a",
    { href: hashOfVector(vector.id), "data-id": vector.id, class: several ? "several" : undefined },
    several ? make("span", { class: "signs" }, ...signs) : undefined,
    make("span", { class: "what" }, ...withCode(vector.description)),
    make("code", {}, vector.id),
    isKnown(vector) ? make("span", { class: "soft" }, "known to the baseline") : undefined,
  );
}
