import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { describeAnswer, isError, isInvalid } from "./calls.ts";
import type { A2aParty } from "./party.ts";
import {
  awaitTask,
  hasRecipe,
  interruptedStates,
  makeMessage,
  type RecipeName,
  recipeMessage,
  stateOf,
  terminalStates,
  unknownId,
} from "./recipes.ts";
import { checkArtifacts } from "./streamed-artifacts.ts";
import {
  atEachInterface,
  type InterfaceVisit,
  notShown,
  openStream,
  type StreamReader,
  type TaskStreamItem,
} from "./visit.ts";

export const mustOfferStreams = ({ hasStreaming }: A2aParty): void => {
  if (!hasStreaming) throw notShown("its card offers no streams");
};

/** Returns the kind of a stream item: the name of its only member, or "nothing". */
function kindOf(event: JsonObject | undefined): string {
  const names = ["task", "message", "statusUpdate", "artifactUpdate"].filter(
    (name) => event !== undefined && Object.hasOwn(event, name),
  );
  return names.length === 1 ? (names[0] as string) : "nothing";
}

/** Returns the state in a stream item; undefined if there is none. */
export function stateIn(event: JsonObject | undefined): string | undefined {
  const { task, statusUpdate } = event ?? {};
  const status = isObject(task) ? task.status : isObject(statusUpdate) ? statusUpdate.status : undefined;
  return isObject(status) ? String(status.state) : undefined;
}

/** Returns the last state that a stream has reported; undefined if there is none. */
function lastStateIn({ items }: StreamReader): string | undefined {
  return items.map(({ response }) => stateIn(response)).findLast((state) => state !== undefined);
}

/** The milliseconds to wait for another item while a task is interrupted. */
const interruptedWait = 500;

/** Returns the milliseconds to wait for the next item of a stream. */
function nextItemWait({ context }: InterfaceVisit, stream: StreamReader): number {
  const state = lastStateIn(stream) ?? "";
  const isOver = terminalStates.includes(state) || kindOf(stream.items.at(-1)?.response) === "message";
  if (isOver) return boundOf(context, "end");
  return interruptedStates.includes(state) ? interruptedWait : boundOf(context, "item");
}

/** Reads a stream until it ends, or until shortly after its task ends or is interrupted. */
export async function readToEnd(visit: InterfaceVisit, stream: StreamReader): Promise<void> {
  while (await stream.read(stream.items.length + 1, nextItemWait(visit, stream)));
}

/** Reads the whole stream for a message. Throws if the answer is not a stream. */
async function readWholeStream(visit: InterfaceVisit, name: RecipeName, id?: Json): Promise<StreamReader> {
  const stream = await openStream(
    visit,
    "SendStreamingMessage",
    { message: recipeMessage(visit.context, name) },
    id === undefined ? {} : { id },
  );
  const mediaType = stream.headers["content-type"] ?? "";
  visit.expect(
    "A2A-STREAM-001",
    stream.status === 200 && stream.isStream,
    `a stream is answered with HTTP ${stream.status} and the media type "${mediaType}"`,
  );
  if (!stream.isStream)
    throw notShown(
      `a stream is answered with ${stream.answer === undefined ? mediaType : describeAnswer(stream.answer)}`,
    );
  await readToEnd(visit, stream);
  return stream;
}

async function checkStreams(visit: InterfaceVisit): Promise<void> {
  const recipeNames = [
    "finishing",
    ...(["chunks", "working", "failing", "replying"] as const).filter((name) => hasRecipe(visit.context, name)),
  ] as const;
  for (const [index, name] of recipeNames.entries()) {
    const id = index % 2 === 0 ? "s-1" : 7;
    const stream = await readWholeStream(visit, name, id);
    checkItems(visit, stream, id);
    checkOrder(visit, stream);
    checkEnd(visit, stream);
    const [firstItem] = stream.items;
    const task = firstItem?.response?.task;
    if (isObject(task)) await checkArtifacts(visit, stream, task, lastStateIn(stream));
    stream.cut();
  }
}

