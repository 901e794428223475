import { make } from "./build.js";
import { detailOf } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Vector} Vector */
/** @typedef {[from: string, to: string, text: string]} Message */

/** Of a body that went over HTTP the ladder has the beginning; the exchange below has all that was kept. */
const mostText = 1500;

/**
 * What went between the parties, in order: a column for each party, an arrow from one to the other, the message at which it showed marked.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
export function ladder(model, vector, index) {
  const all = messagesOf(model, vector, index);
  if (all.length === 0) return [];
  const parties = [...new Set(all.flatMap((message) => message.slice(0, 2)))];
  const { runs } = vector.group;
  const rows = all.map((message, number) => ladderRow(parties, message, number, number === all.length - 1));
  const heads = parties.map((name) => make("th", { scope: "col" }, name));
  return [
    make("h2", {}, runs.length === 1 ? "Messages" : `Messages: ${runs[index]?.target}`),
    make(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": "Messages in order, the last one marked" },
      make("table", { class: "ladder" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
    ),
  ];
}

/**
 * @param {string[]} parties
 * @param {Message} message
 * @param {number} number
 * @param {boolean} isLast
 */
function ladderRow(parties, [from, to, text], number, isLast) {
  const [start, end] = [parties.indexOf(from), parties.indexOf(to)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const way = start === end ? "self" : start < end ? "out" : "back";
  const here = isLast ? make("strong", { class: "bad" }, "✕ here the rule is broken ") : undefined;
  const said = make(
    "td",
    { colspan: right - left + 1, class: `message ${way}` },
    make("p", {}, here, make("span", { class: "soft" }, `${number + 1}. `), `${from} → ${to}`),
    text === "" ? undefined : make("pre", { dir: "ltr", tabindex: "0" }, text),
  );
  const empty = (/** @type {number} */ count) => Array.from({ length: count }, () => make("td", { class: "life" }));
  return make("tr", isLast ? { class: "last" } : {}, ...empty(left), said, ...empty(parties.length - 1 - right));
}

/**
 * What was told of other ways, or the requests and answers of what was played.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 * @returns {Message[]}
 */
function messagesOf({ page }, vector, index) {
  const { trace, exchanges = [] } = detailOf(vector, index) ?? {};
  if (trace !== undefined) return trace;
  if (vector.kind === "vector") return [];
  const line = (/** @type {number} */ number) => (page.texts[number] ?? "").split("\n", 1)[0] ?? "";
  const short = (/** @type {string} */ body) => (body.length <= mostText ? body : `${body.slice(0, mostText)}…`);
  return exchanges.flatMap(([request, asked, response, got, mark]) => {
    const [method = "", ...rest] = line(request).split(" ");
    const url = rest.join(" ");
    const path = url.replace(/^\w+:\/\/[^/]+/, "");
    const [asks, answers] = mark === 2 ? ["implementation", "suite"] : ["suite", "implementation"];
    return /** @type {Message[]} */ ([
      [asks, answers, [`${method} ${path}`, short(asked)].filter(Boolean).join("\n")],
      [answers, asks, [line(response), short(got)].filter(Boolean).join("\n")],
    ]);
  });
}
