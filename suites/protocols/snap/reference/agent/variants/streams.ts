import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { About } from "../agent.ts";
import { methods } from "../policy.ts";
import { fresh } from "../tasks.ts";
import { saying } from "./answers.ts";
import type { AgentVariant } from "./variant.ts";

const isEnd = ({ type, method }: JsonObject, { fault }: About): boolean =>
  type === "response" && method === "message/stream" && fault === undefined;

/** How streams and sockets are kept. */
export const streamVariants: readonly AgentVariant[] = [
  {
    rule: "SNAP-STREAM-001",
    says: "ends a stream with two responses",
    policy: {
      sends: (message, about) =>
        isEnd(message, about) && about.way === "http" ? [message, { ...message, id: fresh("ans") }] : [message],
    },
  },
  {
    rule: "SNAP-STREAM-001",
    name: "open",
    says: "leaves a stream open behind its response",
    policy: { ends: ({ fault }) => fault !== undefined },
  },
  {
    rule: "SNAP-STREAM-002",
    says: "names another method in its events",
    policy: saying(
      ({ type }, { way }) => type === "event" && way === "http",
      (message) => ({ ...message, method: "message/send" }),
    ),
  },
  {
    rule: "SNAP-STREAM-004",
    says: "puts a message on several data lines",
    policy: { frame: (text) => `data: ${JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", "\ndata: ")}\n\n` },
  },
  {
    rule: "SNAP-STREAM-006",
    says: "leaves the artifacts out of the last response",
    policy: saying(isEnd, (message) => {
      const { payload } = message;
      const task = isObject(payload) && isObject(payload.task) ? payload.task : {};
      const { artifacts: _, ...rest } = task;
      return { ...message, payload: { task: rest } };
    }),
  },
  { rule: "SNAP-STREAM-007", says: "takes nobody back whose stream broke off", policy: { resumes: false } },
  {
    rule: "SNAP-STREAM-008",
    says: "leaves a stream open that it refuses",
    // Whatever else it chooses: without streams it would leave none open.
    policy: { ends: ({ fault }) => fault === undefined, streams: () => true },
  },
  {
    rule: "SNAP-STREAM-008",
    name: "silent",
    says: "refuses a stream without a word",
    policy: saying(
      ({ method }, { fault, way }) => fault !== undefined && method === "message/stream" && way === "http",
      () => undefined,
    ),
  },
  {
    rule: "SNAP-STREAM-008",
    name: "hangs",
    says: "does not answer a request for a stream that it refuses",
    policy: { hangs: ({ fault }) => fault !== undefined },
  },
  {
    rule: "SNAP-CARD-016",
    says: "says that it streams, and does not",
    policy: { offers: (method) => methods.includes(method) && method !== "message/stream" },
  },
  {
    rule: "SNAP-PAY-017",
    says: "does not say of which task an event is",
    policy: saying(
      ({ type }) => type === "event",
      (message) => {
        const { taskId: _, ...payload } = message.payload as JsonObject;
        return { ...message, payload };
      },
    ),
  },
  {
    rule: "SNAP-WS-001",
    says: "sends a second response on a WebSocket",
    policy: {
      sends: (message, about) =>
        isEnd(message, about) && about.way === "websocket" ? [message, { ...message, id: fresh("ans") }] : [message],
    },
  },
  {
    rule: "SNAP-WS-001",
    name: "binary",
    says: "answers on a WebSocket in binary frames",
    policy: { socketFrame: (text) => Buffer.from(text) },
  },
  { rule: "SNAP-WS-002", says: "never pings", policy: { pingsEvery: Number.POSITIVE_INFINITY } },
  {
    rule: "SNAP-WS-003",
    says: "refuses in silence on a WebSocket",
    policy: saying(
      (_message, { fault, way }) => fault !== undefined && way === "websocket",
      () => undefined,
    ),
  },
  {
    rule: "SNAP-WS-003",
    name: "streams",
    says: "refuses requests for streams in silence on a WebSocket",
    policy: saying(
      ({ method }, { fault, way }) => fault !== undefined && way === "websocket" && method === "message/stream",
      () => undefined,
    ),
  },
  {
    rule: "SNAP-WS-001",
    name: "lines",
    says: "writes each message twice into a frame, line by line",
    policy: { socketFrame: (text) => `${text}\n${text}` },
  },
];
