import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  type Violation,
} from "../../../../schemas/index.ts";
import { confirmFor } from "./confirms.ts";
import { ask, input, notify, task } from "./messages.ts";
import { cancel, inShort, post, read, redAnswer, resolveMessage, submit } from "./steps.ts";

/** The rules on reads. Specific rules are first: if one fault breaks several rules, it is reported under the first. */
export const readRules: readonly string[] = [
  // RSP-005 is omitted: its level is advice, and GET-001 covers its types.
  "AHCP-RSP-001",
  "AHCP-RSP-002",
  "AHCP-RSP-003",
  "AHCP-RSP-004",
  "AHCP-RSP-006",
  "AHCP-RSP-007",
  "AHCP-RSP-008",
  "AHCP-RSP-009",
  "AHCP-RSP-010",
  "AHCP-RSP-012",
  "AHCP-RSP-011",
  "AHCP-RSP-017",
  "AHCP-GET-002",
  "AHCP-GET-001",
];
const acknowledgmentRules = ["AHCP-ACK-003", "AHCP-ACK-002"];
const refusalRules = ["AHCP-ERR-001", "AHCP-ERR-002"];

/** Paths that other scenarios check, except against the schema. */
const judgedElsewhere = /^\/response\/(?:state|agent|in_reply_to)|^\/state/;

export type HubDocument = [name: string, instance: JsonObject];

/** Reports the violations of these rules in the hub's documents. A schema violation of any other rule counts for the last of these rules. */
export async function judgeDocuments(
  context: ScenarioContext,
  hubDocuments: readonly HubDocument[],
  rules: readonly string[],
): Promise<void> {
  const violations = await Promise.all(hubDocuments.map(([name, instance]) => context.violations(name, instance)));
  const judgedViolations = violations
    .flat()
    .map((violation): Violation => {
      const breaksOtherRule = violation.site !== undefined && !rules.includes(violation.rule ?? "");
      return breaksOtherRule ? { ...violation, rule: rules.at(-1) as string, level: "MUST" } : violation;
    })
    // Advice never fails a target, and would hide failures.
    .filter(({ rule = "", level }) => rules.includes(rule) && level !== "MAY")
    .filter(({ at, site }) => site !== undefined || !judgedElsewhere.test(at));
  if (judgedViolations.length === 0) for (const rule of rules) context.expect(rule, true, "");
  const reportedViolations: Violation[] = [];
  for (const violation of [...judgedViolations].sort((a, b) => rankOf(rules, a) - rankOf(rules, b))) {
    const { rule = "", at, why, level } = violation;
    const finding = `${at === "" ? "the document" : at} ${why}`;
    const cause = reportedViolations.find((earlier) => earlier.rule === rule || mayShareCause(earlier, violation));
    if (cause === undefined) context.expect(rule, false, finding, level);
    else if (cause.rule !== rule) context.skip(rule, `${finding}; the cause may be the breach of ${cause.rule}`);
    if (cause === undefined) reportedViolations.push(violation);
  }
}

/** Rules about a whole document. A fault in any part may break them too. */
const wholeDocumentRules = ["AHCP-GET-001", "AHCP-GET-002", "AHCP-ACK-002", "AHCP-ERR-001"];

/** Whether two violations may have the same cause: one path contains the other, or the rule is about the whole document. */
function mayShareCause(left: Violation, right: Violation): boolean {
  const [leftPath, rightPath] = [left, right].map(({ at }) =>
    at.replace(/^\/response(?=\/(?:response|resolution|defaulted|agent)\b)/, ""),
  );
  return (
    wholeDocumentRules.includes(right.rule ?? "") ||
    `${leftPath}/`.startsWith(`${rightPath}/`) ||
    `${rightPath}/`.startsWith(`${leftPath}/`)
  );
}

function rankOf(rules: readonly string[], { rule = "" }: Violation): number {
  return rules.indexOf(rule);
}

/** An input with a form that has a field of each type. */
const inputWithTypes: JsonObject = {
  ...input,
  schema: {
    type: "object",
    properties: { note: { type: "string" }, count: { type: "number" }, sure: { type: "boolean" } },
    required: ["note"],
  },
};

