import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { brief, type CallResult, isError, isInvalid, isServerFault, isUnrouted } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import {
  askingTask,
  awaitTask,
  finishedTask,
  hasRecipe,
  openedTask,
  patient,
  recipe,
  stateOf,
  taskIn,
  terminal,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, stepFailed } from "./visit.ts";

export const offersPushes = ({ pushes }: A2aParty): void => {
  if (!pushes) throw notShown("its card offers no push notifications");
};

/** An address that nobody calls. */
const nowhere = "https://hooks.example/touchstone";

/** A task to configure: one that is not over, if the agent makes such. */
function someTask(visit: InterfaceVisit): Promise<JsonObject> {
  const { context } = visit;
  return hasRecipe(context, "asking") || hasRecipe(context, "working") ? openedTask(visit) : finishedTask(visit);
}

/** Throws if there is no such method or route: other scenarios accuse that. */
function mustBeRouted(observed: CallResult): void {
  if (isUnrouted(observed)) throw stepFailed(`there is no such operation: ${brief(observed)}`);
}

/** Creates a configuration. Skips if the agent accepts none for a finished task. */
async function createConfig(visit: InterfaceVisit, task: JsonObject, more: JsonObject = {}): Promise<JsonObject> {
  const observed = await visit.call("CreateTaskPushNotificationConfig", {
    taskId: task.id as Json,
    url: nowhere,
    ...more,
  });
  if (isObject(observed.result)) return observed.result;
  mustBeRouted(observed);
  if (terminal.includes(stateOf(task)))
    throw notShown(`a task that is over takes no configuration: ${brief(observed)}`);
  visit.expect(
    "A2A-PUSH-003",
    false,
    `a configuration of a task that is ${stateOf(task)} is answered with ${brief(observed)}`,
  );
  throw notShown(`a configuration is refused: ${brief(observed)}`);
}

