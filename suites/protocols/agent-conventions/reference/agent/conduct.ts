import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";

/** Why work on a task cannot go on. */
export type Fault = "transient" | "missing" | "invariant" | "late";

/** What a rule binds. A variant decides one of them wrongly. */
export interface Conduct {
  /** A message with what it lacks. */
  filled(message: JsonObject, now: string): JsonObject;
  /** Whether a message that it is asked to send is judged as it is given, before anything is filled in. */
  judgesFirst(): boolean;
  /** Whether a message is judged before it is sent. */
  checksOwn(message: JsonObject): boolean;
  /** Whether a message of a type to somebody goes to the hub. */
  usesHub(recipient: string, type: string): boolean;
  /** What of a message comes to the hub. */
  sent(message: JsonObject): JsonObject;
  isForMe(recipient: string, id: string): boolean;
  /** Whether an invalid message is kept from being handled; the same may have come before. */
  holdsBack(hasCome: boolean): boolean;
  /** How often the sender of an invalid message is told. */
  answers(isEscalation: boolean): number;
  /** The report on an invalid message, ahead of its base members. */
  report(report: JsonObject): JsonObject;
  /** Whether such a message about a task says that it is complete. */
  completes(specific: string): boolean;
  /** What it says of a task that a stop has ended; undefined for nothing. */
  stopped(): JsonObject | undefined;
  /** Whether a message about an unknown task is refused, which so many were about before. */
  refusesUnknownTask(before: number): boolean;
  /** Makes values of a YAML text what they are taken for. */
  loaded(message: JsonObject): JsonObject;
  quotesTimes(): boolean;
  /** What is answered to a message of a cue; undefined for nothing. */
  cueAck(phase: string, cue: string): JsonObject | undefined;
  /** Milliseconds at which work on a cue begins. */
  beginsAt(details: JsonObject, now: number): number;
  /** Whether a go from somebody is followed. */
  goesFor(sender: string): boolean;
  /** What of the tasks that a task depends on is waited for. */
  waitsFor(dependencies: readonly string[]): readonly string[];
  /** How many of so many tasks and cues a stop leaves alone, the first ones. */
  spared(count: number): number;
  /** What is handed over, of what is known; the task may have been handed over before. */
  handedOver(contract: readonly string[], facts: JsonObject, isAgain: boolean): JsonObject;
  /** Whether such a fault ends the work. */
  haltsOn(fault: Fault): boolean;
  /** Milliseconds until the next attempt after so many; undefined for no other. */
  pauseAfter(attempts: number): number | undefined;
  /** To whom a problem is reported that came up in work for somebody. */
  reportsTo(assigner: string): string;
  /** Milliseconds after which work goes on by itself after an escalation; undefined for never. */
  resumesAfter(): number | undefined;
  /** Whether it goes on as well when another task begins. */
  resumesWithOthers(): boolean;
  /** Whether a conflict is escalated, and the ruling on it abided by. */
  escalates(resolution: string): boolean;
  yields(resolution: string): boolean;
}

/** What the rules ask for. */
export const right: Conduct = {
  filled: (message, now) => ({ message_id: randomUUID(), timestamp: now, ...message }),
  judgesFirst: () => false,
  checksOwn: () => true,
  usesHub: () => true,
  sent: (message) => message,
  isForMe: (recipient, id) => recipient === id || recipient === "broadcast",
  holdsBack: () => true,
  answers: (isEscalation) => (isEscalation ? 0 : 1),
  report: (report) => report,
  completes: (specific) => specific === "complete",
  stopped: () => undefined,
  refusesUnknownTask: () => true,
  loaded: (message) => message,
  quotesTimes: () => true,
  cueAck(phase, cue) {
    if (phase === "warning") return { message_type: "ack.understood", coordination_ack: { cue_id: cue } };
    if (phase !== "standby") return undefined;
    const coordination_ack = { cue_id: cue, ready_status: "ready", preparation_complete: true };
    return { message_type: "ack.understood", coordination_ack };
  },
  beginsAt: ({ execution_type: type, scheduled_time: time }, now) =>
    type === "scheduled" ? Date.parse(String(time)) : now,
  goesFor: (sender) => /^orchestrator(-.+)?$/.test(sender),
  waitsFor: (dependencies) => dependencies,
  spared: () => 0,
  handedOver: (_, facts) => facts,
  haltsOn: () => true,
  pauseAfter: (attempts) => (attempts < 3 ? 1000 * 2 ** (attempts - 1) : undefined),
  reportsTo: (assigner) => assigner,
  resumesAfter: () => undefined,
  resumesWithOthers: () => false,
  escalates: () => true,
  yields: () => true,
};
