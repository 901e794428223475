import type { JsonObject } from "../../../../../schemas/index.ts";
import { breaks, type PartyMistake } from "../party-mistakes.ts";
import type { AgentConduct } from "./conduct.ts";

function withoutMember(message: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([each]) => each !== name));
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
      "reads every text that looks like a time as a time",
      { changeLoadedMessage: (message) => ({ ...message, timestamp: Date.parse(String(message.timestamp)) }) },
    ],
    bare: ["does not quote times in YAML", { quotesTimes: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-CONF-002", {
    "": ["does not abide by a ruling", { obeysRuling: (resolution) => resolution !== "orchestrator-arbitration" }],
    silent: ["does not escalate a conflict", { escalatesConflict: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-CONF-003", {
    "": [
      "continues to work although the other has the higher priority",
      { obeysRuling: (resolution) => resolution !== "priority-based" },
    ],
    later: [
      "continues to work although the other was first",
      { obeysRuling: (resolution) => resolution !== "first-come-first-served" },
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-003", {
    "": [
      "does not say that it is ready",
      (rightConduct) => ({ cueAcks: (phase, cue) => (phase === "warning" ? rightConduct.cueAcks(phase, cue) : []) }),
    ],
    silent: [
      "does not acknowledge a warning",
      (rightConduct) => ({ cueAcks: (phase, cue) => (phase === "warning" ? [] : rightConduct.cueAcks(phase, cue)) }),
    ],
    once: [
      "acknowledges the warning of only one cue",
      (rightConduct) => {
        let firstCue: string | undefined;
        return {
          cueAcks(phase, cue) {
            firstCue ??= cue;
            return phase === "warning" && cue !== firstCue ? [] : rightConduct.cueAcks(phase, cue);
          },
        };
      },
    ],
    late: [
      "acknowledges a warning after twelve seconds",
      (rightConduct) => ({
        cueAcks: (phase, cue) =>
          rightConduct
            .cueAcks(phase, cue)
            .map((cueAck) => (phase === "warning" ? { ...cueAck, after: 12_000 } : cueAck)),
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-004", {
    others: ["goes with a cue that names other agents", { joinsCue: () => true }],
    beginning: [
      "goes with a cue for an agent whose name begins with its own",
      { joinsCue: (targets, id) => targets === undefined || targets.some((target) => target.startsWith(id)) },
    ],
    "": [
      "waits a minute after go",
      (rightConduct) => ({ startTime: (details, now) => rightConduct.startTime(details, now) + 60_000 }),
    ],
    early: ["does not look at the scheduled time", { startTime: (_, now) => now }],
    offset: [
      "does not look at the offset of the scheduled time",
      (rightConduct) => ({
        startTime: (details, now) => {
          const scheduled_time = String(details.scheduled_time).replace(/[+-]\d\d:\d\d$/, "Z");
          return rightConduct.startTime({ ...details, scheduled_time }, now);
        },
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-CUE-005", {
    "": ["follows a go from any sender", { followsGo: () => true }],
  }),
  ...breaks<AgentConduct>("CONV-CUE-006", {
    "": ["works on after a stop", { sparedCount: (count) => count }],
    late: ["works on for 2.5 s after a stop", { haltDelay: () => 2500 }],
    scheduled: ["begins at its time work that was stopped before", { cancelsScheduled: () => false }],
    broadcast: [
      "continues after a stop that is sent to all",
      { respectsStop: (_, recipient) => recipient !== "broadcast" },
    ],
    graceful: ["works on after a graceful stop", { respectsStop: ({ urgency }) => urgency !== "graceful" }],
    complete: [
      "calls work complete after a stop has ended it",
      { reportAfterStop: () => ({ message_type: "task.complete" }) },
    ],
    done: ["calls a cue complete that a stop has ended", { completesStoppedCues: () => true }],
    update: [
      "reports its progress upon a stop",
      {
        reportAfterStop: () => ({
          message_type: "task.update",
          progress: { percent_complete: 40, status: "on_track" },
        }),
      },
    ],
    last: ["ends only its latest work on a stop", { sparedCount: (count) => count - 1 }],
    assigner: [
      "respects a stop of one orchestrator, and of no other",
      { respectsStop: (_, __, sender) => sender === "orchestrator-main" },
    ],
    orchestrators: [
      "respects only an orchestrator's stop",
      { respectsStop: (_, __, sender) => sender.startsWith("orchestrator") },
    ],
    waiting: [
      "begins a task after a stop that has waited for another",
      { stopsWaiting: (subject) => subject !== "task" },
    ],
    attempt: ["tries again after a stop", { stopsWaiting: (subject) => subject !== "attempt" }],
  }),
  ...breaks<AgentConduct>("CONV-DEP-001", {
    "": ["begins a task regardless of its dependencies", { awaitedTasks: () => [] }],
    failed: [
      "begins a task after one of its dependencies has failed",
      { completesTask: (specific) => specific === "complete" || specific === "failed" },
    ],
    first: [
      "begins a task when the first that it depends on is complete",
      { awaitedTasks: (dependencies) => dependencies.slice(0, 1) },
    ],
    last: ["checks only the last of its dependencies", { awaitedTasks: (dependencies) => dependencies.slice(-1) }],
    update: ["begins a task at any news of one of its dependencies", { completesTask: () => true }],
    like: [
      "begins a task when another is complete whose id begins like that of its dependency",
      { isAwaitedTask: (need, complete) => need.split(".")[0] === complete.split(".")[0] },
    ],
    blocked: [
      "gives a task up when one of its dependencies is blocked",
      { abandonsUpon: (status) => status === "blocked" },
    ],
  }),
  ...breaks<AgentConduct>("CONV-HAND-001", {
    "": [
      "hands over only the first fact",
      { factsToHandOver: (_, facts) => Object.fromEntries(Object.entries(facts).slice(0, 1)) },
    ],
    other: ["hands over the facts of the task that it handed over before", handOverOldFacts],
    "new-task": ["hands a task over as another one", { taskHandedOver: (task) => `${task.split(".")[0]}9` }],
    again: [
      "hands a task over without its facts when it comes twice",
      { factsToHandOver: (_, facts, isAgain) => (isAgain ? {} : facts) },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-JID-001", {
    "": ["works on without a resource", { endsWork: (fault) => fault !== "missing" }],
    again: [
      "tries again when an invariant is violated",
      (rightConduct) => ({ retries: (fault) => fault === "invariant" || rightConduct.retries(fault) }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-JID-003", {
    "": ["tries once", { retryDelay: () => undefined }],
    hurried: ["tries again without a pause", { retryDelay: (attempts) => (attempts < 3 ? 10 : undefined) }],
  }),
  ...breaks<AgentConduct>("CONV-JID-007", {
    "": ["continues by itself after half a minute", { resumeDelay: () => 30_000 }],
    quiet: [
      "continues by itself after a second, without saying so",
      { resumeDelay: () => 1000, reportsResumedWork: () => false },
    ],
    once: [
      "tries once more two seconds after it has escalated, and says nothing of it",
      { resumeDelay: () => 2000, reportsResumedWork: () => false, resumesOnce: () => true },
    ],
    sideways: ["reports to another specialist", { faultRecipient: () => "specialist-test" }],
    heard: [
      "continues after a fault when it learns another agent's status",
      { resumesUpon: (type) => type.startsWith("status.") },
    ],
    others: [
      "continues after a fault when it gets another task",
      { resumesWithOthers: () => true },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-001", {
    elsewhere: [
      "informs the orchestrator about an invalid message, and not its sender",
      { changeReport: (report) => ({ ...report, recipient: "orchestrator-main" }) },
    ],
    "": ["reports an invalid message to no party", { reportCount: () => 0 }],
    breaks: [
      "breaks down over an invalid message",
      {
        reportCount: () => 0,
        ignoresInvalid() {
          throw new Error("no handler");
        },
      },
    ],
    handled: ["handles an invalid message all the same", { ignoresInvalid: () => false }],
    again: [
      "handles an invalid message that comes once more",
      { ignoresInvalid: (isRepeated) => !isRepeated },
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-002", {
    "": ["handles every message", { isForMe: () => true }],
    broadcast: ["does not handle messages for all", { isForMe: (to, id) => to === id }],
    cues: [
      "participates in cues that are sent to others",
      (rightConduct) => ({
        isForMe: (to, id, type) => type.startsWith("coord.") || rightConduct.isForMe(to, id, type),
      }),
    ],
    alike: [
      "treats a name that begins like its own as its own",
      { isForMe: (to, id) => to === "broadcast" || to.startsWith(id) },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-003", {
    "": [
      "reports an invalid message with a context that names no operation",
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
      "works on another task than the one that was handed over to it",
      { taskTakenOver: (task) => `${task.split(".")[0]}9` },
    ],
    heard: [
      "knows a task once it has refused a message about it",
      (rightConduct) => ({
        reactToUnknownTask: (earlierCount) =>
          earlierCount === 0 ? rightConduct.reactToUnknownTask(earlierCount) : "handled",
      }),
      { isCourse: true },
    ],
  }),
  ...breaks<AgentConduct>("CONV-RECV-005", {
    "": ["answers an invalid escalation with an escalation", { reportCount: () => 1 }],
    twice: ["answers an invalid escalation with two", { reportCount: (isEscalation) => (isEscalation ? 2 : 1) }],
  }),
  ...breaks<AgentConduct>("CONV-SEND-001", {
    "": ["sends every message that it is given", { checksOutgoing: () => false }],
  }),
  ...breaks<AgentConduct>("CONV-SEND-002", {
    "": [
      "replaces given ids and times by its own",
      (rightConduct) => ({
        fillIn: ({ message_id: _, timestamp: __, ...withoutIdAndTime }, now) =>
          rightConduct.fillIn(withoutIdAndTime, now),
      }),
    ],
    local: [
      "fills in local time as though it were UTC",
      (rightConduct) => ({
        fillIn: (message, now) =>
          rightConduct.fillIn(message, `${new Date(Date.parse(now) + 7_200_000).toISOString()}`),
      }),
    ],
  }),
  ...breaks<AgentConduct>("CONV-SEND-003", {
    "": ["writes to other specialists directly", { usesHub: (to) => !to.startsWith("specialist") }],
    all: ["hands tasks over directly", { usesHub: (_, type) => type !== "task.handoff" }],
  }),
];
