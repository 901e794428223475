import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, setAt } from "../../../../../packs/reference/changes.ts";
import type { AgentStream } from "../agent.ts";
import { agentMessage, finalStates, moveTask } from "../tasks.ts";
import {
  type BrokenA2aAgent,
  breaks,
  changeItems,
  isStreaming,
  isSubscribing,
  refuseCalls,
  replaceError,
  skipCheck,
  stateIn,
  taskNamedIn,
} from "./variant.ts";

/** The event texts that each stream holds back. */
const heldTexts = new WeakMap<AgentStream, string[]>();

/** The item that each stream sends too late. */
const lateItems = new WeakMap<AgentStream, JsonObject>();

/** Holds back the events of a stream until its task is over. */
function holdBack(text: string, stream: AgentStream): string {
  if (!isStreaming(stream.call)) return `data: ${text}\n\n`;
  const texts = [...(heldTexts.get(stream) ?? []), `data: ${text}\n\n`];
  heldTexts.set(stream, texts);
  const isLast = stream.task === undefined || finalStates.includes(stream.task.state);
  if (!isLast) return "";
  heldTexts.set(stream, []);
  return texts.join("");
}

const isTerminal = (item: JsonObject): boolean => finalStates.includes(stateIn(item));

/** Whether an update reports this step of a working task. */
const isStep = (item: JsonObject, step: number): boolean =>
  JSON.stringify(item.statusUpdate ?? "").includes(`Step ${step} is done`);

