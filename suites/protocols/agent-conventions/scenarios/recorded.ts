import type { JsonObject, ScenarioContext, Violation } from "../../../../schemas/index.ts";
import { type Exchanged, exchangeOf, isAskedFor, isEndless } from "./exchanges.ts";
import { inShort, isType, memberObject } from "./messages.ts";

/** For each rule, the beginnings of the message types without which nothing can be said about it. */
export type ShownBy = Readonly<Record<string, readonly string[]>>;

const documents: Readonly<Record<string, string>> = {
  task: "task",
  status: "status",
  coord: "coordination",
  escalation: "escalation",
  ack: "acknowledgment",
};

/** The rule that each message is valid. A fault that belongs to no rule of the scenario counts under this one. */
export const ofAll = "CONV-SEND-001";

/** The rules about sequences. All other faults of a recording are visible in single messages. */
export const onSequences: ReadonlySet<string> = new Set([
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

/** A hub must not permit, and an agent must not do, the same thing. */
const sameFor: Readonly<Record<string, string>> = { "CONV-DEP-003": "CONV-DEP-001" };

type NotedViolation = Violation & { message: JsonObject };

/**
 * Reports, for each rule, the party's messages that break it, in this scenario and earlier ones. The schemas and the rules about messages
 * and sequences decide, as in `validate` and `validate --trace` for a recording.
 */
export async function judge(context: ScenarioContext, shownBy: ShownBy): Promise<void> {
  const rules = new Set(Object.values(shownBy).flat());
  const faults = new Map<string, { why: string; level: Violation["level"]; id: string }>();
  const note = ({ message, rule = ofAll, at, why, level }: NotedViolation): void => {
    const relevantRule = [rule, sameFor[rule] ?? rule].find((each) => rules.has(each)) ?? ofAll;
    const [rulePrefix, placePrefix] = [relevantRule === rule ? "" : `${rule}: `, at === "" ? "" : `${at} `];
    if (faults.get(relevantRule)?.level === "MUST" || (faults.has(relevantRule) && level !== "MUST")) return;
    faults.set(relevantRule, {
      level,
      id: String(message.message_id),
      why: `${inShort(message)}: ${rulePrefix}${placePrefix}${why}`,
    });
  };
  const exchanged = exchangeOf(context).filter(({ message }) => !isAskedFor(context, message));
  for (const notedViolation of await judgeMessages(context, exchanged)) note(notedViolation);
  for (const notedViolation of await judgeSequence(context, exchanged)) note(notedViolation);
  for (const notedViolation of findMisnaming(exchanged)) note(notedViolation);
  for (const notedViolation of findUnfinished(context, exchanged)) note(notedViolation);
  const ownMessages = exchanged.filter(({ isOwn }) => isOwn);
  for (const [type, shownTypes] of Object.entries(shownBy)) {
    const hasCome = ownMessages.some(({ message }) => isType(message, type));
    for (const rule of shownTypes) {
      if (
        rule === "CONV-DEP-001" &&
        !exchanged.some(({ message }) => memberObject(message, "task").dependencies !== undefined)
      ) {
        context.skip(rule, "no task was assigned that depends on another");
        continue;
      }
      const breach = faults.get(rule);
      if (breach !== undefined) context.expect(rule, false, breach.why, breach.level, { texts: [breach.id] });
      else if (hasCome) context.expect(rule, true, "");
      else context.skip(rule, type === "" ? "no message came" : `no message of a type ${type}… came`);
    }
  }
}

async function judgeMessages(context: ScenarioContext, exchanged: readonly Exchanged[]): Promise<NotedViolation[]> {
  const noted: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    if (!isOwn) continue;
    const document = documents[String(message.message_type).split(".")[0] ?? ""];
    const wrong =
      document === undefined
        ? [{ rule: "CONV-BASE-005", at: "/message_type", why: "is none of the types", level: "MUST" as const }]
        : await context.violations(document, message);
    // A fault that follows from an unknown type, or advice about an invalid message, is not counted again.
    const typeless = wrong.filter(({ rule }) => rule === "CONV-BASE-005");
    const grave = wrong.filter(({ level }) => level === "MUST");
    const counted = [typeless, grave, wrong].find(({ length }) => length > 0) ?? [];
    noted.push(...counted.map((violation) => ({ ...violation, message })));
  }
  return noted;
}

async function judgeSequence(context: ScenarioContext, exchanged: readonly Exchanged[]): Promise<NotedViolation[]> {
  const entries = exchanged.map(({ message }) => ({ from: String(message.sender), message }));
  return (await context.violations("exchange", entries)).flatMap(({ at, ...each }) => {
    const [, index, member, ...place] = at.split("/");
    const entry = exchanged[Number(index)];
    // The suite is responsible for its own messages.
    if (entry?.isOwn !== true || member !== "message" || !onSequences.has(each.rule ?? "")) return [];
    return [{ ...each, at: place.length === 0 ? "" : `/${place.join("/")}`, message: entry.message }];
  });
}

/**
 * Only the suite writes to the party. An ack that names neither one of its messages nor one of the party's own names nothing. The named
 * message cannot belong to a cue other than the named one.
 */
function findMisnaming(exchanged: readonly Exchanged[]): NotedViolation[] {
  const relevantRule = new Map<string, JsonObject>();
  const noted: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    const about = message.acknowledging_message_id;
    if (isOwn && isType(message, "ack.") && typeof about === "string") {
      const rulePrefix = relevantRule.get(about.toLowerCase());
      const [namedCue, ownMessages] = [rulePrefix?.cue_id, memberObject(message, "coordination_ack").cue_id];
      const why =
        rulePrefix === undefined
          ? "and no message with this id has been delivered"
          : `a message of ${namedCue}, and the ack is about ${ownMessages}`;
      const isOfAnother = namedCue !== undefined && ownMessages !== undefined && namedCue !== ownMessages;
      if (rulePrefix === undefined || isOfAnother)
        noted.push({
          message,
          rule: "CONV-ACK-006",
          level: "MUST",
          at: "/acknowledging_message_id",
          why: `is ${about}, ${why}`,
        });
    }
    relevantRule.set(String(message.message_id).toLowerCase(), message);
  }
  return noted;
}

/** Work that continues until it is stopped is not complete before. An agent that reports it as completed has reported the arrival of the message, not the end of the work. */
function findUnfinished(context: ScenarioContext, exchanged: readonly Exchanged[]): NotedViolation[] {
  const steadyWork = new Map<string, JsonObject>();
  const noted: NotedViolation[] = [];
  for (const { message, isOwn } of exchanged) {
    if (!isOwn && isType(message, "coord.stop")) steadyWork.clear();
    if (!isOwn && isType(message, "coord.go", "task.assignment") && isEndless(context, message))
      steadyWork.set(String(message.message_id).toLowerCase(), message);
    const about = String(message.acknowledging_message_id).toLowerCase();
    const rulePrefix = isOwn && isType(message, "ack.completed") ? steadyWork.get(about) : undefined;
    if (rulePrefix !== undefined)
      noted.push({
        message,
        rule: "CONV-ACK-007",
        level: "SHOULD",
        at: "",
        why: `says that ${rulePrefix.cue_id ?? rulePrefix.task_id} is done, and the work on it goes on until it is stopped`,
      });
  }
  return noted;
}
