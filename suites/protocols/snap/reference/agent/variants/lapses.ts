import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { otherNetworkOf } from "../../../rules/address.ts";
import type { Policy } from "../agent.ts";
import { right } from "../policy.ts";
import { fresh } from "../tasks.ts";
import { saying } from "./answers.ts";
import { isOfSignature } from "./checks.ts";
import type { AgentVariant } from "./variant.ts";

/** The request that is being decided on: nothing is awaited in between. */
let asked: JsonObject = {};
const noting: Pick<Policy, "before"> = {
  before(message) {
    asked = message;
  },
};

/** Senders of whom a message was taken. */
const known = new Set<string>();

/** Answers one cause with another status. */
function status(cause: string, status: number): Partial<Policy> {
  return { http: (answer, { fault }) => (fault?.cause === cause ? { ...answer, status } : answer) };
}

/** What is right but for some methods, senders, ids or causes. */
export const lapseVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-TIME-001",
    name: "tasks",
    says: "looks at no time of what is about a task",
    policy: {
      isFresh: (stamp, now, message, way) =>
        String(message.method).startsWith("tasks/") || right.isFresh(stamp, now, message, way),
    },
  },
  {
    rule: "SNAP-SIG-009",
    name: "reads",
    says: "verifies no signature where a task is only looked at",
    policy: {
      respects: ({ rule }, message) => !(isOfSignature(rule) && isObject(message) && message.method === "tasks/get"),
    },
  },
  {
    rule: "SNAP-SIG-009",
    name: "known",
    says: "verifies no signature of those that it has taken a message of",
    policy: {
      ...noting,
      keeps: () => void known.add(String(asked.from)),
      respects: ({ rule }, message) => !(isOfSignature(rule) && isObject(message) && known.has(String(message.from))),
    },
  },
  {
    rule: "SNAP-REPLAY-001",
    name: "sends",
    says: "remembers the ids of message/send alone",
    policy: {
      sameness: (message, way) => (message.method === "message/send" ? right.sameness(message, way) : fresh("key")),
    },
  },
  {
    rule: "SNAP-REPLAY-001",
    name: "stamp",
    says: "forgets an id a minute after the time that its message was stamped with",
    policy: {
      ...noting,
      keeps: (memory) =>
        void memory.set(right.sameness(asked, "http"), Number(asked.timestamp) * 1000 + 60_000 - right.remembers),
    },
  },
  {
    rule: "SNAP-REPLAY-001",
    name: "fifty",
    says: "empties its memory of ids when there are fifty",
    policy: { keeps: (memory) => void (memory.size > 50 && memory.clear()) },
  },
  {
    rule: "SNAP-REPLAY-003",
    name: "method",
    says: "takes the method for a part of the id",
    policy: { sameness: ({ from, id, method }) => JSON.stringify([from, id, method]) },
  },
  {
    rule: "SNAP-VER-002",
    name: "minor",
    says: "takes every version of its major one",
    policy: { speaks: (version) => String(version).startsWith("0.") },
  },
  {
    rule: "SNAP-REPLAY-003",
    name: "case",
    says: "takes ids for one that differ in case",
    policy: { sameness: ({ from, id }) => JSON.stringify([from, String(id).toLowerCase()]) },
  },
  {
    rule: "SNAP-REPLAY-003",
    name: "cut",
    says: "takes ids for one that begin with the same 64 characters",
    policy: { sameness: ({ from, id }) => JSON.stringify([from, String(id).slice(0, 64)]) },
  },
  {
    rule: "SNAP-RCPT-001",
    name: "networks",
    says: "takes messages for its key on any network",
    policy: {
      bridges: true,
      isOwn: (to, { identity }) => to === identity || to === otherNetworkOf(identity),
    },
  },
  {
    rule: "SNAP-RCPT-001",
    name: "streams",
    says: "takes requests for streams whoever they are for",
    policy: { ...noting, isOwn: (to, agent) => asked.method === "message/stream" || right.isOwn(to, agent) },
  },
  {
    rule: "SNAP-RCPT-002",
    name: "reads",
    says: "shows a task whatever the type of the message",
    policy: { ...noting, runs: (type) => asked.method === "tasks/get" || right.runs(type) },
  },
  {
    rule: "SNAP-RCPT-003",
    name: "milliseconds",
    says: "stamps its answers in milliseconds",
    policy: saying(
      ({ type }) => type === "response",
      (message) => ({ ...message, timestamp: Number(message.timestamp) * 1000 }),
    ),
  },
  {
    rule: "SNAP-RCPT-003",
    name: "echoed-time",
    says: "stamps its answers as they were asked for",
    policy: saying(
      ({ type }) => type === "response",
      (message, { request }) => ({ ...message, timestamp: Number(request.timestamp ?? message.timestamp) }),
    ),
  },
  {
    rule: "SNAP-RCPT-003",
    name: "one-id",
    says: "gives all its answers one id",
    policy: saying(
      ({ type }) => type === "response",
      (message) => ({ ...message, id: "answer-1" }),
    ),
  },
  {
    rule: "SNAP-TASK-007",
    name: "fails",
    says: "calls a task failed that it was told to cancel",
    policy: { cancels: (task) => (task.state === "working" ? "failed" : right.cancels(task)) },
  },
  {
    rule: "SNAP-TASK-010",
    name: "asked",
    says: "shows a history only to those who say of what length",
    policy: { history: (history, length) => (length === undefined ? undefined : right.history(history, length)) },
  },
  {
    rule: "SNAP-TASK-012",
    name: "following",
    says: "lets everybody follow its tasks",
    policy: {
      ...noting,
      isShown: (task, from) => asked.method === "tasks/resubscribe" || right.isShown(task, from),
    },
  },
  {
    rule: "SNAP-CTX-003",
    name: "keys",
    says: "looks for an idempotency key among those of all senders",
    policy: {
      ...noting,
      reopens(_owner, { tasks }) {
        const { idempotencyKey: key } = isObject(asked.payload) ? asked.payload : {};
        return key === undefined ? undefined : [...tasks.values()].find((task) => task.key === key);
      },
    },
  },
  {
    rule: "SNAP-HTTP-003",
    name: "repeated",
    says: "answers repeated messages with status 409",
    policy: status("repeated-message", 409),
  },
  {
    rule: "SNAP-HTTP-003",
    name: "payload",
    says: "answers malformed payloads with status 422",
    policy: status("malformed-payload", 422),
  },
  {
    rule: "SNAP-HTTP-003",
    name: "version",
    says: "answers other versions with status 505",
    policy: status("unsupported-version", 505),
  },
  {
    rule: "SNAP-HTTP-007",
    name: "recipient",
    says: "answers messages for somebody else with status 403",
    policy: status("other-recipient", 403),
  },
];
