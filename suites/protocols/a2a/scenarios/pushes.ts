import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type CallResult, describeAnswer, isError, isInvalid, isServerFault, isUnrouted } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import {
  awaitTask,
  blockingOptions,
  hasRecipe,
  makeAskingTask,
  makeFinishedTask,
  makeUnfinishedTask,
  recipeMessage,
  stateOf,
  taskIn,
  terminalStates,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, stepFailed } from "./visit.ts";

export const mustOfferPushes = ({ hasPushes }: A2aParty): void => {
  if (!hasPushes) throw notShown("its card offers no push notifications");
};

/** An address for configurations in scenarios that expect no notifications. */
const unusedUrl = "https://hooks.example/touchstone";

/** Makes a task for a configuration: an unfinished task if the agent has a recipe for one. */
function makeConfigurableTask(visit: InterfaceVisit): Promise<JsonObject> {
  const { context } = visit;
  return hasRecipe(context, "asking") || hasRecipe(context, "working")
    ? makeUnfinishedTask(visit)
    : makeFinishedTask(visit);
}

/** Throws if the method or route is missing, which other scenarios report. */
function mustBeRouted(answer: CallResult): void {
  if (isUnrouted(answer)) throw stepFailed(`there is no such operation: ${describeAnswer(answer)}`);
}

/** Creates a configuration. Throws a skip if the agent refuses it for a finished task. */
async function createConfig(visit: InterfaceVisit, task: JsonObject, members: JsonObject = {}): Promise<JsonObject> {
  const answer = await visit.call("CreateTaskPushNotificationConfig", {
    taskId: task.id as Json,
    url: unusedUrl,
    ...members,
  });
  if (isObject(answer.result)) return answer.result;
  mustBeRouted(answer);
  if (terminalStates.includes(stateOf(task)))
    throw notShown(`a finished task does not accept a configuration: ${describeAnswer(answer)}`);
  visit.expect(
    "A2A-PUSH-003",
    false,
    `a configuration of a task that is ${stateOf(task)} is answered with ${describeAnswer(answer)}`,
  );
  throw notShown(`a configuration is refused: ${describeAnswer(answer)}`);
}

async function listConfigIds(visit: InterfaceVisit, taskId: Json): Promise<string[]> {
  const ids: string[] = [];
  let token = "";
  for (let pages = 0; pages < 10; pages++) {
    const answer = await visit.call("ListTaskPushNotificationConfigs", {
      taskId,
      ...(token === "" ? {} : { pageToken: token }),
    });
    const result = isObject(answer.result) ? answer.result : {};
    ids.push(
      ...listIn(result.configs)
        .filter(isObject)
        .map(({ id }) => String(id)),
    );
    token = typeof result.nextPageToken === "string" ? result.nextPageToken : "";
    if (token === "") break;
  }
  return ids;
}

async function checkCreation(visit: InterfaceVisit): Promise<void> {
  const task = await makeConfigurableTask(visit);
  const taskId = task.id as Json;
  const initialIds = await listConfigIds(visit, taskId);
  visit.expect("A2A-PUSH-007", initialIds.length === 0, `a task without configurations lists ${initialIds.length}`);
  const createdConfig = await createConfig(visit, task);
  const hasId = typeof createdConfig.id === "string" && createdConfig.id !== "";
  visit.expect("A2A-PUSH-003", hasId, `a configuration has the id ${JSON.stringify(createdConfig.id)}`);
  visit.expect(
    "A2A-PUSH-003",
    createdConfig.url === unusedUrl,
    `a configuration for ${unusedUrl} has the url ${JSON.stringify(createdConfig.url)}`,
  );
  const configWithId = await createConfig(visit, task, { id: "c-1" });
  visit.expect(
    "A2A-PUSH-003",
    configWithId.id === "c-1",
    `the id c-1 of the client becomes ${JSON.stringify(configWithId.id)}`,
    "SHOULD",
  );
  const listedIds = await listConfigIds(visit, taskId);
  const expectedIds = [createdConfig.id, configWithId.id].map(String);
  const areAllListed = expectedIds.every((id) => listedIds.filter((listedId) => listedId === id).length === 1);
  visit.expect(
    "A2A-PUSH-007",
    areAllListed,
    `the configurations ${expectedIds.join(", ")} are listed as ${listedIds.join(", ")}`,
  );
  if (!hasId) return;
  const readAnswer = await visit.call("GetTaskPushNotificationConfig", { taskId, id: createdConfig.id as Json });
  const isSame =
    isObject(readAnswer.result) && readAnswer.result.url === unusedUrl && readAnswer.result.id === createdConfig.id;
  visit.expect("A2A-PUSH-005", isSame, `a configuration is read as ${describeAnswer(readAnswer)}`);
  const unknownAnswer = await visit.call("GetTaskPushNotificationConfig", { taskId, id: unknownId(visit.context) });
  const why = `an unknown configuration is answered with ${describeAnswer(unknownAnswer)}`;
  visit.expect(
    "A2A-PUSH-006",
    isError(unknownAnswer, "TaskNotFound"),
    why,
    isInvalid(unknownAnswer) ? "SHOULD" : "MUST",
  );
}

