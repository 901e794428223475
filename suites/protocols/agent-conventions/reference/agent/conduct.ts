import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";

/** Why work on a task cannot continue. */
export type WorkFault = "transient" | "missing" | "invariant" | "late";

export interface CueAck {
  after?: number;
  ack: JsonObject;
}

/** Decisions that a rule requires or leaves open. A variant makes one of them wrongly, and a choice makes one differently. */
export interface AgentConduct {
  /** Fills in the missing members of a message. */
  filled(message: JsonObject, now: string): JsonObject;
  /** Whether a message is judged as it was given, before missing members are filled in. */
  judgesFirst(): boolean;
  /** Whether a message is judged before it is sent. */
  checksOwn(message: JsonObject): boolean;
  /** Whether a message of a type to a recipient goes to the hub. */
  usesHub(recipient: string, type: string): boolean;
  /** Changes a message on its way to the hub. */
  finishMessage(message: JsonObject): JsonObject;
  isForMe(recipient: string, id: string, type: string): boolean;
  /** Whether an invalid message is ignored; `hasCome` if it has arrived before. */
  holdsBack(hasCome: boolean): boolean;
  /** How often the sender of an invalid message is informed. */
  answers(isEscalation: boolean): number;
  /** The members of a report on an invalid message that precede the base members. */
  report(report: JsonObject): JsonObject;
  /** Whether a valid message of this type says that a task is complete. */
  completes(specific: string): boolean;
  /** Milliseconds of its clock between a stop and the end of the work. */
  haltsAfter(): number;
  /** Whether a stop also ends scheduled work. */
  dropsScheduled(): boolean;
  /** Its report on a task that a stop has ended; undefined for none. */
  reportAfterStop(): JsonObject | undefined;
  /** Whether it reports cues as complete that a stop has ended. */
  completesStopped(): boolean;
  /** How it handles a message about an unknown task, after this many earlier messages about that task. */
  unknownTask(before: number): "refused" | "escalated" | "dropped" | "handled";
  /** Whether a cue for these agents includes this one. A cue without a list includes all agents. */
  takesPart(targets: readonly string[] | undefined, id: string): boolean;
  /** The answer to a handled message that does not belong to a cue; undefined for none. */
  acknowledges(type: string): JsonObject | undefined;
  /** The further recipients of a report on an invalid message. */
  copiesTo(): readonly string[];
  /** Whether the sender of a message for another agent is informed. */
  complainsOfMisaddressed(): boolean;
  /** Whether a repeated message is handled again. */
  handlesAgain(): boolean;
  /** Milliseconds until it handles a message, and until the hub has its messages. Each is measured by its own clock, or by a clock that cannot be moved. */
  dealsAfter(): number;
  reaches(): { after: number; isReal: boolean };
  /** How often the hub gets each message. */
  copies(): number;
  /** Its further messages about a task when the work begins, fails or is stopped. */
  says(event: "begins" | "fails" | "stops", task: string): readonly JsonObject[];
  /** The recipient of its reports on an assigned task. */
  reportsProgressTo(assigner: string): string;
  /** Whether the agent retries after such a fault before it reports it. */
  retries(fault: WorkFault): boolean;
  /** The members of a report on a fault that precede the base members. */
  faultReport(report: JsonObject, fault: WorkFault): JsonObject;
  /** Whether the work on a resource in conflict begins before a ruling. */
  beginsInConflict(): boolean;
  /** The recipient of a handoff. */
  handsTo(next: string): string;
  /** Whether work that the agent resumes by itself is reported. */
  reportsResumed(): boolean;
  /** Changes values of a YAML text as some loaders do. */
  asLoaded(message: JsonObject): JsonObject;
  quotesTimes(): boolean;
  /** The answers to a message of a cue, each with its delay in milliseconds. */
  cueAcks(phase: string, cue: string): readonly CueAck[];
  /** The time in milliseconds at which work on a cue begins. */
  beginsAt(details: JsonObject, now: number): number;
  /** Whether a go from this sender is followed. */
  goesFor(sender: string): boolean;
  /** The dependencies that a task waits for. */
  waitsFor(dependencies: readonly string[]): readonly string[];
  /** Whether a completed task is the one that another task waits for. */
  meets(need: string, complete: string): boolean;
  /** Whether tasks are given up if a task that they wait for has this status. */
  givesUpAt(status: string): boolean;
  /** The task that begins with a handoff. */
  takesOver(task: string): string;
  /** The task that a handoff names, and whether the agent continues to work on it. */
  handsOverAs(task: string): string;
  worksOnAfterHandoff(): boolean;
  /** Whether a message of this type lets the agent continue after a fault. */
  resumesUpon(type: string): boolean;
  /** Whether a stop with these details, to this recipient, from this sender, ends anything. */
  respects(details: JsonObject, recipient: string, sender: string): boolean;
  /** Whether a stop also ends tasks that wait for others, or the next attempt after a fault. */
  stopsWaiting(subject: "task" | "attempt"): boolean;
  /** How many of `count` tasks and cues a stop does not end, counted from the first. */
  spared(count: number): number;
  /** The facts that are handed over; the task may have been handed over before. */
  handedOver(contract: readonly string[], facts: JsonObject, isAgain: boolean): JsonObject;
  /** Whether such a fault ends the work. */
  haltsOn(fault: WorkFault): boolean;
  /** Milliseconds until the next attempt after the given number of attempts; undefined if there is no further one. */
  pauseAfter(attempts: number): number | undefined;
  /** The timestamp that is reported for an attempt. */
  reportedTime(time: string): string;
  /** The recipient of the report of a problem during work for an assigner. */
  reportsTo(assigner: string): string;
  /** Milliseconds after an escalation until the agent resumes work by itself; undefined for never. */
  resumesAfter(): number | undefined;
  /** Whether it then tries only once. */
  resumesOnce(): boolean;
  /** Whether it also resumes when another task begins. */
  resumesWithOthers(): boolean;
  /** Whether a conflict is escalated, and the ruling followed. */
  escalates(resolution: string): boolean;
  yields(resolution: string): boolean;
}

