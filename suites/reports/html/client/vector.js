import { badge, make, prose, withCode } from "./build.js";
import { commandBox } from "./command-box.js";
import { curlOf, quoted } from "./curl.js";
import { excerpt } from "./excerpt.js";
import { ladder } from "./ladder.js";
import { againButton } from "./live.js";
import { detailOf } from "./model.js";
import { hashOf, hashOfVector } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Vector} Vector */
/** @typedef {import("../shape.ts").Detail} Detail */
/** @typedef {import("../shape.ts").SchemaPiece} SchemaPiece */
/** @typedef {import("../shape.ts").ExchangeData} ExchangeData */

/**
 * Everything about one vector: its message, the answers to it, and how to repeat it.
 * @param {Model} model
 * @param {Vector} vector
 * @param {{ query: URLSearchParams, before: Vector | undefined, after: Vector | undefined }} place in the list
 */
export function vectorView(model, vector, { query, before, after }) {
  const step = (/** @type {string} */ name, /** @type {string} */ rel, /** @type {Vector | undefined} */ to) =>
    to === undefined ? undefined : make("a", { href: hashOfVector(to.id), rel }, name);
  const details = vector.group.runs.map((_, run) => detailOf(vector, run));
  const first = details.find((detail) => detail?.instance !== undefined);
  const judged = [
    about(model, vector, details.find((detail) => detail?.change !== undefined)?.change),
    make(
      "div",
      { class: details.length > 1 ? "sides" : undefined },
      ...details.map((_, run) => make("section", {}, ...verdict(model, vector, run))),
    ),
  ];
  const seen = [...(first?.instance === undefined ? [] : changed(first)), ...excerpt(vector)];
  return [
    make(
      "nav",
      { class: "steps", "aria-label": "Results" },
      make("a", { href: hashOf("results", query) }, `All ${model.page.noun[1]}`),
      step("Previous", "prev", before),
      step("Next", "next", after),
    ),
    make("h1", { tabindex: "-1" }, ...withCode(vector.description)),
    make("p", { class: "id" }, make("code", {}, vector.id)),
    againButton(vector.id),
    ...(seen.length === 0
      ? judged
      : [make("div", { class: "halves" }, make("div", {}, ...judged), make("div", {}, ...seen))]),
    details.some((detail) => detail !== undefined) || isPlayed(vector)
      ? undefined
      : make(
          "p",
          { class: "soft" },
          "A report keeps no instance of what conforms; the vector set has it under this id.",
        ),
    ...vector.group.runs.flatMap((_, run) => [...ladder(model, vector, run), ...exchanges(model, vector, run)]),
  ].filter((part) => part !== undefined);
}

/**
 * @param {Model} model
 * @param {Vector} vector
 * @param {string | undefined} change
 */
function about(model, vector, change) {
  const rule = model.rules.get(vector.rule);
  const results = hashOf("results", { protocol: vector.group.name, rule: vector.rule });
  const list = make("dl", { class: "facts" });
  const add = (/** @type {string} */ name, /** @type {...(Node | string | undefined)} */ ...what) => {
    list.append(make("div", {}, make("dt", {}, name), make("dd", {}, ...what)));
  };
  if (vector.rule !== "") {
    const clause = rule === undefined ? "" : ` ${rule.level} · clause ${rule.clause}`;
    const reading =
      rule?.position === undefined ? undefined : prose(`Our reading: ${rule.position}`, { class: "soft" });
    add(
      "Rule",
      make("a", { href: results }, vector.rule),
      clause,
      rule === undefined ? undefined : prose(rule.statement),
      reading,
    );
  }
  if (rule?.level !== vector.level) add("Level", vector.level);
  if (change) add("Change", make("code", {}, change));
  if (vector.fault)
    add(
      model.page.titles.fault,
      make("a", { href: hashOf("results", { protocol: vector.group.name, fault: vector.fault }) }, vector.fault),
    );
  if (vector.at) add("At", make("code", {}, vector.at));
  if (vector.site) add("Schema", make("a", { href: schemaOf(vector) }, make("code", {}, vector.site)));
  return list;
}

/** @param {Vector} vector */
function schemaOf({ group, site }) {
  const id = site.slice(0, site.indexOf("#"));
  const isShown = group.schemas.some((each) => each.id === id);
  return isShown
    ? hashOf("schema", { protocol: group.name, schema: id, at: site })
    : hashOf("results", { protocol: group.name, site });
}