async function checkDeletion(visit: InterfaceVisit): Promise<void> {
  const task = await makeConfigurableTask(visit);
  const taskId = task.id as Json;
  const { id } = await createConfig(visit, task, { id: "c-9" });
  const configKey = { taskId, id: id as Json };
  const answer = await visit.call("DeleteTaskPushNotificationConfig", configKey);
  mustBeRouted(answer);
  visit.expect(
    "A2A-PUSH-008",
    answer.error === undefined,
    `the deletion of a configuration is answered with ${describeAnswer(answer)}`,
  );
  const readAnswer = await visit.call("GetTaskPushNotificationConfig", configKey);
  visit.expect("A2A-PUSH-008", readAnswer.error !== undefined, "a configuration that was deleted can still be read");
  const listedIds = await listConfigIds(visit, taskId);
  visit.expect("A2A-PUSH-008", !listedIds.includes(String(id)), "a configuration that was deleted is still listed");
  const secondAnswer = await visit.call("DeleteTaskPushNotificationConfig", configKey);
  const why = `a second deletion is answered with ${describeAnswer(secondAnswer)}`;
  visit.expect(
    "A2A-PUSH-009",
    secondAnswer.error === undefined,
    why,
    isError(secondAnswer, "TaskNotFound") ? "SHOULD" : "MUST",
  );
}

async function checkUnknownTask(visit: InterfaceVisit): Promise<void> {
  const taskId = unknownId(visit.context);
  for (const [operation, params] of [
    ["CreateTaskPushNotificationConfig", { taskId, url: unusedUrl }],
    ["GetTaskPushNotificationConfig", { taskId, id: "c-1" }],
    ["ListTaskPushNotificationConfigs", { taskId }],
    ["DeleteTaskPushNotificationConfig", { taskId, id: "c-1" }],
  ] as const) {
    const answer = await visit.call(operation, params);
    if (isUnrouted(answer) && visit.endpoint.binding === "JSONRPC") mustBeRouted(answer);
    visit.expect(
      "A2A-PUSH-004",
      isError(answer, "TaskNotFound"),
      `${operation} of an unknown task is answered with ${describeAnswer(answer)}`,
    );
  }
}

async function checkLifetime(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeUnfinishedTask(visit);
  const taskId = task.id as Json;
  const { id } = await createConfig(visit, task);
  if (stateOf(task) === "TASK_STATE_INPUT_REQUIRED") {
    const answer = await visit.call(
      "SendMessage",
      { message: recipeMessage(context, "asking", { taskId }) },
      blockingOptions(visit),
    );
    if (terminalStates.includes(stateOf(taskIn(answer))))
      throw notShown("a task that asks for input ends after the next message");
  } else await context.wait(500);
  const currentState = stateOf((await visit.call("GetTask", { id: taskId })).result);
  if (terminalStates.includes(currentState)) throw notShown("the task is over already");
  const readAnswer = await visit.call("GetTaskPushNotificationConfig", { taskId, id: id as Json });
  visit.expect(
    "A2A-PUSH-010",
    readAnswer.error === undefined,
    `a configuration of a task that is ${currentState} is gone: ${describeAnswer(readAnswer)}`,
  );
}

async function checkInlineConfig(visit: InterfaceVisit): Promise<void> {
  const configuration = { taskPushNotificationConfig: { url: unusedUrl } };
  const task = hasRecipe(visit.context, "asking")
    ? await makeAskingTask(visit, { configuration })
    : await makeUnfinishedTask(visit, { configuration });
  const listedIds = await listConfigIds(visit, task.id as Json);
  visit.expect("A2A-PUSH-011", listedIds.length > 0, "the configuration in a message is not listed");
  await awaitTask(visit, task.id as Json);
}

