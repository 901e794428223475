import { badge, make, paragraph, withCode } from "./build.js";
import { commandBox } from "./command-box.js";
import { curlOf, quoteWord } from "./curl.js";
import { schemaExcerpt } from "./excerpt.js";
import { ladder } from "./ladder.js";
import { rerunButton } from "./live.js";
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
  const stepLink = (/** @type {string} */ name, /** @type {string} */ rel, /** @type {Vector | undefined} */ to) =>
    to === undefined ? undefined : make("a", { href: hashOfVector(to.id), rel }, name);
  const details = vector.group.runs.map((_, run) => detailOf(vector, run));
  const first = details.find((detail) => detail?.instance !== undefined);
  const verdictParts = [
    vectorFacts(model, vector, details.find((detail) => detail?.change !== undefined)?.change),
    make(
      "div",
      { class: details.length > 1 ? "sides" : undefined },
      ...details.map((_, run) => make("section", {}, ...verdictOfRun(model, vector, run))),
    ),
  ];
  const instanceParts = [...(first?.instance === undefined ? [] : instanceSection(first)), ...schemaExcerpt(vector)];
  return [
    make(
      "nav",
      { class: "steps", "aria-label": "Results" },
      make("a", { href: hashOf("results", query) }, `All ${model.page.noun[1]}`),
      stepLink("Previous", "prev", before),
      stepLink("Next", "next", after),
    ),
    make("h1", { tabindex: "-1" }, ...withCode(vector.description)),
    make("p", { class: "id" }, make("code", {}, vector.id)),
    rerunButton(vector.id),
    ...(instanceParts.length === 0
      ? verdictParts
      : [make("div", { class: "halves" }, make("div", {}, ...verdictParts), make("div", {}, ...instanceParts))]),
    details.some((detail) => detail !== undefined) || isPlayed(vector)
      ? undefined
      : make(
          "p",
          { class: "soft" },
          "A report does not store the instances of conforming vectors; the vector set has this one under its id.",
        ),
    ...vector.group.runs.flatMap((_, run) => [...ladder(model, vector, run), ...exchangeSection(model, vector, run)]),
  ].filter((part) => part !== undefined);
}

/**
 * @param {Model} model
 * @param {Vector} vector
 * @param {string | undefined} change
 */
function vectorFacts(model, vector, change) {
  const rule = model.rules.get(vector.rule);
  const results = hashOf("results", { protocol: vector.group.name, rule: vector.rule });
  const list = make("dl", { class: "facts" });
  const add = (/** @type {string} */ name, /** @type {...(Node | string | undefined)} */ ...content) => {
    list.append(make("div", {}, make("dt", {}, name), make("dd", {}, ...content)));
  };
  if (vector.rule !== "") {
    const clause = rule === undefined ? "" : ` ${rule.level} · clause ${rule.clause}`;
    const reading =
      rule?.position === undefined ? undefined : paragraph(`Our reading: ${rule.position}`, { class: "soft" });
    add(
      "Rule",
      make("a", { href: results }, vector.rule),
      clause,
      rule === undefined ? undefined : paragraph(rule.statement),
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
  const isShown = group.schemas.some((exchange) => exchange.id === id);
  return isShown
    ? hashOf("schema", { protocol: group.name, schema: id, at: site })
    : hashOf("results", { protocol: group.name, site });
}

/** @type {Record<string, string>} */
const expectedAnswers = { valid: "accepted", invalid: "refused", disputed: "either" };

/**
 * The result of one run.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
function verdictOfRun(model, vector, index) {
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
          ["expected", expectedAnswers[vector.verdict] ?? ""],
          ["got", expectedAnswers[vector.verdict] ?? ""],
        ]);
  const rows = facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make("dd", {}, text)));
  if (detail?.known !== undefined)
    rows.push(make("div", {}, make("dt", {}, "baseline"), make("dd", {}, `known, ${detail.known}`)));
  const replayCommand = detail?.replay ?? (run.replay === undefined ? undefined : run.replay + quoteWord(vector.id));
  return [
    title,
    make("dl", { class: "facts" }, ...rows),
    replayCommand === undefined ? undefined : commandBox("Repeat it", replayCommand),
  ].filter((part) => part !== undefined);
}

/**
 * The requests to one implementation, and its answers.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
function exchangeSection(model, vector, index) {
  const exchanges = detailOf(vector, index)?.exchanges ?? [];
  const { runs } = vector.group;
  const title = runs.length === 1 ? "HTTP" : `HTTP: ${runs[index]?.target}`;
  const parts = exchanges.map((schema, number) => {
    if (exchanges.length === 1) return exchangePanes(model, schema, "");
    const suffix = ` ${number + 1} of ${exchanges.length}`;
    const heads = [schema[0], schema[2]].map((text) => (model.page.texts[text] ?? "").split("\n", 1)[0]);
    return make(
      "details",
      { class: "exchanges", open: number === exchanges.length - 1 },
      make("summary", {}, `${number + 1}. `, make("code", {}, heads.join(" → "))),
      exchangePanes(model, schema, suffix),
    );
  });
  return parts.length === 0 ? [] : [make("h2", {}, title), ...parts];
}

/**
 * The instance, with the changed parts marked.
 * @param {Detail} detail
 */
function instanceSection({ instance: pieces = [], parent }) {
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
    instanceCode(pieces),
  ];
}

/** @param {SchemaPiece[]} pieces */
function instanceCode(pieces) {
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
 * @param {string} suffix
 */
function exchangePanes(model, [request, requestBody, response, responseBody, isWhole], suffix) {
  const pane = (/** @type {string} */ name, /** @type {number} */ head, /** @type {string} */ body) =>
    make(
      "div",
      {},
      make("h3", {}, name + suffix),
      make(
        "pre",
        { tabindex: "0", role: "region", "aria-label": name + suffix, dir: "ltr" },
        make("span", { class: "soft" }, model.page.texts[head] ?? ""),
        body === "" ? "" : `\n\n${body}`,
      ),
    );
  const panes = make(
    "div",
    { class: "exchange" },
    pane("Request", request, requestBody),
    pane("Response", response, responseBody),
  );
  if (isWhole !== 1) return panes;
  return make(
    "div",
    {},
    panes,
    commandBox(`Send it again${suffix}`, curlOf(model.page.texts[request] ?? "", requestBody)),
  );
}

/** @param {Vector} vector */
function isPlayed({ kind }) {
  return kind !== "vector";
}
