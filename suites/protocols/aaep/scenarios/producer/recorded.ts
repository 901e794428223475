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
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { doneIn, shownBy } from "./acting.ts";
import { askedOf, conductOf } from "./conduct.ts";
import { mustNotBeDone } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { breachesIn, openAll, type SequenceBreach } from "./sequence.ts";
import {
  type AskedSession,
  answer,
  awaitEnd,
  awaitFence,
  beginSession,
  clarification,
  confirmation,
  follow,
  indexOf,
  nameOf,
  questionOf,
  type Story,
} from "./story.ts";

/** The rule that each session ends. */
const ofEnds = "AAEP-LIFE-003";
/** Rules about sequences, by the name of the event without which a session shows nothing about them. */
const ofSequences = {
  "session.started": ["AAEP-LIFE-002", ofEnds, "AAEP-LIFE-004"],
  "state.changed": ["AAEP-STATE-002", "AAEP-STATE-003"],
  "tool.invoked": ["AAEP-TOOL-004", "AAEP-TOOL-008", "AAEP-TOOL-009", "AAEP-TOOL-010"],
  "awaiting.confirmation": ["AAEP-CONF-022", "AAEP-CONF-027"],
  "output.streaming": ["AAEP-STRM-002", "AAEP-STRM-004"],
};
/** Rules about sequences that any event can show. */
const ofAnySequence = ["AAEP-LIFE-001", "AAEP-ENV-012", "AAEP-ENV-017", "AAEP-ENV-026"];
/** The rule that each event is valid under its schema: every schema fault breaks it. */
const ofSchemas = "AAEP-ENV-010";
/** The rule that a message is UTF-8. */
const ofBytes = "AAEP-ENV-001";
/** Rules about the text of an event: repeated names, lone surrogates, and the digits of numbers. */
const ofTexts = textCheckers.map(({ rule }) => rule);
/** Rules about single events, which those events can show. */
const ofEvents = [
  ofSchemas,
  ...ofTexts,
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
const ofTypes = {
  "awaiting.confirmation": ["AAEP-CONF-006", "AAEP-CONF-008", "AAEP-CONF-014"],
  "awaiting.clarification": ["AAEP-CLAR-002", "AAEP-CLAR-003"],
  "session.errored": ["AAEP-LIFE-011"],
  "tool.invoked": ["AAEP-TOOL-014"],
};

/** Played sessions, checked against the rules on recordings. */
export const recordedScenarios: readonly Scenario[] = [
  // Events come first: a wrong timestamp is found before the sequence that it disorders.
  toProducer({
    name: "recorded-events",
    says: "each event follows its rules",
    rules: [...ofEvents, ...Object.values(ofTypes).flat()],
    async play(context) {
      const line = await openLine(context);
      for (const decision of [undefined, "reject"]) await playRecorded(context, line, decision);
      await clarifyQuestion(context, line);
      await endInError(context, line);
      const events = line.inbox.arrivals.filter(({ message }) => message.event_id !== undefined);
      const found = new Map<string, Violation>();
      if (line.inbox.isMiswritten())
        found.set(ofBytes, { rule: ofBytes, level: "MUST", at: "", why: "the stream has bytes that are not UTF-8" });
      for (const { message, text } of events)
        for (const violation of [...(await ownViolations(context, message)), ...textFaultsIn(text)]) {
          const rule = violation.site === undefined ? violation.rule : ofSchemas;
          const isGraver = found.get(rule ?? "")?.level !== "MUST";
          if (rule !== undefined && isGraver)
            found.set(rule, { ...violation, rule, why: `${message.type} ${message.event_id}: ${violation.why}` });
        }
      const breach = (rule: string): Violation | undefined => {
        const each = found.get(rule);
        return each && { ...each, why: `${each.at || "the event"}: ${each.why}` };
      };
      tellBreaches(context, ofEvents, breach);
      const names = new Set(events.map(({ message }) => nameOf(message)));
      for (const [name, rules] of Object.entries(ofTypes))
        tellBreaches(context, rules, breach, names.has(name) ? "" : name);
    },
  }),
  toProducer({
    name: "recorded-sessions",
    says: "a plain session, an accepted one, a rejected one and one with a long output follow the rules on sequences",
    rules: [...ofAnySequence, ...Object.values(ofSequences).flat()],
    waits: 6000,
    async play(context) {
      const line = await openAll(context);
      const ends = new Map<string, JsonObject | undefined>();
      const note = ({ id }: Story, end: JsonObject | undefined): void => void ends.set(id, end);
      const asked = new Map<string, AskedSession>();
      for (const decision of [undefined, "accept", "reject", undefined]) {
        const question = await playRecorded(context, line, decision, note);
        if (question !== undefined) asked.set(String(decision), question);
      }
      await streamOutput(context, line, note);
      await awaitFence(line, context);
      const isPart = [...ends.values()].includes(undefined);
      const breach = await breachesIn(context, line, { isOwn: (id) => ends.has(id), isPart });
      if (breach === undefined) throw new TargetSkip("some frames contain no message, so that something is missing");
      tellBreaches(context, ofAnySequence, breach);
      const own = line.inbox.arrivals.filter(({ message }) => ends.has(String(message.session_id)));
      const names = new Set(own.map(({ message }) => nameOf(message)));
      for (const [name, rules] of Object.entries(ofSequences)) {
        const isOpen = (rule: string): boolean => rule === ofEnds && isPart && breach(rule) === undefined;
        tellBreaches(
          context,
          rules.filter((rule) => !isOpen(rule)),
          breach,
          names.has(name) ? "" : name,
        );
        if (rules.some(isOpen)) context.skip(ofEnds, "a session has not ended in time, and may still run");
      }
      await judgeActs(context, asked);
    },
  }),
];

/** The real actions after a rejection and after an acceptance, which events need not show. */
async function judgeActs(context: ScenarioContext, asked: ReadonlyMap<string, AskedSession>): Promise<void> {
  const [accepted, refused] = [asked.get("accept"), asked.get("reject")];
  const rules = ["AAEP-CONF-022", "AAEP-CONF-027"];
  if (accepted === undefined || refused === undefined) {
    for (const rule of rules) context.skip(rule, "no question came that could be accepted, or none to be rejected");
    return;
  }
  const { isEarly, blind } = await conductOf(context);
  for (const rule of rules)
    if (isEarly) context.skip(rule, "it acts before an answer is possible");
    else if (blind !== undefined) context.skip(rule, blind.why, blind.cause);
  if (isEarly) return;
  const why = "the action was carried out after a rejection";
  await mustNotBeDone(refused, { rule: "AAEP-CONF-022", why });
  for (const [tool, times] of await doneIn(accepted)) {
    const twice = `${tool} was run ${times} times after one acceptance`;
    context.expect("AAEP-CONF-027", times === 1, twice, shownBy(accepted));
  }
}

/** The violations of an event. The schema of its type judges a core event in either spelling; the envelope judges any other. */
async function ownViolations(context: ScenarioContext, event: JsonObject): Promise<readonly Violation[]> {
  const core = eventNames.find((name) => name === `agent.${nameOf(event)}`);
  return core === undefined
    ? context.violations("envelope", event)
    : context.violations(core, { ...event, type: `aaep:${core}` });
}

/** Faults that only the text of an event shows: parsing drops the last digits of a number. */
function textFaultsIn(source: string): Violation[] {
  return textCheckers.flatMap(({ rule, read }) =>
    [...(read?.(Buffer.from(source), "envelope") ?? [])].map((breach) => ({ rule, level: "MUST", ...breach })),
  );
}

/** Lets a session end with a silent tool, which some producers end with an error. Only if that needs no time. */
async function endInError(context: ScenarioContext, line: Line): Promise<void> {
  if (!context.has("clock")) return;
  try {
    const story = await beginSession(line, context, "hanging");
    await follow(story, (event) => nameOf(event) === "tool.invoked");
    await context.pass(600_000);
    await awaitEnd(story);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Requests a clarification, if a task has one, and answers it. */
async function clarifyQuestion(context: ScenarioContext, line: Line): Promise<void> {
  try {
    const asked = await askedOf(line, context, "clarification", { timeout_seconds: 3 });
    const { choices } = asked.question;
    const [first] = Array.isArray(choices) ? choices.filter(isObject) : [];
    await answer(line, await clarification(asked, first?.value ?? "Friday"));
    await awaitEnd(asked);
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Records a session, and its end if that came. */
type NoteStory = (story: Story, end: JsonObject | undefined) => void;

/** Lets a session write a long output, if a task has one. */
async function streamOutput(context: ScenarioContext, line: Line, note: NoteStory): Promise<void> {
  try {
    const story = await beginSession(line, context, "stream");
    note(story, await awaitEnd(story));
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
  }
}

/** Runs a session to its end, with this decision if it asks. */
async function playRecorded(
  context: ScenarioContext,
  line: Line,
  decision: string | undefined,
  note: NoteStory = () => {},
): Promise<AskedSession | undefined> {
  const story = await beginSession(line, context, decision === undefined ? "plain" : "irreversible");
  const question = decision === undefined ? undefined : await questionOf(story);
  let asked: AskedSession | undefined;
  if (question !== undefined) {
    asked = { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
    await answer(line, await confirmation(asked, decision ?? "reject"));
  }
  note(story, await awaitEnd(story));
  return asked;
}

/** Reports the breaches of each rule; skips if no event came that would show one. */
function tellBreaches(
  context: ScenarioContext,
  rules: readonly string[],
  breach: (rule: string) => SequenceBreach | undefined,
  missing = "",
): void {
  for (const rule of rules) {
    const each = breach(rule);
    if (each?.isExcused) context.skip(rule, `${each.why}, unless it belongs to an event that the terms exclude`);
    else if (each !== undefined) context.expect(rule, false, each.why, each.level);
    else if (missing === "") context.expect(rule, true, "");
    else context.skip(rule, `no ${missing} came`);
  }
}
