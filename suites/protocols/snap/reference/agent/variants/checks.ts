import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Cause, Policy } from "../agent.ts";
import { right } from "../policy.ts";
import type { AgentVariant } from "./variant.ts";

/** Answers one cause with another code. */
export function codes(cause: Cause, code: number): Partial<Policy> {
  return { code: (each) => (each === cause ? code : right.code(each)) };
}

export const isOfSignature = (rule = ""): boolean => /^SNAP-SIG-0(?:0[1-7]|14)$/.test(rule);

/** Respects nothing that stands against the payload of a method. */
const unlessPayloadOf =
  (method: string): Policy["respects"] =>
  ({ rule = "" }, message) =>
    !(isObject(message) && message.method === method && /^SNAP-(?:VAL-001|PAY-)/.test(rule));

const members = ["id", "version", "from", "to", "type", "method", "payload", "timestamp", "sig"];

/** A message with the names of its members in small letters, as far as they are known. */
function folded(message: Json): Json {
  if (!isObject(message)) return message;
  const entries = Object.entries(message).map(([name, value]): [string, Json] => {
    const small = name.toLowerCase();
    return [members.includes(small) ? small : name, value];
  });
  return Object.fromEntries(entries);
}

/** What keeps a message out. */
export const checkVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-ENV-017",
    says: "refuses members that begin with x-",
    policy: {
      objects: (message) =>
        Object.keys(message).some((name) => name.startsWith("x-"))
          ? { cause: "malformed-envelope", message: "There is a member that is not known." }
          : undefined,
    },
  },
  {
    rule: "SNAP-SIG-008",
    says: "takes requests without a signature",
    policy: { respects: ({ site = "" }) => !/#\/then(\/required\/0)?$/.test(site) },
  },
  {
    rule: "SNAP-SIG-009",
    says: "verifies no signature",
    policy: { respects: ({ rule }) => !isOfSignature(rule) },
  },
  {
    rule: "SNAP-SIG-009",
    name: "zeros",
    says: "takes a signature of zeros for one to come",
    policy: {
      respects: ({ rule }, message) =>
        !(isOfSignature(rule) && JSON.stringify(message).includes(`"sig":"${"0".repeat(128)}"`)),
    },
  },
  {
    rule: "SNAP-VAL-004",
    says: "calls a wrong signature a missing one",
    policy: codes("wrong-signature", 2002),
  },
  {
    rule: "SNAP-VAL-004",
    name: "sender",
    says: "takes messages from addresses whose checksum is wrong",
    policy: { respects: ({ rule = "", at }) => !(/^SNAP-ADDR-(?!002)/.test(rule) && at === "/from") },
  },
  {
    rule: "SNAP-ERR-001",
    says: "calls a wrong signature a fault of its own",
    policy: codes("wrong-signature", 5001),
  },
  {
    rule: "SNAP-ADDR-002",
    says: "drops the bits behind the key of an address",
    policy: { respects: ({ rule }) => rule !== "SNAP-ADDR-002" },
  },
  {
    rule: "SNAP-PART-001",
    says: "takes parts without a content, or with several",
    policy: { respects: ({ rule, at = "" }) => rule === "SNAP-PART-004" || !at.includes("/parts/") },
  },
  {
    rule: "SNAP-PART-001",
    name: "truth",
    says: "counts the contents of a part that are not empty",
    policy: {
      respects: ({ rule }, message) =>
        rule !== "SNAP-PART-001" || !/"text":""|"data":\{\}/.test(JSON.stringify(message)),
    },
  },
  { rule: "SNAP-PART-004", says: "reads no base64", policy: { respects: ({ rule }) => rule !== "SNAP-PART-004" } },
  { rule: "SNAP-ENV-002", says: "reads names of members whatever their case", policy: { reads: folded } },
  {
    rule: "SNAP-PAY-001",
    says: "takes Message for message",
    policy: {
      respects: (_, message) => !(isObject(message) && isObject(message.payload) && "Message" in message.payload),
    },
  },
  {
    rule: "SNAP-PAY-005",
    says: "looks at nothing but the id of a task that is asked for",
    policy: { respects: unlessPayloadOf("tasks/get") },
  },
  {
    rule: "SNAP-PAY-006",
    says: "cancels a task whose id is in a list",
    policy: {
      respects: unlessPayloadOf("tasks/cancel"),
      names: ({ taskId }) => (Array.isArray(taskId) ? taskId[0] : taskId),
    },
  },
  { rule: "SNAP-ADDR-006", says: "takes messages from the other network", policy: { bridges: true } },
  { rule: "SNAP-ADDR-007", says: "calls a broken sender an unknown method", policy: codes("broken-identity", 1007) },
  { rule: "SNAP-RCPT-001", says: "takes messages for everybody", policy: { isOwn: () => true } },
  { rule: "SNAP-RCPT-002", says: "runs whatever it is sent", policy: { runs: () => true } },
  {
    rule: "SNAP-RCPT-002",
    name: "events",
    says: "runs events as requests",
    policy: { runs: (type) => type !== "response" },
  },
  {
    rule: "SNAP-VAL-006",
    says: "cancels before it looks at the signature",
    policy: {
      before({ type, method, payload }, { tasks }) {
        const { taskId } = (payload ?? {}) as { taskId?: string };
        const task = tasks.get(taskId ?? "");
        if (type === "request" && method === "tasks/cancel" && task?.state === "working") task.state = "canceled";
      },
    },
  },
  {
    rule: "SNAP-VAL-006",
    name: "turns",
    says: "keeps what is said to a task before it looks at the signature",
    policy: {
      before({ type, method, payload }, { tasks }) {
        const { taskId, message } = (payload ?? {}) as { taskId?: string; message?: JsonObject };
        const task = tasks.get(taskId ?? "");
        const isSaid = type === "request" && method === "message/send" && isObject(message);
        if (isSaid && task?.state === "input_required") task.history.push(message);
      },
    },
  },
  { rule: "SNAP-VER-002", says: "takes every version for its own", policy: { speaks: () => true } },
  {
    rule: "SNAP-VER-002",
    name: "code",
    says: "calls another version malformed",
    policy: codes("unsupported-version", 1003),
  },
  {
    rule: "SNAP-PAY-020",
    says: "calls a malformed payload a fault of its own",
    policy: codes("malformed-payload", 5001),
  },
  {
    rule: "SNAP-PAY-018",
    says: "takes payloads of any size",
    policy: { respects: ({ rule }) => rule !== "SNAP-PAY-018" },
  },
  { rule: "SNAP-PART-009", says: "takes content of every type", policy: { takesContent: () => true } },
  { rule: "SNAP-TIME-001", says: "looks at no time", policy: { isFresh: () => true } },
  {
    rule: "SNAP-TIME-001",
    name: "future",
    says: "takes what is of tomorrow",
    policy: { isFresh: (stamp, now) => stamp >= now - 60 },
  },
  {
    rule: "SNAP-TIME-001",
    name: "narrow",
    says: "grants ten seconds",
    policy: { isFresh: (stamp, now) => Math.abs(now - stamp) <= 10 },
  },
  { rule: "SNAP-TIME-002", says: "calls a stale message forged", policy: codes("stale-timestamp", 2001) },
  { rule: "SNAP-REPLAY-001", says: "remembers no id", policy: { remembers: 0 } },
  {
    rule: "SNAP-REPLAY-001",
    name: "minute",
    says: "remembers an id for a minute, while its message holds for two",
    policy: { remembers: 60_000 },
  },
  {
    rule: "SNAP-REPLAY-002",
    says: "remembers ids whoever sent them",
    policy: { sameness: ({ id }) => JSON.stringify(id ?? null) },
  },
  {
    rule: "SNAP-REPLAY-003",
    says: "takes an id again with another content",
    policy: { sameness: ({ from, id, payload, timestamp }) => JSON.stringify([from, id, payload, timestamp]) },
  },
  { rule: "SNAP-REPLAY-004", says: "remembers the ids of forged messages", policy: { consumes: true } },
  {
    rule: "SNAP-REPLAY-007",
    says: "has a memory for each transport",
    policy: { sameness: ({ from, id }, way) => JSON.stringify([from, id, way]) },
  },
];
