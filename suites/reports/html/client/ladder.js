import { make } from "./build.js";
import { detailOf } from "./model.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Vector} Vector */
/** @typedef {[from: string, to: string, text: string, isDecisive?: boolean]} Message */

/** The maximum length of a body in the ladder. The exchange below it has the stored body. */
const maxBodyLength = 1500;

/**
 * The messages between the parties, in order: a column for each party, and an arrow for each message. The message that decided the result is marked.
 * @param {Model} model
 * @param {Vector} vector
 * @param {number} index
 */
export function ladder(model, vector, index) {
  const messages = messagesOf(model, vector, index);
  if (messages.length === 0) return [];
  const parties = [...new Set(messages.flatMap((message) => [message[0], message[1]]))];
  const { runs } = vector.group;
  const isDisputed = model.page.outcomes[vector.outcomes[index] ?? -1]?.name === "disputed";
  const markText = isDisputed ? "here readings differ" : "here the rule is broken";
  const last = messages.findLastIndex(([, , , isDecisive]) => isDecisive);
  const rows = messages.map((message, position) =>
    ladderRow(parties, message, position, position === last ? markText : ""),
  );
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
 * @param {string} markText the text beside the last message that decided the result
 */
function ladderRow(parties, [from, to, text, isDecisive], number, markText) {
  const [start, end] = [parties.indexOf(from), parties.indexOf(to)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const direction = start === end ? "self" : start < end ? "out" : "back";
  const markElement = isDecisive && markText !== "" ? make("strong", { class: "bad" }, `✕ ${markText} `) : undefined;
  const messageCell = make(
    "td",
    { colspan: right - left + 1, class: `message ${direction}` },
    make("p", {}, markElement, make("span", { class: "soft" }, `${number + 1}. `), `${from} → ${to}`),
    text === "" ? undefined : make("pre", { dir: "ltr", tabindex: "0" }, text),
  );
  const emptyCells = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => make("td", { class: "life" }));
  return make(
    "tr",
    isDecisive ? { class: "decisive" } : {},
    ...emptyCells(left),
    messageCell,
    ...emptyCells(parties.length - 1 - right),
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
  const firstLine = (/** @type {number} */ number) => (page.texts[number] ?? "").split("\n", 1)[0] ?? "";
  const shorten = (/** @type {string} */ body) =>
    body.length <= maxBodyLength ? body : `${body.slice(0, maxBodyLength)}…`;
  const party = vector.kind === "agent" ? "agent" : vector.group.party;
  return exchanges.flatMap(([request, requestBody, response, responseBody, flag, as], number) => {
    const [method = "", ...rest] = firstLine(request).split(" ");
    const url = rest.join(" ");
    const path = url.replace(/^\w+:\/\/[^/]+/, "");
    const name = as === undefined ? "" : ` (as ${as})`;
    // A request that the suite received has the flag 2: see `ExchangeData`.
    const isIncoming = flag === 2;
    const [sender, receiver] = isIncoming ? [party, "touchstone"] : ["touchstone", party];
    const isDecisive = decisive.includes(number);
    return /** @type {Message[]} */ ([
      [
        sender,
        receiver,
        [`${method} ${path}${name}`, shorten(requestBody)].filter(Boolean).join("\n"),
        isDecisive && isIncoming,
      ],
      [
        receiver,
        sender,
        [firstLine(response), shorten(responseBody)].filter(Boolean).join("\n"),
        isDecisive && !isIncoming,
      ],
    ]);
  });
}