/** Checks each item on its own. */
function checkItems(visit: InterfaceVisit, { items }: StreamReader, id: Json): void {
  visit.expect("A2A-STREAM-003", items.length > 0, "a stream ends without an item");
  for (const { data, json, response } of items) {
    visit.expect("A2A-STREAM-011", json !== undefined, `the data of an event is not JSON: ${data.slice(0, 120)}`);
    if (json === undefined) continue;
    visit.expect(
      "A2A-STREAM-002",
      kindOf(response) !== "nothing",
      `an item is not a StreamResponse with one member: ${data.slice(0, 160)}`,
    );
    if (visit.endpoint.binding !== "JSONRPC") continue;
    const isEcho = isObject(json) && json.id === id;
    visit.expect(
      "A2A-STREAM-010",
      isEcho,
      `an item of the request ${JSON.stringify(id)} has the id ${JSON.stringify(isObject(json) ? json.id : undefined)}`,
    );
  }
}

function checkOrder(visit: InterfaceVisit, { items }: StreamReader): void {
  const kinds = items.map(({ response }) => kindOf(response));
  const [firstKind, ...laterKinds] = kinds;
  visit.expect(
    "A2A-STREAM-003",
    firstKind === "task" || firstKind === "message",
    `the first item of a stream is ${firstKind}`,
  );
  if (firstKind === "message") visit.expect("A2A-STREAM-004", laterKinds.length === 0, "more items follow a message");
  if (firstKind !== "task") return;
  for (const [index, kind] of laterKinds.entries()) {
    const isLast = index === laterKinds.length - 1;
    const isAllowed =
      kind === "statusUpdate" || kind === "artifactUpdate" || kind === "nothing" || (kind === "task" && isLast);
    visit.expect("A2A-STREAM-005", isAllowed, `a ${kind} follows the task`, kind === "task" ? "SHOULD" : "MUST");
  }
  const task = items[0]?.response?.task as JsonObject;
  for (const { response } of items.slice(1)) {
    const update = response?.statusUpdate ?? response?.artifactUpdate;
    if (!isObject(update)) continue;
    const namesOwnTask = update.taskId === task.id && update.contextId === (task.contextId ?? update.contextId);
    visit.expect(
      "A2A-STREAM-008",
      namesOwnTask,
      `an update of the task ${task.id} names the task ${update.taskId} in ${update.contextId}`,
    );
  }
  const timestamps = items.map(timestampIn).filter((stamp) => Number.isFinite(stamp));
  const isSorted = timestamps.every((stamp, index) => index === 0 || stamp >= (timestamps[index - 1] as number));
  visit.expect("A2A-STREAM-009", isSorted, "an update arrives after a newer one");
}

function checkEnd(visit: InterfaceVisit, stream: StreamReader): void {
  const kinds = stream.items.map(({ response }) => kindOf(response));
  if (kinds[0] === "message") {
    visit.expect("A2A-STREAM-004", stream.endState() !== "open", "a stream stays open after a message");
    return;
  }
  const states = stream.items.map(({ response }) => stateIn(response));
  const endIndex = states.findIndex((state) => terminalStates.includes(state ?? ""));
  if (endIndex === -1) {
    const lastState = states.findLast((state) => state !== undefined);
    const isResting = interruptedStates.includes(lastState ?? "");
    if (stream.endState() !== "open")
      visit.expect("A2A-STREAM-006", isResting, `a stream ends while its task is ${lastState}`);
    return;
  }
  visit.expect(
    "A2A-STREAM-006",
    stream.endState() !== "open",
    `a stream stays open after its task is ${states[endIndex]}`,
  );
  const laterKinds = kinds.slice(endIndex + 1);
  const isSnapshot = laterKinds.length === 1 && laterKinds[0] === "task" && states.at(-1) === states[endIndex];
  visit.expect(
    "A2A-STREAM-007",
    laterKinds.length === 0 || isSnapshot,
    `${laterKinds.join(", ")} follows a task that is ${states[endIndex]}`,
  );
}

