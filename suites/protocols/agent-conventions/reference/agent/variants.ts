import type { JsonObject } from "../../../../../schemas/index.ts";
import { breaks, type PartyMistake } from "../party-mistakes.ts";
import type { AgentConduct } from "./conduct.ts";

function withoutMember(message: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([member]) => member !== name));
}

/** Hands over the facts of the previous handoff. */
function handOverOldFacts(): Partial<AgentConduct> {
  let previousFacts: JsonObject | undefined;
  return {
    factsToHandOver(_, facts) {
      const handedOver = previousFacts ?? facts;
      previousFacts = facts;
      return handedOver;
    },
  };
}

/** Agents that each break one rule. */
export const agentVariants: readonly PartyMistake<AgentConduct>[] = [
  ...breaks<AgentConduct>("CONV-BASE-013", {
    "": [
      "converts every string that looks like a time",
      { changeLoadedMessage: (message) => ({ ...message, timestamp: Date.parse(String(message.timestamp)) }) },
    ],
    bare: ["does not quote times in YAML", { quotesTimes: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-CONF-002", {
    "": ["does not obey a ruling", { obeysRuling: (resolution) => resolution !== "orchestrator-arbitration" }],
    silent: ["does not escalate a conflict", { escalatesConflict: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-CONF-003", {
    "": [
      "continues to work although the other agent has a higher priority",
      { obeysRuling: (resolution) => resolution !== "priority-based" },
    ],
    later: [
      "continues to work although the other agent was first",
      { obeysRuling: (resolution) => resolution !== "first-come-first-served" },
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-003", {
    "": [
      "does not report its readiness",
      (correctConduct) => ({
        cueAcks: (phase, cue) => (phase === "warning" ? correctConduct.cueAcks(phase, cue) : []),
      }),
    ],
    silent: [
      "does not acknowledge a warning",
      (correctConduct) => ({
        cueAcks: (phase, cue) => (phase === "warning" ? [] : correctConduct.cueAcks(phase, cue)),
      }),
    ],
    once: [
      "acknowledges the warning of only one cue",
      (correctConduct) => {
        let firstCue: string | undefined;
        return {
          cueAcks(phase, cue) {
            firstCue ??= cue;
            return phase === "warning" && cue !== firstCue ? [] : correctConduct.cueAcks(phase, cue);
          },
        };
      },
    ],
    late: [
      "acknowledges a warning after twelve seconds",
      (correctConduct) => ({
        cueAcks: (phase, cue) =>
          correctConduct
            .cueAcks(phase, cue)
            .map((cueAck) => (phase === "warning" ? { ...cueAck, after: 12_000 } : cueAck)),
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-004", {
    others: ["follows a cue that names other agents", { joinsCue: () => true }],
    beginning: [
      "follows a cue for an agent with an id that starts with its own",
      { joinsCue: (targets, id) => targets === undefined || targets.some((target) => target.startsWith(id)) },
    ],
    "": [
      "waits a minute after go",
      (correctConduct) => ({ startTime: (details, now) => correctConduct.startTime(details, now) + 60_000 }),
    ],
    early: ["ignores the scheduled time", { startTime: (_, now) => now }],
    offset: [
      "ignores the offset of the scheduled time",
      (correctConduct) => ({
        startTime: (details, now) => {
          const scheduled_time = String(details.scheduled_time).replace(/[+-]\d\d:\d\d$/, "Z");
          return correctConduct.startTime({ ...details, scheduled_time }, now);
        },
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-005", {
    "": ["follows a go from any sender", { followsGo: () => true }],
  }),
  ...breaks<AgentConduct>("CONV-CUE-006", {
    "": ["continues to work after a stop", { sparedCount: (count) => count }],
    late: ["continues to work for 2.5 s after a stop", { haltDelay: () => 2500 }],
    scheduled: ["begins scheduled work although it was stopped before", { cancelsScheduled: () => false }],
    broadcast: [
      "continues after a stop that is sent to all",
      { respectsStop: (_, recipient) => recipient !== "broadcast" },
    ],
    graceful: ["continues to work after a graceful stop", { respectsStop: ({ urgency }) => urgency !== "graceful" }],
    complete: ["reports stopped work as complete", { reportAfterStop: () => ({ message_type: "task.complete" }) }],
    done: ["reports a stopped cue as complete", { completesStoppedCues: () => true }],
    update: [
      "reports progress when it is stopped",
      {
        reportAfterStop: () => ({
          message_type: "task.update",
          progress: { percent_complete: 40, status: "on_track" },
        }),
      },
    ],
    last: ["ends only its latest work on a stop", { sparedCount: (count) => count - 1 }],
    assigner: [
      "respects stops of only one orchestrator",
      { respectsStop: (_, __, sender) => sender === "orchestrator-main" },
    ],
    orchestrators: [
      "respects only stops of orchestrators",
      { respectsStop: (_, __, sender) => sender.startsWith("orchestrator") },
    ],
    waiting: ["begins a waiting task after a stop", { stopsWaiting: (subject) => subject !== "task" }],
    attempt: ["retries after a stop", { stopsWaiting: (subject) => subject !== "attempt" }],
  }),
  ...breaks<AgentConduct>("CONV-DEP-001", {
    "": ["begins a task regardless of its dependencies", { awaitedTasks: () => [] }],
    failed: [
      "begins a task after one of its dependencies has failed",
      { completesTask: (specific) => specific === "complete" || specific === "failed" },
    ],
    first: [
      "begins a task when its first dependency is complete",
      { awaitedTasks: (dependencies) => dependencies.slice(0, 1) },
    ],
    last: ["checks only the last of its dependencies", { awaitedTasks: (dependencies) => dependencies.slice(-1) }],
    update: ["begins a task after any message about one of its dependencies", { completesTask: () => true }],
    like: [
      "confuses a dependency with another subtask of the same task",
      { isAwaitedTask: (need, complete) => need.split(".")[0] === complete.split(".")[0] },
    ],
    blocked: [
      "gives up a task if one of its dependencies is blocked",
      { abandonsUpon: (status) => status === "blocked" },
    ],
  }),
  ...breaks<AgentConduct>("CONV-HAND-001", {
    "": [
      "hands over only the first fact",
      { factsToHandOver: (_, facts) => Object.fromEntries(Object.entries(facts).slice(0, 1)) },
    ],
    other: ["hands over the facts of the previous handoff", handOverOldFacts],
    "new-task": ["hands a task over under a different id", { taskHandedOver: (task) => `${task.split(".")[0]}9` }],
    again: [
      "omits the facts when it hands a task over again",
      { factsToHandOver: (_, facts, isAgain) => (isAgain ? {} : facts) },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-JID-001", {
    "": ["continues to work without a resource", { endsWork: (fault) => fault !== "missing" }],
    again: [
      "retries if an invariant is violated",
      (correctConduct) => ({ retries: (fault) => fault === "invariant" || correctConduct.retries(fault) }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-JID-003", {
    "": ["does not retry", { retryDelay: () => undefined }],
    hurried: ["retries without a pause", { retryDelay: (attempts) => (attempts < 3 ? 10 : undefined) }],
  }),
  ...breaks<AgentConduct>("CONV-JID-007", {
    "": ["continues by itself after half a minute", { resumeDelay: () => 30_000 }],
    quiet: [
      "continues by itself after a second, without a report",
      { resumeDelay: () => 1000, reportsResumedWork: () => false },
    ],
    once: [
      "makes one more attempt two seconds after it has escalated, without a report",
      { resumeDelay: () => 2000, reportsResumedWork: () => false, resumesOnce: () => true },
    ],
    sideways: ["reports to another specialist", { faultRecipient: () => "specialist-test" }],
    heard: [
      "continues after a fault when it receives another agent's status",
      { resumesUpon: (type) => type.startsWith("status.") },
    ],
    others: [
      "continues after a fault when it receives another task",
      { resumesWithOthers: () => true },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-001", {
    elsewhere: [
      "reports an invalid message to the orchestrator instead of its sender",
      { changeReport: (report) => ({ ...report, recipient: "orchestrator-main" }) },
    ],
    "": ["does not report an invalid message", { reportCount: () => 0 }],
    breaks: [
      "crashes on an invalid message",
      {
        reportCount: () => 0,
        ignoresInvalid() {
          throw new Error("no handler");
        },
      },
    ],
    handled: ["handles an invalid message as if it were valid", { ignoresInvalid: () => false }],
    again: [
      "handles an invalid message that arrives again",
      { ignoresInvalid: (isRepeated) => !isRepeated },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-002", {
    "": ["handles every message", { isForMe: () => true }],
    broadcast: ["does not handle broadcast messages", { isForMe: (to, id) => to === id }],
    cues: [
      "participates in cues that are sent to other agents",
      (correctConduct) => ({
        isForMe: (to, id, type) => type.startsWith("coord.") || correctConduct.isForMe(to, id, type),
      }),
    ],
    alike: [
      "handles messages for agents with an id that starts with its own",
      { isForMe: (to, id) => to === "broadcast" || to.startsWith(id) },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-003", {
    "": [
      "reports an invalid message without the operation in its context",
      { changeReport: (report) => ({ ...report, context: {} }) },
    ],
    severity: [
      "reports an invalid message without a severity",
      { changeReport: (report) => withoutMember(report, "severity") },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-004", {
    "": ["accepts an update of an unknown task", { reactToUnknownTask: () => "handled" }],
    handoff: [
      "works on a different task than the one that was handed over to it",
      { taskTakenOver: (task) => `${task.split(".")[0]}9` },
    ],
    heard: [
      "treats a task as known after it has refused a message about it",
      (correctConduct) => ({
        reactToUnknownTask: (earlierCount) =>
          earlierCount === 0 ? correctConduct.reactToUnknownTask(earlierCount) : "handled",
      }),
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-005", {
    "": ["answers an invalid escalation with an escalation", { reportCount: () => 1 }],
    twice: [
      "answers an invalid escalation with two escalations",
      { reportCount: (isEscalation) => (isEscalation ? 2 : 1) },
    ],
  }),
  ...breaks<AgentConduct>("CONV-SEND-001", {
    "": ["sends invalid messages", { checksOutgoing: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-SEND-002", {
    "": [
      "replaces ids and times that a message already has",
      (correctConduct) => ({
        fillIn: ({ message_id: _, timestamp: __, ...withoutIdAndTime }, now) =>
          correctConduct.fillIn(withoutIdAndTime, now),
      }),
    ],
    local: [
      "fills in the local time as if it were UTC",
      (correctConduct) => ({
        fillIn: (message, now) =>
          correctConduct.fillIn(message, `${new Date(Date.parse(now) + 7_200_000).toISOString()}`),
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-SEND-003", {
    "": ["writes to other specialists directly", { usesHub: (to) => !to.startsWith("specialist") }],
    all: ["hands tasks over directly", { usesHub: (_, type) => type !== "task.handoff" }],
  }),
];