/** The decisions that the rules demand. */
export const rightConduct: AgentConduct = {
  filled: (message, now) => ({ message_id: randomUUID(), timestamp: now, ...message }),
  judgesFirst: () => false,
  checksOwn: () => true,
  usesHub: () => true,
  finishMessage: (message) => message,
  isForMe: (recipient, id) => recipient === id || recipient === "broadcast",
  holdsBack: () => true,
  answers: (isEscalation) => (isEscalation ? 0 : 1),
  report: (report) => report,
  completes: (specific) => specific === "complete",
  haltsAfter: () => 0,
  dropsScheduled: () => true,
  reportAfterStop: () => undefined,
  completesStopped: () => false,
  unknownTask: () => "refused",
  takesPart: (targets, id) => targets === undefined || targets.includes(id),
  acknowledges: () => undefined,
  copiesTo: () => [],
  complainsOfMisaddressed: () => false,
  handlesAgain: () => true,
  dealsAfter: () => 0,
  reaches: () => ({ after: 0, isReal: false }),
  copies: () => 1,
  says: () => [],
  reportsProgressTo: (assigner) => assigner,
  retries: (fault) => fault === "transient",
  faultReport: (report) => report,
  beginsInConflict: () => true,
  handsTo: (next) => next,
  reportsResumed: () => true,
  asLoaded: (message) => message,
  quotesTimes: () => true,
  cueAcks(phase, cue) {
    if (phase === "warning") return [{ ack: { message_type: "ack.understood", coordination_ack: { cue_id: cue } } }];
    if (phase !== "standby") return [];
    const coordination_ack = { cue_id: cue, ready_status: "ready", preparation_complete: true };
    return [{ ack: { message_type: "ack.understood", coordination_ack } }];
  },
  beginsAt: ({ execution_type: type, scheduled_time: time }, now) =>
    type === "scheduled" ? Date.parse(String(time)) : now,
  goesFor: (sender) => /^orchestrator(-.+)?$/.test(sender),
  waitsFor: (dependencies) => dependencies,
  meets: (need, complete) => need === complete,
  givesUpAt: () => false,
  takesOver: (task) => task,
  handsOverAs: (task) => task,
  worksOnAfterHandoff: () => false,
  resumesUpon: () => false,
  respects: () => true,
  stopsWaiting: () => true,
  spared: () => 0,
  handedOver: (_, facts) => facts,
  haltsOn: () => true,
  pauseAfter: (attempts) => (attempts < 3 ? 1000 * 2 ** (attempts - 1) : undefined),
  reportedTime: (time) => time,
  reportsTo: (assigner) => assigner,
  resumesAfter: () => undefined,
  resumesOnce: () => false,
  resumesWithOthers: () => false,
  escalates: () => true,
  yields: () => true,
};
