import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type AgentInterface, brief, type CallName, type CallResult } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import {
  awaitTask,
  finishedTask,
  getTask,
  messageOf,
  openTask,
  patient,
  recipe,
  running,
  stateOf,
  taskIn,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type CallMore, type InterfaceVisit, notShown, optionMissing, visitOf } from "./visit.ts";

/** Requests about a task. */
function questions(visit: InterfaceVisit, id: Json): [CallName, JsonObject][] {
  const message = messageOf(visit.context, { taskId: id });
  const base: [CallName, JsonObject][] = [
    ["GetTask", { id }],
    ["CancelTask", { id }],
    ["SendMessage", { message }],
  ];
  const { pushes } = visit.party;
  return pushes ? [...base, ["ListTaskPushNotificationConfigs", { taskId: id }]] : base;
}

/** Throws a skip if the card lets strangers in. */
function mustDemandCredentials({ card }: A2aParty): void {
  const { securitySchemes: schemes } = card;
  if (!isObject(schemes) || Object.keys(schemes).length === 0) throw notShown("its card declares no security schemes");
  const all = listIn(card.securityRequirements);
  if (all.length === 0 || all.some(isEmptyRequirement)) throw notShown("its card requires no credential");
}

/** Whether a security requirement names no scheme. */
function isEmptyRequirement(requirement: Json): boolean {
  if (!isObject(requirement)) return false;
  const { schemes = requirement } = requirement;
  return isObject(schemes) && Object.keys(schemes).length === 0;
}

async function demandsCredentials(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await finishedTask(visit);
  const id = task.id as Json;
  const before = await getTask(visit, id);
  const bad: CallMore = { as: "nobody", headers: { authorization: "Bearer wrong-token" } };
  for (const [name, more] of [
    ["without a credential", { as: "nobody" }],
    ["with a wrong credential", bad],
  ] as [string, CallMore][]) {
    const all: [CallName, JsonObject][] = [
      ...questions(visit, id),
      ["ListTasks", {}],
      ["SendMessage", { message: messageOf(context) }],
    ];
    for (const [operation, params] of all) {
      const observed = await visit.call(operation, params, more);
      visit.expect("A2A-AUTH-001", observed.error !== undefined, `${operation} ${name} is served`);
      if (observed.error === undefined) continue;
      visit.expect(
        "A2A-AUTH-002",
        saysHow(observed),
        `${operation} ${name} is answered with ${brief(observed)}, which does not say how to authenticate`,
      );
    }
  }
  const after = await getTask(visit, id);
  visit.expect("A2A-AUTH-001", isSame(after, before), "a task has changed after requests without a credential");
}

/** Whether a task is unchanged, as far as requests may change it. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return ["status", "artifacts", "history"].every((name) => isDeepStrictEqual(one[name], other[name]));
}

/** Whether a refusal explains how to authenticate. */
function saysHow({ reply }: CallResult): boolean {
  if (reply.status === 401) return reply.headers["www-authenticate"] !== undefined;
  return reply.status === 403 || /bearer|basic|api.?key|token|credential|authenticat|unauthori/i.test(reply.text);
}

async function keepsApart(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await finishedTask(visit);
  const id = task.id as Json;
  const before = await getTask(visit, id);
  for (const [index, [operation, params]] of questions(visit, id).entries()) {
    const observed = await visit.call(operation, params, { as: "b" });
    visit.expect("A2A-AUTH-003", observed.error !== undefined, `${operation} of another caller's task is served`);
    if (observed.error === undefined) continue;
    const other = questions(visit, unknownId(context))[index] as [CallName, JsonObject];
    const unknown = await visit.call(other[0], other[1], { as: "b" });
    const isAlike = formOf(observed) === formOf(unknown);
    visit.expect(
      "A2A-AUTH-004",
      isAlike,
      `${operation} of another's task is answered with ${brief(observed)}, and of no task with ${brief(unknown)}`,
      "SHOULD",
    );
    const isLeaked = observed.reply.text.includes(String(task.contextId)) && typeof task.contextId === "string";
    visit.expect(
      "A2A-AUTH-004",
      !isLeaked,
      `the refusal to ${operation} reveals another caller's task: ${brief(observed)}`,
      "MUST",
    );
  }
  visit.expect(
    "A2A-AUTH-003",
    isSame(await getTask(visit, id), before),
    "a task has changed after another caller's requests",
  );
  await listsNothing(visit, task);
}

/** The status, code and form of an answer. */
function formOf({ reply, error }: CallResult): string {
  return JSON.stringify([reply.status, error?.code, error?.reason, Object.keys(error?.body ?? {}).sort()]);
}

async function listsNothing(visit: InterfaceVisit, task: JsonObject): Promise<void> {
  const contextId = typeof task.contextId === "string" ? [{ contextId: task.contextId }] : [];
  for (const params of [{}, { pageSize: 100 }, { status: stateOf(task) }, ...contextId] as JsonObject[]) {
    const observed = await visit.call("ListTasks", params, { as: "b" });
    const result = isObject(observed.result) ? observed.result : {};
    const isShown = listIn(result.tasks).some((each) => isObject(each) && each.id === task.id);
    visit.expect("A2A-AUTH-005", !isShown, "a list shows another caller's task");
    if (params.contextId === undefined) continue;
    const isCounted = typeof result.totalSize === "number" && result.totalSize > 0;
    visit.expect("A2A-AUTH-005", !isCounted, `another caller's context counts ${result.totalSize} tasks`);
  }
}

