import { randomUUID } from "node:crypto";
import { isObject, type Json, type JsonObject, type LiveChoice } from "../../../../../schemas/index.ts";
import { editAt, removeAt, setAt } from "../../../../packs/reference/changes.ts";
import { errors, type TableError } from "../../errors.ts";
import type { A2aPolicy, AgentAnswer, AgentCall, AgentStream } from "./agent.ts";
import { knownExtension } from "./card.ts";
import { finalStates, presentTask } from "./tasks.ts";
import { messageTexts } from "./work.ts";

/** A choice and the decisions that it replaces. `base` has the decisions after the earlier choices. */
export interface A2aAgentChoice extends Omit<LiveChoice, "side"> {
  policy(base: A2aPolicy): Partial<A2aPolicy>;
}

type CardChange = (card: JsonObject) => JsonObject;

/** Changes the card, after the changes of earlier choices. */
function cardChange(change: CardChange): A2aAgentChoice["policy"] {
  return ({ changeCard }) => ({ changeCard: (card, kind) => change(changeCard(card, kind)) });
}

/** Changes answers. */
function answerChange(change: (answer: AgentAnswer, call: AgentCall) => AgentAnswer): A2aAgentChoice["policy"] {
  return ({ changeAnswer }) => ({ changeAnswer: (answer, call) => change(changeAnswer(answer, call), call) });
}

/** Changes results. */
function resultChange(change: (result: JsonObject, call: AgentCall) => Json): A2aAgentChoice["policy"] {
  return ({ changeResult }) => ({
    changeResult(result, call, task, agent) {
      const changedResult = changeResult(result, call, task, agent);
      return isObject(changedResult) ? change(changedResult, call) : changedResult;
    },
  });
}

/** Changes items of streams. */
function itemChange(change: (item: JsonObject, stream: AgentStream) => JsonObject[]): A2aAgentChoice["policy"] {
  return ({ changeItem }) => ({
    changeItem: (item, stream) => changeItem(item, stream).flatMap((changedItem) => change(changedItem, stream)),
  });
}

const offerChoices: readonly A2aAgentChoice[] = [
  {
    name: "without-streams",
    kind: "freedom",
    freedoms: [],
    says: "offers no streams",
    moots: ["breaks-A2A-TASK-005-streams"],
    policy: cardChange(setAt("/capabilities/streaming", false)),
  },
  {
    name: "without-pushes",
    kind: "freedom",
    freedoms: [],
    says: "offers no push notifications",
    moots: ["breaks-A2A-REST-001"],
    policy: cardChange(removeAt("/capabilities/pushNotifications")),
  },
  {
    name: "without-extended-card",
    kind: "freedom",
    freedoms: [],
    says: "offers no extended card",
    moots: ["breaks-A2A-CARD-006"],
    policy: cardChange(setAt("/capabilities/extendedAgentCard", false)),
  },
  {
    name: "requires-extension",
    kind: "freedom",
    freedoms: [],
    says: "requires an extension",
    policy: cardChange(setAt("/capabilities/extensions", [{ uri: knownExtension, required: true }])),
  },
  {
    name: "one-binding",
    kind: "freedom",
    factor: "bindings",
    freedoms: [],
    says: "names its interface over JSON-RPC alone in its card",
    moots: ["breaks-A2A-VER-002-rest-alone", "breaks-A2A-ERR-001"],
    policy: cardChange(editAt("/supportedInterfaces", (interfaces) => (interfaces as Json[]).slice(0, 1))),
  },
  {
    name: "serves-strangers",
    kind: "freedom",
    freedoms: [],
    says: "requires no credential, except for its extended card",
    policy: ({ changeCard, makesCheck }) => ({
      changeCard: (card, kind) => removeAt("/securityRequirements")(changeCard(card, kind)),
      makesCheck: (check, call) =>
        (check !== "credential" || call.operation === "GetExtendedAgentCard") && makesCheck(check, call),
    }),
  },
  {
    name: "rest-alone",
    kind: "freedom",
    factor: "bindings",
    freedoms: [],
    says: "names its interface over HTTP+JSON alone in its card",
    // The first variant has wrong details only over JSON-RPC. The second needs the route of another tenant.
    moots: ["breaks-A2A-ERR-003", "breaks-A2A-TEN-003"],
    policy: cardChange(editAt("/supportedInterfaces", (interfaces) => (interfaces as Json[]).slice(1))),
  },
  {
    name: "card-for-each-version",
    kind: "freedom",
    freedoms: [],
    says: "gives requests that name no version the card of version 0.3",
    policy: () => ({
      cardFor(version, card) {
        if (version !== "" && version !== "0.3") return card;
        const { supportedInterfaces: interfaces, securityRequirements: _, ...otherMembers } = card;
        const [firstInterface] = Array.isArray(interfaces) ? interfaces : [];
        const url = isObject(firstInterface) ? firstInterface.url : "";
        return { ...otherMembers, protocolVersion: "0.3.0", preferredTransport: "JSONRPC", url: url as Json };
      },
    }),
  },
];