async function checkTiming(visit: InterfaceVisit): Promise<void> {
  const stream = await readWholeStream(visit, "working");
  const [firstItem] = stream.items;
  const lastItem = stream.items.at(-1);
  if (firstItem === undefined || lastItem === undefined || stream.items.length < 3)
    throw notShown("a working task has fewer than three items");
  const durationMs = lastItem.receivedAt - stream.requestedAt;
  // A first item within two seconds is always in time, and a slow one if it arrives in the first half of the stream.
  const limitMs = 2000 * Math.max(1, visit.context.setting.timeScale ?? 1);
  visit.expect(
    "A2A-STREAM-012",
    firstItem.receivedAt - stream.requestedAt < Math.max(limitMs, durationMs / 2),
    `the first item arrives after ${Math.round(firstItem.receivedAt - stream.requestedAt)} ms`,
  );
  if (durationMs < 800) throw notShown(`a task that should work for a second took ${Math.round(durationMs)} ms`);
  const isSpread = stream.items.some(({ receivedAt }) => receivedAt - stream.requestedAt < durationMs * 0.9);
  visit.expect("A2A-STREAM-012", isSpread, `all items arrive in the last tenth of ${Math.round(durationMs)} ms`);
  // If the suite itself stalled, a second stream is on time.
  if (!isSpread || !holdsBack(stream)) return;
  const secondStream = await readWholeStream(visit, "working");
  const why = "all items but the first arrive at the end, although their timestamps are earlier";
  visit.expect("A2A-STREAM-012", !holdsBack(secondStream), why);
}

/** Whether all updates arrive at the end, although the timestamp of one of them is much earlier. */
function holdsBack({ items, requestedAt }: StreamReader): boolean {
  const updates = items.slice(1);
  const lastUpdate = updates.at(-1);
  if (lastUpdate === undefined) return false;
  const durationMs = lastUpdate.receivedAt - requestedAt;
  if (updates.some(({ receivedAt }) => receivedAt - requestedAt < durationMs * 0.9)) return false;
  const timestamps = updates.map(timestampIn).filter((stamp) => Number.isFinite(stamp));
  return Math.max(...timestamps) - Math.min(...timestamps) > durationMs / 2;
}

/** Returns the timestamp of a status in milliseconds since 1970; NaN if there is none. */
function timestampIn({ response }: TaskStreamItem): number {
  const status = isObject(response?.statusUpdate) ? response.statusUpdate.status : undefined;
  return isObject(status) ? Date.parse(String(status.timestamp)) : Number.NaN;
}

async function checkRefusals(visit: InterfaceVisit): Promise<void> {
  const faultyRequests: [string, JsonObject, boolean][] = [
    ["an unknown task", { message: makeMessage(visit.context, { taskId: unknownId(visit.context) }) }, true],
    ["no message", {}, false],
  ];
  for (const [name, params, hasUnknownTask] of faultyRequests) {
    const stream = await openStream(visit, "SendStreamingMessage", params);
    if (stream.answer !== undefined) {
      const isExpectedError = hasUnknownTask ? isError(stream.answer, "TaskNotFound") : isInvalid(stream.answer);
      visit.expect(
        "A2A-STREAM-013",
        isExpectedError,
        `a stream with ${name} is answered with ${describeAnswer(stream.answer)}`,
      );
      continue;
    }
    const hasItem = await stream.read(1, boundOf(visit.context, "item"));
    const emptyStreamConduct = stream.endState() === "open" ? "opened, and silent" : "opened, and ends without an item";
    const isErrorItem = hasItem && stream.items[0]?.response === undefined && stream.items[0]?.json !== undefined;
    visit.expect("A2A-STREAM-013", isErrorItem, `a stream with ${name} is ${hasItem ? "served" : emptyStreamConduct}`);
    if (isErrorItem && visit.endpoint.binding === "HTTP+JSON")
      visit.expect(
        "A2A-STREAM-013",
        false,
        `a stream with ${name} has HTTP ${stream.status} with the error inside`,
        "SHOULD",
      );
    stream.cut();
  }
}

