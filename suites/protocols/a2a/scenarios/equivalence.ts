import { isDeepStrictEqual } from "node:util";
import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import type { ErrorName } from "../errors.ts";
import { type CallResult, describeAnswer, isError } from "./calls.ts";
import { listIn, partyOf } from "./party.ts";
import {
  getTask,
  hasRecipe,
  makeFinishedTask,
  makeMessage,
  makeUnfinishedTask,
  stateOf,
  unknownId,
} from "./recipes.ts";
import { type CallOptions, defaultWithinMs, type InterfaceVisit, notShown, stepFailed, visitOf } from "./visit.ts";

/** Starts a visit over each binding. Throws a skip if the card has only one binding. */
async function visitBothBindings(context: ScenarioContext): Promise<[InterfaceVisit, InterfaceVisit]> {
  const party = await partyOf(context);
  const rpcEndpoint = party.endpoints.find(({ binding }) => binding === "JSONRPC");
  const restEndpoint = party.endpoints.find(
    ({ binding, tenant }) => binding === "HTTP+JSON" && tenant === rpcEndpoint?.tenant,
  );
  if (rpcEndpoint === undefined || restEndpoint === undefined) throw notShown("its card does not name both bindings");
  return [visitOf(context, party, rpcEndpoint), visitOf(context, party, restEndpoint)];
}

async function checkSharedTasks(context: ScenarioContext): Promise<void> {
  const visits = await visitBothBindings(context);
  for (const [creatorVisit, readerVisit] of [visits, [...visits].reverse() as [InterfaceVisit, InterfaceVisit]]) {
    const task = await makeFinishedTask(creatorVisit);
    const id = task.id as Json;
    const ownTask = await getTask(creatorVisit, id);
    const answer = await readerVisit.call("GetTask", { id });
    const readTask = (answer.result ?? {}) as JsonObject;
    const isSame = ["id", "contextId", "status", "artifacts"].every((name) =>
      isDeepStrictEqual(ownTask[name], readTask[name]),
    );
    readerVisit.expect(
      "A2A-EQV-001",
      isSame,
      `a task created over ${creatorVisit.endpoint.binding} is read as ${describeAnswer(answer)}`,
    );
    const listAnswer = await readerVisit.call(
      "ListTasks",
      typeof task.contextId === "string" ? { contextId: task.contextId } : {},
    );
    if (!isObject(listAnswer.result) || !Array.isArray(listAnswer.result.tasks))
      throw stepFailed(`a list of tasks is answered with ${describeAnswer(listAnswer)}`);
    const isListed = listIn((listAnswer.result as JsonObject | undefined)?.tasks).some(
      (listedTask) => (listedTask as JsonObject | null)?.id === id,
    );
    readerVisit.expect("A2A-EQV-001", isListed, `a task created over ${creatorVisit.endpoint.binding} is not listed`);
    if (!hasRecipe(context, "asking") && !hasRecipe(context, "working")) continue;
    const openTask = await makeUnfinishedTask(creatorVisit);
    const cancelAnswer = await readerVisit.call("CancelTask", { id: openTask.id as Json });
    if (cancelAnswer.error !== undefined && isError(cancelAnswer, "TaskNotFound"))
      readerVisit.expect(
        "A2A-EQV-001",
        false,
        `a task created over ${creatorVisit.endpoint.binding} cannot be cancelled: ${describeAnswer(cancelAnswer)}`,
      );
    if (stateOf(cancelAnswer.result) !== "TASK_STATE_CANCELED") continue;
    const state = stateOf(await getTask(creatorVisit, openTask.id as Json));
    creatorVisit.expect(
      "A2A-EQV-001",
      state === "TASK_STATE_CANCELED",
      `a task cancelled over ${readerVisit.endpoint.binding} is ${state}`,
    );
  }
}

async function checkSameErrors(context: ScenarioContext): Promise<void> {
  const visits = await visitBothBindings(context);
  const id = unknownId(context);
  const endedId = (await makeFinishedTask(visits[0])).id as Json;
  const faults: [string, ErrorName, (visit: InterfaceVisit) => Promise<CallResult>][] = [
    ["an unknown task", "TaskNotFound", (visit) => visit.call("GetTask", { id })],
    ["the cancel of a task that is over", "TaskNotCancelable", (visit) => visit.call("CancelTask", { id: endedId })],
    [
      "a message to a task that is over",
      "UnsupportedOperation",
      (visit) => visit.call("SendMessage", { message: makeMessage(context, { taskId: endedId }) }),
    ],
    [
      "a version that is not offered",
      "VersionNotSupported",
      (visit) => visit.call("GetTask", { id }, { version: "99.0" }),
    ],
  ];
  for (const [name, error, provoke] of faults) {
    const [rpcAnswer, restAnswer] = [await provoke(visits[0]), await provoke(visits[1])];
    const isSame = isError(rpcAnswer, error) === isError(restAnswer, error);
    context.expect(
      "A2A-EQV-002",
      isSame,
      `${name} is answered with ${describeAnswer(rpcAnswer)} over JSONRPC, and with ${describeAnswer(restAnswer)} over HTTP+JSON`,
    );
  }
}

async function checkSameAccess(context: ScenarioContext): Promise<void> {
  const visits = await visitBothBindings(context);
  const wrongCredential: CallOptions = { as: "nobody", headers: { authorization: "Bearer wrong-token" } };
  for (const [name, callOptions] of [
    ["a valid credential", {}],
    ["no credential", { as: "nobody" }],
    ["a wrong credential", wrongCredential],
  ] as [string, CallOptions][]) {
    const [rpcAnswer, restAnswer] = [
      await visits[0].call("ListTasks", { pageSize: 1 }, callOptions),
      await visits[1].call("ListTasks", { pageSize: 1 }, callOptions),
    ];
    const isSame = (rpcAnswer.error === undefined) === (restAnswer.error === undefined);
    context.expect(
      "A2A-EQV-003",
      isSame,
      `${name} is answered with ${describeAnswer(rpcAnswer)} over JSONRPC, and with ${describeAnswer(restAnswer)} over HTTP+JSON`,
    );
  }
}

export const equivalenceScenarios: readonly Scenario[] = [
  {
    name: "bindings-share-tasks",
    says: "the bindings are two interfaces of the same agent",
    rules: ["A2A-EQV-001"],
    needs: ["url"],
    withinMs: defaultWithinMs,
    play: checkSharedTasks,
  },
  {
    name: "bindings-share-errors",
    says: "the same fault is the same error in both bindings",
    rules: ["A2A-EQV-002"],
    needs: ["url"],
    withinMs: defaultWithinMs,
    play: checkSameErrors,
  },
  {
    name: "bindings-share-access",
    says: "both bindings demand and accept the same credential",
    rules: ["A2A-EQV-003"],
    needs: ["credential"],
    withinMs: defaultWithinMs,
    play: checkSameAccess,
  },
];
