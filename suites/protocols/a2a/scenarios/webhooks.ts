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
import { brief } from "./calls.ts";
import { listIn } from "./party.ts";
import { offersPushes } from "./pushes.ts";
import {
  awaitTask,
  getTask,
  hasRecipe,
  openedTask,
  openingRecipes,
  patient,
  recipe,
  running,
  stateOf,
  taskIn,
  terminal,
  workingTask,
} from "./recipes.ts";
import { stateIn } from "./streams.ts";
import { atEachInterface, type InterfaceVisit, notShown, optionMissing } from "./visit.ts";

/** A task with a webhook, which is then finished. */
interface Hooked {
  task: JsonObject;
  callback: Callback;
  /** The id of the configuration, which may not be the one that was asked for. */
  config: Json;
  /** Whether the agent accepted it only without the requested authentication. */
  isPlain: boolean;
}

/** Opens a task with a webhook; the address ends with a path and a query. */
async function hookTask(
  visit: InterfaceVisit,
  reactions: readonly Reaction[],
  config: JsonObject = {},
): Promise<Hooked> {
  const { context } = visit;
  const callback = await context.callback(reactions, "/a%20b?c=d%2Fe");
  const task = await openedTask(visit);
  const given: JsonObject = { taskId: task.id as Json, url: callback.url, ...config };
  let observed = await visit.call("CreateTaskPushNotificationConfig", given);
  const isPlain = observed.error !== undefined && given.authentication !== undefined;
  if (isPlain) {
    const { authentication: _, ...plain } = given;
    observed = await visit.call("CreateTaskPushNotificationConfig", plain);
  }
  if (observed.error !== undefined)
    throw notShown(`an address of the suite is refused as a webhook: ${observed.reply.text.slice(0, 160)}`);
  const made = isObject(observed.result) ? observed.result.id : undefined;
  return { task, callback, config: made ?? config.id ?? null, isPlain };
}

/** Finishes a task, by an answer or by waiting. */
async function finish(visit: InterfaceVisit, { id, ...task }: JsonObject): Promise<string> {
  const { context } = visit;
  if (stateOf({ ...task }) === "TASK_STATE_INPUT_REQUIRED")
    await visit.call("SendMessage", { message: recipe(context, "answering", { taskId: id as Json }) }, patient(visit));
  return stateOf(await awaitTask(visit, id as Json, terminal));
}

function needRecipes({ context }: InterfaceVisit): void {
  if (!hasRecipe(context, "asking") && !hasRecipe(context, "working"))
    throw optionMissing("working", "a message on which the agent works for a second or more, in several updates");
}

/** The content of one call; undefined if it is not JSON. */
function bodyOf({ body }: Arrival): JsonObject | undefined {
  const json = jsonOf(body.toString("utf8"));
  return isObject(json) ? json : undefined;
}

/** Waits until a call has the last state of a task, or no more calls come. */
async function lastCall(visit: InterfaceVisit, callback: Callback, state: string): Promise<void> {
  const { context } = visit;
  for (let count = 1; ; count = callback.arrivals.length + 1) {
    const isTold = callback.arrivals.some((arrival) => stateIn(bodyOf(arrival)) === state);
    if (isTold || !(await context.come(callback, count, boundOf(context, "push")))) return;
  }
}

/** Throws a skip for an agent that may call no address of this machine, as one for the public should not. */
function needReach({ context }: InterfaceVisit, { url }: Callback): void {
  const { hostname } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (isHere && context.setting.options?.callsLoopback !== true)
    throw optionMissing("callsLoopback", "true if the agent calls webhooks on its own machine; it called none");
}

async function callsBack(visit: InterfaceVisit): Promise<void> {
  needRecipes(visit);
  const { context } = visit;
  let isCalled = false;
  for (const scheme of ["Bearer", "Basic"]) {
    const credentials = Buffer.from(context.fresh("credential")).toString("base64");
    const { task, callback, isPlain } = await hookTask(visit, [200], {
      authentication: { scheme, credentials },
      token: "t-1",
    });
    const why = `a configuration with the authentication ${scheme} is refused, and the same one without it is accepted`;
    visit.expect("A2A-HOOK-003", !isPlain, why, "SHOULD");
    const state = await finish(visit, task);
    const hasCome = await context.come(callback, 1, boundOf(context, "push"));
    isCalled ||= hasCome;
    if (!isCalled) needReach(visit, callback);
    visit.expect("A2A-HOOK-001", hasCome, `no webhook is called for a task that is ${state}`);
    if (!hasCome) continue;
    await lastCall(visit, callback, state);
    await context.wait(300);
    const final = await getTask(visit, task.id as Json);
    for (const arrival of callback.arrivals) {
      judgeCall(visit, arrival, { callback, shown: isPlain ? undefined : `${scheme} ${credentials}` });
      judgeBody(visit, arrival, final);
    }
    judgeOrder(visit, callback.arrivals);
  }
}

