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

/** Subscribes by POST, or by GET without such a route. */
async function subscribe(visit: InterfaceVisit, id: Json): Promise<Heard> {
  const heard = await listen(visit, "SubscribeToTask", { id });
  const { observed } = heard;
  const isUnrouted =
    observed?.error !== undefined &&
    ([404, 405, 501].includes(observed.error.status) || isError(observed, "TaskNotFound"));
  if (visit.endpoint.binding === "JSONRPC" || !isUnrouted) return heard;
  const other = await listen(visit, "SubscribeToTask", { id }, { method: "GET", body: "" });
  return other.isStream ? other : heard;
}

/** The answer in a few words. */
export function sayHow({ observed, status, items, end }: Heard): string {
  if (observed !== undefined) return brief(observed);
  if (items.length > 0) return `HTTP ${status} and a stream of items`;
  return `HTTP ${status} and a stream ${end() === "open" ? "that stays silent" : "without items"}`;
}

async function beginsNow(visit: InterfaceVisit): Promise<void> {
  const task = await openedTask(visit);
  const before = stateOf(await getTask(visit, task.id as Json));
  const heard = await subscribe(visit, task.id as Json);
  const isFirst = heard.isStream && (await heard.read(1, boundOf(visit.context, "item")));
  const after = stateOf(await getTask(visit, task.id as Json));
  if (!heard.isStream) throw notShown(`a task that is ${after} cannot be subscribed to`);
  const first = heard.items[0]?.said;
  const isTask = isFirst && isObject(first?.task) && first.task.id === task.id;
  visit.expect(
    "A2A-SUB-001",
    isTask,
    `a subscription begins with ${isFirst ? heard.items[0]?.data.slice(0, 120) : sayHow(heard)}`,
  );
  const state = stateIn(first);
  if (isTask)
    visit.expect(
      "A2A-SUB-001",
      state === before || state === after,
      `a subscription begins with ${state}, and the task is ${after}`,
    );
  heard.cut();
}

async function takesAnyTask(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const made: JsonObject[] = [];
  if (hasRecipe(context, "asking")) made.push(await askingTask(visit));
  if (hasRecipe(context, "working")) made.push(await workingTask(visit));
  if (made.length === 0) throw notShown("needs the option `asking` or `working`: an unfinished task");
  for (const task of made) {
    const heard = await subscribe(visit, task.id as Json);
    const after = stateOf(await getTask(visit, task.id as Json));
    if (!heard.isStream && terminal.includes(after)) continue;
    visit.expect("A2A-SUB-005", heard.isStream, `a task that is ${after} cannot be subscribed to: ${sayHow(heard)}`);
    heard.cut();
  }
}

async function endsWithTask(visit: InterfaceVisit): Promise<void> {
  const task = await workingTask(visit);
  const heard = await subscribe(visit, task.id as Json);
  if (!heard.isStream) throw notShown(`a working task cannot be subscribed to: ${sayHow(heard)}`);
  await hearOut(visit, heard);
  const states = heard.items.map(({ said }) => stateIn(said));
  const over = states.find((state) => terminal.includes(state ?? ""));
  visit.expect(
    "A2A-SUB-002",
    over !== undefined,
    `a subscription ends at ${states.findLast((state) => state !== undefined)}`,
  );
  visit.expect("A2A-SUB-002", heard.end() !== "open", `a subscription stays open after its task is ${over}`);
}

async function refusesOver(visit: InterfaceVisit): Promise<void> {
  for (const [rule, id, name] of [
    ["A2A-SUB-003", (await finishedTask(visit)).id as Json, "UnsupportedOperation"],
    ["A2A-SUB-004", unknownId(visit.context), "TaskNotFound"],
  ] as const) {
    const heard = await listen(visit, "SubscribeToTask", { id });
    if (heard.isStream) await heard.read(1, 5000);
    const isSaid = heard.observed !== undefined && isError(heard.observed, name);
    const isInside = heard.isStream && heard.items.length > 0 && heard.items.every(({ said }) => said === undefined);
    const what = rule === "A2A-SUB-003" ? "a finished task" : "an unknown task";
    visit.expect(rule, isSaid || isInside, `subscribing to ${what} is answered with ${sayHow(heard)}`);
    heard.cut();
  }
}

/** The updates without the first task, as texts. */
function updatesOf({ items }: Heard): Json[] {
  return items.flatMap(({ said }) => (said === undefined || said.task !== undefined ? [] : [said]));
}

