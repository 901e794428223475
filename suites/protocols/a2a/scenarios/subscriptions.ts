import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { brief, isError } from "./calls.ts";
import {
  askingTask,
  finishedTask,
  getTask,
  hasRecipe,
  openedTask,
  stateOf,
  terminal,
  unknownId,
  workingTask,
} from "./recipes.ts";
import { hearOut, offersStreams, stateIn } from "./streams.ts";
import { atEachInterface, type Heard, type InterfaceVisit, listen, notShown } from "./visit.ts";

/** Subscribes by POST, or by GET if there is no route for POST. */
async function subscribe(visit: InterfaceVisit, id: Json): Promise<Heard> {
  const stream = await listen(visit, "SubscribeToTask", { id });
  const { observed: answer } = stream;
  const isUnrouted =
    answer?.error !== undefined && ([404, 405, 501].includes(answer.error.status) || isError(answer, "TaskNotFound"));
  if (visit.endpoint.binding === "JSONRPC" || !isUnrouted) return stream;
  const getStream = await listen(visit, "SubscribeToTask", { id }, { method: "GET", body: "" });
  return getStream.isStream ? getStream : stream;
}

/** Describes the answer in a few words. */
export function sayHow({ observed: answer, status, items, end }: Heard): string {
  if (answer !== undefined) return brief(answer);
  if (items.length > 0) return `HTTP ${status} and a stream of items`;
  return `HTTP ${status} and a stream ${end() === "open" ? "that stays silent" : "without items"}`;
}

