import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";

/** The reason why work on a task cannot continue. */
export type WorkFault = "transient" | "missing" | "invariant" | "late";

/** An acknowledgment, sent after a delay in milliseconds. */
export interface CueAck {
  after?: number;
  ack: JsonObject;
}

/** The decisions of an agent. A variant makes one of them wrongly, and a choice makes one differently, as the rules permit. */
export interface AgentConduct {
  /** Fills in the missing members of a message. */
  fillIn(message: JsonObject, now: string): JsonObject;
  /** Whether a message is validated before its missing members are filled in. */
  judgesBeforeFilling(): boolean;
  /** Whether a message is validated before it is sent. */
  checksOutgoing(message: JsonObject): boolean;
  /** Whether a message of a type to a recipient is sent through the hub. */
  usesHub(recipient: string, type: string): boolean;
  /** Changes a message on its way to the hub. */
  finishMessage(message: JsonObject): JsonObject;
  /** Whether the agent handles messages to this recipient. */
  isForMe(recipient: string, id: string, type: string): boolean;
  /** Whether an invalid message is not handled; `isRepeated` if it has arrived before. */
  ignoresInvalid(isRepeated: boolean): boolean;
  /** How often the sender of an invalid message is informed. */
  reportCount(isEscalation: boolean): number;
  /** Changes a report on an invalid message. */
  changeReport(report: JsonObject): JsonObject;
  /** Whether a task message of this kind means that the task is complete. */
  completesTask(specific: string): boolean;
  /** How long the work continues after a stop, in milliseconds of the agent's clock. */
  haltDelay(): number;
  /** Whether a stop also ends scheduled work. */
  cancelsScheduled(): boolean;
  /** The members of a report on a task that a stop has ended; undefined if there is no report. */
  reportAfterStop(): JsonObject | undefined;
  /** Whether the agent reports stopped cues as complete. */
  completesStoppedCues(): boolean;
  /** The reaction to a message about an unknown task, after this many earlier messages about that task. */
  reactToUnknownTask(earlierCount: number): "refused" | "escalated" | "dropped" | "handled";
  /** Whether a cue for these agents includes this one. A cue without a list includes all agents. */
  joinsCue(targets: readonly string[] | undefined, id: string): boolean;
  /** The acknowledgment of a handled message that is not about a cue; undefined if there is none. */
  acknowledgmentFor(type: string): JsonObject | undefined;
  /** Additional recipients of a report on an invalid message. */
  copyRecipients(): readonly string[];
  /** Whether the sender of a message for another agent is informed. */
  reportsMisaddressed(): boolean;
  /** Whether a repeated message is handled again. */
  handlesRepeats(): boolean;
  /** Milliseconds until the agent handles a message, by its own clock. */
  handlingDelay(): number;
  /** Milliseconds until the hub receives the agent's messages, by the agent's clock or in real time. */
  hubDelay(): { after: number; isReal: boolean };
  /** How many times the hub receives each message. */
  copyCount(): number;
  /** Additional messages about a task when its work begins, fails or is stopped. */
  furtherMessages(event: "begins" | "fails" | "stops", task: string): readonly JsonObject[];
  /** The recipient of progress reports on an assigned task. */
  progressRecipient(assigner: string): string;
  /** Whether the agent retries after such a fault, instead of reporting it immediately. */
  retries(fault: WorkFault): boolean;
  /** Changes a report on a fault. */
  changeFaultReport(report: JsonObject, fault: WorkFault): JsonObject;
  /** Whether the work on a resource in conflict begins before a ruling. */
  beginsInConflict(): boolean;
  /** The recipient of a handoff. */
  handoffRecipient(next: string): string;
  /** Whether the agent reports work that it resumes by itself. */
  reportsResumedWork(): boolean;
  /** Changes values of a message from YAML, as some loaders do. */
  changeLoadedMessage(message: JsonObject): JsonObject;
  /** Whether times are quoted in YAML. */
  quotesTimes(): boolean;
  /** The answers to a message of a cue, each with its delay in milliseconds. */
  cueAcks(phase: string, cue: string): readonly CueAck[];
  /** The time in milliseconds at which work on a cue begins. */
  startTime(details: JsonObject, now: number): number;
  /** Whether a go from this sender is followed. */
  followsGo(sender: string): boolean;
  /** The dependencies that a task waits for. */
  awaitedTasks(dependencies: readonly string[]): readonly string[];
  /** Whether the completed task satisfies a dependency with this name. */
  isAwaitedTask(need: string, complete: string): boolean;
  /** Whether a task is abandoned if one of its dependencies has this status. */
  abandonsUpon(status: string): boolean;
  /** The task that the agent begins when it receives a handoff. */
  taskTakenOver(task: string): string;
  /** The task that a handoff names. */
  taskHandedOver(task: string): string;
  /** Whether the agent continues to work on a task that it has handed over. */
  worksOnAfterHandoff(): boolean;
  /** Whether a message of this type makes the agent continue after a fault. */
  resumesUpon(type: string): boolean;
  /** Whether a stop with these details, to this recipient and from this sender, is obeyed. */
  respectsStop(details: JsonObject, recipient: string, sender: string): boolean;
  /** Whether a stop also ends tasks that wait for others, or the next attempt after a fault. */
  stopsWaiting(subject: "task" | "attempt"): boolean;
  /** How many of `count` tasks and cues a stop leaves running, the oldest first. */
  sparedCount(count: number): number;
  /** The facts that are handed over. `isAgain` if the task was handed over before. */
  factsToHandOver(contract: readonly string[], facts: JsonObject, isAgain: boolean): JsonObject;
  /** Whether such a fault ends the work. */
  endsWork(fault: WorkFault): boolean;
  /** Milliseconds until the next attempt, after this many attempts; undefined if there is none. */
  retryDelay(attempts: number): number | undefined;
  /** The timestamp that is reported for an attempt. */
  formatAttemptTime(time: string): string;
  /** The recipient of reports on faults, given the assigner of the task. */
  faultRecipient(assigner: string): string;
  /** Milliseconds from an escalation until the agent resumes work by itself; undefined if it does not. */
  resumeDelay(): number | undefined;
  /** Whether the agent makes only one attempt after it resumes by itself. */
  resumesOnce(): boolean;
  /** Whether the agent also resumes work when another task begins. */
  resumesWithOthers(): boolean;
  /** Whether a conflict with this resolution is escalated. */
  escalatesConflict(resolution: string): boolean;
  /** Whether the agent gives up a task if a conflict with this resolution is decided against it. */
  obeysRuling(resolution: string): boolean;
}

