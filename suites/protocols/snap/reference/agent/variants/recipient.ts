import { otherNetworkOf } from "../../../rules/address.ts";
import { rightAgentDecisions } from "../policy.ts";
import { changeMessage, codes, current, ofMethod, payloadOf, trackCurrent } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about accepting and answering messages. */
export const recipientVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-RCPT-001", {
    "": ["accepts messages for every recipient", { isOwn: () => true }],
    networks: [
      "accepts messages for its key on either network",
      {
        acceptsOtherNetwork: true,
        isOwn: (to, { identity }) => to === identity || to === otherNetworkOf(identity),
      },
    ],
    streams: [
      "accepts requests for streams for every recipient",
      {
        ...trackCurrent,
        isOwn: (to, agent) => current.message.method === "message/stream" || rightAgentDecisions.isOwn(to, agent),
      },
    ],
  }),
  ...breaks("SNAP-RCPT-002", {
    "": ["runs every message that it gets", { runsMethod: () => true }],
    events: ["runs events as requests", { runsMethod: (type) => type !== "response" }],
    reads: [
      "shows a task for every type of message",
      {
        ...trackCurrent,
        runsMethod: (type) => current.message.method === "tasks/get" || rightAgentDecisions.runsMethod(type),
      },
    ],
  }),
  ...breaks("SNAP-RCPT-003", {
    "": [
      "addresses its answers to itself",
      changeMessage(
        ({ type }) => type === "response",
        (message, { agent }) => ({ ...message, to: agent.identity }),
      ),
    ],
    bare: [
      "omits the version in its answers",
      changeMessage(ofMethod("tasks/get"), ({ version: _, ...message }) => message),
    ],
    milliseconds: [
      "stamps its answers in milliseconds",
      changeMessage(
        ({ type }) => type === "response",
        (message) => ({ ...message, timestamp: Number(message.timestamp) * 1000 }),
      ),
    ],
    "echoed-time": [
      "stamps its answers with the time of the request",
      changeMessage(
        ({ type }) => type === "response",
        (message, { request }) => ({ ...message, timestamp: Number(request.timestamp ?? message.timestamp) }),
      ),
    ],
    "one-id": [
      "gives all its answers one id",
      changeMessage(
        ({ type }) => type === "response",
        (message) => ({ ...message, id: "answer-1" }),
      ),
    ],
  }),
  ...breaks("SNAP-RCPT-004", {
    "": [
      "adds a note to the tasks in its answers",
      changeMessage(ofMethod("tasks/get"), (message) => ({
        ...message,
        payload: { ...payloadOf(message), note: "here" },
      })),
    ],
    null: ["writes null for missing artifacts of a task", { reportTask: (task) => ({ artifacts: null, ...task }) }],
  }),
  ...breaks("SNAP-RCPT-005", {
    "": ["calls an unknown method malformed", codes("unknown-method", 1003)],
  }),
];
