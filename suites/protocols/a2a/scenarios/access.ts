import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type AgentInterface, type CallName, type CallResult, describeAnswer } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import {
  awaitTask,
  blockingOptions,
  getTask,
  makeFinishedTask,
  makeMessage,
  openTask,
  recipeMessage,
  runningStates,
  stateOf,
  taskIn,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type CallOptions, type InterfaceVisit, notShown, optionMissing, visitOf } from "./visit.ts";

/** Lists calls that name a task. The caller's permissions determine their answers. */
function callsAbout(visit: InterfaceVisit, id: Json): [CallName, JsonObject][] {
  const message = makeMessage(visit.context, { taskId: id });
  const taskCalls: [CallName, JsonObject][] = [
    ["GetTask", { id }],
    ["CancelTask", { id }],
    ["SendMessage", { message }],
  ];
  const { hasPushes } = visit.party;
  return hasPushes ? [...taskCalls, ["ListTaskPushNotificationConfigs", { taskId: id }]] : taskCalls;
}

/** Throws a skip if the card requires no credential. */
function mustRequireCredentials({ card }: A2aParty): void {
  const { securitySchemes: declaredSchemes } = card;
  if (!isObject(declaredSchemes) || Object.keys(declaredSchemes).length === 0)
    throw notShown("its card declares no security schemes");
  const requirements = listIn(card.securityRequirements);
  if (requirements.length === 0 || requirements.some(isEmptyRequirement))
    throw notShown("its card requires no credential");
}

/** Whether a security requirement names no scheme. */
function isEmptyRequirement(requirement: Json): boolean {
  if (!isObject(requirement)) return false;
  const { schemes = requirement } = requirement;
  return isObject(schemes) && Object.keys(schemes).length === 0;
}

async function checkCredentials(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeFinishedTask(visit);
  const id = task.id as Json;
  const taskBefore = await getTask(visit, id);
  const wrongCredential: CallOptions = { as: "nobody", headers: { authorization: "Bearer wrong-token" } };
  for (const [credentialNote, callOptions] of [
    ["without a credential", { as: "nobody" }],
    ["with a wrong credential", wrongCredential],
  ] as [string, CallOptions][]) {
    const calls: [CallName, JsonObject][] = [
      ...callsAbout(visit, id),
      ["ListTasks", {}],
      ["SendMessage", { message: makeMessage(context) }],
    ];
    for (const [operation, params] of calls) {
      const answer = await visit.call(operation, params, callOptions);
      visit.expect("A2A-AUTH-001", answer.error !== undefined, `${operation} ${credentialNote} is served`);
      if (answer.error === undefined) continue;
      visit.expect(
        "A2A-AUTH-002",
        explainsAuthentication(answer),
        `${operation} ${credentialNote} is answered with ${describeAnswer(answer)}, which does not say how to authenticate`,
      );
    }
  }
  const taskAfter = await getTask(visit, id);
  visit.expect(
    "A2A-AUTH-001",
    isUnchanged(taskAfter, taskBefore),
    "a task has changed after requests without a credential",
  );
}

/** Whether a task has kept its status, artifacts and history. */
function isUnchanged(before: JsonObject, after: JsonObject): boolean {
  return ["status", "artifacts", "history"].every((name) => isDeepStrictEqual(before[name], after[name]));
}

/** Whether a refusal explains how to authenticate. */
function explainsAuthentication({ reply }: CallResult): boolean {
  if (reply.status === 401) return reply.headers["www-authenticate"] !== undefined;
  return reply.status === 403 || /bearer|basic|api.?key|token|credential|authenticat|unauthori/i.test(reply.text);
}