export const streamVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-STREAM-001", {
    "": [
      "sends a stream as arbitrary bytes",
      {
        changeAnswer: (answer, call) =>
          isStreaming(call) && answer.headers["content-type"] === "text/event-stream"
            ? { ...answer, headers: { ...answer.headers, "content-type": "application/octet-stream" } }
            : answer,
      },
    ],
  }),
  ...breaks("A2A-STREAM-002", {
    "": [
      "adds an empty artifactUpdate to each update",
      changeItems(isStreaming, (item) => [item.statusUpdate === undefined ? item : { ...item, artifactUpdate: null }]),
    ],
  }),
  ...breaks("A2A-STREAM-003", {
    "": [
      "begins a stream with an update",
      changeItems(isStreaming, (item) => {
        const { task } = item;
        if (!isObject(task)) return [item];
        return [
          { statusUpdate: { taskId: task.id as Json, contextId: task.contextId as Json, status: task.status as Json } },
        ];
      }),
    ],
  }),
  ...breaks("A2A-STREAM-004", {
    "": [
      "sends its message twice",
      changeItems(isStreaming, (item) => (item.message === undefined ? [item] : [item, item])),
    ],
  }),
  ...breaks("A2A-STREAM-005", {
    "": [
      "sends a message in the stream of a task",
      changeItems(isStreaming, (item, { task }) =>
        stateIn(item) === "TASK_STATE_WORKING" && task !== undefined
          ? [item, { message: agentMessage(task, "At work.") }]
          : [item],
      ),
    ],
  }),
  ...breaks("A2A-STREAM-006", {
    "": [
      "leaves a stream open after its task is over",
      { endsStreamAt: (state, { call }) => !isStreaming(call) && finalStates.includes(state) },
    ],
  }),
  ...breaks("A2A-STREAM-007", {
    "": [
      "reports twice that a task is over",
      changeItems(isStreaming, (item) => (isTerminal(item) ? [item, item] : [item])),
    ],
  }),
  ...breaks("A2A-STREAM-008", {
    "": [
      "names another context in the updates of artifacts",
      changeItems(isStreaming, (item) => [editAt("/artifactUpdate/contextId", (id) => `${id}-2`)(item)]),
    ],
  }),
  ...breaks("A2A-STREAM-009", {
    "": [
      "reports the first step after the second",
      changeItems(isStreaming, (item, stream) => {
        if (isStep(item, 1)) {
          lateItems.set(stream, item);
          return [];
        }
        const firstStep = lateItems.get(stream);
        return isStep(item, 2) && firstStep !== undefined ? [item, firstStep] : [item];
      }),
    ],
  }),
  ...breaks("A2A-STREAM-010", {
    "": [
      "returns a numeric request id as a string",
      { writeEvent: (text) => `data: ${text.replace('"id":7,', '"id":"7",')}\n\n` },
    ],
  }),
  ...breaks("A2A-STREAM-011", {
    "": [
      "sends a truncated event",
      {
        writeEvent: (text, { call, itemCount }) =>
          `data: ${isStreaming(call) && itemCount === 2 && text.includes("WORKING") ? text.slice(0, -3) : text}\n\n`,
      },
    ],
  }),
  ...breaks("A2A-STREAM-012", {
    "": [
      "sends a stream only when it is complete",
      {
        writeEvent: holdBack,
      },
    ],
    updates: [
      "sends the updates of a stream only when it is complete",
      {
        writeEvent: (text, stream) => (stream.itemCount === 1 ? `data: ${text}\n\n` : holdBack(text, stream)),
      },
    ],
  }),
  ...breaks("A2A-STREAM-013", {
    "": [
      "opens a stream and stays silent instead of refusing",
      { isSilent: ({ error }, call) => isStreaming(call) && error === "InvalidParams" },
    ],
    "other-error": ["crashes on a stream without a message", replaceError("InvalidParams", "Internal", isStreaming)],
  }),
  ...breaks("A2A-STREAM-015", {
    "": [
      "cancels a task after its stream was cut",
      {
        onClientLeft({ call, task }) {
          if (isStreaming(call) && task !== undefined) moveTask(task, "TASK_STATE_CANCELED");
        },
      },
    ],
  }),
  ...breaks("A2A-STREAM-016", {
    "": [
      "ends a stream when its task needs authorization",
      { endsStreamAt: (state) => finalStates.includes(state) || state === "TASK_STATE_AUTH_REQUIRED" },
    ],
  }),
  ...breaks("A2A-ART-003", {
    "": [
      "omits a chunk of a stream",
      changeItems(isStreaming, (item) => {
        const { artifactUpdate: update } = item;
        return isObject(update) && update.append === true && update.lastChunk !== true ? [] : [item];
      }),
    ],
  }),
  ...breaks("A2A-ART-004", {
    "": [
      "sends another chunk after the last one",
      changeItems(isStreaming, (item) => {
        const { artifactUpdate: update } = item;
        return isObject(update) && update.lastChunk === true
          ? [item, setAt("/artifactUpdate/append", true)(item)]
          : [item];
      }),
    ],
  }),
  ...breaks("A2A-ART-005", {
    "": [
      "appends to an artifact that was not sent",
      changeItems(isStreaming, editArtifactUpdates(setAt("/artifactUpdate/append", true))),
    ],
  }),
  ...breaks("A2A-SUB-001", {
    "": [
      "begins a subscription with the next update",
      changeItems(isSubscribing, (item) => (item.task === undefined ? [item] : [])),
    ],
  }),
  ...breaks("A2A-SUB-002", {
    "": [
      "leaves a subscription open after its task is over",
      { endsStreamAt: (state, { call }) => !isSubscribing(call) && finalStates.includes(state) },
    ],
  }),
  ...breaks("A2A-SUB-003", { "": ["opens a subscription to a task that is over", skipCheck("over", isSubscribing)] }),
  ...breaks("A2A-SUB-004", {
    "": [
      "reports an unknown task as an invalid parameter of a subscription",
      replaceError("TaskNotFound", "InvalidParams", isSubscribing),
    ],
  }),
  ...breaks("A2A-SUB-005", {
    "": [
      "rejects subscriptions to a task that waits for input",
      refuseCalls(
        "TaskNotFound",
        (call, agent) => isSubscribing(call) && taskNamedIn(call, agent)?.state === "TASK_STATE_INPUT_REQUIRED",
      ),
    ],
  }),
  ...breaks("A2A-SUB-006", {
    "": [
      "omits a step in every second subscription",
      changeItems(isSubscribing, (item, { number }) => (number % 2 === 0 && isStep(item, 2) ? [] : [item])),
    ],
  }),
  ...breaks("A2A-SUB-007", {
    "": [
      "ends all streams of a task when one of them is closed",
      {
        onClientLeft({ call, task }) {
          if (isSubscribing(call)) task?.watchers.clear();
        },
      },
    ],
  }),
];

function editArtifactUpdates(change: (item: JsonObject) => JsonObject): (item: JsonObject) => JsonObject[] {
  return (item) => [isObject(item.artifactUpdate) ? change(item) : item];
}
