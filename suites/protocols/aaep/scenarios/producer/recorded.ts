import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
  type Violation,
} from "../../../../../schemas/index.ts";
import { eventNames } from "../../rules/event.ts";
import { textCheckers } from "../../rules/text.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { countActions, evidenceOf } from "./actions.ts";
import { beginWaitingSession, conductOf } from "./conduct.ts";
import { mustNotBeDone } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { createBreachFinder, openToAllEvents, type SequenceBreach } from "./sequence.ts";
import {
  type AskedSession,
  awaitEnd,
  awaitFence,
  awaitQuestion,
  beginSession,
  findEvent,
  makeClarification,
  makeConfirmation,
  nameOf,
  type StartedSession,
  sendReply,
  withQuestion,
} from "./session.ts";

/** The rule that each session ends with one event. */
const endRule = "AAEP-LIFE-003";
/** Rules about sequences, by the event without which a session cannot break them. */
const sequenceRules = {
  "session.started": ["AAEP-LIFE-002", endRule, "AAEP-LIFE-004"],
  "state.changed": ["AAEP-STATE-002", "AAEP-STATE-003"],
  "tool.invoked": ["AAEP-TOOL-004", "AAEP-TOOL-008", "AAEP-TOOL-009", "AAEP-TOOL-010"],
  "awaiting.confirmation": ["AAEP-CONF-022", "AAEP-CONF-027"],
  "output.streaming": ["AAEP-STRM-002", "AAEP-STRM-004"],
};
/** Rules about sequences that any event can show. */
const rulesOfAnySequence = ["AAEP-LIFE-001", "AAEP-ENV-012", "AAEP-ENV-017", "AAEP-ENV-026"];
/** The rule that each event is valid under its schema. Every schema error breaks it. */
const schemaRule = "AAEP-ENV-010";
/** The rule that a message is UTF-8. */
const encodingRule = "AAEP-ENV-001";
/** Rules about the text of an event: repeated names, lone surrogates, and the digits of numbers. */
const textRules = textCheckers.map(({ rule }) => rule);
/** Rules about single events of any type. */
const eventRules = [
  schemaRule,
  ...textRules,
  "AAEP-ENV-008",
  "AAEP-ENV-015",
  "AAEP-ENV-030",
  "AAEP-ENV-033",
  "AAEP-ENV-034",
  "AAEP-ENV-042",
  "AAEP-I18N-003",
  "AAEP-SEC-001",
];
/** Rules about certain types of events, by name. */
const typeRules = {
  "awaiting.confirmation": ["AAEP-CONF-006", "AAEP-CONF-008", "AAEP-CONF-014"],
  "awaiting.clarification": ["AAEP-CLAR-002", "AAEP-CLAR-003"],
  "session.errored": ["AAEP-LIFE-011"],
  "tool.invoked": ["AAEP-TOOL-014"],
};

/** Scenarios that play sessions, and check them against the rules on events and recordings. */
export const recordedScenarios: readonly Scenario[] = [
  // Events are judged first, so that a wrong timestamp is found before the sequence that it disorders.
  toProducer({
    name: "recorded-events",
    says: "each event follows its rules",
    rules: [...eventRules, ...Object.values(typeRules).flat()],
    async play(context) {
      const subscription = await openSubscription(context);
      for (const decision of [undefined, "reject"]) await playSession(context, subscription, decision);
      await clarifyQuestion(context, subscription);
      await endInError(context, subscription);
      const events = subscription.inbox.arrivals.filter(({ message }) => message.event_id !== undefined);
      const worstViolations = new Map<string, Violation>();
      if (subscription.inbox.hasInvalidUtf8())
        worstViolations.set(encodingRule, {
          rule: encodingRule,
          level: "MUST",
          at: "",
          why: "the stream has bytes that are not UTF-8",
        });
      for (const { message, text } of events)
        for (const violation of [...(await findEventViolations(context, message)), ...textFaultsIn(text)]) {
          const rule = violation.site === undefined ? violation.rule : schemaRule;
          const isMoreSerious = worstViolations.get(rule ?? "")?.level !== "MUST";
          if (rule !== undefined && isMoreSerious)
            worstViolations.set(rule, {
              ...violation,
              rule,
              why: `${message.type} ${message.event_id}: ${violation.why}`,
            });
        }
      const breachOf = (rule: string): Violation | undefined => {
        const violation = worstViolations.get(rule);
        return violation && { ...violation, why: `${violation.at || "the event"}: ${violation.why}` };
      };
      reportBreaches(context, eventRules, breachOf);
      const names = new Set(events.map(({ message }) => nameOf(message)));
      for (const [name, rules] of Object.entries(typeRules))
        reportBreaches(context, rules, breachOf, names.has(name) ? "" : name);
    },
  }),
  toProducer({
    name: "recorded-sessions",
    says: "a plain session, an accepted one, a rejected one and one with a long output follow the rules on sequences",
    rules: [...rulesOfAnySequence, ...Object.values(sequenceRules).flat()],
    waits: 6000,
    async play(context) {
      const subscription = await openToAllEvents(context);
      const ends = new Map<string, JsonObject | undefined>();
      const noteEnd = ({ id }: StartedSession, end: JsonObject | undefined): void => void ends.set(id, end);
      const askedSessions = new Map<string, AskedSession>();
      for (const decision of [undefined, "accept", "reject", undefined]) {
        const waitingSession = await playSession(context, subscription, decision, noteEnd);
        if (waitingSession !== undefined) askedSessions.set(String(decision), waitingSession);
      }
      await streamOutput(context, subscription, noteEnd);
      await awaitFence(subscription, context);
      const isIncomplete = [...ends.values()].includes(undefined);
      const findBreach = await createBreachFinder(context, subscription, {
        isOwnSession: (id) => ends.has(id),
        mayBeIncomplete: isIncomplete,
      });
      if (findBreach === undefined)
        throw new TargetSkip("some frames contain no message, so the recording is incomplete");
      reportBreaches(context, rulesOfAnySequence, findBreach);
      const arrivals = subscription.inbox.arrivals.filter(({ message }) => ends.has(String(message.session_id)));
      const names = new Set(arrivals.map(({ message }) => nameOf(message)));
      for (const [name, rules] of Object.entries(sequenceRules)) {
        const isUndecided = (rule: string): boolean =>
          rule === endRule && isIncomplete && findBreach(rule) === undefined;
        reportBreaches(
          context,
          rules.filter((rule) => !isUndecided(rule)),
          findBreach,
          names.has(name) ? "" : name,
        );
        if (rules.some(isUndecided)) context.skip(endRule, "a session has not ended in time, and may still be running");
      }
      await judgeActions(context, askedSessions);
    },
  }),
];

