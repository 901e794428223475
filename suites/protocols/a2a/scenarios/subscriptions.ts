import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { describeAnswer, isError } from "./calls.ts";
import {
  getTask,
  hasRecipe,
  makeAskingTask,
  makeFinishedTask,
  makeUnfinishedTask,
  makeWorkingTask,
  stateOf,
  terminalStates,
  unknownId,
} from "./recipes.ts";
import { mustOfferStreams, readToEnd, stateIn } from "./streams.ts";
import { atEachInterface, type InterfaceVisit, notShown, openStream, type StreamReader } from "./visit.ts";

/** Subscribes by POST, or by GET if there is no route for POST. */
async function subscribe(visit: InterfaceVisit, id: Json): Promise<StreamReader> {
  const stream = await openStream(visit, "SubscribeToTask", { id });
  const { answer } = stream;
  const isUnrouted =
    answer?.error !== undefined && ([404, 405, 501].includes(answer.error.status) || isError(answer, "TaskNotFound"));
  if (visit.endpoint.binding === "JSONRPC" || !isUnrouted) return stream;
  const getStream = await openStream(visit, "SubscribeToTask", { id }, { method: "GET", body: "" });
  return getStream.isStream ? getStream : stream;
}

/** Describes the answer in a few words. */
export function describeStream({ answer, status, items, endState }: StreamReader): string {
  if (answer !== undefined) return describeAnswer(answer);
  if (items.length > 0) return `HTTP ${status} and a stream of items`;
  return `HTTP ${status} and a stream ${endState() === "open" ? "that stays silent" : "without items"}`;
}

async function checkFirstItem(visit: InterfaceVisit): Promise<void> {
  const task = await makeUnfinishedTask(visit);
  const stateBefore = stateOf(await getTask(visit, task.id as Json));
  const stream = await subscribe(visit, task.id as Json);
  const hasFirst = stream.isStream && (await stream.read(1, boundOf(visit.context, "item")));
  const stateAfter = stateOf(await getTask(visit, task.id as Json));
  if (!stream.isStream) throw notShown(`a task that is ${stateAfter} cannot be subscribed to`);
  const firstEvent = stream.items[0]?.response;
  const isTask = hasFirst && isObject(firstEvent?.task) && firstEvent.task.id === task.id;
  visit.expect(
    "A2A-SUB-001",
    isTask,
    `a subscription begins with ${hasFirst ? stream.items[0]?.data.slice(0, 120) : describeStream(stream)}`,
  );
  const state = stateIn(firstEvent);
  if (isTask)
    visit.expect(
      "A2A-SUB-001",
      state === stateBefore || state === stateAfter,
      `a subscription begins with ${state}, and the task is ${stateAfter}`,
    );
  stream.cut();
}

async function checkUnfinishedTasks(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const unfinishedTasks: JsonObject[] = [];
  if (hasRecipe(context, "asking")) unfinishedTasks.push(await makeAskingTask(visit));
  if (hasRecipe(context, "working")) unfinishedTasks.push(await makeWorkingTask(visit));
  if (unfinishedTasks.length === 0) throw notShown("needs the option `asking` or `working`: an unfinished task");
  for (const task of unfinishedTasks) {
    const stream = await subscribe(visit, task.id as Json);
    const stateAfter = stateOf(await getTask(visit, task.id as Json));
    if (!stream.isStream && terminalStates.includes(stateAfter)) continue;
    visit.expect(
      "A2A-SUB-005",
      stream.isStream,
      `a task that is ${stateAfter} cannot be subscribed to: ${describeStream(stream)}`,
    );
    stream.cut();
  }
}

async function checkEnd(visit: InterfaceVisit): Promise<void> {
  const task = await makeWorkingTask(visit);
  const stream = await subscribe(visit, task.id as Json);
  if (!stream.isStream) throw notShown(`a working task cannot be subscribed to: ${describeStream(stream)}`);
  await readToEnd(visit, stream);
  const states = stream.items.map(({ response }) => stateIn(response));
  const endState = states.find((state) => terminalStates.includes(state ?? ""));
  visit.expect(
    "A2A-SUB-002",
    endState !== undefined,
    `a subscription ends at ${states.findLast((state) => state !== undefined)}`,
  );
  visit.expect("A2A-SUB-002", stream.endState() !== "open", `a subscription stays open after its task is ${endState}`);
}

async function checkRefusals(visit: InterfaceVisit): Promise<void> {
  for (const [rule, id, name] of [
    ["A2A-SUB-003", (await makeFinishedTask(visit)).id as Json, "UnsupportedOperation"],
    ["A2A-SUB-004", unknownId(visit.context), "TaskNotFound"],
  ] as const) {
    const stream = await openStream(visit, "SubscribeToTask", { id });
    if (stream.isStream) await stream.read(1, 5000);
    const isRefused = stream.answer !== undefined && isError(stream.answer, name);
    const isRefusedInside =
      stream.isStream && stream.items.length > 0 && stream.items.every(({ response }) => response === undefined);
    const subject = rule === "A2A-SUB-003" ? "a finished task" : "an unknown task";
    visit.expect(
      rule,
      isRefused || isRefusedInside,
      `subscribing to ${subject} is answered with ${describeStream(stream)}`,
    );
    stream.cut();
  }
}