const behaviorChoices: readonly A2aAgentChoice[] = [
  {
    name: "replies-with-messages",
    kind: "freedom",
    freedoms: [],
    says: "answers most messages with messages",
    // The answer has a message but no task.
    moots: ["breaks-A2A-JSON-008"],
    policy: ({ readText }) => ({
      readText(message) {
        const text = readText(message);
        const isKnown = message.taskId !== undefined || Object.values<string>(messageTexts).includes(text);
        return isKnown ? text : messageTexts.replying;
      },
    }),
  },
  {
    name: "takes-messages-at-work",
    kind: "freedom",
    freedoms: ["message-to-a-task-at-work"],
    says: "accepts messages to a running task",
    policy: () => ({ acceptsWhileWorking: true }),
  },
  {
    name: "cancels-again",
    kind: "freedom",
    freedoms: ["cancelled-again"],
    says: "answers a second cancellation with the task",
    policy: () => ({ acceptsSecondCancel: true }),
  },
  {
    name: "refuses-foreign-contexts",
    kind: "freedom",
    freedoms: ["context-of-the-client"],
    says: "refuses contexts that it did not make",
    moots: ["breaks-A2A-CTX-002"],
    policy: ({ refuseCall }) => ({
      refuseCall(call, agent) {
        const message = isObject(call.params.message) ? call.params.message : {};
        const { contextId, taskId } = message;
        const isKnown = [...agent.store.tasks.values()].some((task) => task.contextId === contextId);
        if (typeof contextId === "string" && taskId === undefined && !isKnown)
          return { error: "InvalidParams", message: "message.contextId is unknown", field: "message.contextId" };
        return refuseCall(call, agent);
      },
    }),
  },
  {
    name: "odd-ids",
    kind: "freedom",
    freedoms: [],
    says: "gives tasks ids that a path must encode",
    policy: () => ({ createTaskId: () => `t:${randomUUID().slice(24)}/é %41` }),
  },
  {
    name: "counts-its-pages",
    kind: "freedom",
    freedoms: ["size-of-a-page"],
    says: "reports the number of tasks on a page as the page size",
    policy: resultChange((result, { operation }) =>
      operation === "ListTasks" && Array.isArray(result.tasks) ? { ...result, pageSize: result.tasks.length } : result,
    ),
  },
  {
    name: "hides-history",
    kind: "freedom",
    freedoms: ["shown-history"],
    says: "shows no history",
    moots: ["breaks-A2A-HIST-001", "breaks-A2A-HIST-001-send-alone"],
    policy: resultChange(removeAt("/history", "/task/history", "/tasks/*/history")),
  },
  {
    name: "hides-credentials",
    kind: "freedom",
    freedoms: ["shown-credentials"],
    says: "hides the credentials of a webhook",
    policy: resultChange(removeAt("/authentication/credentials", "/configs/*/authentication/credentials")),
  },
  {
    name: "closes-for-input",
    kind: "freedom",
    freedoms: ["stream-at-input-required"],
    says: "ends a stream when its task waits for input",
    policy: ({ endsStreamAt }) => ({
      endsStreamAt: (state, stream) => state === "TASK_STATE_INPUT_REQUIRED" || endsStreamAt(state, stream),
    }),
  },
  {
    name: "ends-with-the-task",
    kind: "freedom",
    freedoms: ["snapshot-at-the-end"],
    says: "sends the whole task as the last item",
    policy: itemChange((item, { task }) => {
      const status = isObject(item.statusUpdate) ? item.statusUpdate.status : undefined;
      const isLast = isObject(status) && finalStates.includes(String(status.state));
      return isLast && task !== undefined ? [item, { task: presentTask(task) }] : [item];
    }),
  },
  {
    name: "posts-whole-tasks",
    kind: "freedom",
    freedoms: ["pushed-updates"],
    says: "posts the whole task to a webhook",
    policy: ({ changePost }) => ({
      changePost(post, facts) {
        const changedPost = changePost(post, facts);
        return changedPost === undefined ? undefined : { ...changedPost, body: { task: presentTask(facts.task) } };
      },
    }),
  },
  {
    name: "posts-json",
    kind: "freedom",
    freedoms: ["media-type-of-a-webhook"],
    says: "posts the media type application/json",
    policy: ({ changePost }) => ({
      changePost(post, facts) {
        const changedPost = changePost(post, facts);
        return (
          changedPost && {
            ...changedPost,
            headers: { ...changedPost.headers, "content-type": "application/json; charset=utf-8" },
          }
        );
      },
    }),
  },
  {
    name: "deletes-with-null",
    kind: "freedom",
    freedoms: ["confirmation-of-deletion"],
    says: "answers a deletion with null",
    policy: answerChange((answer, { operation, binding }) => {
      if (operation !== "DeleteTaskPushNotificationConfig" || answer.status >= 300) return answer;
      if (binding === "JSONRPC")
        return isObject(answer.body) && answer.body.result !== undefined
          ? { ...answer, body: setAt("/result", null)(answer.body) }
          : answer;
      return { status: 200, headers: { "content-type": "application/a2a+json" }, body: {} };
    }),
  },
  {
    name: "creates-with-201",
    kind: "freedom",
    freedoms: ["status-of-success"],
    says: "answers a new configuration with 201",
    policy: answerChange((answer, { operation, binding }) =>
      operation === "CreateTaskPushNotificationConfig" && binding === "HTTP+JSON" && answer.status === 200
        ? { ...answer, status: 201 }
        : answer,
    ),
  },
  {
    name: "errors-with-status",
    kind: "freedom",
    freedoms: ["status-of-json-rpc-errors"],
    says: "answers errors of JSON-RPC with specific HTTP statuses",
    policy: answerChange((answer, { binding }) => {
      const error = isObject(answer.body) && isObject(answer.body.error) ? answer.body.error : undefined;
      const tableError = Object.values<TableError>(errors).find(({ code }) => code === error?.code);
      return binding === "JSONRPC" && tableError !== undefined ? { ...answer, status: tableError.status } : answer;
    }),
  },
];