/** Judges the actions after a rejection and after an acceptance, which events need not show. */
async function judgeActions(context: ScenarioContext, askedSessions: ReadonlyMap<string, AskedSession>): Promise<void> {
  const [acceptedSession, rejectedSession] = [askedSessions.get("accept"), askedSessions.get("reject")];
  const rules = ["AAEP-CONF-022", "AAEP-CONF-027"];
  if (acceptedSession === undefined || rejectedSession === undefined) {
    for (const rule of rules)
      context.skip(rule, "no question arrived that could be accepted, or none that could be rejected");
    return;
  }
  const { actsEarly, invisibility } = await conductOf(context);
  for (const rule of rules)
    if (actsEarly) context.skip(rule, "it acts before an answer is possible");
    else if (invisibility !== undefined) context.skip(rule, invisibility.why, invisibility.cause);
  if (actsEarly) return;
  const why = "the action was carried out after a rejection";
  await mustNotBeDone(rejectedSession, { rule: "AAEP-CONF-022", why });
  for (const [tool, times] of await countActions(acceptedSession)) {
    const why = `${tool} was run ${times} times after one acceptance`;
    context.expect("AAEP-CONF-027", times === 1, why, evidenceOf(acceptedSession));
  }
}

/** Finds the violations of an event. A core event, in either spelling, is judged by the schema of its type, any other event by the envelope. */
async function findEventViolations(context: ScenarioContext, event: JsonObject): Promise<readonly Violation[]> {
  const coreName = eventNames.find((name) => name === `agent.${nameOf(event)}`);
  return coreName === undefined
    ? context.violations("envelope", event)
    : context.violations(coreName, { ...event, type: `aaep:${coreName}` });
}

/** Faults that only the text of an event shows, because parsing loses them. */
function textFaultsIn(source: string): Violation[] {
  return textCheckers.flatMap(({ rule, read }) =>
    [...(read?.(Buffer.from(source), "envelope") ?? [])].map((breach) => ({ rule, level: "MUST", ...breach })),
  );
}

/** Lets a session wait for a silent tool; some producers then end it with an error. Does nothing if the wait would be slow. */
async function endInError(context: ScenarioContext, subscription: OpenSubscription): Promise<void> {
  if (!context.has("clock")) return;
  try {
    const session = await beginSession(subscription, context, "hanging");
    await findEvent(session, (event) => nameOf(event) === "tool.invoked");
    await context.pass(600_000);
    await awaitEnd(session);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Answers a clarification, if the producer has a task with one. */
async function clarifyQuestion(context: ScenarioContext, subscription: OpenSubscription): Promise<void> {
  try {
    const askedSession = await beginWaitingSession(subscription, context, "clarification", { timeout_seconds: 3 });
    const { choices } = askedSession.question;
    const [firstChoice] = Array.isArray(choices) ? choices.filter(isObject) : [];
    await sendReply(subscription, await makeClarification(askedSession, firstChoice?.value ?? "Friday"));
    await awaitEnd(askedSession);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Records a session, and its end if it has ended. */
type NoteEnd = (session: StartedSession, end: JsonObject | undefined) => void;

/** Runs a session with a long output, if the producer has such a task. */
async function streamOutput(context: ScenarioContext, subscription: OpenSubscription, noteEnd: NoteEnd): Promise<void> {
  try {
    const session = await beginSession(subscription, context, "stream");
    noteEnd(session, await awaitEnd(session));
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Runs a session to its end, with this decision if it asks. */
async function playSession(
  context: ScenarioContext,
  subscription: OpenSubscription,
  decision: string | undefined,
  noteEnd: NoteEnd = () => {},
): Promise<AskedSession | undefined> {
  const session = await beginSession(subscription, context, decision === undefined ? "plain" : "irreversible");
  const question = decision === undefined ? undefined : await awaitQuestion(session);
  let askedSession: AskedSession | undefined;
  if (question !== undefined) {
    askedSession = withQuestion(session, question);
    await sendReply(subscription, await makeConfirmation(askedSession, decision ?? "reject"));
  }
  noteEnd(session, await awaitEnd(session));
  return askedSession;
}

/** Reports the breach of each rule, or skips the rule if the event that would show it did not arrive. */
function reportBreaches(
  context: ScenarioContext,
  rules: readonly string[],
  findBreach: (rule: string) => SequenceBreach | undefined,
  missingEvent = "",
): void {
  for (const rule of rules) {
    const breach = findBreach(rule);
    if (breach?.isExcused) context.skip(rule, `${breach.why}, unless it belongs to an event that the terms exclude`);
    else if (breach !== undefined) context.expect(rule, false, breach.why, breach.level);
    else if (missingEvent === "") context.expect(rule, true, "");
    else context.skip(rule, `no ${missingEvent} arrived`);
  }
}
