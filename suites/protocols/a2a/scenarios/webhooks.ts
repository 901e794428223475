import {
  type Arrival,
  type Callback,
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  type Reaction,
  type Scenario,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { describeAnswer } from "./calls.ts";
import { listIn } from "./party.ts";
import { mustOfferPushes } from "./pushes.ts";
import {
  awaitTask,
  blockingOptions,
  getTask,
  hasRecipe,
  makeUnfinishedTask,
  makeWorkingTask,
  openingRecipes,
  recipeMessage,
  runningStates,
  stateOf,
  taskIn,
  terminalStates,
} from "./recipes.ts";
import { stateIn } from "./streams.ts";
import { atEachInterface, type InterfaceVisit, notShown, optionMissing } from "./visit.ts";

/** An unfinished task with a webhook. */
interface HookedTask {
  task: JsonObject;
  callback: Callback;
  /** The id of the configuration. The agent may have chosen an id other than the requested one. */
  config: Json;
  /** Whether the agent accepted the configuration only without the requested authentication. */
  isPlain: boolean;
}

/** Opens a task with a webhook. The webhook's address has a path and a query. */
async function openTaskWithWebhook(
  visit: InterfaceVisit,
  reactions: readonly Reaction[],
  config: JsonObject = {},
): Promise<HookedTask> {
  const { context } = visit;
  const callback = await context.callback(reactions, "/a%20b?c=d%2Fe");
  const task = await makeUnfinishedTask(visit);
  const fullConfig: JsonObject = { taskId: task.id as Json, url: callback.url, ...config };
  let answer = await visit.call("CreateTaskPushNotificationConfig", fullConfig);
  const isPlain = answer.error !== undefined && fullConfig.authentication !== undefined;
  if (isPlain) {
    const { authentication: _, ...plainConfig } = fullConfig;
    answer = await visit.call("CreateTaskPushNotificationConfig", plainConfig);
  }
  if (answer.error !== undefined)
    throw notShown(`an address of the suite is refused as a webhook: ${answer.reply.text.slice(0, 160)}`);
  const createdId = isObject(answer.result) ? answer.result.id : undefined;
  return { task, callback, config: createdId ?? config.id ?? null, isPlain };
}

/** Finishes a task: answers its question, or waits until it ends. */
async function finishTask(visit: InterfaceVisit, { id, ...task }: JsonObject): Promise<string> {
  const { context } = visit;
  if (stateOf({ ...task }) === "TASK_STATE_INPUT_REQUIRED")
    await visit.call(
      "SendMessage",
      { message: recipeMessage(context, "answering", { taskId: id as Json }) },
      blockingOptions(visit),
    );
  return stateOf(await awaitTask(visit, id as Json, terminalStates));
}

function mustHaveRecipes({ context }: InterfaceVisit): void {
  if (!hasRecipe(context, "asking") && !hasRecipe(context, "working"))
    throw optionMissing("working", "a message on which the agent works for a second or more, in several updates");
}

/** Returns the JSON body of one call; undefined if it is not a JSON object. */
function bodyOf({ body }: Arrival): JsonObject | undefined {
  const json = jsonOf(body.toString("utf8"));
  return isObject(json) ? json : undefined;
}

/** Waits until a call reports the last state of a task, or until no more calls arrive. */
async function awaitLastCall(visit: InterfaceVisit, callback: Callback, state: string): Promise<void> {
  const { context } = visit;
  for (let count = 1; ; count = callback.arrivals.length + 1) {
    const isReported = callback.arrivals.some((arrival) => stateIn(bodyOf(arrival)) === state);
    if (isReported || !(await context.come(callback, count, boundOf(context, "push")))) return;
  }
}

/** Throws a skip if the callback is on this machine and the agent may refuse to call it, as public agents should. */
function mustReachSuite({ context }: InterfaceVisit, { url }: Callback): void {
  const { hostname } = new URL(url);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (isLocal && context.setting.options?.callsLoopback !== true)
    throw optionMissing("callsLoopback", "true if the agent calls webhooks on its own machine; it called none");
}

async function checkCalls(visit: InterfaceVisit): Promise<void> {
  mustHaveRecipes(visit);
  const { context } = visit;
  let isCalled = false;
  for (const scheme of ["Bearer", "Basic"]) {
    const credentials = Buffer.from(context.fresh("credential")).toString("base64");
    const { task, callback, isPlain } = await openTaskWithWebhook(visit, [200], {
      authentication: { scheme, credentials },
      token: "t-1",
    });
    const why = `a configuration with the authentication ${scheme} is refused, but accepted without it`;
    visit.expect("A2A-HOOK-003", !isPlain, why, "SHOULD");
    const state = await finishTask(visit, task);
    const hasArrived = await context.come(callback, 1, boundOf(context, "push"));
    isCalled ||= hasArrived;
    if (!isCalled) mustReachSuite(visit, callback);
    visit.expect("A2A-HOOK-001", hasArrived, `no webhook is called for a task that is ${state}`);
    if (!hasArrived) continue;
    await awaitLastCall(visit, callback, state);
    await context.wait(300);
    const endedTask = await getTask(visit, task.id as Json);
    for (const arrival of callback.arrivals) {
      checkCall(visit, arrival, { callback, credential: isPlain ? undefined : `${scheme} ${credentials}` });
      checkBody(visit, arrival, endedTask);
    }
    checkOrder(visit, callback.arrivals);
  }
}

function checkCredential(visit: InterfaceVisit, arrival: Arrival, credential: string): void {
  const { authorization = "" } = arrival.headers;
  const [scheme = "", ...secretWords] = credential.split(" ");
  const isCorrect =
    authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `) &&
    authorization.slice(scheme.length + 1) === secretWords.join(" ");
  const headerFound = authorization === "" ? "no Authorization" : "an Authorization other than the configured one";
  visit.expect("A2A-HOOK-003", isCorrect, `a webhook is called with ${headerFound}`, arrival);
}

function checkCall(
  visit: InterfaceVisit,
  arrival: Arrival,
  { callback, credential }: { callback: Callback; credential: string | undefined },
): void {
  const { method, target, headers } = arrival;
  if (credential !== undefined) checkCredential(visit, arrival, credential);
  const mediaType = headers["content-type"] ?? "";
  const isJson = /^application\/(?:a2a\+)?json\s*(?:;|$)/i.test(mediaType);
  visit.expect("A2A-HOOK-004", isJson, `a webhook is called with the media type "${mediaType}"`, arrival);
  const { pathname, search } = new URL(callback.url);
  const isExact = method === "POST" && target === `${pathname}${search}`;
  visit.expect(
    "A2A-HOOK-005",
    isExact,
    `a webhook is called with ${method} ${target}, not POST ${pathname}${search}`,
    arrival,
  );
}

function checkBody(visit: InterfaceVisit, arrival: Arrival, endedTask: JsonObject): void {
  const body = bodyOf(arrival);
  const names = ["task", "message", "statusUpdate", "artifactUpdate"].filter(
    (name) => body !== undefined && isObject(body[name]),
  );
  const isStreamResponse = names.length === 1 && !Object.hasOwn(body ?? {}, "jsonrpc");
  visit.expect(
    "A2A-HOOK-002",
    isStreamResponse,
    `a webhook does not receive a StreamResponse with one member: ${arrival.body.toString("utf8").slice(0, 160)}`,
    arrival,
  );
  if (!isStreamResponse) return;
  const event = (body as JsonObject)[names[0] as string] as JsonObject;
  const id = names[0] === "task" ? event.id : event.taskId;
  visit.expect(
    "A2A-HOOK-006",
    id === endedTask.id || names[0] === "message",
    `a webhook of the task ${endedTask.id} is called about the task ${id}`,
    arrival,
  );
  const state = stateIn(body) ?? "";
  const isCorrectState = !terminalStates.includes(state) || state === stateOf(endedTask);
  visit.expect(
    "A2A-HOOK-006",
    isCorrectState,
    `a webhook reports ${state}, and the task is ${stateOf(endedTask)}`,
    arrival,
  );
}

function checkOrder(visit: InterfaceVisit, arrivals: readonly Arrival[]): void {
  const states = arrivals.map((arrival) => stateIn(bodyOf(arrival)) ?? "");
  const endIndex = states.findIndex((state) => terminalStates.includes(state));
  const laterState =
    endIndex === -1 ? undefined : states.slice(endIndex + 1).find((state) => runningStates.includes(state));
  visit.expect("A2A-HOOK-010", laterState === undefined, `a webhook reports ${laterState} after ${states[endIndex]}`);
}

async function checkDeletedWebhook(visit: InterfaceVisit): Promise<void> {
  mustHaveRecipes(visit);
  const { context } = visit;
  const { task, callback, config } = await openTaskWithWebhook(visit, [200], { id: "c-1" });
  const otherCallback = await context.callback([200]);
  await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url: otherCallback.url, id: "c-2" });
  const answer = await visit.call("DeleteTaskPushNotificationConfig", { taskId: task.id as Json, id: config });
  if (answer.error !== undefined) throw notShown("a configuration cannot be deleted");
  await context.wait(200);
  const callsBefore = callback.arrivals.length;
  await finishTask(visit, task);
  if (!(await context.come(otherCallback, 1, boundOf(context, "push"))))
    throw notShown("no other webhook of the task is called either");
  await context.wait(boundOf(context, "silence"));
  const laterCalls = callback.arrivals.length - callsBefore;
  visit.expect(
    "A2A-HOOK-007",
    laterCalls === 0,
    `a webhook whose configuration was deleted is called ${laterCalls} more times`,
  );
}

async function checkRetry(visit: InterfaceVisit): Promise<void> {
  mustHaveRecipes(visit);
  const { context } = visit;
  const { task, callback } = await openTaskWithWebhook(visit, [500, "reset", 200]);
  await finishTask(visit, task);
  if (!(await context.come(callback, 1, boundOf(context, "push")))) throw notShown("no webhook is called");
  await context.come(callback, 20, boundOf(context, "silence") * 2);
  const bodies = callback.arrivals.map(({ body }) => body.toString("utf8"));
  const isRetried = bodies.some((body, index) => bodies.indexOf(body) < index);
  visit.expect("A2A-HOOK-008", isRetried, "a failed webhook call is not retried");
}

async function checkTimeout(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const usualStart = performance.now();
  await awaitTask(visit, (await makeWorkingTask(visit)).id as Json);
  const usualMs = performance.now() - usualStart;
  const callback = await context.callback([{ status: 200, afterMs: 120_000 }]);
  const delayedStart = performance.now();
  const task = await makeWorkingTask(visit);
  const answer = await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url: callback.url });
  if (answer.error !== undefined) throw notShown("an address of the suite is refused as a webhook");
  await awaitTask(visit, task.id as Json);
  const delayedMs = performance.now() - delayedStart;
  if (!(await context.come(callback, 1, boundOf(context, "push")))) throw notShown("no webhook is called");
  visit.expect(
    "A2A-HOOK-009",
    delayedMs < usualMs * 3 + 5000,
    `a webhook that does not answer delays a task for ${Math.round(delayedMs)} ms`,
  );
  for (let waitedMs = 0; waitedMs < 60_000 && callback.arrivals[0]?.leftAt === undefined; waitedMs += 250)
    await context.wait(250);
  const { leftAt } = callback.arrivals[0] as Arrival;
  visit.expect("A2A-HOOK-009", leftAt !== undefined, "a call of a webhook is awaited for more than 60 seconds");
}

/** Addresses that a public agent must not call. */
const internalUrls = [
  "http://127.0.0.1:9/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/",
  "http://[::1]:9/",
  "http://localhost:9/",
];

async function checkInternalAddresses(visit: InterfaceVisit): Promise<void> {
  const task = await makeUnfinishedTask(visit);
  for (const url of internalUrls) {
    const answer = await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url });
    visit.expect("A2A-HOOK-011", answer.error !== undefined, `the internal address ${url} is accepted as a webhook`);
  }
}

async function checkFileNotFetched(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const canary = await context.callback([200], "/file.txt");
  const file = { url: canary.url, mediaType: "text/plain" };
  for (const name of openingRecipes(context)) {
    const message = recipeMessage(context, name);
    const parts = [...listIn(message.parts), file];
    const answer = await visit.call("SendMessage", { message: { ...message, parts } }, blockingOptions(visit));
    if (answer.error !== undefined)
      throw notShown(`a message with the address of a file is refused: ${describeAnswer(answer)}`);
    // An agent may open files only when it starts to work on a task.
    if (taskIn(answer) !== undefined) break;
  }
  await context.come(canary, 1, boundOf(context, "silence"));
  // After another message, even a slow agent has had enough time.
  await visit.call("SendMessage", { message: recipeMessage(context, "finishing") }, blockingOptions(visit));
  await context.come(canary, 1, boundOf(context, "silence"));
  visit.expect(
    "A2A-SEC-001",
    canary.arrivals.length === 0,
    "the agent fetches the file of a part from an address of this machine",
    "SHOULD",
  );
}

export const webhookScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "webhook-called",
    says: "a webhook is called about its own task, with the configured credential",
    rules: ["001", "002", "003", "004", "005", "006", "010"].map((number) => `A2A-HOOK-${number}`),
    needs: ["receiver"],
    when: mustOfferPushes,
    withinMs: 180_000,
    play: checkCalls,
  }),
  atEachInterface({
    name: "webhook-deleted",
    says: "a webhook is not called after its configuration was deleted",
    waits: 8000,
    rules: ["A2A-HOOK-007"],
    needs: ["receiver"],
    when: mustOfferPushes,
    withinMs: 120_000,
    play: checkDeletedWebhook,
  }),
  atEachInterface({
    name: "webhook-again",
    says: "a failed webhook call is retried",
    waits: 12_000,
    rules: ["A2A-HOOK-008"],
    needs: ["receiver"],
    when: mustOfferPushes,
    withinMs: 120_000,
    play: checkRetry,
  }),
  atEachInterface({
    name: "webhook-held",
    says: "a call to an unresponsive webhook times out, and does not delay the task",
    waits: 15_000,
    rules: ["A2A-HOOK-009"],
    needs: ["receiver"],
    when: mustOfferPushes,
    withinMs: 240_000,
    slow: true,
    play: checkTimeout,
  }),
  atEachInterface({
    name: "webhook-inward",
    says: "addresses of the agent's own network are refused as webhooks",
    rules: ["A2A-HOOK-011"],
    needs: ["production"],
    when: mustOfferPushes,
    play: checkInternalAddresses,
  }),
  atEachInterface({
    name: "file-of-a-part",
    says: "the agent does not fetch a part's file from its own network",
    waits: 12_000,
    rules: ["A2A-SEC-001"],
    needs: ["receiver"],
    play: checkFileNotFetched,
  }),
];
