import { isDeepStrictEqual } from "node:util";
import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import type { ErrorName } from "../errors.ts";
import { brief, type CallResult, isError } from "./calls.ts";
import { listIn, partyOf } from "./party.ts";
import { finishedTask, getTask, hasRecipe, messageOf, openedTask, stateOf, unknownId } from "./recipes.ts";
import { type CallMore, type InterfaceVisit, notShown, stepFailed, usual, visitOf } from "./visit.ts";

/** One interface of each binding. Throws a skip if the card has only one binding. */
async function bothEndpoints(context: ScenarioContext): Promise<[InterfaceVisit, InterfaceVisit]> {
  const party = await partyOf(context);
  const rpc = party.endpoints.find(({ binding }) => binding === "JSONRPC");
  const rest = party.endpoints.find(({ binding, tenant }) => binding === "HTTP+JSON" && tenant === rpc?.tenant);
  if (rpc === undefined || rest === undefined) throw notShown("its card does not name both bindings");
  return [visitOf(context, party, rpc), visitOf(context, party, rest)];
}

async function sharesTasks(context: ScenarioContext): Promise<void> {
  const both = await bothEndpoints(context);
  for (const [one, other] of [both, [...both].reverse() as [InterfaceVisit, InterfaceVisit]]) {
    const task = await finishedTask(one);
    const id = task.id as Json;
    const mine = await getTask(one, id);
    const observed = await other.call("GetTask", { id });
    const theirs = (observed.result ?? {}) as JsonObject;
    const isSame = ["id", "contextId", "status", "artifacts"].every((name) =>
      isDeepStrictEqual(mine[name], theirs[name]),
    );
    other.expect(
      "A2A-EQV-001",
      isSame,
      `a task that was made by ${one.endpoint.binding} is read as ${brief(observed)}`,
    );
    const listed = await other.call(
      "ListTasks",
      typeof task.contextId === "string" ? { contextId: task.contextId } : {},
    );
    if (!isObject(listed.result) || !Array.isArray(listed.result.tasks))
      throw stepFailed(`a list of tasks is answered with ${brief(listed)}`);
    const isListed = listIn((listed.result as JsonObject | undefined)?.tasks).some(
      (each) => (each as JsonObject | null)?.id === id,
    );
    other.expect("A2A-EQV-001", isListed, `a task that was made by ${one.endpoint.binding} is not listed`);
    if (!hasRecipe(context, "asking") && !hasRecipe(context, "working")) continue;
    const live = await openedTask(one);
    const canceled = await other.call("CancelTask", { id: live.id as Json });
    if (canceled.error !== undefined && isError(canceled, "TaskNotFound"))
      other.expect(
        "A2A-EQV-001",
        false,
        `a task that was made by ${one.endpoint.binding} cannot be cancelled: ${brief(canceled)}`,
      );
    if (stateOf(canceled.result) !== "TASK_STATE_CANCELED") continue;
    const state = stateOf(await getTask(one, live.id as Json));
    one.expect(
      "A2A-EQV-001",
      state === "TASK_STATE_CANCELED",
      `a task that was cancelled by ${other.endpoint.binding} is ${state}`,
    );
  }
}

async function sharesErrors(context: ScenarioContext): Promise<void> {
  const both = await bothEndpoints(context);
  const id = unknownId(context);
  const over = (await finishedTask(both[0])).id as Json;
  const tries: [string, ErrorName, (visit: InterfaceVisit) => Promise<CallResult>][] = [
    ["an unknown task", "TaskNotFound", (visit) => visit.call("GetTask", { id })],
    ["the cancel of a task that is over", "TaskNotCancelable", (visit) => visit.call("CancelTask", { id: over })],
    [
      "a message to a task that is over",
      "UnsupportedOperation",
      (visit) => visit.call("SendMessage", { message: messageOf(context, { taskId: over }) }),
    ],
    [
      "a version that is not offered",
      "VersionNotSupported",
      (visit) => visit.call("GetTask", { id }, { version: "99.0" }),
    ],
  ];
  for (const [name, error, ask] of tries) {
    const [one, other] = [await ask(both[0]), await ask(both[1])];
    const isSame = isError(one, error) === isError(other, error);
    context.expect(
      "A2A-EQV-002",
      isSame,
      `${name} is answered with ${brief(one)} by JSONRPC, and with ${brief(other)} by HTTP+JSON`,
    );
  }
}

async function sharesAccess(context: ScenarioContext): Promise<void> {
  const both = await bothEndpoints(context);
  const bad: CallMore = { as: "nobody", headers: { authorization: "Bearer wrong-token" } };
  for (const [name, more] of [
    ["a good credential", {}],
    ["no credential", { as: "nobody" }],
    ["a wrong credential", bad],
  ] as [string, CallMore][]) {
    const [one, other] = [
      await both[0].call("ListTasks", { pageSize: 1 }, more),
      await both[1].call("ListTasks", { pageSize: 1 }, more),
    ];
    const isSame = (one.error === undefined) === (other.error === undefined);
    context.expect(
      "A2A-EQV-003",
      isSame,
      `${name} is answered with ${brief(one)} by JSONRPC, and with ${brief(other)} by HTTP+JSON`,
    );
  }
}

export const equivalence: readonly Scenario[] = [
  {
    name: "bindings-share-tasks",
    says: "the bindings are two interfaces of the same agent",
    rules: ["A2A-EQV-001"],
    needs: ["url"],
    withinMs: usual,
    play: sharesTasks,
  },
  {
    name: "bindings-share-errors",
    says: "the same fault is the same error in both bindings",
    rules: ["A2A-EQV-002"],
    needs: ["url"],
    withinMs: usual,
    play: sharesErrors,
  },
  {
    name: "bindings-share-access",
    says: "both bindings demand and accept the same credential",
    rules: ["A2A-EQV-003"],
    needs: ["credential"],
    withinMs: usual,
    play: sharesAccess,
  },
];