async function checkFirstItem(visit: InterfaceVisit): Promise<void> {
  const task = await openedTask(visit);
  const stateBefore = stateOf(await getTask(visit, task.id as Json));
  const stream = await subscribe(visit, task.id as Json);
  const hasFirst = stream.isStream && (await stream.read(1, boundOf(visit.context, "item")));
  const stateAfter = stateOf(await getTask(visit, task.id as Json));
  if (!stream.isStream) throw notShown(`a task that is ${stateAfter} cannot be subscribed to`);
  const firstEvent = stream.items[0]?.said;
  const isTask = hasFirst && isObject(firstEvent?.task) && firstEvent.task.id === task.id;
  visit.expect(
    "A2A-SUB-001",
    isTask,
    `a subscription begins with ${hasFirst ? stream.items[0]?.data.slice(0, 120) : sayHow(stream)}`,
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
  if (hasRecipe(context, "asking")) unfinishedTasks.push(await askingTask(visit));
  if (hasRecipe(context, "working")) unfinishedTasks.push(await workingTask(visit));
  if (unfinishedTasks.length === 0) throw notShown("needs the option `asking` or `working`: an unfinished task");
  for (const task of unfinishedTasks) {
    const stream = await subscribe(visit, task.id as Json);
    const stateAfter = stateOf(await getTask(visit, task.id as Json));
    if (!stream.isStream && terminal.includes(stateAfter)) continue;
    visit.expect(
      "A2A-SUB-005",
      stream.isStream,
      `a task that is ${stateAfter} cannot be subscribed to: ${sayHow(stream)}`,
    );
    stream.cut();
  }
}

async function checkEnd(visit: InterfaceVisit): Promise<void> {
  const task = await workingTask(visit);
  const stream = await subscribe(visit, task.id as Json);
  if (!stream.isStream) throw notShown(`a working task cannot be subscribed to: ${sayHow(stream)}`);
  await hearOut(visit, stream);
  const states = stream.items.map(({ said }) => stateIn(said));
  const endState = states.find((state) => terminal.includes(state ?? ""));
  visit.expect(
    "A2A-SUB-002",
    endState !== undefined,
    `a subscription ends at ${states.findLast((state) => state !== undefined)}`,
  );
  visit.expect("A2A-SUB-002", stream.end() !== "open", `a subscription stays open after its task is ${endState}`);
}

async function checkRefusals(visit: InterfaceVisit): Promise<void> {
  for (const [rule, id, name] of [
    ["A2A-SUB-003", (await finishedTask(visit)).id as Json, "UnsupportedOperation"],
    ["A2A-SUB-004", unknownId(visit.context), "TaskNotFound"],
  ] as const) {
    const stream = await listen(visit, "SubscribeToTask", { id });
    if (stream.isStream) await stream.read(1, 5000);
    const isRefused = stream.observed !== undefined && isError(stream.observed, name);
    const isRefusedInside =
      stream.isStream && stream.items.length > 0 && stream.items.every(({ said }) => said === undefined);
    const subject = rule === "A2A-SUB-003" ? "a finished task" : "an unknown task";
    visit.expect(rule, isRefused || isRefusedInside, `subscribing to ${subject} is answered with ${sayHow(stream)}`);
    stream.cut();
  }
}

/** The updates of a stream, without the tasks in it. */
function updatesOf({ items }: Heard): Json[] {
  return items.flatMap(({ said }) => (said === undefined || said.task !== undefined ? [] : [said]));
}

async function checkSameUpdates(visit: InterfaceVisit): Promise<void> {
  const task = await workingTask(visit);
  const firstStream = await subscribe(visit, task.id as Json);
  const isOpen = firstStream.isStream && (await firstStream.read(1, boundOf(visit.context, "item")));
  if (!isOpen) throw notShown(`a working task cannot be subscribed to: ${sayHow(firstStream)}`);
  await visit.context.wait(300);
  const secondStream = await subscribe(visit, task.id as Json);
  if (!secondStream.isStream) throw notShown("a second subscription is refused");
  await Promise.all([hearOut(visit, firstStream), hearOut(visit, secondStream)]);
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

/** The status of the first task of a stream. */
function firstStatus({ items: [item] }: Heard): Json | undefined {
  const task = item?.said?.task;
  return isObject(task) ? task.status : undefined;
}

/**
 * The maximum number of updates in the earlier stream before the later one begins. The first task of the later stream has
 * the status of the last of these updates. Artifacts may follow it before the next status.
 * Throws a skip if too few updates arrived afterwards.
 */
function maxMissedUpdates(earlier: Heard, later: Heard): number {
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
  const task = await workingTask(visit);
  const streams: Heard[] = [];
  for (let count = 0; count < 3; count++) streams.push(await subscribe(visit, task.id as Json));
  if (streams.some(({ isStream }) => !isStream)) throw notShown("a further subscription is refused");
  const [cutStream, ...openStreams] = streams as [Heard, ...Heard[]];
  await cutStream.read(1, boundOf(visit.context, "item"));
  cutStream.cut();
  await Promise.all(openStreams.map((stream) => hearOut(visit, stream)));
  for (const { items } of openStreams) {
    const state = items.map(({ said }) => stateIn(said)).findLast((eventState) => eventState !== undefined);
    visit.expect(
      "A2A-SUB-007",
      terminal.includes(state ?? ""),
      `after another stream was cut, a stream ends at ${state}`,
    );
  }
}

export const subscriptions: readonly Scenario[] = [
  atEachInterface({
    name: "subscription-begins",
    says: "a subscription begins with the current task",
    rules: ["A2A-SUB-001"],
    when: offersStreams,
    play: checkFirstItem,
  }),
  atEachInterface({
    name: "subscription-of-any",
    says: "each unfinished task can be subscribed to",
    rules: ["A2A-SUB-005"],
    when: offersStreams,
    play: checkUnfinishedTasks,
  }),
  atEachInterface({
    name: "subscription-ends",
    says: "a subscription ends with its task",
    rules: ["A2A-SUB-002"],
    when: offersStreams,
    withinMs: 120_000,
    play: checkEnd,
  }),
  atEachInterface({
    name: "subscription-refused",
    says: "a finished or unknown task cannot be subscribed to",
    rules: ["A2A-SUB-003", "A2A-SUB-004"],
    when: offersStreams,
    play: checkRefusals,
  }),
  atEachInterface({
    name: "subscription-twice",
    says: "two streams of a task have the same updates",
    rules: ["A2A-SUB-006"],
    when: offersStreams,
    withinMs: 120_000,
    play: checkSameUpdates,
  }),
  atEachInterface({
    name: "subscription-cut",
    says: "cutting one stream does not affect the others",
    rules: ["A2A-SUB-007"],
    when: offersStreams,
    withinMs: 120_000,
    play: checkCutStream,
  }),
];
