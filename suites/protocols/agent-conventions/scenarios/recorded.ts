import type { JsonObject, ScenarioContext, Violation } from "../../../../schemas/index.ts";
import { type Exchanged, exchangeOf, isAskedFor, isEndless } from "./exchanges.ts";
import { isType, memberObject, summarize } from "./messages.ts";

/** The rules that messages can show, by the prefix of their type. Without such a message the rules are skipped. */
export type ShownBy = Readonly<Record<string, readonly string[]>>;

const documentByCategory: Readonly<Record<string, string>> = {
  task: "task",
  status: "status",
  coord: "coordination",
  escalation: "escalation",
  ack: "acknowledgment",
};

/** The rule that every message is valid. It also covers faults that do not belong to another rule of the scenario. */
export const validityRule = "CONV-SEND-001";

/** The rules about sequences. All other rules are about single messages. */
export const sequenceRules: ReadonlySet<string> = new Set([
  "CONV-BASE-014",
  "CONV-ACK-006",
  "CONV-ACK-007",
  "CONV-ROUTE-003",
  "CONV-CUE-001",
  "CONV-CUE-002",
  "CONV-DEP-001",
  "CONV-DEP-003",
  "CONV-JID-002",
]);

/** Rules about the same fault: the first is for hubs, the second for agents. */
const equivalentRule: Readonly<Record<string, string>> = { "CONV-DEP-003": "CONV-DEP-001" };

type NotedViolation = Violation & { message: JsonObject };

/**
 * Reports, for each rule, the party's messages that break it, in this scenario and earlier ones. The schemas and the rules about messages
 * and sequences decide, as in `validate` and `validate --trace` for a recording.
 */
export async function judgeRecording(context: ScenarioContext, shownBy: ShownBy): Promise<void> {
  const rules = new Set(Object.values(shownBy).flat());
  const faults = new Map<string, { why: string; level: Violation["level"]; id: string }>();
  const recordFault = ({ message, rule = validityRule, at, why, level }: NotedViolation): void => {
    const reportedRule = [rule, equivalentRule[rule] ?? rule].find((candidate) => rules.has(candidate)) ?? validityRule;
    const [rulePrefix, locationPrefix] = [reportedRule === rule ? "" : `${rule}: `, at === "" ? "" : `${at} `];
    if (faults.get(reportedRule)?.level === "MUST" || (faults.has(reportedRule) && level !== "MUST")) return;
    faults.set(reportedRule, {
      level,
      id: String(message.message_id),
      why: `${summarize(message)}: ${rulePrefix}${locationPrefix}${why}`,
    });
  };
  const exchanged = exchangeOf(context).filter(({ message }) => !isAskedFor(context, message));
  for (const notedViolation of await judgeMessages(context, exchanged)) recordFault(notedViolation);
  for (const notedViolation of await judgeSequence(context, exchanged)) recordFault(notedViolation);
  for (const notedViolation of findWrongAcknowledgments(exchanged)) recordFault(notedViolation);
  for (const notedViolation of findPrematureCompletion(context, exchanged)) recordFault(notedViolation);
  const ownMessages = exchanged.filter(({ isOwn }) => isOwn);
  for (const [type, shownRules] of Object.entries(shownBy)) {
    const hasArrived = ownMessages.some(({ message }) => isType(message, type));
    for (const rule of shownRules) {
      if (
        rule === "CONV-DEP-001" &&
        !exchanged.some(({ message }) => memberObject(message, "task").dependencies !== undefined)
      ) {
        context.skip(rule, "no assigned task depends on another one");
        continue;
      }
      const breach = faults.get(rule);
      if (breach !== undefined) context.expect(rule, false, breach.why, breach.level, { texts: [breach.id] });
      else if (hasArrived) context.expect(rule, true, "");
      else context.skip(rule, type === "" ? "no message arrived" : `no message with a type ${type}… arrived`);
    }
  }
}

