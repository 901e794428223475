import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
  type Violation,
} from "../../../../../schemas/index.ts";
import { eventNames } from "../../rules/event.ts";
import { text } from "../../rules/text.ts";
import type { Line } from "../subscribing/line.ts";
import { open } from "../subscribing/open.ts";
import { toProducer } from "./scenario.ts";
import {
  answer,
  askedOf,
  begin,
  clarification,
  confirmation,
  endOf,
  fence,
  follow,
  indexOf,
  nameOf,
  questionOf,
} from "./story.ts";

/** Rules about sequences that sessions of every kind show. */
const ofSequences = [
  ...["AAEP-TOOL-004", "AAEP-TOOL-009", "AAEP-CONF-022", "AAEP-STATE-003", "AAEP-STRM-002", "AAEP-STRM-004"],
  ...["AAEP-ENV-012", "AAEP-ENV-026"],
];
/** The rule that each event is valid under its schema: whatever a schema is against is against it. */
const ofSchemas = "AAEP-ENV-010";
/** The rule that is about the digits of numbers, as they are written. */
const ofDigits = "AAEP-ENV-035";
/** Rules about single events that they show. */
const ofEvents = [
  ...[ofSchemas, ofDigits, "AAEP-ENV-008", "AAEP-ENV-015", "AAEP-ENV-030", "AAEP-ENV-033", "AAEP-ENV-034"],
  ...["AAEP-ENV-042", "AAEP-I18N-003", "AAEP-SEC-001"],
];
/** Rules about events of some types, by their names. */
const ofTypes = {
  "awaiting.confirmation": ["AAEP-CONF-006", "AAEP-CONF-008", "AAEP-CONF-014"],
  "awaiting.clarification": ["AAEP-CLAR-002", "AAEP-CLAR-003"],
  "session.errored": ["AAEP-LIFE-011"],
  "tool.invoked": ["AAEP-TOOL-014"],
};

/** Sessions as they went, held against the rules on what is recorded. */
export const recorded: readonly Scenario[] = [
  toProducer({
    name: "recorded-sessions",
    says: "a plain session, one that is accepted and one that is rejected follow the rules on sequences",
    rules: ofSequences,
    async play(context) {
      const line = await open(context);
      const replies: [index: number, reply: JsonObject][] = [];
      for (const decision of [undefined, "accept", "reject", undefined])
        await went(context, line, decision, (reply) => replies.push([line.inbox.arrivals.length, reply]));
      await fence(line, context);
      if (line.inbox.faults.length > 0)
        throw new TargetSkip("some frames hold no message, so that something is missing");
      const entries: Json[] = [];
      for (const [index, { message }] of line.inbox.arrivals.entries()) {
        for (const [at, reply] of replies) if (at === index) entries.push({ from: "subscriber", message: reply });
        entries.push({ from: "producer", message });
      }
      told(context, ofSequences, await context.violations("session", entries), (at) => {
        const entry = entries[Number(at.split("/")[1])] as { message?: JsonObject } | undefined;
        return entry?.message === undefined ? "a message" : `${nameOf(entry.message)} ${entry.message.event_id ?? ""}`;
      });
    },
  }),
  toProducer({
    name: "recorded-events",
    says: "each event is as it should be",
    rules: [...ofEvents, ...Object.values(ofTypes).flat()],
    async play(context) {
      const line = await open(context);
      for (const decision of [undefined, "reject"]) await went(context, line, decision, () => {});
      await clarified(context, line);
      await failed(context, line);
      const events = line.inbox.arrivals.filter(({ message }) => message.event_id !== undefined);
      const found = new Map<string, Violation>();
      for (const { message, text } of events)
        for (const each of [...(await ownViolations(context, message)), ...digitsIn(text)]) {
          const rule = each.site === undefined ? each.rule : ofSchemas;
          const isGraver = found.get(rule ?? "")?.level !== "MUST";
          if (rule !== undefined && isGraver)
            found.set(rule, { ...each, rule, why: `${message.type} ${message.event_id}: ${each.why}` });
        }
      const where = (at: string): string => at || "the event";
      told(context, ofEvents, [...found.values()], where);
      for (const [name, rules] of Object.entries(ofTypes))
        if (events.some(({ message }) => nameOf(message) === name)) told(context, rules, [...found.values()], where);
        else for (const rule of rules) context.skip(rule, `no ${name} came`);
    },
  }),
];

/** What there is against an event: one of the core as its type has it, in either spelling; any other by its envelope. */
async function ownViolations(context: ScenarioContext, event: JsonObject): Promise<readonly Violation[]> {
  const core = eventNames.find((name) => name === `agent.${nameOf(event)}`);
  return core === undefined
    ? context.violations("envelope", event)
    : context.violations(core, { ...event, type: `aaep:${core}` });
}

/** What only the text of an event shows: once it is read, such a number has lost its last digits. */
function digitsIn(source: string): Violation[] {
  const checker = text.checkers.find(({ rule }) => rule === ofDigits);
  return [...(checker?.read?.(Buffer.from(source), "envelope") ?? [])].map((each) => ({
    ...{ rule: ofDigits, level: "MUST" },
    ...each,
  }));
}

/** Lets a session end whose tool does not answer: in an error, with some. Only where that takes no time. */
async function failed(context: ScenarioContext, line: Line): Promise<void> {
  if (!context.has("clock")) return;
  try {
    const story = await begin(line, context, "hanging");
    await follow(story, (event) => nameOf(event) === "tool.invoked");
    await context.pass(600_000);
    await endOf(story);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Asks for a clarification, where there is a task that does, and answers the question. */
async function clarified(context: ScenarioContext, line: Line): Promise<void> {
  try {
    const asked = await askedOf(line, context, "clarification", { timeout_seconds: 3 });
    const { choices } = asked.question;
    const [first] = Array.isArray(choices) ? choices.filter(isObject) : [];
    await answer(line, await clarification(asked, first?.value ?? "Friday"));
    await endOf(asked);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Lets a session go to its end, with this decision where it asks. */
async function went(
  context: ScenarioContext,
  line: Line,
  decision: string | undefined,
  note: (reply: JsonObject) => void,
): Promise<void> {
  const story = await begin(line, context, decision === undefined ? "plain" : "irreversible");
  const question = decision === undefined ? undefined : await questionOf(story);
  if (question !== undefined) {
    const asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
    const reply = await confirmation(asked, decision ?? "reject");
    note(reply);
    await answer(line, reply);
  }
  await endOf(story);
}

function told(
  context: ScenarioContext,
  rules: readonly string[],
  found: readonly Violation[],
  where: (at: string) => string,
): void {
  for (const rule of rules) {
    const each = found.find((violation) => violation.rule === rule);
    if (each === undefined) context.expect(rule, true, "");
    else context.expect(rule, false, `${where(each.at)}: ${each.why}`, each.level);
  }
}
