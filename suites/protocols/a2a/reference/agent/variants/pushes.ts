import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt } from "../../../../../packs/reference/changes.ts";
import type { A2aTask } from "../tasks.ts";
import { messageTexts, textOf } from "../work.ts";
import {
  type BrokenA2aAgent,
  breaks,
  changeResults,
  isOperation,
  isSending,
  misreadParams,
  refuseCalls,
  replaceError,
  skipCheck,
  stateIn,
} from "./variant.ts";

const isCreating = isOperation("CreateTaskPushNotificationConfig");
const isReading = isOperation("GetTaskPushNotificationConfig");
const isListing = isOperation("ListTaskPushNotificationConfigs");
const isDeleting = isOperation("DeleteTaskPushNotificationConfig");

/** The deleted configurations of each task. */
const deletedConfigs = new WeakMap<A2aTask, JsonObject[]>();

const withOtherUrl = editAt("/url", (url) => `${url}/other`);

export const pushVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-PUSH-003", {
    "": ["returns another url for a new configuration", changeResults(isCreating, withOtherUrl)],
    id: ["replaces the client's id with its own", misreadParams(isCreating, removeAt("/id"))],
  }),
  ...breaks("A2A-PUSH-004", {
    "": [
      "reports an unknown task as an invalid parameter of a deletion",
      replaceError("TaskNotFound", "InvalidParams", isDeleting),
    ],
  }),
  ...breaks("A2A-PUSH-005", {
    "": ["returns a stored configuration with another url", changeResults(isReading, withOtherUrl)],
  }),
  ...breaks("A2A-PUSH-006", {
    "": [
      "crashes on an unknown configuration",
      replaceError("TaskNotFound", "Internal", (call, { subject }) => isReading(call) && subject === "configuration"),
    ],
  }),
  ...breaks("A2A-PUSH-007", {
    "": [
      "lists each configuration twice",
      changeResults(
        isListing,
        editAt("/configs", (configs) => [...(configs as Json[]), ...(configs as Json[])]),
      ),
    ],
  }),
  ...breaks("A2A-PUSH-008", {
    "": [
      "lists deleted configurations",
      {
        changeResult(result, call, task) {
          if (task === undefined) return result;
          if (isDeleting(call))
            deletedConfigs.set(task, [
              ...(deletedConfigs.get(task) ?? []),
              { id: call.params.id as Json, url: "https://hooks.example/" },
            ]);
          if (!isListing(call) || !isObject(result)) return result;
          return { ...result, configs: [...(result.configs as Json[]), ...(deletedConfigs.get(task) ?? [])] };
        },
      },
    ],
  }),
  ...breaks("A2A-PUSH-009", {
    "": [
      "refuses to delete a configuration again",
      refuseCalls(
        "InvalidParams",
        (call, { store }) =>
          isDeleting(call) &&
          store.tasks.get(String(call.params.taskId))?.configs.has(String(call.params.id)) === false,
      ),
    ],
  }),
  ...breaks("A2A-PUSH-010", {
    "": [
      "loses the configurations of a task when it asks for input again",
      {
        recordMessage(task, message) {
          task.history.push(message);
          if (task.state === "TASK_STATE_INPUT_REQUIRED" && textOf(message) === messageTexts.asking)
            task.configs.clear();
        },
      },
    ],
  }),
  ...breaks("A2A-PUSH-011", {
    "": [
      "ignores the configuration beside a message",
      misreadParams(isSending, removeAt("/configuration/taskPushNotificationConfig")),
    ],
  }),
  ...breaks("A2A-PUSH-012", {
    "": ["accepts a configuration without a url", skipCheck("push-url", ({ params }) => params.url === undefined)],
  }),
  ...breaks("A2A-PUSH-013", {
    "": [
      "returns no token for the next page of configurations",
      changeResults(
        (call) => isListing(call) && call.params.pageSize === 1,
        editAt("/configs", (configs) => (configs as Json[]).slice(0, 1)),
      ),
    ],
  }),
  ...breaks("A2A-HOOK-001", { "": ["calls no webhook", { changePost: () => undefined }] }),
  ...breaks("A2A-HOOK-002", {
    "": [
      "posts a response of JSON-RPC",
      { changePost: (post) => ({ ...post, body: { jsonrpc: "2.0", id: "1", result: post.body } }) },
    ],
    bare: [
      "posts an update without its name",
      {
        changePost: (post) => ({
          ...post,
          body: isObject(post.body) ? (Object.values(post.body)[0] as Json) : post.body,
        }),
      },
    ],
  }),
  ...breaks("A2A-HOOK-003", {
    "": [
      "sends no credential to a webhook",
      {
        changePost(post) {
          const { authorization: _, ...headers } = post.headers;
          return { ...post, headers };
        },
      },
    ],
    scheme: [
      "sends every credential as a bearer token",
      {
        changePost: (post) => {
          const { authorization } = post.headers;
          return authorization === undefined
            ? post
            : { ...post, headers: { ...post.headers, authorization: authorization.replace(/^\S+/, "Bearer") } };
        },
      },
    ],
    first: [
      "sends its credential only in the first call",
      {
        changePost(post, { count }) {
          const { authorization: _, ...headers } = post.headers;
          return count === 1 ? post : { ...post, headers };
        },
      },
    ],
  }),
  ...breaks("A2A-HOOK-004", {
    "": [
      "posts JSON with the media type text/plain",
      { changePost: (post) => ({ ...post, headers: { ...post.headers, "content-type": "text/plain" } }) },
    ],
  }),
  ...breaks("A2A-HOOK-005", {
    "": ["calls a webhook by PUT", { changePost: (post) => ({ ...post, method: "PUT" }) }],
    query: [
      "calls a webhook without its query",
      { changePost: (post) => ({ ...post, url: post.url.replace(/\?.*$/, "") }) },
    ],
  }),
  ...breaks("A2A-HOOK-006", {
    "": [
      "calls a webhook about another task",
      {
        changePost: (post) => ({
          ...post,
          body: editAt("/statusUpdate/taskId", (id) => `${id}-2`)(post.body as JsonObject),
        }),
      },
    ],
  }),
  ...breaks("A2A-HOOK-007", {
    "": ["calls a webhook after its configuration was deleted", { callsDeletedWebhooks: true }],
  }),
  ...breaks("A2A-HOOK-008", { "": ["does not retry a failed call", { retryDelays: [] }] }),
  ...breaks("A2A-HOOK-009", { "": ["waits indefinitely for a webhook", { postTimeout: 600_000 }] }),
  ...breaks("A2A-HOOK-010", {
    "": [
      "reports that a task is working after reporting that it is over",
      {
        changePost(post, { task, event }) {
          const status = { state: "TASK_STATE_COMPLETED", timestamp: new Date(task.changedAt).toISOString() };
          if (isObject(event.artifactUpdate))
            return { ...post, body: { statusUpdate: { taskId: task.id, contextId: task.contextId, status } } };
          const isEnd = stateIn(event) === "TASK_STATE_COMPLETED";
          return isEnd ? { ...post, body: setAt("/statusUpdate/status/state", "TASK_STATE_WORKING")(event) } : post;
        },
      },
    ],
  }),
  ...breaks("A2A-HOOK-011", { "": ["calls webhooks on its own network", skipCheck("inward")] }),
];
