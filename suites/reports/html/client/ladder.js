import { make } from "./build.js";
import { detailOf } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Vector} Vector */
/** @typedef {[from: string, to: string, text: string, isDecisive?: boolean]} Message */

/** The maximum length of a body in the ladder. The exchange below it has the stored body. */
const mostText = 1500;

/**
 * The messages between the parties, in order: a column for each party, and an arrow for each message. The message that decided the result is marked.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
export function ladder(model, vector, index) {
  const all = messagesOf(model, vector, index);
  if (all.length === 0) return [];
  const parties = [...new Set(all.flatMap((message) => [message[0], message[1]]))];
  const { runs } = vector.group;
  const isDisputed = model.page.outcomes[vector.outcomes[index] ?? -1]?.name === "disputed";
  const mark = isDisputed ? "here readings differ" : "here the rule is broken";
  const last = all.findLastIndex(([, , , isDecisive]) => isDecisive);
  const rows = all.map((message, number) => ladderRow(parties, message, number, number === last ? mark : ""));
  const heads = parties.map((name) => make("th", { scope: "col" }, name));
  return [
    make("h2", {}, runs.length === 1 ? "Messages" : `Messages: ${runs[index]?.target}`),
    make(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": "Messages in order" },
      make("table", { class: "ladder" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
    ),
  ];
}

/**
 * @param {string[]} parties
 * @param {Message} message
 * @param {number} number
 * @param {string} mark the text beside the last message that decided the result
 */
function ladderRow(parties, [from, to, text, isDecisive], number, mark) {
  const [start, end] = [parties.indexOf(from), parties.indexOf(to)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const way = start === end ? "self" : start < end ? "out" : "back";
  const here = isDecisive && mark !== "" ? make("strong", { class: "bad" }, `✕ ${mark} `) : undefined;
  const said = make(
    "td",
    { colspan: right - left + 1, class: `message ${way}` },
    make("p", {}, here, make("span", { class: "soft" }, `${number + 1}. `), `${from} → ${to}`),
    text === "" ? undefined : make("pre", { dir: "ltr", tabindex: "0" }, text),
  );
  const empty = (/** @type {number} */ count) => Array.from({ length: count }, () => make("td", { class: "life" }));
  return make(
    "tr",
    isDecisive ? { class: "decisive" } : {},
    ...empty(left),
    said,
    ...empty(parties.length - 1 - right),
  );
}

/**
 * The messages of the recorded trace, or else the requests and answers of the scenario.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 * @returns {Message[]}
 */
function messagesOf({ page }, vector, index) {
  const { trace, exchanges = [], decisive = [] } = detailOf(vector, index) ?? {};
  if (trace !== undefined) return trace.map(([from, to, text], number) => [from, to, text, decisive.includes(number)]);
  if (vector.kind === "vector") return [];
  const line = (/** @type {number} */ number) => (page.texts[number] ?? "").split("\n", 1)[0] ?? "";
  const short = (/** @type {string} */ body) => (body.length <= mostText ? body : `${body.slice(0, mostText)}…`);
  const party = vector.kind === "agent" ? "agent" : vector.group.party;
  return exchanges.flatMap(([request, asked, response, got, mark, as], number) => {
    const [method = "", ...rest] = line(request).split(" ");
    const url = rest.join(" ");
    const path = url.replace(/^\w+:\/\/[^/]+/, "");
    const name = as === undefined ? "" : ` (as ${as})`;
    const [asks, answers] = mark === 2 ? [party, "touchstone"] : ["touchstone", party];
    const isHere = decisive.includes(number);
    return /** @type {Message[]} */ ([
      [asks, answers, [`${method} ${path}${name}`, short(asked)].filter(Boolean).join("\n"), isHere && mark === 2],
      [answers, asks, [line(response), short(got)].filter(Boolean).join("\n"), isHere && mark !== 2],
    ]);
  });
}