async function idsListed(visit: InterfaceVisit, taskId: Json): Promise<string[]> {
  const ids: string[] = [];
  let token = "";
  for (let pages = 0; pages < 10; pages++) {
    const observed = await visit.call("ListTaskPushNotificationConfigs", {
      taskId,
      ...(token === "" ? {} : { pageToken: token }),
    });
    const result = isObject(observed.result) ? observed.result : {};
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

async function createsConfigs(visit: InterfaceVisit): Promise<void> {
  const task = await someTask(visit);
  const taskId = task.id as Json;
  const none = await idsListed(visit, taskId);
  visit.expect("A2A-PUSH-007", none.length === 0, `a task without configurations lists ${none.length}`);
  const made = await createConfig(visit, task);
  const isNamed = typeof made.id === "string" && made.id !== "";
  visit.expect("A2A-PUSH-003", isNamed, `a configuration has the id ${JSON.stringify(made.id)}`);
  visit.expect(
    "A2A-PUSH-003",
    made.url === nowhere,
    `a configuration for ${nowhere} has the url ${JSON.stringify(made.url)}`,
  );
  const own = await createConfig(visit, task, { id: "c-1" });
  visit.expect(
    "A2A-PUSH-003",
    own.id === "c-1",
    `the id c-1 of the client becomes ${JSON.stringify(own.id)}`,
    "SHOULD",
  );
  const listed = await idsListed(visit, taskId);
  const due = [made.id, own.id].map(String);
  const isAll = due.every((id) => listed.filter((each) => each === id).length === 1);
  visit.expect("A2A-PUSH-007", isAll, `the configurations ${due.join(", ")} are listed as ${listed.join(", ")}`);
  if (!isNamed) return;
  const got = await visit.call("GetTaskPushNotificationConfig", { taskId, id: made.id as Json });
  const isSame = isObject(got.result) && got.result.url === nowhere && got.result.id === made.id;
  visit.expect("A2A-PUSH-005", isSame, `a configuration is read as ${brief(got)}`);
  const unknown = await visit.call("GetTaskPushNotificationConfig", { taskId, id: unknownId(visit.context) });
  const why = `an unknown configuration is answered with ${brief(unknown)}`;
  visit.expect("A2A-PUSH-006", isError(unknown, "TaskNotFound"), why, isInvalid(unknown) ? "SHOULD" : "MUST");
}

async function deletesConfigs(visit: InterfaceVisit): Promise<void> {
  const task = await someTask(visit);
  const taskId = task.id as Json;
  const { id } = await createConfig(visit, task, { id: "c-9" });
  const named = { taskId, id: id as Json };
  const observed = await visit.call("DeleteTaskPushNotificationConfig", named);
  mustBeRouted(observed);
  visit.expect(
    "A2A-PUSH-008",
    observed.error === undefined,
    `the deletion of a configuration is answered with ${brief(observed)}`,
  );
  const got = await visit.call("GetTaskPushNotificationConfig", named);
  visit.expect("A2A-PUSH-008", got.error !== undefined, "a configuration that was deleted can still be read");
  const listed = await idsListed(visit, taskId);
  visit.expect("A2A-PUSH-008", !listed.includes(String(id)), "a configuration that was deleted is still listed");
  const again = await visit.call("DeleteTaskPushNotificationConfig", named);
  const why = `a second deletion is answered with ${brief(again)}`;
  visit.expect("A2A-PUSH-009", again.error === undefined, why, isError(again, "TaskNotFound") ? "SHOULD" : "MUST");
}

async function knowsTasks(visit: InterfaceVisit): Promise<void> {
  const taskId = unknownId(visit.context);
  for (const [operation, params] of [
    ["CreateTaskPushNotificationConfig", { taskId, url: nowhere }],
    ["GetTaskPushNotificationConfig", { taskId, id: "c-1" }],
    ["ListTaskPushNotificationConfigs", { taskId }],
    ["DeleteTaskPushNotificationConfig", { taskId, id: "c-1" }],
  ] as const) {
    const observed = await visit.call(operation, params);
    if (isUnrouted(observed) && visit.endpoint.binding === "JSONRPC") mustBeRouted(observed);
    visit.expect(
      "A2A-PUSH-004",
      isError(observed, "TaskNotFound"),
      `${operation} of an unknown task is answered with ${brief(observed)}`,
    );
  }
}

async function keepsConfigs(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await openedTask(visit);
  const taskId = task.id as Json;
  const { id } = await createConfig(visit, task);
  if (stateOf(task) === "TASK_STATE_INPUT_REQUIRED") {
    const observed = await visit.call(
      "SendMessage",
      { message: recipe(context, "asking", { taskId }) },
      patient(visit),
    );
    if (terminal.includes(stateOf(taskIn(observed))))
      throw notShown("a task that asks for input ends at the next message");
  } else await context.wait(500);
  const now = stateOf((await visit.call("GetTask", { id: taskId })).result);
  if (terminal.includes(now)) throw notShown("the task is over already");
  const got = await visit.call("GetTaskPushNotificationConfig", { taskId, id: id as Json });
  visit.expect(
    "A2A-PUSH-010",
    got.error === undefined,
    `a configuration of a task that is ${now} is gone: ${brief(got)}`,
  );
}

async function takesInline(visit: InterfaceVisit): Promise<void> {
  const configuration = { taskPushNotificationConfig: { url: nowhere } };
  const task = hasRecipe(visit.context, "asking")
    ? await askingTask(visit, { configuration })
    : await openedTask(visit, { configuration });
  const listed = await idsListed(visit, task.id as Json);
  visit.expect("A2A-PUSH-011", listed.length > 0, "the configuration beside a message is not listed");
  await awaitTask(visit, task.id as Json);
}

async function refusesUrls(visit: InterfaceVisit): Promise<void> {
  const task = await someTask(visit);
  const taskId = task.id as Json;
  await createConfig(visit, task);
  const wrong: [string, JsonObject, "MUST" | "SHOULD"][] = [
    ["no url", {}, "MUST"],
    ["an empty url", { url: "" }, "MUST"],
    ['the url "not a url"', { url: "not a url" }, "SHOULD"],
    ["the url ftp://hooks.example/", { url: "ftp://hooks.example/" }, "SHOULD"],
  ];
  for (const [name, config, level] of wrong) {
    const observed: CallResult = await visit.call("CreateTaskPushNotificationConfig", { taskId, ...config });
    visit.expect(
      "A2A-PUSH-012",
      isInvalid(observed),
      `a configuration with ${name} is answered with ${brief(observed)}`,
      isServerFault(observed) ? "MUST" : level,
    );
  }
}

async function pagesConfigs(visit: InterfaceVisit): Promise<void> {
  const task = await someTask(visit);
  const taskId = task.id as Json;
  for (const id of ["p-1", "p-2"]) await createConfig(visit, task, { id });
  const observed = await visit.call("ListTaskPushNotificationConfigs", { taskId, pageSize: 1 });
  const result = isObject(observed.result) ? observed.result : {};
  const first = listIn(result.configs).filter(isObject);
  if (first.length >= 2) return visit.expect("A2A-PUSH-013", true, "");
  const { nextPageToken } = result;
  const isMore = typeof nextPageToken === "string" && nextPageToken !== "";
  visit.expect(
    "A2A-PUSH-013",
    isMore,
    `one of two configurations is listed, and no page follows: ${brief(observed)}`,
    "MUST",
  );
  if (!isMore) return;
  const next = await visit.call("ListTaskPushNotificationConfigs", { taskId, pageSize: 1, pageToken: nextPageToken });
  const rest = isObject(next.result) ? listIn(next.result.configs).filter(isObject) : [];
  const ids = [...first, ...rest].map(({ id }) => id);
  visit.expect(
    "A2A-PUSH-013",
    ids.includes("p-1") && ids.includes("p-2"),
    `two pages of configurations list ${ids.join(", ")}`,
    "MUST",
  );
}

export const pushes: readonly Scenario[] = [
  atEachInterface({
    name: "push-configured",
    says: "a configuration is created, listed and read as it was sent",
    rules: ["A2A-PUSH-003", "A2A-PUSH-005", "A2A-PUSH-006", "A2A-PUSH-007"],
    when: offersPushes,
    play: createsConfigs,
  }),
  atEachInterface({
    name: "push-deleted",
    says: "a configuration is deleted for good, as often as one likes",
    rules: ["A2A-PUSH-008", "A2A-PUSH-009"],
    when: offersPushes,
    play: deletesConfigs,
  }),
  atEachInterface({
    name: "push-unknown",
    says: "an unknown task has no configurations",
    rules: ["A2A-PUSH-004"],
    when: offersPushes,
    play: knowsTasks,
  }),
  atEachInterface({
    name: "push-kept",
    says: "a configuration lasts until its task ends",
    rules: ["A2A-PUSH-010"],
    when: offersPushes,
    play: keepsConfigs,
  }),
  atEachInterface({
    name: "push-inline",
    says: "a message may bring a configuration for its task",
    rules: ["A2A-PUSH-011"],
    when: offersPushes,
    play: takesInline,
  }),
  atEachInterface({
    name: "push-urls",
    says: "an address that cannot be called is refused",
    rules: ["A2A-PUSH-012"],
    when: offersPushes,
    play: refusesUrls,
  }),
  atEachInterface({
    name: "push-pages",
    says: "configurations may come in pages",
    rules: ["A2A-PUSH-013"],
    when: offersPushes,
    play: pagesConfigs,
  }),
];