/** @type {Record<string, string>} */
const expected = { valid: "accepted", invalid: "refused", disputed: "either" };

/**
 * The result of one run.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
function verdict(model, vector, index) {
  const run = vector.group.runs[index];
  const outcome = model.page.outcomes[vector.outcomes[index] ?? -1];
  if (run === undefined) return [];
  const detail = detailOf(vector, index);
  const title = make(
    "h2",
    { class: "verdict" },
    run.target,
    " ",
    outcome === undefined ? make("span", { class: "soft" }, "not run") : badge(outcome),
  );
  if (outcome === undefined) return [title];
  const facts =
    detail?.facts ??
    (isPlayed(vector)
      ? []
      : [
          ["expected", expected[vector.verdict] ?? ""],
          ["got", expected[vector.verdict] ?? ""],
        ]);
  const rows = facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make("dd", {}, text)));
  if (detail?.known !== undefined)
    rows.push(make("div", {}, make("dt", {}, "baseline"), make("dd", {}, `known, ${detail.known}`)));
  const again = detail?.replay ?? (run.replay === undefined ? undefined : run.replay + quoted(vector.id));
  return [
    title,
    make("dl", { class: "facts" }, ...rows),
    again === undefined ? undefined : commandBox("Repeat it", again),
  ].filter((part) => part !== undefined);
}

/**
 * The requests to one implementation, and its answers.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
function exchanges(model, vector, index) {
  const all = detailOf(vector, index)?.exchanges ?? [];
  const { runs } = vector.group;
  const title = runs.length === 1 ? "HTTP" : `HTTP: ${runs[index]?.target}`;
  const parts = all.map((each, number) => {
    if (all.length === 1) return exchange(model, each, "");
    const which = ` ${number + 1} of ${all.length}`;
    const heads = [each[0], each[2]].map((text) => (model.page.texts[text] ?? "").split("\n", 1)[0]);
    return make(
      "details",
      { class: "exchanges", open: number === all.length - 1 },
      make("summary", {}, `${number + 1}. `, make("code", {}, heads.join(" → "))),
      exchange(model, each, which),
    );
  });
  return parts.length === 0 ? [] : [make("h2", {}, title), ...parts];
}

/**
 * The instance, with the changed parts marked.
 * @param {Detail} detail
 */
function changed({ instance: pieces = [], parent }) {
  const isShown = pieces.some((piece) => typeof piece !== "string" && "gone" in piece);
  const key = [
    ...(isShown ? [make("del", {}, "before"), " "] : []),
    make("mark", {}, parent === undefined ? "what the vector is about" : "after"),
    ...(parent === undefined
      ? []
      : [" the change; made from ", make("a", { href: hashOfVector(parent), class: "parent" }, parent)]),
  ];
  const isChanged = pieces.some((piece) => typeof piece !== "string");
  return [
    make("h2", {}, isShown ? "Instance, before and after" : "Instance"),
    isChanged ? make("p", {}, ...key) : "",
    instance(pieces),
  ];
}

/** @param {SchemaPiece[]} pieces */
function instance(pieces) {
  const parts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    return "mark" in piece ? make("mark", {}, piece.mark) : make("del", {}, piece.gone);
  });
  return make(
    "pre",
    { tabindex: "0", role: "region", "aria-label": "Instance, its change marked", dir: "ltr" },
    ...parts,
  );
}

/**
 * @param {Model} model
 * @param {ExchangeData} data
 * @param {string} which
 */
function exchange(model, [request, asked, response, got, isWhole], which) {
  const pane = (/** @type {string} */ name, /** @type {number} */ head, /** @type {string} */ body) =>
    make(
      "div",
      {},
      make("h3", {}, name + which),
      make(
        "pre",
        { tabindex: "0", role: "region", "aria-label": name + which, dir: "ltr" },
        make("span", { class: "soft" }, model.page.texts[head] ?? ""),
        body === "" ? "" : `\n\n${body}`,
      ),
    );
  const panes = make("div", { class: "exchange" }, pane("Request", request, asked), pane("Response", response, got));
  if (isWhole !== 1) return panes;
  return make("div", {}, panes, commandBox(`Send it again${which}`, curlOf(model.page.texts[request] ?? "", asked)));
}

/** @param {Vector} vector */
function isPlayed({ kind }) {
  return kind !== "vector";
}