/** Lists the updates of a stream, without the tasks in it. */
function updatesOf({ items }: StreamReader): Json[] {
  return items.flatMap(({ response }) => (response === undefined || response.task !== undefined ? [] : [response]));
}

async function checkSameUpdates(visit: InterfaceVisit): Promise<void> {
  const task = await makeWorkingTask(visit);
  const firstStream = await subscribe(visit, task.id as Json);
  const isOpen = firstStream.isStream && (await firstStream.read(1, boundOf(visit.context, "item")));
  if (!isOpen) throw notShown(`a working task cannot be subscribed to: ${describeStream(firstStream)}`);
  await visit.context.wait(300);
  const secondStream = await subscribe(visit, task.id as Json);
  if (!secondStream.isStream) throw notShown("a second subscription is refused");
  await Promise.all([readToEnd(visit, firstStream), readToEnd(visit, secondStream)]);
  const [earlierUpdates, laterUpdates] = [updatesOf(firstStream), updatesOf(secondStream)];
  const isSuffix =
    laterUpdates.length <= earlierUpdates.length &&
    isDeepStrictEqual(earlierUpdates.slice(earlierUpdates.length - laterUpdates.length), laterUpdates);
  const missedCount = earlierUpdates.length - laterUpdates.length;
  visit.expect(
    "A2A-SUB-006",
    isSuffix && missedCount <= maxMissedUpdates(firstStream, secondStream),
    `two streams of a task have different updates: ${earlierUpdates.length} and ${laterUpdates.length}`,
  );
}

/** Returns the status in the first item of a stream, if that is a task. */
function firstStatus({ items: [item] }: StreamReader): Json | undefined {
  const task = item?.response?.task;
  return isObject(task) ? task.status : undefined;
}

/**
 * Returns the maximum number of updates that the earlier stream may have before the later one begins. The first task of the
 * later stream has the status of the last of these updates. Artifacts may follow it before the next status.
 * Throws a skip if too few updates arrived afterwards.
 */
function maxMissedUpdates(earlier: StreamReader, later: StreamReader): number {
  const statuses = updatesOf(earlier).map((update) =>
    isObject(update) && isObject(update.statusUpdate) ? update.statusUpdate.status : undefined,
  );
  const laterStatus = firstStatus(later);
  const lastKnownIndex = statuses.findLastIndex(
    (status) => status !== undefined && isDeepStrictEqual(status, laterStatus),
  );
  const nextIndex = statuses.findIndex((status, index) => index > lastKnownIndex && status !== undefined);
  const laterStatuses = statuses
    .slice(nextIndex < 0 ? statuses.length : nextIndex)
    .filter((status) => status !== undefined);
  if (laterStatuses.length < 3)
    throw notShown("the task had fewer than two updates and its end after the second subscription");
  const isKnown = lastKnownIndex >= 0 || isDeepStrictEqual(firstStatus(earlier), laterStatus);
  return isKnown ? nextIndex : statuses.length;
}

async function checkCutStream(visit: InterfaceVisit): Promise<void> {
  const task = await makeWorkingTask(visit);
  const streams: StreamReader[] = [];
  for (let count = 0; count < 3; count++) streams.push(await subscribe(visit, task.id as Json));
  if (streams.some(({ isStream }) => !isStream)) throw notShown("a further subscription is refused");
  const [cutStream, ...openStreams] = streams as [StreamReader, ...StreamReader[]];
  await cutStream.read(1, boundOf(visit.context, "item"));
  cutStream.cut();
  await Promise.all(openStreams.map((stream) => readToEnd(visit, stream)));
  for (const { items } of openStreams) {
    const state = items.map(({ response }) => stateIn(response)).findLast((eventState) => eventState !== undefined);
    visit.expect(
      "A2A-SUB-007",
      terminalStates.includes(state ?? ""),
      `after another stream was cut, a stream ends at ${state}`,
    );
  }
}

export const subscriptionScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "subscription-begins",
    says: "a subscription begins with the current task",
    rules: ["A2A-SUB-001"],
    when: mustOfferStreams,
    play: checkFirstItem,
  }),
  atEachInterface({
    name: "subscription-of-any",
    says: "each unfinished task can be subscribed to",
    rules: ["A2A-SUB-005"],
    when: mustOfferStreams,
    play: checkUnfinishedTasks,
  }),
  atEachInterface({
    name: "subscription-ends",
    says: "a subscription ends with its task",
    rules: ["A2A-SUB-002"],
    when: mustOfferStreams,
    withinMs: 120_000,
    play: checkEnd,
  }),
  atEachInterface({
    name: "subscription-refused",
    says: "a finished or unknown task cannot be subscribed to",
    rules: ["A2A-SUB-003", "A2A-SUB-004"],
    when: mustOfferStreams,
    play: checkRefusals,
  }),
  atEachInterface({
    name: "subscription-twice",
    says: "two streams of a task have the same updates",
    rules: ["A2A-SUB-006"],
    when: mustOfferStreams,
    withinMs: 120_000,
    play: checkSameUpdates,
  }),
  atEachInterface({
    name: "subscription-cut",
    says: "cutting one stream does not affect the others",
    rules: ["A2A-SUB-007"],
    when: mustOfferStreams,
    withinMs: 120_000,
    play: checkCutStream,
  }),
];
