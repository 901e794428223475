import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import type { AgentConduct } from "./conduct.ts";

/** The permitted differences of an agent from the reference. */
export const agentChoices: readonly PartyDifference<AgentConduct>[] = [
  {
    name: "own-report-values",
    kind: "freedom",
    freedoms: ["reply-values"],
    says: "reports an invalid message with severity LOW, can_retry and requires_human",
    conduct: (correctConduct) => ({
      changeReport: (report) =>
        correctConduct.changeReport({ ...report, severity: "LOW", can_retry: true, requires_human: true }),
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
    conduct: (correctConduct) => ({
      acknowledgmentFor: (type) => (/^(?:task|status)\./.test(type) ? { message_type: "ack.received" } : undefined),
      cueAcks: (phase, cue) => {
        const answers = correctConduct.cueAcks(phase, cue);
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
    says: "validates a message before it fills in the missing members",
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
    says: "informs the sender of a misaddressed message",
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
    conduct: { cueAcks: (phase, cue) => acknowledgeInTwoSteps(phase, cue) },
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
    says: "reports its readiness with an ack.completed",
    conduct: (correctConduct) => ({
      cueAcks: (phase, cue) =>
        phase === "standby"
          ? [{ ack: { message_type: "ack.completed", coordination_ack: { cue_id: cue, ready_status: "ready" } } }]
          : correctConduct.cueAcks(phase, cue),
    }),
  },
  {
    name: "ids-in-capitals",
    kind: "freedom",
    freedoms: ["uuid-case"],
    says: "writes its ids in upper case",
    conduct: (correctConduct) => ({
      fillIn: (message, now) => correctConduct.fillIn({ message_id: randomUUID().toUpperCase(), ...message }, now),
    }),
  },
  {
    name: "whole-seconds",
    kind: "freedom",
    factor: "time-form",
    freedoms: ["time-fraction"],
    says: "writes times in whole seconds",
    conduct: (correctConduct) => ({
      fillIn: (message, now) => correctConduct.fillIn(message, toWholeSeconds(now)),
      formatAttemptTime: toWholeSeconds,
    }),
  },
  {
    name: "microseconds",
    kind: "freedom",
    factor: "time-form",
    freedoms: ["time-fraction"],
    says: "writes the times of messages with microseconds",
    conduct: (correctConduct) => ({
      fillIn: (message, now) => correctConduct.fillIn(message, now.replace(/Z$/, "000Z")),
    }),
  },
  {
    name: "tells-its-status",
    kind: "freedom",
    freedoms: ["status-reports"],
    says: "informs the hub when it is busy, blocked or idle",
    conduct: (correctConduct) => ({
      furtherMessages: (event, task) => [...correctConduct.furtherMessages(event, task), statusMessage(event, task)],
    }),
  },
  {
    name: "fails-the-task",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "also reports a fault as a failed task",
    conduct: (correctConduct) => ({
      furtherMessages: (event, task) => {
        const failure = { message_type: "task.failed", task_id: task };
        const report = { ...failure, failure: { reason: "The work cannot go on.", can_retry: true } };
        return [...correctConduct.furtherMessages(event, task), ...(event === "fails" ? [report] : [])];
      },
    }),
  },
  {
    name: "blocked-upon-trouble",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "reports a task as blocked when it is stopped or a fault occurs",
    conduct: (correctConduct) => ({
      furtherMessages: (event, task) => {
        const update = { message_type: "task.update", task_id: task, progress: { status: "blocked" } };
        return [...correctConduct.furtherMessages(event, task), ...(event === "begins" ? [] : [update])];
      },
    }),
  },
  {
    name: "late-is-a-timeout",
    kind: "freedom",
    freedoms: ["fault-reports"],
    says: "reports a missed deadline as escalation.timeout",
    conduct: (correctConduct) => ({
      changeFaultReport: (report, fault) =>
        correctConduct.changeFaultReport(
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
    says: "retries if a resource is missing or a deadline is missed",
    conduct: (correctConduct) => ({
      retries: (fault) => fault === "missing" || fault === "late" || correctConduct.retries(fault),
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
    conduct: (correctConduct) => ({
      escalatesConflict: (resolution) =>
        resolution === "orchestrator-arbitration" && correctConduct.escalatesConflict(resolution),
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
    conduct: (correctConduct) => ({
      factsToHandOver: (contract, facts, isAgain) => {
        const allFacts = correctConduct.factsToHandOver(contract, facts, isAgain);
        return Object.fromEntries(Object.entries(allFacts).filter(([name]) => contract.includes(name)));
      },
    }),
  },
  {
    name: "works-on-after-handoff",
    kind: "freedom",
    freedoms: [],
    says: "continues to work on a task that it has handed over, which the specification does not forbid",
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
    says: "adds members to nested objects",
    conduct: (correctConduct) => ({
      finishMessage: (message) => correctConduct.finishMessage({ ...message, ...extendNestedObjects(message) }),
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
      says: `delivers its messages to the hub after ${after} ms`,
      conduct: { hubDelay: () => ({ after, isReal: false }) },
    }),
  ),
  {
    name: "says-by-another-clock",
    kind: "tempo",
    factor: "outbound",
    freedoms: [],
    says: "delivers its messages to the hub after 80 ms of real time, whatever its clock",
    conduct: { hubDelay: () => ({ after: 80, isReal: true }) },
  },
  {
    name: "delivers-twice",
    kind: "transport",
    freedoms: ["base-014-redelivered"],
    says: "delivers each message to the hub twice",
    conduct: { copyCount: () => 2 },
  },
];

function toWholeSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

function acknowledgeInTwoSteps(phase: string, cue: string): { after?: number; ack: JsonObject }[] {
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

/** The status message to the hub when work on a task begins, fails or stops. */
function statusMessage(event: "begins" | "fails" | "stops", task: string): JsonObject {
  const base = { recipient: "hub-main" };
  if (event === "begins")
    return { ...base, message_type: "status.busy", status: "busy", context: { current_task: task } };
  if (event === "stops")
    return { ...base, message_type: "status.idle", status: "idle", context: { metadata: { task } } };
  const context = { current_task: task, blocked_reason: "The work cannot go on." };
  return { ...base, message_type: "status.blocked", status: "blocked", context };
}

/** The nested objects of a message, each with one more member. */
function extendNestedObjects(message: JsonObject): JsonObject {
  const nestedObjects = Object.entries(message).filter(
    ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return Object.fromEntries(nestedObjects.map(([name, value]) => [name, { ...(value as JsonObject), x_note: "own" }]));
}
