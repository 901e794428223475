import { isObject } from "../../../../../../schemas/index.ts";
import { freshId } from "../tasks.ts";
import { changeMessage, isEnd, ofMethod, payloadOf } from "./change.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about streams. */
export const streamVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-STREAM-001", {
    "": [
      "ends a stream with two responses",
      {
        messagesToSend: (message, about) =>
          isEnd(message, about) && about.transport === "http"
            ? [message, { ...message, id: freshId("ans") }]
            : [message],
      },
    ],
    open: ["leaves a stream open after its response", { endsAfter: ({ fault }) => fault !== undefined }],
  }),
  ...breaks("SNAP-STREAM-002", {
    "": [
      "names another method in its events",
      changeMessage(
        ({ type }, { transport }) => type === "event" && transport === "http",
        (message) => ({ ...message, method: "message/send" }),
      ),
    ],
  }),
  ...breaks("SNAP-STREAM-003", {
    "": [
      "answers a cancellation with an event",
      changeMessage(ofMethod("tasks/cancel"), (message) => ({ ...message, type: "event" })),
    ],
  }),
  ...breaks("SNAP-STREAM-004", {
    "": [
      "puts a message on several data lines",
      { frame: (text) => `data: ${JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", "\ndata: ")}\n\n` },
    ],
  }),
  ...breaks("SNAP-STREAM-006", {
    "": [
      "omits the artifacts in the last response",
      changeMessage(isEnd, (message) => {
        const { payload } = message;
        const task = isObject(payload) && isObject(payload.task) ? payload.task : {};
        const { artifacts: _, ...rest } = task;
        return { ...message, payload: { task: rest } };
      }),
    ],
    bare: [
      "sends no artifact in a stream, neither in an event nor at the end",
      changeMessage(
        ({ method }, { fault }) => method === "message/stream" && fault === undefined,
        (message) => {
          const { artifact: _, task, ...rest } = payloadOf(message);
          if (!isObject(task)) return { ...message, payload: rest };
          const { artifacts: _artifacts, ...taskWithoutArtifacts } = task;
          return { ...message, payload: { ...rest, task: taskWithoutArtifacts } };
        },
      ),
    ],
  }),
  ...breaks("SNAP-STREAM-007", {
    "": ["does not resume a broken stream", { resumes: false }],
  }),
  ...breaks("SNAP-STREAM-008", {
    "": [
      "leaves a refused stream open",
      // Always streams, whatever other choices say: without streams, the mistake would not show.
      { endsAfter: ({ fault }) => fault === undefined, streams: () => true },
    ],
    silent: [
      "refuses a stream without a message",
      changeMessage(
        ({ method }, { fault, transport }) =>
          fault !== undefined && method === "message/stream" && transport === "http",
        () => undefined,
      ),
    ],
    hangs: ["does not answer a refused request for a stream", { shouldHang: ({ fault }) => fault !== undefined }],
  }),
];