function judgeCredential(visit: InterfaceVisit, arrival: Arrival, shown: string): void {
  const { authorization = "" } = arrival.headers;
  const [scheme = "", ...rest] = shown.split(" ");
  const isShown =
    authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `) &&
    authorization.slice(scheme.length + 1) === rest.join(" ");
  const named = authorization === "" ? "no Authorization" : "another Authorization than was configured";
  visit.expect("A2A-HOOK-003", isShown, `a webhook is called with ${named}`, arrival);
}

function judgeCall(
  visit: InterfaceVisit,
  arrival: Arrival,
  { callback, shown }: { callback: Callback; shown: string | undefined },
): void {
  const { method, target, headers } = arrival;
  if (shown !== undefined) judgeCredential(visit, arrival, shown);
  const type = headers["content-type"] ?? "";
  const isJson = /^application\/(?:a2a\+)?json\s*(?:;|$)/i.test(type);
  visit.expect("A2A-HOOK-004", isJson, `a webhook is called with the media type "${type}"`, arrival);
  const { pathname, search } = new URL(callback.url);
  const isExact = method === "POST" && target === `${pathname}${search}`;
  visit.expect(
    "A2A-HOOK-005",
    isExact,
    `a webhook is called with ${method} ${target}, not POST ${pathname}${search}`,
    arrival,
  );
}

function judgeBody(visit: InterfaceVisit, arrival: Arrival, final: JsonObject): void {
  const body = bodyOf(arrival);
  const names = ["task", "message", "statusUpdate", "artifactUpdate"].filter(
    (name) => body !== undefined && isObject(body[name]),
  );
  const isBare = names.length === 1 && !Object.hasOwn(body ?? {}, "jsonrpc");
  visit.expect(
    "A2A-HOOK-002",
    isBare,
    `a webhook gets no StreamResponse with one member: ${arrival.body.toString("utf8").slice(0, 160)}`,
    arrival,
  );
  if (!isBare) return;
  const said = (body as JsonObject)[names[0] as string] as JsonObject;
  const id = names[0] === "task" ? said.id : said.taskId;
  visit.expect(
    "A2A-HOOK-006",
    id === final.id || names[0] === "message",
    `a webhook of the task ${final.id} is called about the task ${id}`,
    arrival,
  );
  const state = stateIn(body) ?? "";
  const isTrue = !terminal.includes(state) || state === stateOf(final);
  visit.expect("A2A-HOOK-006", isTrue, `a webhook is observed ${state}, and the task is ${stateOf(final)}`, arrival);
}

function judgeOrder(visit: InterfaceVisit, arrivals: readonly Arrival[]): void {
  const states = arrivals.map((arrival) => stateIn(bodyOf(arrival)) ?? "");
  const over = states.findIndex((state) => terminal.includes(state));
  const back = over === -1 ? undefined : states.slice(over + 1).find((state) => running.includes(state));
  visit.expect("A2A-HOOK-010", back === undefined, `a webhook is observed ${back} after ${states[over]}`);
}

async function stopsCalls(visit: InterfaceVisit): Promise<void> {
  needRecipes(visit);
  const { context } = visit;
  const { task, callback, config } = await hookTask(visit, [200], { id: "c-1" });
  const other = await context.callback([200]);
  await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url: other.url, id: "c-2" });
  const observed = await visit.call("DeleteTaskPushNotificationConfig", { taskId: task.id as Json, id: config });
  if (observed.error !== undefined) throw notShown("a configuration cannot be deleted");
  await context.wait(200);
  const before = callback.arrivals.length;
  await finish(visit, task);
  if (!(await context.come(other, 1, boundOf(context, "push"))))
    throw notShown("no other webhook of the task is called either");
  await context.wait(boundOf(context, "silence"));
  const more = callback.arrivals.length - before;
  visit.expect("A2A-HOOK-007", more === 0, `a webhook whose configuration was deleted is called ${more} times more`);
}

async function triesAgain(visit: InterfaceVisit): Promise<void> {
  needRecipes(visit);
  const { context } = visit;
  const { task, callback } = await hookTask(visit, [500, "reset", 200]);
  await finish(visit, task);
  if (!(await context.come(callback, 1, boundOf(context, "push")))) throw notShown("no webhook is called");
  await context.come(callback, 20, boundOf(context, "silence") * 2);
  const bodies = callback.arrivals.map(({ body }) => body.toString("utf8"));
  const isAgain = bodies.some((body, index) => bodies.indexOf(body) < index);
  visit.expect("A2A-HOOK-008", isAgain, "a failed call of a webhook is not tried again");
}

async function givesUp(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const plain = performance.now();
  await awaitTask(visit, (await workingTask(visit)).id as Json);
  const usual = performance.now() - plain;
  const callback = await context.callback([{ status: 200, afterMs: 120_000 }]);
  const begun = performance.now();
  const task = await workingTask(visit);
  const observed = await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url: callback.url });
  if (observed.error !== undefined) throw notShown("an address of the suite is refused as a webhook");
  await awaitTask(visit, task.id as Json);
  const took = performance.now() - begun;
  if (!(await context.come(callback, 1, boundOf(context, "push")))) throw notShown("no webhook is called");
  visit.expect(
    "A2A-HOOK-009",
    took < usual * 3 + 5000,
    `a webhook that does not answer delays a task for ${Math.round(took)} ms`,
  );
  for (let waited = 0; waited < 60_000 && callback.arrivals[0]?.leftAt === undefined; waited += 250)
    await context.wait(250);
  const { leftAt } = callback.arrivals[0] as Arrival;
  visit.expect("A2A-HOOK-009", leftAt !== undefined, "a call of a webhook is awaited for more than 60 seconds");
}

/** Addresses that an agent open to everyone must not call. */
const inward = [
  "http://127.0.0.1:9/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/",
  "http://[::1]:9/",
  "http://localhost:9/",
];

async function staysOutside(visit: InterfaceVisit): Promise<void> {
  const task = await openedTask(visit);
  for (const url of inward) {
    const observed = await visit.call("CreateTaskPushNotificationConfig", { taskId: task.id as Json, url });
    visit.expect("A2A-HOOK-011", observed.error !== undefined, `the internal address ${url} is accepted as a webhook`);
  }
}

async function fetchesNothing(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const canary = await context.callback([200], "/file.txt");
  const file = { url: canary.url, mediaType: "text/plain" };
  for (const name of openingRecipes(context)) {
    const message = recipe(context, name);
    const parts = [...listIn(message.parts), file];
    const observed = await visit.call("SendMessage", { message: { ...message, parts } }, patient(visit));
    if (observed.error !== undefined)
      throw notShown(`a message with the address of a file is refused: ${brief(observed)}`);
    // An agent may look at files only once it works on a task.
    if (taskIn(observed) !== undefined) break;
  }
  await context.come(canary, 1, boundOf(context, "silence"));
  // Even a slow agent has had the time for another message.
  await visit.call("SendMessage", { message: recipe(context, "finishing") }, patient(visit));
  await context.come(canary, 1, boundOf(context, "silence"));
  visit.expect(
    "A2A-SEC-001",
    canary.arrivals.length === 0,
    "the agent fetches the file of a part from an address of this machine",
    "SHOULD",
  );
}

export const webhooks: readonly Scenario[] = [
  atEachInterface({
    name: "webhook-called",
    says: "a webhook is called about its own task, with the configured credential",
    rules: ["001", "002", "003", "004", "005", "006", "010"].map((number) => `A2A-HOOK-${number}`),
    needs: ["receiver"],
    when: offersPushes,
    withinMs: 180_000,
    play: callsBack,
  }),
  atEachInterface({
    name: "webhook-deleted",
    says: "a webhook is not called after its configuration was deleted",
    waits: 8000,
    rules: ["A2A-HOOK-007"],
    needs: ["receiver"],
    when: offersPushes,
    withinMs: 120_000,
    play: stopsCalls,
  }),
  atEachInterface({
    name: "webhook-again",
    says: "a failed call is tried again",
    waits: 12_000,
    rules: ["A2A-HOOK-008"],
    needs: ["receiver"],
    when: offersPushes,
    withinMs: 120_000,
    play: triesAgain,
  }),
  atEachInterface({
    name: "webhook-held",
    says: "a webhook that does not answer is given up, and delays no task",
    waits: 15_000,
    rules: ["A2A-HOOK-009"],
    needs: ["receiver"],
    when: offersPushes,
    withinMs: 240_000,
    slow: true,
    play: givesUp,
  }),
  atEachInterface({
    name: "webhook-inward",
    says: "addresses of the agent's own network are not called",
    rules: ["A2A-HOOK-011"],
    needs: ["production"],
    when: offersPushes,
    play: staysOutside,
  }),
  atEachInterface({
    name: "file-of-a-part",
    says: "a file of a part is not fetched from the agent's own network",
    waits: 12_000,
    rules: ["A2A-SEC-001"],
    needs: ["receiver"],
    play: fetchesNothing,
  }),
];