async function tellsAll(visit: InterfaceVisit): Promise<void> {
  const task = await workingTask(visit);
  const first = await subscribe(visit, task.id as Json);
  const isOpen = first.isStream && (await first.read(1, boundOf(visit.context, "item")));
  if (!isOpen) throw notShown(`a task at work cannot be subscribed to: ${sayHow(first)}`);
  await visit.context.wait(300);
  const second = await subscribe(visit, task.id as Json);
  if (!second.isStream) throw notShown("a second subscription is refused");
  await Promise.all([hearOut(visit, first), hearOut(visit, second)]);
  const [longer, shorter] = [updatesOf(first), updatesOf(second)];
  const isSuffix =
    shorter.length <= longer.length && isDeepStrictEqual(longer.slice(longer.length - shorter.length), shorter);
  const missed = longer.length - shorter.length;
  visit.expect(
    "A2A-SUB-006",
    isSuffix && missed <= mostMissed(first, second),
    `two streams of a task have ${longer.length} and ${shorter.length} updates, which are not the same`,
  );
}

/** The status of the first task of a stream. */
function firstStatus({ items: [item] }: Heard): Json | undefined {
  const task = item?.said?.task;
  return isObject(task) ? task.status : undefined;
}

/**
 * The maximum number of updates of a stream before a later one began, judged by the first task of the later one, which has the status of the last of them. Artifacts
 * may come between that and the next status. Throws a skip if too few updates came afterwards to show anything.
 */
function mostMissed(earlier: Heard, later: Heard): number {
  const statuses = updatesOf(earlier).map((update) =>
    isObject(update) && isObject(update.statusUpdate) ? update.statusUpdate.status : undefined,
  );
  const begun = firstStatus(later);
  const last = statuses.findLastIndex((status) => status !== undefined && isDeepStrictEqual(status, begun));
  const next = statuses.findIndex((status, index) => index > last && status !== undefined);
  const after = statuses.slice(next < 0 ? statuses.length : next).filter((status) => status !== undefined);
  if (after.length < 3) throw notShown("the task had fewer than two updates and its end after the second subscription");
  const isKnown = last >= 0 || isDeepStrictEqual(firstStatus(earlier), begun);
  return isKnown ? next : statuses.length;
}

async function cutsOne(visit: InterfaceVisit): Promise<void> {
  const task = await workingTask(visit);
  const all: Heard[] = [];
  for (let count = 0; count < 3; count++) all.push(await subscribe(visit, task.id as Json));
  if (all.some(({ isStream }) => !isStream)) throw notShown("a further subscription is refused");
  const [cut, ...others] = all as [Heard, ...Heard[]];
  await cut.read(1, boundOf(visit.context, "item"));
  cut.cut();
  await Promise.all(others.map((heard) => hearOut(visit, heard)));
  for (const { items } of others) {
    const state = items.map(({ said }) => stateIn(said)).findLast((each) => each !== undefined);
    visit.expect(
      "A2A-SUB-007",
      terminal.includes(state ?? ""),
      `once another stream was cut, a stream ends at ${state}`,
    );
  }
}

export const subscriptions: readonly Scenario[] = [
  atEachInterface({
    name: "subscription-begins",
    says: "a subscription begins with the present task",
    rules: ["A2A-SUB-001"],
    when: offersStreams,
    play: beginsNow,
  }),
  atEachInterface({
    name: "subscription-of-any",
    says: "each unfinished task can be subscribed to",
    rules: ["A2A-SUB-005"],
    when: offersStreams,
    play: takesAnyTask,
  }),
  atEachInterface({
    name: "subscription-ends",
    says: "a subscription ends with its task",
    rules: ["A2A-SUB-002"],
    when: offersStreams,
    withinMs: 120_000,
    play: endsWithTask,
  }),
  atEachInterface({
    name: "subscription-refused",
    says: "a finished or unknown task cannot be subscribed to",
    rules: ["A2A-SUB-003", "A2A-SUB-004"],
    when: offersStreams,
    play: refusesOver,
  }),
  atEachInterface({
    name: "subscription-twice",
    says: "two streams of a task have the same updates",
    rules: ["A2A-SUB-006"],
    when: offersStreams,
    withinMs: 120_000,
    play: tellsAll,
  }),
  atEachInterface({
    name: "subscription-cut",
    says: "cutting one stream does not affect the others",
    rules: ["A2A-SUB-007"],
    when: offersStreams,
    withinMs: 120_000,
    play: cutsOne,
  }),
];
