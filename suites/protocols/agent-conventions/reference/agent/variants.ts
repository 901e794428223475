import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Variant } from "../variant.ts";
import type { Conduct } from "./conduct.ts";

function without(message: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([each]) => each !== name));
}

export const agentVariants: readonly Variant<Conduct>[] = [
  {
    rule: "CONV-BASE-013",
    says: "takes a text for a time wherever it looks like one",
    conduct: { loaded: (message) => ({ ...message, timestamp: Date.parse(String(message.timestamp)) }) },
  },
  { rule: "CONV-BASE-013", name: "bare", says: "does not quote times in YAML", conduct: { quotesTimes: () => false } },
  { rule: "CONV-SEND-001", says: "sends whatever it is given", conduct: { checksOwn: () => false } },
  {
    rule: "CONV-SEND-002",
    says: "puts its own id and time in place of those that are given",
    conduct: (right) => ({ filled: ({ message_id: _, timestamp: __, ...rest }, now) => right.filled(rest, now) }),
  },
  {
    rule: "CONV-SEND-002",
    name: "local",
    says: "fills in local time as though it were UTC",
    conduct: (right) => ({
      filled: (message, now) => right.filled(message, `${new Date(Date.parse(now) + 7_200_000).toISOString()}`),
    }),
  },
  {
    rule: "CONV-SEND-003",
    says: "writes to other specialists directly",
    conduct: { usesHub: (to) => !to.startsWith("specialist") },
  },
  {
    rule: "CONV-SEND-003",
    name: "all",
    says: "hands tasks over directly",
    conduct: { usesHub: (_, type) => type !== "task.handoff" },
  },
  {
    rule: "CONV-RECV-001",
    name: "elsewhere",
    says: "tells the orchestrator of an invalid message, and not its sender",
    conduct: { report: (report) => ({ ...report, recipient: "orchestrator-main" }) },
  },
  { rule: "CONV-RECV-001", says: "tells nobody of an invalid message", conduct: { answers: () => 0 } },
  {
    rule: "CONV-RECV-001",
    name: "breaks",
    says: "breaks down over an invalid message",
    conduct: {
      answers: () => 0,
      holdsBack() {
        throw new Error("no handler");
      },
    },
  },
  {
    rule: "CONV-RECV-001",
    name: "handled",
    says: "handles an invalid message all the same",
    conduct: { holdsBack: () => false },
  },
  { rule: "CONV-RECV-002", says: "handles whatever comes", conduct: { isForMe: () => true } },
  {
    rule: "CONV-RECV-002",
    name: "broadcast",
    says: "does not handle what is for all",
    conduct: { isForMe: (to, id) => to === id },
  },
  {
    rule: "CONV-RECV-003",
    says: "reports an invalid message with a context that names no operation",
    conduct: { report: (report) => ({ ...report, context: {} }) },
  },
  {
    rule: "CONV-RECV-003",
    name: "severity",
    says: "reports an invalid message without a severity",
    conduct: { report: (report) => without(report, "severity") },
  },
  {
    rule: "CONV-RECV-004",
    says: "takes an update of a task that it does not know",
    conduct: { unknownTask: () => "handled" },
  },
  { rule: "CONV-RECV-005", says: "answers an invalid escalation with an escalation", conduct: { answers: () => 1 } },
  {
    rule: "CONV-RECV-005",
    name: "twice",
    says: "answers an invalid escalation with two",
    conduct: { answers: (isEscalation) => (isEscalation ? 2 : 1) },
  },
  {
    rule: "CONV-RECV-002",
    name: "cues",
    says: "takes part in cues that are sent to others",
    conduct: (right) => ({ isForMe: (to, id, type) => type.startsWith("coord.") || right.isForMe(to, id, type) }),
  },
  {
    rule: "CONV-RECV-002",
    name: "alike",
    says: "takes a name that begins like its own for its own",
    conduct: { isForMe: (to, id) => to === "broadcast" || to.startsWith(id) },
  },
  {
    rule: "CONV-CUE-004",
    name: "others",
    says: "goes with a cue that names other agents",
    conduct: { takesPart: () => true },
  },
  {
    rule: "CONV-CUE-003",
    says: "does not say that it is ready",
    conduct: (right) => ({ cueAcks: (phase, cue) => (phase === "warning" ? right.cueAcks(phase, cue) : []) }),
  },
  {
    rule: "CONV-CUE-003",
    name: "silent",
    says: "does not acknowledge a warning",
    conduct: (right) => ({ cueAcks: (phase, cue) => (phase === "warning" ? [] : right.cueAcks(phase, cue)) }),
  },
  {
    rule: "CONV-CUE-003",
    name: "late",
    says: "acknowledges a warning after twelve seconds",
    conduct: (right) => ({
      cueAcks: (phase, cue) =>
        right.cueAcks(phase, cue).map((each) => (phase === "warning" ? { ...each, after: 12_000 } : each)),
    }),
  },
  {
    rule: "CONV-CUE-004",
    says: "waits a minute after go",
    conduct: (right) => ({ beginsAt: (details, now) => right.beginsAt(details, now) + 60_000 }),
  },
  {
    rule: "CONV-CUE-004",
    name: "early",
    says: "does not look at the scheduled time",
    conduct: { beginsAt: (_, now) => now },
  },
  { rule: "CONV-CUE-005", says: "follows a go from anybody", conduct: { goesFor: () => true } },
  {
    rule: "CONV-DEP-001",
    says: "begins a task whatever it depends on",
    conduct: { waitsFor: () => [] },
  },
  {
    rule: "CONV-DEP-001",
    name: "failed",
    says: "begins a task when one that it depends on has failed",
    conduct: { completes: (specific) => specific === "complete" || specific === "failed" },
  },
  {
    rule: "CONV-DEP-001",
    name: "first",
    says: "begins a task when the first that it depends on is complete",
    conduct: { waitsFor: (dependencies) => dependencies.slice(0, 1) },
  },
  {
    rule: "CONV-DEP-001",
    name: "last",
    says: "looks at the last of its dependencies alone",
    conduct: { waitsFor: (dependencies) => dependencies.slice(-1) },
  },
  {
    rule: "CONV-DEP-001",
    name: "update",
    says: "begins a task at any news of one that it depends on",
    conduct: { completes: () => true },
  },
  { rule: "CONV-CUE-006", says: "works on after a stop", conduct: { spared: (count) => count } },
  {
    rule: "CONV-CUE-006",
    name: "late",
    says: "works on for 2.5 s after a stop",
    conduct: { haltsAfter: () => 2500 },
  },
  {
    rule: "CONV-CUE-006",
    name: "graceful",
    says: "works on after a graceful stop",
    conduct: { respects: ({ urgency }) => urgency !== "graceful" },
  },
  {
    rule: "CONV-CUE-006",
    name: "complete",
    says: "calls complete what a stop has ended",
    conduct: { stopped: () => ({ message_type: "task.complete" }) },
  },
  {
    rule: "CONV-CUE-006",
    name: "done",
    says: "calls a cue complete that a stop has ended",
    conduct: { completesStopped: () => true },
  },
  {
    rule: "CONV-CUE-006",
    name: "update",
    says: "reports its progress upon a stop",
    conduct: {
      stopped: () => ({ message_type: "task.update", progress: { percent_complete: 40, status: "on_track" } }),
    },
  },
  {
    rule: "CONV-HAND-001",
    says: "hands over the first fact alone",
    conduct: { handedOver: (_, facts) => Object.fromEntries(Object.entries(facts).slice(0, 1)) },
  },
  { rule: "CONV-JID-001", says: "works on without a resource", conduct: { haltsOn: (fault) => fault !== "missing" } },
  {
    rule: "CONV-JID-001",
    name: "again",
    says: "tries again when an invariant is violated",
    conduct: (right) => ({ retries: (fault) => fault === "invariant" || right.retries(fault) }),
  },
  { rule: "CONV-JID-003", says: "tries once", conduct: { pauseAfter: () => undefined } },
  {
    rule: "CONV-JID-003",
    name: "hurried",
    says: "tries again without a pause",
    conduct: { pauseAfter: (attempts) => (attempts < 3 ? 10 : undefined) },
  },
  { rule: "CONV-JID-007", says: "goes on by itself after half a minute", conduct: { resumesAfter: () => 30_000 } },
  {
    rule: "CONV-JID-007",
    name: "quiet",
    says: "goes on by itself after a second, and says nothing of it",
    conduct: { resumesAfter: () => 1000, reportsResumed: () => false },
  },
  {
    rule: "CONV-JID-007",
    name: "once",
    says: "tries once more two seconds after it has escalated, and says nothing of it",
    conduct: { resumesAfter: () => 2000, reportsResumed: () => false, resumesOnce: () => true },
  },
  {
    rule: "CONV-JID-007",
    name: "sideways",
    says: "reports to another specialist",
    conduct: { reportsTo: () => "specialist-test" },
  },
  {
    rule: "CONV-CONF-002",
    says: "does not abide by a ruling",
    conduct: { yields: (resolution) => resolution !== "orchestrator-arbitration" },
  },
  { rule: "CONV-CONF-002", name: "silent", says: "does not escalate a conflict", conduct: { escalates: () => false } },
  {
    rule: "CONV-CONF-003",
    says: "works on where another has the higher priority",
    conduct: { yields: (resolution) => resolution !== "priority-based" },
  },
  {
    rule: "CONV-CONF-003",
    name: "later",
    says: "works on where another was first",
    conduct: { yields: (resolution) => resolution !== "first-come-first-served" },
  },
  {
    rule: "CONV-RECV-001",
    name: "again",
    says: "handles an invalid message that comes once more",
    isCourse: true,
    conduct: { holdsBack: (hasCome) => !hasCome },
  },
  {
    rule: "CONV-RECV-004",
    name: "heard",
    says: "knows a task once it has refused a message about it",
    isCourse: true,
    conduct: (right) => ({ unknownTask: (before) => (before === 0 ? right.unknownTask(before) : "handled") }),
  },
  {
    rule: "CONV-CUE-006",
    name: "last",
    says: "ends only what it has begun last when it is to stop",
    isCourse: true,
    conduct: { spared: (count) => count - 1 },
  },
  {
    rule: "CONV-HAND-001",
    name: "again",
    says: "hands a task over without its facts when it comes twice",
    isCourse: true,
    conduct: { handedOver: (_, facts, isAgain) => (isAgain ? {} : facts) },
  },
  {
    rule: "CONV-JID-007",
    name: "others",
    says: "goes on after a fault when it is given another task",
    isCourse: true,
    conduct: { resumesWithOthers: () => true },
  },
];