async function checkUrls(visit: InterfaceVisit): Promise<void> {
  const task = await makeConfigurableTask(visit);
  const taskId = task.id as Json;
  await createConfig(visit, task);
  const faultyConfigs: [string, JsonObject, "MUST" | "SHOULD"][] = [
    ["no url", {}, "MUST"],
    ["an empty url", { url: "" }, "MUST"],
    ['the url "not a url"', { url: "not a url" }, "SHOULD"],
    ["the url ftp://hooks.example/", { url: "ftp://hooks.example/" }, "SHOULD"],
  ];
  for (const [name, config, level] of faultyConfigs) {
    const answer: CallResult = await visit.call("CreateTaskPushNotificationConfig", { taskId, ...config });
    visit.expect(
      "A2A-PUSH-012",
      isInvalid(answer),
      `a configuration with ${name} is answered with ${describeAnswer(answer)}`,
      isServerFault(answer) ? "MUST" : level,
    );
  }
}

async function checkPaging(visit: InterfaceVisit): Promise<void> {
  const task = await makeConfigurableTask(visit);
  const taskId = task.id as Json;
  for (const id of ["p-1", "p-2"]) await createConfig(visit, task, { id });
  const answer = await visit.call("ListTaskPushNotificationConfigs", { taskId, pageSize: 1 });
  const result = isObject(answer.result) ? answer.result : {};
  const firstConfigs = listIn(result.configs).filter(isObject);
  if (firstConfigs.length >= 2) return visit.expect("A2A-PUSH-013", true, "");
  const { nextPageToken } = result;
  const hasNextPage = typeof nextPageToken === "string" && nextPageToken !== "";
  visit.expect(
    "A2A-PUSH-013",
    hasNextPage,
    `one of two configurations is listed, and no page follows: ${describeAnswer(answer)}`,
    "MUST",
  );
  if (!hasNextPage) return;
  const nextAnswer = await visit.call("ListTaskPushNotificationConfigs", {
    taskId,
    pageSize: 1,
    pageToken: nextPageToken,
  });
  const nextConfigs = isObject(nextAnswer.result) ? listIn(nextAnswer.result.configs).filter(isObject) : [];
  const ids = [...firstConfigs, ...nextConfigs].map(({ id }) => id);
  visit.expect(
    "A2A-PUSH-013",
    ids.includes("p-1") && ids.includes("p-2"),
    `two pages of configurations list ${ids.join(", ")}`,
    "MUST",
  );
}

export const pushScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "push-configured",
    says: "a configuration is created, listed and read as it was sent",
    rules: ["A2A-PUSH-003", "A2A-PUSH-005", "A2A-PUSH-006", "A2A-PUSH-007"],
    when: mustOfferPushes,
    play: checkCreation,
  }),
  atEachInterface({
    name: "push-deleted",
    says: "a deleted configuration is gone, and deleting it again succeeds",
    rules: ["A2A-PUSH-008", "A2A-PUSH-009"],
    when: mustOfferPushes,
    play: checkDeletion,
  }),
  atEachInterface({
    name: "push-unknown",
    says: "an unknown task has no configurations",
    rules: ["A2A-PUSH-004"],
    when: mustOfferPushes,
    play: checkUnknownTask,
  }),
  atEachInterface({
    name: "push-kept",
    says: "a configuration lasts until its task ends",
    rules: ["A2A-PUSH-010"],
    when: mustOfferPushes,
    play: checkLifetime,
  }),
  atEachInterface({
    name: "push-inline",
    says: "a message may include a configuration for its task",
    rules: ["A2A-PUSH-011"],
    when: mustOfferPushes,
    play: checkInlineConfig,
  }),
  atEachInterface({
    name: "push-urls",
    says: "an address that cannot be called is refused",
    rules: ["A2A-PUSH-012"],
    when: mustOfferPushes,
    play: checkUrls,
  }),
  atEachInterface({
    name: "push-pages",
    says: "configurations may be listed in pages",
    rules: ["A2A-PUSH-013"],
    when: mustOfferPushes,
    play: checkPaging,
  }),
];