async function checkCallerSeparation(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeFinishedTask(visit);
  const id = task.id as Json;
  const taskBefore = await getTask(visit, id);
  for (const [index, [operation, params]] of callsAbout(visit, id).entries()) {
    const answer = await visit.call(operation, params, { as: "b" });
    visit.expect("A2A-AUTH-003", answer.error !== undefined, `${operation} of another caller's task is served`);
    if (answer.error === undefined) continue;
    const unknownTaskCall = callsAbout(visit, unknownId(context))[index] as [CallName, JsonObject];
    const answerForUnknown = await visit.call(unknownTaskCall[0], unknownTaskCall[1], { as: "b" });
    const hasSameForm = formOf(answer) === formOf(answerForUnknown);
    visit.expect(
      "A2A-AUTH-004",
      hasSameForm,
      `${operation} of another caller's task is answered with ${describeAnswer(answer)}, and of an unknown task with ${describeAnswer(answerForUnknown)}`,
      "SHOULD",
    );
    const revealsTask = answer.reply.text.includes(String(task.contextId)) && typeof task.contextId === "string";
    visit.expect(
      "A2A-AUTH-004",
      !revealsTask,
      `the refusal to ${operation} reveals another caller's task: ${describeAnswer(answer)}`,
      "MUST",
    );
  }
  visit.expect(
    "A2A-AUTH-003",
    isUnchanged(await getTask(visit, id), taskBefore),
    "a task has changed after another caller's requests",
  );
  await checkHiddenFromList(visit, task);
}

/** Returns the status, the code and the member names of an answer, to compare two refusals. */
function formOf({ reply, error }: CallResult): string {
  return JSON.stringify([reply.status, error?.code, error?.reason, Object.keys(error?.body ?? {}).sort()]);
}

async function checkHiddenFromList(visit: InterfaceVisit, task: JsonObject): Promise<void> {
  const contextFilters = typeof task.contextId === "string" ? [{ contextId: task.contextId }] : [];
  for (const params of [{}, { pageSize: 100 }, { status: stateOf(task) }, ...contextFilters] as JsonObject[]) {
    const answer = await visit.call("ListTasks", params, { as: "b" });
    const result = isObject(answer.result) ? answer.result : {};
    const isListed = listIn(result.tasks).some((listedTask) => isObject(listedTask) && listedTask.id === task.id);
    visit.expect("A2A-AUTH-005", !isListed, "a list shows another caller's task");
    if (params.contextId === undefined) continue;
    const countsTask = typeof result.totalSize === "number" && result.totalSize > 0;
    visit.expect("A2A-AUTH-005", !countsTask, `a list of another caller's context counts ${result.totalSize} tasks`);
  }
}

