import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Variant } from "../variant.ts";
import { connectionVariants } from "./connections.ts";
import type { Policy } from "./model.ts";
import { languageOf } from "./present.ts";
import { silentOn } from "./varied.ts";

const isType = (event: JsonObject, name: string): boolean => event.type === `aaep:agent.${name}`;
const risks = ["low", "medium", "high"];
const categories = ["transient", "permanent", "requires_user", "unknown"];

/** Subscribers that break one rule each. */
export const subscriberVariants: readonly Variant<Policy>[] = [
  {
    rule: "AAEP-SUB-001",
    says: "falls over a state that is no text",
    policy: { breaksAt: ({ from_state: from }) => isObject(from) },
  },
  {
    rule: "AAEP-SUB-001",
    name: "unvalidated",
    says: "takes whatever has a type",
    policy: { isWhole: ({ type }) => typeof type === "string" },
  },
  {
    ...{ rule: "AAEP-SUB-001", name: "returns" },
    says: "breaks its connection at each event that is not valid, and comes back",
    policy: { falls: Number.POSITIVE_INFINITY },
  },
  {
    ...{ rule: "AAEP-SUB-001", name: "tires" },
    says: "comes back twice after it fell over an event that is not valid, and then no more",
    policy: { falls: 2 },
  },
  {
    rule: "AAEP-SUB-002",
    name: "calls",
    says: "says nothing of calls",
    policy: silentOn((event) => isType(event, "tool.invoked")),
  },
  {
    rule: "AAEP-SUB-002",
    name: "starts",
    says: "says nothing of starts",
    policy: silentOn((event) => isType(event, "session.started")),
  },
  {
    rule: "AAEP-SUB-002",
    name: "ends",
    says: "says nothing of ends",
    policy: silentOn((event) => isType(event, "session.completed") && event.verbosity === undefined),
  },
  {
    rule: "AAEP-SUB-003",
    says: "says of all sessions that they are over",
    policy: {
      announces: (item) =>
        /^session\.(?:c|e)/.test(item.kind)
          ? { ...item, kind: "session.over", text: item.text.replace(/^\w+:/, "Over:") }
          : item,
    },
  },
  {
    rule: "AAEP-SUB-004",
    says: "falls over a type that it does not know",
    policy: { breaksAt: ({ type }) => type === "touchstone:tide.turned" },
  },
  {
    rule: "AAEP-SUB-004",
    name: "leaves",
    says: "ends its connection at a type that it does not know",
    policy: { leavesAt: ({ type }) => type === "aaep:agent.purple.flamingo" },
  },
  {
    rule: "AAEP-SUB-005",
    name: "values",
    says: "drops events with a value that it does not know",
    policy: silentOn(({ risk_level: risk }) => risk !== undefined && !risks.includes(String(risk))),
  },
  {
    rule: "AAEP-SUB-005",
    name: "codes",
    says: "drops errors of a category that it does not know",
    policy: silentOn(({ error_category: of }) => of !== undefined && !categories.includes(String(of))),
  },
  {
    rule: "AAEP-SUB-005",
    name: "members",
    says: "drops events with a member that it does not know",
    policy: silentOn((event) => "colour" in event),
  },
  {
    rule: "AAEP-SUB-006",
    says: "keeps handoffs to itself",
    policy: silentOn((event) => isType(event, "handoff.requested") && Number(event.sequence_number) < 5),
  },
  { rule: "AAEP-SUB-007", says: "says everything as often as it comes", policy: { isDouble: () => false } },
  {
    rule: "AAEP-SUB-007",
    name: "few",
    says: "knows the last five events again",
    policy: { isDouble: (id, seen) => [...seen].slice(-5).includes(id) },
  },
  { rule: "AAEP-SUB-008", says: "does not look at numbers", policy: { noticesOrder: (isOver) => isOver } },
  {
    rule: "AAEP-TRN-004",
    says: "does not look at numbers once a session is over",
    policy: { noticesOrder: (isOver) => !isOver },
  },
  {
    rule: "AAEP-SUB-009",
    says: "closes what is cut off",
    policy: {
      completes(text) {
        try {
          return text.startsWith('{"@context"') ? (JSON.parse(`${text}}`) as JsonObject) : undefined;
        } catch {
          return undefined;
        }
      },
    },
  },
  {
    rule: "AAEP-SUB-010",
    says: "sends the label for the value of a choice",
    policy: { sends: (message) => (message.response === "saturday" ? { ...message, response: "Saturday" } : message) },
  },
  {
    rule: "AAEP-SUB-011",
    says: "drops all that it has filtered out",
    policy: silentOn(({ type }, { excluded }) =>
      excluded.some((each) => String(type).startsWith(each.replace("*", ""))),
    ),
  },
  {
    rule: "AAEP-SUB-012",
    says: "drops events without a number",
    policy: silentOn((event) => event.sequence_number === undefined),
  },
  {
    rule: "AAEP-SUB-012",
    name: "progress",
    says: "falls over progress without a percentage",
    policy: { breaksAt: ({ progress }) => isObject(progress) && progress.percent === undefined },
  },
  {
    rule: "AAEP-EXT-011",
    says: "drops events with extensions",
    policy: silentOn((event) => event.extensions !== undefined),
  },
  {
    rule: "AAEP-STATE-005",
    says: "drops states that it does not know",
    policy: silentOn((event) => event.to_state === "moonwalking"),
  },
  {
    rule: "AAEP-ENV-037",
    name: "fragile",
    says: "falls over a large event",
    policy: { breaksAt: (event) => String(event.summary_normal).length > 100_000 },
  },
  { rule: "AAEP-ENV-037", name: "silent", says: "shortens texts in silence", policy: { noticesSize: false } },
  { rule: "AAEP-ENV-038", says: "takes compact JSON alone", policy: { takes: (text) => !text.includes("\n") } },
  { rule: "AAEP-ENV-039", says: "does not look at contexts", policy: { isOurs: (context) => context !== undefined } },
  {
    rule: "AAEP-I18N-004",
    says: "drops what is in no language of its user",
    policy: silentOn((event) => !/^(?:en|$)/.test(languageOf(event))),
  },
  {
    rule: "AAEP-I18N-008",
    says: "drops text that is not in NFC",
    policy: silentOn(({ summary_normal: text }) => typeof text === "string" && text !== text.normalize("NFC")),
  },
  { rule: "AAEP-STRM-009", says: "announces each piece", policy: { utters: () => true } },
  { rule: "AAEP-BP-008", says: "loses its breath", policy: { breath: 80 } },
  {
    rule: "AAEP-BP-009",
    says: "drops what comes amid too much",
    policy: silentOn((event) => Number(event.sequence_number) > 250 && isType(event, "handoff.requested")),
  },
  ...connectionVariants,
];