/** Marks an ask that the agent cancels instead of a resolver ending it. */
const cancelledByAgent: JsonObject = { resolution: "cancelled" };

export const documents: readonly Scenario[] = [
  {
    name: "documents-acknowledged",
    says: "a hub acknowledges a message with a valid acknowledgment",
    rules: acknowledgmentRules,
    needs: [],
    withinMs: 60_000,
    async play(context) {
      for (const createMessage of [notify, ask, task]) {
        const message = createMessage(context);
        const { status, json } = await post(context, message);
        if (status !== 202 || !isObject(json)) continue;
        await judgeDocuments(context, [["submit-ack", json]], acknowledgmentRules);
        const { status: acknowledgedStatus } = json;
        const expectedStatus = createMessage === notify ? "delivered" : "open";
        context.expect(
          "AHCP-ACK-003",
          acknowledgedStatus === expectedStatus,
          `a ${message.type} is acknowledged as "${acknowledgedStatus}"`,
        );
      }
    },
  },
  {
    name: "documents-refused",
    says: "a refusal has a message, and a code that belongs to its status",
    rules: refusalRules,
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const unknownId = context.fresh("msg_unknown");
      const replies: [endpoint: string, reply: HttpReply][] = [
        ["submit", await post(context, { ...notify(context), title: 7 })],
        ["submit", await post(context, { ...notify(context), ahcp_version: "9.0" })],
        ["submit", await post(context, ask(context, { expires_at: "2001-01-01T00:00:00Z" }))],
        ["submit", await post(context, ask(context, {}, { ...input, default_on_expire: {} }))],
        ["submit", await post(context, notify(context), "nobody")],
        ["read", await read(context, unknownId)],
        ["cancel", await cancel(context, unknownId)],
      ];
      for (const [endpoint, { status, json }] of replies) {
        if (status < 400) continue;
        const body = json === undefined ? {} : { body: json };
        await judgeDocuments(context, [["error", { endpoint, status, ...body }]], refusalRules);
      }
    },
  },
  {
    name: "documents-read",
    says: "open and ended messages in reads satisfy every rule",
    rules: readRules,
    // The asks allow these answers, and tasks get no value, so these rules do not depend on others.
    independent: ["AHCP-RSP-009", "AHCP-RSP-011"],
    needs: ["resolve"],
    withinMs: 60_000,
    async play(context) {
      const messages: [message: JsonObject | (() => Promise<JsonObject>), ending?: JsonObject][] = [
        [notify(context)],
        [ask(context)],
        [ask(context), redAnswer],
        [ask(context), { resolution: "declined", comment: "Not now." }],
        [async () => ask(context, {}, await confirmFor(context)), { resolution: "answered", value: "approve" }],
        [ask(context, {}, inputWithTypes), { resolution: "answered", value: { note: "x", count: 2.5, sure: false } }],
        [task(context), { resolution: "completed" }],
        [task(context), { resolution: "dismissed" }],
        [ask(context), cancelledByAgent],
      ];
      for (const [makeMessage, ending] of messages) {
        const message = typeof makeMessage === "function" ? await makeMessage() : makeMessage;
        const { id } = await submit(context, message);
        if (ending === cancelledByAgent) await cancel(context, id);
        else if (ending !== undefined) await resolveMessage(context, id, ending);
        const reply = await read(context, id);
        const { status, json } = reply;
        if (status !== 200) continue;
        const whyNotAnObject = `a read of the ${message.type} ${id} does not return an object: ${inShort(reply)}`;
        context.expect("AHCP-GET-001", isObject(json), whyNotAnObject);
        if (!isObject(json)) return;
        const { response, id: shownId } = json;
        const hasSameId = typeof shownId !== "string" || shownId === id;
        context.expect("AHCP-GET-002", hasSameId, `the message under the id ${id} has the id ${shownId}`);
        // Other rules test whether a cancellation works and has a Response.
        if (ending === cancelledByAgent && (json.status !== "cancelled" || !isObject(response))) continue;
        const outcomeDocuments: HubDocument[] = isObject(response) ? [["outcome", { id, message, response }]] : [];
        await judgeDocuments(context, [...outcomeDocuments, ["get-message", json]], readRules);
      }
    },
  },
];
