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

/** Specific rules come before general ones: if one fault breaks several rules, it is reported under the first. */
export const ofReads: readonly string[] = [
  // The level of RSP-005 is advice, and the rule on the whole document covers its types.
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
const ofAcknowledgements = ["AHCP-ACK-003", "AHCP-ACK-002"];
const ofRefusals = ["AHCP-ERR-001", "AHCP-ERR-002"];

/** Places that other scenarios judge, unless they violate the schema. */
const judgedElsewhere = /^\/response\/(?:state|agent|in_reply_to)|^\/state/;

export type HubDocument = [name: string, instance: JsonObject];

/** Reports the violations of these rules in documents of the hub. A violation of the schema alone counts for the last rule. */
export async function judgeDocuments(
  context: ScenarioContext,
  hubDocuments: readonly HubDocument[],
  rules: readonly string[],
): Promise<void> {
  const violations = await Promise.all(hubDocuments.map(([name, instance]) => context.violations(name, instance)));
  const ownViolations = violations
    .flat()
    .map((violation): Violation => {
      const isOfOtherRule = violation.site !== undefined && !rules.includes(violation.rule ?? "");
      return isOfOtherRule ? { ...violation, rule: rules.at(-1) as string, level: "MUST" } : violation;
    })
    // Advice never fails a target, and would hide failures.
    .filter(({ rule = "", level }) => rules.includes(rule) && level !== "MAY")
    .filter(({ at, site }) => site !== undefined || !judgedElsewhere.test(at));
  if (ownViolations.length === 0) for (const rule of rules) context.expect(rule, true, "");
  const independent: Violation[] = [];
  for (const violation of [...ownViolations].sort((a, b) => rankOf(rules, a) - rankOf(rules, b))) {
    const { rule = "", at, why, level } = violation;
    const finding = `${at === "" ? "the document" : at} ${why}`;
    const cause = independent.find((earlier) => earlier.rule === rule || mayShareCause(earlier, violation));
    if (cause === undefined) context.expect(rule, false, finding, level);
    else if (cause.rule !== rule) context.skip(rule, `${finding}; the cause may be the breach of ${cause.rule}`);
    if (cause === undefined) independent.push(violation);
  }
}

/** Rules about a whole document: a fault in any part may break them, too. */
const wholeRules = ["AHCP-GET-001", "AHCP-GET-002", "AHCP-ACK-002", "AHCP-ERR-001"];

/** Whether two breaches may have one cause: both are at one place, one is within the other, or the rule is about the whole document. */
function mayShareCause(left: Violation, right: Violation): boolean {
  const [a, b] = [left, right].map(({ at }) =>
    at.replace(/^\/response(?=\/(?:response|resolution|defaulted|agent)\b)/, ""),
  );
  return wholeRules.includes(right.rule ?? "") || `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function rankOf(rules: readonly string[], { rule = "" }: Violation): number {
  return rules.indexOf(rule);
}

/** A form with a field of each kind. */
const countingInput: JsonObject = {
  ...input,
  schema: {
    type: "object",
    properties: { note: { type: "string" }, count: { type: "number" }, sure: { type: "boolean" } },
    required: ["note"],
  },
};

/** Marks an ask that its agent cancels. */
const withdrawnAnswer: JsonObject = { resolution: "cancelled" };

export const documents: readonly Scenario[] = [
  {
    name: "documents-acknowledged",
    says: "a hub's answer to a message is an acknowledgement by every rule",
    rules: ofAcknowledgements,
    needs: [],
    withinMs: 60_000,
    async play(context) {
      for (const make of [notify, ask, task]) {
        const message = make(context);
        const { status, json } = await post(context, message);
        if (status !== 202 || !isObject(json)) continue;
        await judgeDocuments(context, [["submit-ack", json]], ofAcknowledgements);
        const { status: acknowledgedStatus } = json;
        const expectedStatus = make === notify ? "delivered" : "open";
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
    says: "a hub refuses with an object that has a code, which fits the status, and a message",
    rules: ofRefusals,
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
        await judgeDocuments(context, [["error", { endpoint, status, ...body }]], ofRefusals);
      }
    },
  },
  {
    name: "documents-read",
    says: "a message in a read, open and ended, is consistent by every rule",
    rules: ofReads,
    // Its ask allows each answer, and a task gets no value.
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
        [ask(context, {}, countingInput), { resolution: "answered", value: { note: "x", count: 2.5, sure: false } }],
        [task(context), { resolution: "completed" }],
        [task(context), { resolution: "dismissed" }],
        [ask(context), withdrawnAnswer],
      ];
      for (const [makeMessage, ending] of messages) {
        const message = typeof makeMessage === "function" ? await makeMessage() : makeMessage;
        const { id } = await submit(context, message);
        if (ending === withdrawnAnswer) await cancel(context, id);
        else if (ending !== undefined) await resolveMessage(context, id, ending);
        const reply = await read(context, id);
        const { status, json } = reply;
        if (status !== 200) continue;
        const whyNotAnObject = `a read of the ${message.type} ${id} does not return an object: ${inShort(reply)}`;
        context.expect("AHCP-GET-001", isObject(json), whyNotAnObject);
        if (!isObject(json)) return;
        const { response, id: shownId } = json;
        const isSame = typeof shownId !== "string" || shownId === id;
        context.expect("AHCP-GET-002", isSame, `the message under the id ${id} has the id ${shownId}`);
        // Other rules judge whether a cancellation works, and has a Response.
        if (ending === withdrawnAnswer && (json.status !== "cancelled" || !isObject(response))) continue;
        const outcome: HubDocument[] = isObject(response) ? [["outcome", { id, message, response }]] : [];
        await judgeDocuments(context, [...outcome, ["get-message", json]], ofReads);
      }
    },
  },
];