async function asksToSignIn(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  let task = await openTask(visit, "authorizing");
  if (running.includes(stateOf(task))) task = await awaitTask(visit, task.id as Json);
  visit.expect(
    "A2A-AUTH-006",
    stateOf(task) === "TASK_STATE_AUTH_REQUIRED",
    `a task that needs authorization is returned as ${stateOf(task)}`,
  );
  if (stateOf(task) !== "TASK_STATE_AUTH_REQUIRED") return;
  const said = isObject(task.status) ? task.status.message : undefined;
  visit.expect("A2A-AUTH-006", isObject(said), "a task in TASK_STATE_AUTH_REQUIRED has no status message", "SHOULD");
  const again = await visit.call(
    "SendMessage",
    { message: recipe(context, "authorizing", { taskId: task.id as Json }) },
    patient(visit),
  );
  const isTaken = taskIn(again)?.id === task.id;
  visit.expect(
    "A2A-AUTH-007",
    isTaken,
    `a message to a task in TASK_STATE_AUTH_REQUIRED is answered with ${brief(again)}`,
  );
  if (!context.has("grant")) return;
  await context.hook("grant", { taskId: task.id as Json });
  const after = await awaitTask(visit, task.id as Json, ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED"]);
  visit.expect(
    "A2A-AUTH-008",
    stateOf(after) !== "TASK_STATE_AUTH_REQUIRED",
    "a task does not continue after its authorization was granted",
  );
}

/** Calls the operations with the tenant of the card. */
async function servesTenant(visit: InterfaceVisit): Promise<void> {
  const { endpoint } = visit;
  if (endpoint.tenant === undefined) throw notShown("its interface has no tenant");
  const sent = await visit.call("SendMessage", { message: recipe(visit.context, "finishing") }, patient(visit));
  visit.expect(
    "A2A-TEN-002",
    sent.error === undefined,
    `a message under the tenant of the card is answered with ${brief(sent)}`,
  );
  const task = await finishedTask(visit);
  const all: [CallName, JsonObject][] = [
    ["GetTask", { id: task.id as Json }],
    ["GetTask", { id: task.id as Json, historyLength: 3 }],
    ["ListTasks", {}],
    ...(visit.party.pushes
      ? ([["ListTaskPushNotificationConfigs", { taskId: task.id as Json }]] as [CallName, JsonObject][])
      : []),
  ];
  for (const [operation, params] of all) {
    const observed = await visit.call(operation, params);
    visit.expect(
      "A2A-TEN-002",
      observed.error === undefined,
      `${operation} under the tenant of the card is answered with ${brief(observed)}`,
    );
  }
}

/** A second tenant at an interface: that of another interface of the card, or the one of the configuration. */
function otherTenant({ context, party, endpoint }: InterfaceVisit): string | undefined {
  const { otherTenant: given } = context.setting.options ?? {};
  if (typeof given === "string") return given;
  const isOther = ({ binding, path, tenant }: AgentInterface): boolean =>
    binding === endpoint.binding && path === endpoint.path && tenant !== undefined && tenant !== endpoint.tenant;
  return party.endpoints.find(isOther)?.tenant;
}

/** Reads a task of one tenant under another. */
async function partsTenants(visit: InterfaceVisit): Promise<void> {
  const { context, party, endpoint } = visit;
  if (endpoint.tenant === undefined) throw notShown("its interface has no tenant");
  const tenant = otherTenant(visit);
  if (tenant === undefined)
    throw optionMissing("otherTenant", "a tenant beside that of the card, which the caller may use too");
  const other = visitOf(context, party, { ...endpoint, tenant });
  const { id = null } = await finishedTask(visit);
  const got = await other.call("GetTask", { id });
  const why = `a task of the tenant "${endpoint.tenant}" is shown under the tenant "${tenant}"`;
  visit.expect("A2A-TEN-003", got.error !== undefined, why);
  const listed = await other.call("ListTasks", { pageSize: 100 });
  const tasks = isObject(listed.result) ? listIn(listed.result.tasks) : [];
  const isListed = tasks.some((task) => isObject(task) && task.id === id);
  visit.expect("A2A-TEN-003", !isListed, `a task of the tenant "${endpoint.tenant}" is listed under "${tenant}"`);
}

export const access: readonly Scenario[] = [
  atEachInterface({
    name: "access-demanded",
    says: "nothing is served without a valid credential, and the refusal says how to get one",
    rules: ["A2A-AUTH-001", "A2A-AUTH-002"],
    needs: ["credential"],
    when: mustDemandCredentials,
    play: demandsCredentials,
  }),
  atEachInterface({
    name: "access-apart",
    says: "the tasks of one caller are hidden from another",
    rules: ["A2A-AUTH-003", "A2A-AUTH-004", "A2A-AUTH-005"],
    needs: ["second-credential"],
    play: keepsApart,
  }),
  atEachInterface({
    name: "access-within-a-task",
    says: "a task asks for authorization, and continues once it is granted",
    rules: ["A2A-AUTH-006", "A2A-AUTH-007", "A2A-AUTH-008"],
    needs: ["grant"],
    play: asksToSignIn,
  }),
  atEachInterface({
    name: "access-tenant",
    says: "requests under the tenant of the card are served",
    rules: ["A2A-TEN-002"],
    play: servesTenant,
  }),
  atEachInterface({
    name: "access-tenants",
    says: "a task of one tenant is unknown under another",
    rules: ["A2A-TEN-003"],
    play: partsTenants,
  }),
];
