import { type Breach, type Checker, isObject } from "../../../../../schemas/index.ts";
import type { EventName } from "../event.ts";
import { courseOf } from "./consent.ts";
import type { Event } from "./event.ts";
import { onRecording, onSessions, type Recording, type SubscriptionStream } from "./recording.ts";
import type { TraceSession } from "./sessions.ts";

/** The states of a session in their order, and its progress. */
export const stateCheckers: readonly Checker[] = [
  onSessions("AAEP-STATE-002", function* (session, { keepsOut }) {
    if (!session.begun || keepsOut("agent.state.changed")) return;
    for (const [first] of changesByAgent(session)) {
      const { from_state: from } = first?.message ?? {};
      if (first === undefined || first.era !== session.events[0].era || typeof from !== "string") continue;
      if (from !== "idle") yield { at: `${first.at}/from_state`, why: `is ${from}, but a session begins idle` };
    }
  }),
  onRecording("AAEP-STATE-003", findBrokenChains),
  onSessions("AAEP-STATE-004", findUnannounced),
  onSessions("AAEP-PROG-003", findTooFine),
];

/** The state changes of each agent. */
function changesByAgent({ events }: TraceSession): Event[][] {
  const agents = new Map<string, Event[]>();
  for (const event of events) {
    if (event.name !== "agent.state.changed") continue;
    const own = agents.get(event.agent);
    if (own === undefined) agents.set(event.agent, [event]);
    else own.push(event);
  }
  return [...agents.values()];
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
const afterAnswer = ["thinking", "deciding", "calling_tool"];

/** The position of an agent in the order of its states. */
interface StateLink {
  phase: string;
  era: number;
  /** The states that later events imply. */
  implied: Set<string>;
  /** Whether a question may have an answer that was not recorded. */
  isOpen: boolean;
}

function* findBrokenChains(recording: Recording): Generator<Breach> {
  const answers = new Map<string, number[]>();
  for (const { session, index } of courseOf(recording).settled) {
    const known = answers.get(session.id);
    if (known === undefined) answers.set(session.id, [index]);
    else known.push(index);
  }
  for (const { sessions, keepsOut } of recording.streams) {
    if (keepsOut("agent.state.changed")) continue;
    for (const session of sessions) yield* findBrokenChain(session, answers.get(session.id) ?? []);
  }
}

function addImplied(links: Iterable<StateLink>, phases: readonly string[]): void {
  for (const link of links) for (const phase of phases) link.implied.add(phase);
}

function* findBrokenChain({ events }: TraceSession, answers: readonly number[]): Generator<Breach> {
  const links = new Map<string, StateLink>();
  let next = 0;
  for (const { name, agent, message, at, index, era } of events) {
    for (; next < answers.length && (answers[next] as number) <= index; next += 1)
      addImplied(links.values(), afterAnswer);
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

function* findUnannounced(session: TraceSession, { keepsOut }: SubscriptionStream): Generator<Breach> {
  const { events, begun } = session;
  if (keepsOut("agent.state.changed") || !begun || events[0].era !== events.at(-1)?.era) return;
  const named = new Set(
    changesByAgent(session).flatMap((own) => own.flatMap(({ message }) => [message.from_state, message.to_state])),
  );
  for (const [name, phase] of [
    ["agent.tool.invoked", "calling_tool"],
    ["agent.output.streaming", "writing_output"],
  ]) {
    const first = events.find((event) => event.name === name);
    if (first !== undefined && !named.has(phase as string))
      yield { at: first.at, why: `comes in a session that never changes to ${phase}` };
  }
}

/** More updates than this, in steps below two percent, are too many. */
const maxStates = 40;

function* findTooFine({ events }: TraceSession): Generator<Breach> {
  let run = 0;
  let last: number | undefined;
  for (const { name, message, at } of events) {
    const percent =
      name === "agent.progress.updated" && isObject(message.progress) ? message.progress.percent : undefined;
    if (typeof percent !== "number") continue;
    run = last !== undefined && Math.abs(percent - last) < 2 ? run + 1 : 1;
    last = percent;
    if (run === maxStates + 1) yield { at, why: `is update ${run} in steps of less than 2 %` };
  }
}