async function judgeMessages(context: ScenarioContext, exchanged: readonly Exchanged[]): Promise<NotedViolation[]> {
  const notedViolations: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    if (!isOwn) continue;
    const document = documentByCategory[String(message.message_type).split(".")[0] ?? ""];
    const violations =
      document === undefined
        ? [{ rule: "CONV-BASE-005", at: "/message_type", why: "is not a known type", level: "MUST" as const }]
        : await context.violations(document, message);
    // Reports only the most basic faults: an unknown type causes others, and advice does not matter for an invalid message.
    const typeViolations = violations.filter(({ rule }) => rule === "CONV-BASE-005");
    const mustViolations = violations.filter(({ level }) => level === "MUST");
    const basicViolations = [typeViolations, mustViolations, violations].find(({ length }) => length > 0) ?? [];
    notedViolations.push(...basicViolations.map((violation) => ({ ...violation, message })));
  }
  return notedViolations;
}

async function judgeSequence(context: ScenarioContext, exchanged: readonly Exchanged[]): Promise<NotedViolation[]> {
  const entries = exchanged.map(({ message }) => ({ from: String(message.sender), message }));
  return (await context.violations("exchange", entries)).flatMap(({ at, ...violation }) => {
    const [, index, member, ...path] = at.split("/");
    const entry = exchanged[Number(index)];
    // The suite is responsible for its own messages.
    if (entry?.isOwn !== true || member !== "message" || !sequenceRules.has(violation.rule ?? "")) return [];
    return [{ ...violation, at: path.length === 0 ? "" : `/${path.join("/")}`, message: entry.message }];
  });
}

/**
 * Finds acknowledgments of messages that were not delivered, and acknowledgments that name a different cue than their message.
 * Only the suite sends messages to the party, so all delivered messages are known.
 */
function findWrongAcknowledgments(exchanged: readonly Exchanged[]): NotedViolation[] {
  const messagesById = new Map<string, JsonObject>();
  const notedViolations: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    const acknowledgedId = message.acknowledging_message_id;
    if (isOwn && isType(message, "ack.") && typeof acknowledgedId === "string") {
      const acknowledged = messagesById.get(acknowledgedId.toLowerCase());
      const [actualCue, namedCue] = [acknowledged?.cue_id, memberObject(message, "coordination_ack").cue_id];
      const why =
        acknowledged === undefined
          ? "but no message with this id has been delivered"
          : `a message of ${actualCue}, but the ack names ${namedCue}`;
      const namesWrongCue = actualCue !== undefined && namedCue !== undefined && actualCue !== namedCue;
      if (acknowledged === undefined || namesWrongCue)
        notedViolations.push({
          message,
          rule: "CONV-ACK-006",
          level: "MUST",
          at: "/acknowledging_message_id",
          why: `is ${acknowledgedId}, ${why}`,
        });
    }
    messagesById.set(String(message.message_id).toLowerCase(), message);
  }
  return notedViolations;
}

/**
 * Finds reports that steady work is complete although it was not stopped. Such an agent reports the arrival of a message, not
 * the end of the work.
 */
function findPrematureCompletion(context: ScenarioContext, exchanged: readonly Exchanged[]): NotedViolation[] {
  const steadyWork = new Map<string, JsonObject>();
  const notedViolations: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    if (!isOwn && isType(message, "coord.stop")) steadyWork.clear();
    if (!isOwn && isType(message, "coord.go", "task.assignment") && isEndless(context, message))
      steadyWork.set(String(message.message_id).toLowerCase(), message);
    const acknowledgedId = String(message.acknowledging_message_id).toLowerCase();
    const unfinished = isOwn && isType(message, "ack.completed") ? steadyWork.get(acknowledgedId) : undefined;
    if (unfinished !== undefined)
      notedViolations.push({
        message,
        rule: "CONV-ACK-007",
        level: "SHOULD",
        at: "",
        why: `reports ${unfinished.cue_id ?? unfinished.task_id} as complete, but its work continues until it is stopped`,
      });
  }
  return notedViolations;
}