async function checkAuthorization(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  let task = await openTask(visit, "authorizing");
  if (runningStates.includes(stateOf(task))) task = await awaitTask(visit, task.id as Json);
  visit.expect(
    "A2A-AUTH-006",
    stateOf(task) === "TASK_STATE_AUTH_REQUIRED",
    `a task that needs authorization is returned as ${stateOf(task)}`,
  );
  if (stateOf(task) !== "TASK_STATE_AUTH_REQUIRED") return;
  const statusMessage = isObject(task.status) ? task.status.message : undefined;
  visit.expect(
    "A2A-AUTH-006",
    isObject(statusMessage),
    "a task in TASK_STATE_AUTH_REQUIRED has no status message",
    "SHOULD",
  );
  const secondAnswer = await visit.call(
    "SendMessage",
    { message: recipeMessage(context, "authorizing", { taskId: task.id as Json }) },
    blockingOptions(visit),
  );
  const isContinued = taskIn(secondAnswer)?.id === task.id;
  visit.expect(
    "A2A-AUTH-007",
    isContinued,
    `a message to a task in TASK_STATE_AUTH_REQUIRED is answered with ${describeAnswer(secondAnswer)}`,
  );
  if (!context.has("grant")) return;
  await context.hook("grant", { taskId: task.id as Json });
  const laterTask = await awaitTask(visit, task.id as Json, ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED"]);
  visit.expect(
    "A2A-AUTH-008",
    stateOf(laterTask) !== "TASK_STATE_AUTH_REQUIRED",
    "a task does not continue after its authorization was granted",
  );
}

/** Checks that the operations work under the tenant of the card. */
async function checkTenant(visit: InterfaceVisit): Promise<void> {
  const { endpoint } = visit;
  if (endpoint.tenant === undefined) throw notShown("its interface has no tenant");
  const firstAnswer = await visit.call(
    "SendMessage",
    { message: recipeMessage(visit.context, "finishing") },
    blockingOptions(visit),
  );
  visit.expect(
    "A2A-TEN-002",
    firstAnswer.error === undefined,
    `a message under the tenant of the card is answered with ${describeAnswer(firstAnswer)}`,
  );
  const task = await makeFinishedTask(visit);
  const calls: [CallName, JsonObject][] = [
    ["GetTask", { id: task.id as Json }],
    ["GetTask", { id: task.id as Json, historyLength: 3 }],
    ["ListTasks", {}],
    ...(visit.party.hasPushes
      ? ([["ListTaskPushNotificationConfigs", { taskId: task.id as Json }]] as [CallName, JsonObject][])
      : []),
  ];
  for (const [operation, params] of calls) {
    const answer = await visit.call(operation, params);
    visit.expect(
      "A2A-TEN-002",
      answer.error === undefined,
      `${operation} under the tenant of the card is answered with ${describeAnswer(answer)}`,
    );
  }
}

/** Finds a second tenant of an interface, in the configuration or in another interface of the card. */
function findOtherTenant({ context, party, endpoint }: InterfaceVisit): string | undefined {
  const { otherTenant: configuredTenant } = context.setting.options ?? {};
  if (typeof configuredTenant === "string") return configuredTenant;
  const isOther = ({ binding, path, tenant }: AgentInterface): boolean =>
    binding === endpoint.binding && path === endpoint.path && tenant !== undefined && tenant !== endpoint.tenant;
  return party.endpoints.find(isOther)?.tenant;
}

/** Checks that a task is hidden under a tenant to which it does not belong. */
async function checkTenantSeparation(visit: InterfaceVisit): Promise<void> {
  const { context, party, endpoint } = visit;
  if (endpoint.tenant === undefined) throw notShown("its interface has no tenant");
  const tenant = findOtherTenant(visit);
  if (tenant === undefined) throw optionMissing("otherTenant", "a second tenant, which the caller may use too");
  const otherVisit = visitOf(context, party, { ...endpoint, tenant });
  const { id = null } = await makeFinishedTask(visit);
  const answer = await otherVisit.call("GetTask", { id });
  const why = `a task of the tenant "${endpoint.tenant}" is shown under the tenant "${tenant}"`;
  visit.expect("A2A-TEN-003", answer.error !== undefined, why);
  const listAnswer = await otherVisit.call("ListTasks", { pageSize: 100 });
  const tasks = isObject(listAnswer.result) ? listIn(listAnswer.result.tasks) : [];
  const isListed = tasks.some((task) => isObject(task) && task.id === id);
  visit.expect("A2A-TEN-003", !isListed, `a task of the tenant "${endpoint.tenant}" is listed under "${tenant}"`);
}

export const accessScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "access-demanded",
    says: "requests without a valid credential are refused, and the refusal says how to authenticate",
    rules: ["A2A-AUTH-001", "A2A-AUTH-002"],
    needs: ["credential"],
    when: mustRequireCredentials,
    play: checkCredentials,
  }),
  atEachInterface({
    name: "access-apart",
    says: "the tasks of one caller are hidden from another",
    rules: ["A2A-AUTH-003", "A2A-AUTH-004", "A2A-AUTH-005"],
    needs: ["second-credential"],
    play: checkCallerSeparation,
  }),
  atEachInterface({
    name: "access-within-a-task",
    says: "a task asks for authorization, and continues once it is granted",
    rules: ["A2A-AUTH-006", "A2A-AUTH-007", "A2A-AUTH-008"],
    needs: ["grant"],
    play: checkAuthorization,
  }),
  atEachInterface({
    name: "access-tenant",
    says: "requests under the tenant of the card are served",
    rules: ["A2A-TEN-002"],
    play: checkTenant,
  }),
  atEachInterface({
    name: "access-tenants",
    says: "a task of one tenant is unknown under another",
    rules: ["A2A-TEN-003"],
    play: checkTenantSeparation,
  }),
];