/** The decisions that the rules require. */
export const correctConduct: AgentConduct = {
  fillIn: (message, now) => ({ message_id: randomUUID(), timestamp: now, ...message }),
  judgesBeforeFilling: () => false,
  checksOutgoing: () => true,
  usesHub: () => true,
  finishMessage: (message) => message,
  isForMe: (recipient, id) => recipient === id || recipient === "broadcast",
  ignoresInvalid: () => true,
  reportCount: (isEscalation) => (isEscalation ? 0 : 1),
  changeReport: (report) => report,
  completesTask: (specific) => specific === "complete",
  haltDelay: () => 0,
  cancelsScheduled: () => true,
  reportAfterStop: () => undefined,
  completesStoppedCues: () => false,
  reactToUnknownTask: () => "refused",
  joinsCue: (targets, id) => targets === undefined || targets.includes(id),
  acknowledgmentFor: () => undefined,
  copyRecipients: () => [],
  reportsMisaddressed: () => false,
  handlesRepeats: () => true,
  handlingDelay: () => 0,
  hubDelay: () => ({ after: 0, isReal: false }),
  copyCount: () => 1,
  furtherMessages: () => [],
  progressRecipient: (assigner) => assigner,
  retries: (fault) => fault === "transient",
  changeFaultReport: (report) => report,
  beginsInConflict: () => true,
  handoffRecipient: (next) => next,
  reportsResumedWork: () => true,
  changeLoadedMessage: (message) => message,
  quotesTimes: () => true,
  cueAcks(phase, cue) {
    if (phase === "warning") return [{ ack: { message_type: "ack.understood", coordination_ack: { cue_id: cue } } }];
    if (phase !== "standby") return [];
    const coordination_ack = { cue_id: cue, ready_status: "ready", preparation_complete: true };
    return [{ ack: { message_type: "ack.understood", coordination_ack } }];
  },
  startTime: ({ execution_type: type, scheduled_time: time }, now) =>
    type === "scheduled" ? Date.parse(String(time)) : now,
  followsGo: (sender) => /^orchestrator(-.+)?$/.test(sender),
  awaitedTasks: (dependencies) => dependencies,
  isAwaitedTask: (need, complete) => need === complete,
  abandonsUpon: () => false,
  taskTakenOver: (task) => task,
  taskHandedOver: (task) => task,
  worksOnAfterHandoff: () => false,
  resumesUpon: () => false,
  respectsStop: () => true,
  stopsWaiting: () => true,
  sparedCount: () => 0,
  factsToHandOver: (_, facts) => facts,
  endsWork: () => true,
  retryDelay: (attempts) => (attempts < 3 ? 1000 * 2 ** (attempts - 1) : undefined),
  formatAttemptTime: (time) => time,
  faultRecipient: (assigner) => assigner,
  resumeDelay: () => undefined,
  resumesOnce: () => false,
  resumesWithOthers: () => false,
  escalatesConflict: () => true,
  obeysRuling: () => true,
};
