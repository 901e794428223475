import { type Breach, type Checker, isObject } from "../../../../../schemas/index.ts";
import type { EventName } from "../event.ts";
import { consentCourseOf } from "./consent.ts";
import type { Event } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** Checks of the order of a session's states, and of its progress. */
export const stateCheckers: readonly Checker[] = [
  onSessions("AAEP-STATE-002", function* (session, { excludes }) {
    if (!session.hasBeginning || excludes("agent.state.changed")) return;
    for (const [firstChange] of changesByAgent(session)) {
      const { from_state: from } = firstChange?.message ?? {};
      if (firstChange === undefined || firstChange.era !== session.events[0].era || typeof from !== "string") continue;
      if (from !== "idle")
        yield { at: `${firstChange.at}/from_state`, why: `is ${from}, but a session begins in idle` };
    }
  }),
  onRecording("AAEP-STATE-003", findBrokenChains),
  onSessions("AAEP-STATE-004", findUnannouncedStates),
  onSessions("AAEP-PROG-003", findTooFrequentProgress),
];

/** Groups state changes by agent. */
function changesByAgent({ events }: TraceSession): Event[][] {
  const changeLists = new Map<string, Event[]>();
  for (const event of events) {
    if (event.name !== "agent.state.changed") continue;
    const changes = changeLists.get(event.agent);
    if (changes === undefined) changeLists.set(event.agent, [event]);
    else changes.push(event);
  }
  return [...changeLists.values()];
}

/** The states that other events imply. */
const impliedStates: Partial<Record<EventName, readonly string[]>> = {
  "agent.tool.invoked": ["calling_tool"],
  "agent.tool.completed": ["thinking", "deciding"],
  "agent.output.streaming": ["writing_output"],
  "agent.awaiting.confirmation": ["awaiting_input"],
  "agent.awaiting.clarification": ["awaiting_input"],
  "agent.handoff.requested": ["handing_off"],
};
const statesAfterAnswer = ["thinking", "deciding", "calling_tool"];

/** The state of an agent after its last change. */
interface StateLink {
  phase: string;
  era: number;
  /** The states that later events imply. */
  implied: Set<string>;
  /** Whether a question is open. Its answer may not have been recorded. */
  isOpen: boolean;
}

function* findBrokenChains(recording: Recording): Generator<Breach> {
  const answerIndexes = new Map<string, number[]>();
  for (const { session, index } of consentCourseOf(recording).settledQuestions) {
    const indexes = answerIndexes.get(session.id);
    if (indexes === undefined) answerIndexes.set(session.id, [index]);
    else indexes.push(index);
  }
  for (const { sessions, excludes } of recording.streams) {
    if (excludes("agent.state.changed")) continue;
    for (const session of sessions) yield* findBrokenChain(session, answerIndexes.get(session.id) ?? []);
  }
}

function addImplied(links: Iterable<StateLink>, phases: readonly string[]): void {
  for (const link of links) for (const phase of phases) link.implied.add(phase);
}

function* findBrokenChain({ events }: TraceSession, answerIndexes: readonly number[]): Generator<Breach> {
  const links = new Map<string, StateLink>();
  let nextAnswer = 0;
  for (const { name, agent, message, at, index, era } of events) {
    for (; nextAnswer < answerIndexes.length && (answerIndexes[nextAnswer] as number) <= index; nextAnswer += 1)
      addImplied(links.values(), statesAfterAnswer);
    const link = links.get(agent);
    if (name !== "agent.state.changed") {
      addImplied(link === undefined ? [] : [link], impliedStates[name ?? "agent.session.started"] ?? []);
      if (link !== undefined && name?.startsWith("agent.awaiting.") === true) link.isOpen = true;
      continue;
    }
    const { from_state: from, to_state: to } = message;
    if (typeof from !== "string" || typeof to !== "string") continue;
    links.set(agent, {
      phase: to,
      era,
      implied: new Set(),
      isOpen: link?.isOpen === true && to === "awaiting_input",
    });
    if (link === undefined || link.era !== era || from === link.phase || link.implied.has(from)) continue;
    const why = `is ${from}, although the last change led to ${link.phase}`;
    const isUnsure = link.implied.size > 0 || link.isOpen;
    yield { at: `${at}/from_state`, why, ...(isUnsure ? { level: "SHOULD" } : {}) };
  }
}

function* findUnannouncedStates(session: TraceSession, { excludes }: SubscriptionStream): Generator<Breach> {
  const { events, hasBeginning } = session;
  if (excludes("agent.state.changed") || !hasBeginning || events[0].era !== events.at(-1)?.era) return;
  const namedPhases = new Set(
    changesByAgent(session).flatMap((changes) =>
      changes.flatMap(({ message }) => [message.from_state, message.to_state]),
    ),
  );
  for (const [name, phase] of [
    ["agent.tool.invoked", "calling_tool"],
    ["agent.output.streaming", "writing_output"],
  ]) {
    const firstEvent = events.find((event) => event.name === name);
    if (firstEvent !== undefined && !namedPhases.has(phase as string))
      yield { at: firstEvent.at, why: `is in a session whose state never changes to ${phase}` };
  }
}

/** The maximum number of successive updates in steps below two percent. */
const maxFineUpdates = 40;

function* findTooFrequentProgress({ events }: TraceSession): Generator<Breach> {
  let fineUpdates = 0;
  let lastPercent: number | undefined;
  for (const { name, message, at } of events) {
    const percent =
      name === "agent.progress.updated" && isObject(message.progress) ? message.progress.percent : undefined;
    if (typeof percent !== "number") continue;
    fineUpdates = lastPercent !== undefined && Math.abs(percent - lastPercent) < 2 ? fineUpdates + 1 : 1;
    lastPercent = percent;
    if (fineUpdates === maxFineUpdates + 1)
      yield { at, why: `is successive update ${fineUpdates} in steps of less than 2 %` };
  }
}
