import { isObject } from "../../../../../../schemas/index.ts";
import type { Task } from "../agent.ts";
import { right } from "../policy.ts";
import { fresh } from "../tasks.ts";
import type { AgentVariant } from "./variant.ts";

const isOfSignature = (rule = ""): boolean => /^SNAP-SIG-0(?:0[1-7]|14)$/.test(rule);
const asked = new WeakSet<Task>();

/** Agents that err only where several things come together, so that no single story shows it. */
export const courseVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-REPLAY-001",
    name: "few",
    says: "remembers the last three ids",
    policy: {
      keeps(memory) {
        for (const id of [...memory.keys()].slice(0, -3)) memory.delete(id);
      },
    },
    isCourse: true,
  },
  {
    rule: "SNAP-REPLAY-001",
    name: "streams",
    says: "remembers no request for a stream",
    policy: {
      sameness: (message, way) => (message.method === "message/stream" ? fresh("key") : right.sameness(message, way)),
    },
    isCourse: true,
  },
  {
    rule: "SNAP-REPLAY-001",
    name: "continued",
    says: "remembers no message that goes on with a task",
    policy: {
      sameness: (message, way) =>
        isObject(message.payload) && "taskId" in message.payload && message.method === "message/send"
          ? fresh("key")
          : right.sameness(message, way),
    },
    isCourse: true,
  },
  {
    rule: "SNAP-SIG-009",
    name: "socket",
    says: "verifies no signature of what comes over WebSocket",
    policy: { respects: ({ rule }, _message, way) => way !== "websocket" || !isOfSignature(rule) },
  },
  {
    rule: "SNAP-TIME-001",
    name: "socket",
    says: "looks at no time of what comes over WebSocket",
    policy: { isFresh: (stamp, now, message, way) => way === "websocket" || right.isFresh(stamp, now, message, way) },
  },
  {
    rule: "SNAP-SIG-012",
    name: "repeated",
    says: "does not sign what it answers to a repeated message",
    policy: {
      signs: (message, sign, { fault }) => (fault?.cause === "repeated-message" ? message : sign(message)),
    },
    isCourse: true,
  },
  {
    rule: "SNAP-TASK-008",
    name: "insistent",
    says: "cancels what is completed when it is told so twice",
    policy: {
      cancels(task) {
        const isAgain = asked.has(task);
        asked.add(task);
        return isAgain ? "canceled" : right.cancels(task);
      },
    },
    isCourse: true,
  },
];