async function checkCutStream(visit: InterfaceVisit): Promise<void> {
  const stream = await openStream(visit, "SendStreamingMessage", { message: recipeMessage(visit.context, "working") });
  if (!stream.isStream || !(await stream.read(1, boundOf(visit.context, "item"))))
    throw notShown("a stream has no first item");
  const task = stream.items[0]?.response?.task;
  stream.cut();
  if (!isObject(task)) throw notShown("a stream does not begin with a task");
  const laterTask = await awaitTask(visit, task.id as Json);
  const isContinued =
    [...terminalStates, ...interruptedStates].includes(stateOf(laterTask)) &&
    stateOf(laterTask) !== "TASK_STATE_CANCELED";
  visit.expect("A2A-STREAM-015", isContinued, `a task whose stream was cut is ${stateOf(laterTask)}`);
}

async function checkStreamDuringGrant(visit: InterfaceVisit): Promise<void> {
  const stream = await openStream(visit, "SendStreamingMessage", {
    message: recipeMessage(visit.context, "authorizing"),
  });
  while (stream.isStream && stateIn(stream.items.at(-1)?.response) !== "TASK_STATE_AUTH_REQUIRED")
    if (!(await stream.read(stream.items.length + 1, boundOf(visit.context, "item")))) break;
  const task = stream.items[0]?.response?.task;
  if (!isObject(task) || stateIn(stream.items.at(-1)?.response) !== "TASK_STATE_AUTH_REQUIRED")
    throw notShown("a stream does not reach TASK_STATE_AUTH_REQUIRED");
  await stream.read(stream.items.length + 1, 500);
  visit.expect("A2A-STREAM-016", stream.endState() === "open", "a stream ends at TASK_STATE_AUTH_REQUIRED");
  if (stream.endState() !== "open") return;
  const itemsBefore = stream.items.length;
  await visit.context.hook("grant", { taskId: task.id as Json });
  const hasNextItem = await stream.read(itemsBefore + 1, boundOf(visit.context, "item"));
  visit.expect("A2A-STREAM-016", hasNextItem, "a stream sends nothing after its task's authorization was granted");
  stream.cut();
}

export const streamScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "streams-whole",
    says: "a stream shows the life of its task in order, and ends with it",
    rules: [
      ...["001", "002", "003", "004", "005", "006", "007", "008", "009", "010", "011"].map(
        (number) => `A2A-STREAM-${number}`,
      ),
      "A2A-ART-003",
      "A2A-ART-004",
      "A2A-ART-005",
    ],
    shownBy: { "A2A-STREAM-010": "JSONRPC" },
    when: mustOfferStreams,
    withinMs: 180_000,
    play: checkStreams,
  }),
  atEachInterface({
    name: "streams-in-time",
    says: "items arrive as soon as they happen",
    rules: ["A2A-STREAM-012"],
    when: mustOfferStreams,
    play: checkTiming,
  }),
  atEachInterface({
    name: "streams-refused",
    says: "a refused stream is answered with the error",
    rules: ["A2A-STREAM-013"],
    when: mustOfferStreams,
    play: checkRefusals,
  }),
  atEachInterface({
    name: "streams-cut",
    says: "a task continues after its stream is cut",
    waits: 8000,
    rules: ["A2A-STREAM-015"],
    when: mustOfferStreams,
    withinMs: 120_000,
    play: checkCutStream,
  }),
  atEachInterface({
    name: "streams-granted",
    says: "a stream stays open while its task waits for authorization",
    rules: ["A2A-STREAM-016"],
    needs: ["grant"],
    when: mustOfferStreams,
    play: checkStreamDuringGrant,
  }),
];