const tempoAndTransportChoices: readonly A2aAgentChoice[] = [
  {
    name: "slow-work",
    kind: "tempo",
    factor: "work",
    freedoms: [],
    says: "needs longer for each step",
    policy: () => ({ stepDuration: 700 }),
  },
  {
    name: "quick-work",
    kind: "tempo",
    factor: "work",
    freedoms: [],
    says: "needs less for each step",
    policy: () => ({ stepDuration: 280 }),
  },
  {
    name: "slow-answers",
    kind: "tempo",
    freedoms: [],
    says: "reads each request after a delay",
    policy: () => ({ readDelay: 60 }),
  },
  {
    name: "comments-in-streams",
    kind: "transport",
    factor: "events",
    freedoms: [],
    says: "sends comments, ids and names of events",
    policy: () => ({
      writeEvent: (text, { itemCount }) => `: still here\nid: ${itemCount}\nevent: message\ndata:${text}\n\n`,
    }),
  },
  {
    name: "events-in-lines",
    kind: "transport",
    factor: "events",
    freedoms: [],
    says: "writes the data of an event on several lines, which end with CRLF",
    policy: () => ({
      writeEvent: (text) => {
        const lines = JSON.stringify(JSON.parse(text), null, 1).split("\n");
        return `${lines.map((line) => `data: ${line}`).join("\r\n")}\r\n\r\n`;
      },
    }),
  },
  {
    name: "members-in-another-order",
    kind: "transport",
    freedoms: [],
    says: "writes the members of its answers in reverse order",
    policy: answerChange((answer) =>
      answer.body === undefined ? answer : { ...answer, body: reverseMembers(answer.body) },
    ),
  },
];

/** Reverses the order of members, at every depth. */
function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member as Json)]),
  );
}

/** All choices of a correct agent that the reference itself does not make. */
export const agentChoices: readonly A2aAgentChoice[] = [
  ...offerChoices,
  ...behaviorChoices,
  ...tempoAndTransportChoices,
];
