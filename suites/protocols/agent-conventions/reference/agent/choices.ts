import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import type { AgentConduct } from "./conduct.ts";

/** Permitted differences of specialists from the reference. */
export const agentChoices: readonly PartyDifference<AgentConduct>[] = [
  {
    name: "own-report-values",
    kind: "freedom",
    freedoms: ["reply-values"],
    says: "reports an invalid message as LOW, to be retried, for a human",
    conduct: (rightConduct) => ({
      changeReport: (report) =>
        rightConduct.changeReport({ ...report, severity: "LOW", can_retry: true, requires_human: true }),
    }),
  },
  {
    name: "four-attempts",
    kind: "freedom",
    freedoms: ["fourth-attempt"],
    says: "retries three times",
    conduct: { retryDelay: (attempts) => (attempts < 4 ? 1000 * 2 ** (attempts - 1) : undefined) },
  },
  {
    name: "acknowledges-all",
    kind: "freedom",
    freedoms: ["acknowledges"],
    says: "acknowledges each message that is not itself an acknowledgment or a report",
    conduct: (rightConduct) => ({
      acknowledgmentFor: (type) => (/^(?:task|status)\./.test(type) ? { message_type: "ack.received" } : undefined),
      cueAcks: (phase, cue) => {
        const answers = rightConduct.cueAcks(phase, cue);
        return answers.length > 0
          ? answers
          : [{ ack: { message_type: "ack.received", coordination_ack: { cue_id: cue } } }];
      },
    }),
  },
  {
    name: "validates-first",
    kind: "freedom",
    freedoms: ["send-fills"],
    says: "validates a message that it is to send, and then fills it in",
    moots: ["breaks-CONV-SEND-001", "breaks-CONV-SEND-002-local"],
    conduct: { judgesBeforeFilling: () => true },
  },
  {
    name: "drops-unknown",
    kind: "freedom",
    factor: "unknown-task",
    freedoms: ["unknown-task-reply"],
    says: "silently drops a message about an unknown task",
    conduct: { reactToUnknownTask: () => "dropped" },
  },
  {
    name: "escalates-unknown",
    kind: "freedom",
    factor: "unknown-task",
    freedoms: ["unknown-task-reply"],
    says: "escalates a message about an unknown task",
    conduct: { reactToUnknownTask: () => "escalated" },
  },
  {
    name: "copies-reports",
    kind: "freedom",
    freedoms: ["report-copies"],
    says: "sends the orchestrator a copy of each report on an invalid message",
    conduct: { copyRecipients: () => ["orchestrator-main"] },
  },
  {
    name: "complains-of-misaddressed",
    kind: "freedom",
    freedoms: ["misaddressed-error"],
    says: "informs the sender of a message that was for another agent",
    conduct: { reportsMisaddressed: () => true },
  },
  {
    name: "reports-to-hub",
    kind: "freedom",
    factor: "reports-to",
    freedoms: ["fault-recipient"],
    says: "reports failures to the hub",
    conduct: { faultRecipient: () => "hub-main" },
  },
  {
    name: "reports-to-tournant",
    kind: "freedom",
    factor: "reports-to",
    freedoms: ["fault-recipient"],
    says: "reports failures to the tournant",
    conduct: { faultRecipient: () => "tournant-main" },
  },
  {
    name: "progress-to-hub",
    kind: "freedom",
    freedoms: ["progress-recipient"],
    says: "reports its progress to the hub",
    conduct: { progressRecipient: () => "hub-main" },
  },
  {
    name: "warnings-in-two-steps",
    kind: "freedom",
    factor: "cue-answers",
    freedoms: ["cue-answers"],
    says: "acknowledges a warning as received and later as understood, and a standby as preparing and later as ready",
    conduct: { cueAcks: (phase, cue) => answerInTwoSteps(phase, cue) },
  },
  {
    name: "acks-by-message",
    kind: "freedom",
    factor: "cue-answers",
    freedoms: ["cue-answers"],
    says: "does not name the cue in its acknowledgments",
    conduct: {
      cueAcks(phase) {
        if (phase === "warning") return [{ ack: { message_type: "ack.received" } }];
        return phase === "standby"
          ? [{ ack: { message_type: "ack.received", coordination_ack: { ready_status: "ready" } } }]
          : [];
      },
    },
  },
  {
    name: "ready-when-complete",
    kind: "freedom",
    factor: "cue-answers",
    freedoms: ["cue-answers"],
    says: "reports that it is ready by an ack.completed",
    conduct: (rightConduct) => ({
      cueAcks: (phase, cue) =>
        phase === "standby"
          ? [{ ack: { message_type: "ack.completed", coordination_ack: { cue_id: cue, ready_status: "ready" } } }]
          : rightConduct.cueAcks(phase, cue),
    }),
  },
  {
    name: "ids-in-capitals",
    kind: "freedom",
    freedoms: ["uuid-case"],
    says: "writes its ids in upper case",
    conduct: (rightConduct) => ({
      fillIn: (message, now) => rightConduct.fillIn({ message_id: randomUUID().toUpperCase(), ...message }, now),
    }),
  },
  {
    name: "whole-seconds",
    kind: "freedom",
    factor: "time-form",
    freedoms: ["time-fraction"],
    says: "writes times in whole seconds",
    conduct: (rightConduct) => ({
      fillIn: (message, now) => rightConduct.fillIn(message, inSeconds(now)),
      formatAttemptTime: inSeconds,
    }),
  },
  {
    name: "microseconds",
    kind: "freedom",
    factor: "time-form",
    freedoms: ["time-fraction"],
    says: "writes the times of messages with microseconds",
    conduct: (rightConduct) => ({ fillIn: (message, now) => rightConduct.fillIn(message, now.replace(/Z$/, "000Z")) }),
  },
  {
    name: "tells-its-status",
    kind: "freedom",
    freedoms: ["status-reports"],
    says: "informs the hub when it is busy, blocked or idle",
    conduct: (rightConduct) => ({
      furtherMessages: (event, task) => [...rightConduct.furtherMessages(event, task), statusMessages(event, task)],
    }),
  },
  {
    name: "fails-the-task",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "reports a fault as a failed task as well",
    conduct: (rightConduct) => ({
      furtherMessages: (event, task) => {
        const failure = { message_type: "task.failed", task_id: task };
        const answers = { ...failure, failure: { reason: "The work cannot go on.", can_retry: true } };
        return [...rightConduct.furtherMessages(event, task), ...(event === "fails" ? [answers] : [])];
      },
    }),
  },
  {
    name: "blocked-upon-trouble",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "reports a task as blocked when it is stopped or a fault occurs",
    conduct: (rightConduct) => ({
      furtherMessages: (event, task) => {
        const answers = { message_type: "task.update", task_id: task, progress: { status: "blocked" } };
        return [...rightConduct.furtherMessages(event, task), ...(event === "begins" ? [] : [answers])];
      },
    }),
  },
  {
    name: "late-is-a-timeout",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "reports a lack of time as escalation.timeout",
    conduct: (rightConduct) => ({
      changeFaultReport: (report, fault) =>
        rightConduct.changeFaultReport(
          fault === "late"
            ? {
                ...report,
                message_type: "escalation.timeout",
                timeout_details: { timeout_limit: 60, elapsed_time: 61 },
              }
            : report,
          fault,
        ),
    }),
  },
  {
    name: "retries-what-may-pass",
    kind: "freedom",
    freedoms: ["retried-faults"],
    says: "retries if a resource is missing or time has run out",
    conduct: (rightConduct) => ({
      retries: (fault) => fault === "missing" || fault === "late" || rightConduct.retries(fault),
    }),
  },
  {
    name: "waits-in-conflicts",
    kind: "freedom",
    freedoms: ["conflict-begin"],
    says: "waits for a ruling before it begins work on a resource that another agent claims",
    conduct: { beginsInConflict: () => false },
  },
  {
    name: "quiet-about-priority",
    kind: "freedom",
    freedoms: ["conflict-begin"],
    says: "escalates a conflict only if the orchestrator has to decide",
    conduct: (rightConduct) => ({
      escalatesConflict: (resolution) =>
        resolution === "orchestrator-arbitration" && rightConduct.escalatesConflict(resolution),
    }),
  },
  {
    name: "hands-over-by-hub",
    kind: "freedom",
    freedoms: ["handoff-recipient"],
    says: "addresses a handoff to the hub",
    conduct: { handoffRecipient: () => "hub-main" },
  },
  {
    name: "hands-over-the-contract",
    kind: "freedom",
    freedoms: ["handoff-extent"],
    says: "hands over only the facts of the contract",
    conduct: (rightConduct) => ({
      factsToHandOver: (contract, facts, isAgain) => {
        const all = rightConduct.factsToHandOver(contract, facts, isAgain);
        return Object.fromEntries(Object.entries(all).filter(([name]) => contract.includes(name)));
      },
    }),
  },
  {
    name: "works-on-after-handoff",
    kind: "freedom",
    freedoms: [],
    says: "continues to work on a task that it has handed over, which no text forbids",
    conduct: { worksOnAfterHandoff: () => true },
  },
  {
    name: "handles-once",
    kind: "freedom",
    freedoms: ["base-014-redelivered"],
    says: "handles a repeated message only once",
    conduct: { handlesRepeats: () => false },
  },
  {
    name: "open-members",
    kind: "freedom",
    freedoms: ["nested-members"],
    says: "adds members of its own to nested objects",
    conduct: (rightConduct) => ({
      finishMessage: (message) => rightConduct.finishMessage({ ...message, ...withExtraMembers(message) }),
    }),
  },
  ...[100, 1000, 3000].map(
    (after): PartyDifference<AgentConduct> => ({
      name: `deals-after-${after}ms`,
      kind: "tempo",
      factor: "inbound",
      freedoms: [],
      says: `handles a message ${after} ms after its arrival`,
      conduct: { handlingDelay: () => after },
    }),
  ),
  ...[100, 1000, 3000, 12_000].map(
    (after): PartyDifference<AgentConduct> => ({
      name: `says-after-${after}ms`,
      kind: "tempo",
      factor: "outbound",
      freedoms: [],
      says: `has its messages reach the hub after ${after} ms`,
      conduct: { hubDelay: () => ({ after, isReal: false }) },
    }),
  ),
  {
    name: "says-by-another-clock",
    kind: "tempo",
    factor: "outbound",
    freedoms: [],
    says: "has its messages reach the hub after 80 ms, regardless of its clock",
    conduct: { hubDelay: () => ({ after: 80, isReal: true }) },
  },
  {
    name: "delivers-twice",
    kind: "transport",
    freedoms: ["base-014-redelivered"],
    says: "has each message reach the hub twice",
    conduct: { copyCount: () => 2 },
  },
];

function inSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

function answerInTwoSteps(phase: string, cue: string): { after?: number; ack: JsonObject }[] {
  const cueMember = { cue_id: cue };
  if (phase === "warning")
    return [
      { ack: { message_type: "ack.received", coordination_ack: cueMember } },
      { after: 700, ack: { message_type: "ack.understood", coordination_ack: cueMember } },
    ];
  if (phase !== "standby") return [];
  return [
    { ack: { message_type: "ack.received", coordination_ack: { ...cueMember, ready_status: "preparing" } } },
    { after: 900, ack: { message_type: "ack.understood", coordination_ack: { ...cueMember, ready_status: "ready" } } },
  ];
}

/** The messages to the hub about the agent's state with a task. */
function statusMessages(event: "begins" | "fails" | "stops", task: string): JsonObject {
  const to = { recipient: "hub-main" };
  if (event === "begins")
    return { ...to, message_type: "status.busy", status: "busy", context: { current_task: task } };
  if (event === "stops") return { ...to, message_type: "status.idle", status: "idle", context: { metadata: { task } } };
  const context = { current_task: task, blocked_reason: "The work cannot go on." };
  return { ...to, message_type: "status.blocked", status: "blocked", context };
}

/** A message with one more member in each nested object. */
function withExtraMembers(message: JsonObject): JsonObject {
  const nested = Object.entries(message).filter(
    ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return Object.fromEntries(nested.map(([name, value]) => [name, { ...(value as JsonObject), x_note: "own" }]));
}
