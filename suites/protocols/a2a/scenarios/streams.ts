import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { brief, isError, isInvalid } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import {
  awaitTask,
  getTask,
  hasRecipe,
  interrupted,
  messageOf,
  type RecipeName,
  recipe,
  stateOf,
  terminal,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type Heard, type HeardItem, type InterfaceVisit, listen, notShown } from "./visit.ts";

export const offersStreams = ({ streaming }: A2aParty): void => {
  if (!streaming) throw notShown("its card offers no streams");
};

/** The kind of a stream item, named like its member. */
function kindOf(event: JsonObject | undefined): string {
  const names = ["task", "message", "statusUpdate", "artifactUpdate"].filter(
    (name) => event !== undefined && Object.hasOwn(event, name),
  );
  return names.length === 1 ? (names[0] as string) : "nothing";
}

/** The state in an item, if there is one. */
export function stateIn(event: JsonObject | undefined): string | undefined {
  const { task, statusUpdate } = event ?? {};
  const status = isObject(task) ? task.status : isObject(statusUpdate) ? statusUpdate.status : undefined;
  return isObject(status) ? String(status.state) : undefined;
}

/** Reads a stream until it ends, or until shortly after its task rests. */
export async function hearOut(visit: InterfaceVisit, heard: Heard): Promise<void> {
  for (;;) {
    const state = heard.items.map(({ said }) => stateIn(said)).findLast((state) => state !== undefined);
    const isOver = terminal.includes(state ?? "") || kindOf(heard.items.at(-1)?.said) === "message";
    const waitMs = isOver
      ? boundOf(visit.context, "end")
      : interrupted.includes(state ?? "")
        ? 500
        : boundOf(visit.context, "item");
    if (!(await heard.read(heard.items.length + 1, waitMs))) return;
  }
}

/** Reads the whole stream for a message. Throws if the answer is not a stream. */
async function wholeStream(visit: InterfaceVisit, name: RecipeName, id?: Json): Promise<Heard> {
  const heard = await listen(
    visit,
    "SendStreamingMessage",
    { message: recipe(visit.context, name) },
    id === undefined ? {} : { id },
  );
  const mediaType = heard.headers["content-type"] ?? "";
  visit.expect(
    "A2A-STREAM-001",
    heard.status === 200 && heard.isStream,
    `a stream is answered with HTTP ${heard.status} and the media type "${mediaType}"`,
  );
  if (!heard.isStream)
    throw notShown(`a stream is answered with ${heard.observed === undefined ? mediaType : brief(heard.observed)}`);
  await hearOut(visit, heard);
  return heard;
}

async function judgesStreams(visit: InterfaceVisit): Promise<void> {
  const storedIds = [
    "finishing",
    ...(["chunks", "working", "failing", "replying"] as const).filter((name) => hasRecipe(visit.context, name)),
  ] as const;
  for (const [index, name] of storedIds.entries()) {
    const id = index % 2 === 0 ? "s-1" : 7;
    const heard = await wholeStream(visit, name, id);
    judgeItems(visit, heard, id);
    judgeOrder(visit, heard);
    judgeEnd(visit, heard);
    const [firstItem] = heard.items;
    const task = firstItem?.said?.task;
    if (isObject(task)) await judgeFold(visit, heard, task);
    heard.cut();
  }
}

/** Checks each item on its own. */
function judgeItems(visit: InterfaceVisit, { items }: Heard, id: Json): void {
  visit.expect("A2A-STREAM-003", items.length > 0, "a stream ends without an item");
  for (const { data, json, said } of items) {
    visit.expect("A2A-STREAM-011", json !== undefined, `the data of an event is not JSON: ${data.slice(0, 120)}`);
    if (json === undefined) continue;
    visit.expect(
      "A2A-STREAM-002",
      kindOf(said) !== "nothing",
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

function judgeOrder(visit: InterfaceVisit, { items }: Heard): void {
  const kinds = items.map(({ said }) => kindOf(said));
  const [first, ...laterKinds] = kinds;
  visit.expect("A2A-STREAM-003", first === "task" || first === "message", `the first item of a stream is ${first}`);
  if (first === "message") visit.expect("A2A-STREAM-004", laterKinds.length === 0, "more items follow a message");
  if (first !== "task") return;
  for (const [index, kind] of laterKinds.entries()) {
    const isLast = index === laterKinds.length - 1;
    const isKnown =
      kind === "statusUpdate" || kind === "artifactUpdate" || kind === "nothing" || (kind === "task" && isLast);
    visit.expect("A2A-STREAM-005", isKnown, `a ${kind} follows the task`, kind === "task" ? "SHOULD" : "MUST");
  }
  const task = items[0]?.said?.task as JsonObject;
  for (const { said } of items.slice(1)) {
    const update = said?.statusUpdate ?? said?.artifactUpdate;
    if (!isObject(update)) continue;
    const isOwn = update.taskId === task.id && update.contextId === (task.contextId ?? update.contextId);
    visit.expect(
      "A2A-STREAM-008",
      isOwn,
      `an update of the task ${task.id} names the task ${update.taskId} in ${update.contextId}`,
    );
  }
  const timestamps = items.map(stampIn).filter((stamp) => Number.isFinite(stamp));
  const isSorted = timestamps.every((stamp, index) => index === 0 || stamp >= (timestamps[index - 1] as number));
  visit.expect("A2A-STREAM-009", isSorted, "an update comes after one that was made later");
}

function judgeEnd(visit: InterfaceVisit, heard: Heard): void {
  const kinds = heard.items.map(({ said }) => kindOf(said));
  if (kinds[0] === "message") {
    visit.expect("A2A-STREAM-004", heard.end() !== "open", "a stream stays open after a message");
    return;
  }
  const states = heard.items.map(({ said }) => stateIn(said));
  const endIndex = states.findIndex((state) => terminal.includes(state ?? ""));
  if (endIndex === -1) {
    const lastState = states.findLast((state) => state !== undefined);
    const isResting = interrupted.includes(lastState ?? "");
    if (heard.end() !== "open")
      visit.expect("A2A-STREAM-006", isResting, `a stream ends while its task is ${lastState}`);
    return;
  }
  visit.expect("A2A-STREAM-006", heard.end() !== "open", `a stream stays open after its task is ${states[endIndex]}`);
  const laterKinds = kinds.slice(endIndex + 1);
  const isSnapshot = laterKinds.length === 1 && laterKinds[0] === "task" && states.at(-1) === states[endIndex];
  visit.expect(
    "A2A-STREAM-007",
    laterKinds.length === 0 || isSnapshot,
    `${laterKinds.join(", ")} follows a task that is ${states[endIndex]}`,
  );
}

/** An artifact, assembled from its updates. */
interface FoldedArtifact {
  parts: JsonObject[];
  isLast: boolean;
}

/** Assembles the artifacts from the updates of a stream, and finds faults in the updates. */
function foldUpdates(
  visit: InterfaceVisit,
  { items }: Heard,
  task: JsonObject,
): { folded: Map<string, FoldedArtifact>; isStrange: boolean } {
  const folded = new Map<string, FoldedArtifact>();
  for (const artifact of listIn(task.artifacts).filter(isObject))
    folded.set(String(artifact.artifactId), { parts: listIn(artifact.parts).filter(isObject), isLast: false });
  let isStrange = false;
  for (const { said } of items) {
    const update = said?.artifactUpdate;
    if (!isObject(update) || !isObject(update.artifact)) continue;
    const id = String(update.artifact.artifactId);
    const earlier = folded.get(id);
    const isNew = earlier === undefined;
    visit.expect("A2A-ART-004", earlier?.isLast !== true, `more comes for the artifact ${id} after its last chunk`);
    if (update.append === true)
      visit.expect("A2A-ART-005", !isNew, `a chunk is appended to the artifact ${id}, which was not sent before`);
    isStrange ||= earlier?.isLast === true || (update.append === true && isNew);
    const parts = listIn(update.artifact.parts).filter(isObject);
    folded.set(id, {
      parts: update.append === true ? [...(earlier?.parts ?? []), ...parts] : parts,
      isLast: update.lastChunk === true,
    });
  }
  return { folded, isStrange };
}

async function judgeFold(visit: InterfaceVisit, heard: Heard, task: JsonObject): Promise<void> {
  const lastState = heard.items.map(({ said }) => stateIn(said)).findLast((state) => state !== undefined);
  const storedTask = await getTask(visit, task.id as Json);
  const isSame = lastState === stateOf(storedTask) || !terminal.includes(lastState ?? "");
  visit.expect(
    "A2A-STREAM-009",
    isSame,
    `the last state of a stream is ${lastState}, and that of the task ${stateOf(storedTask)}`,
  );
  const { folded, isStrange } = foldUpdates(visit, heard, task);
  if (!terminal.includes(lastState ?? "")) return;
  const storedArtifacts = listIn(storedTask.artifacts).filter(isObject);
  const names = storedArtifacts.map(({ artifactId }) => String(artifactId));
  const isAll = isDeepStrictEqual([...names].sort(), [...folded.keys()].sort());
  const level = isStrange ? "SHOULD" : "MUST";
  visit.expect(
    "A2A-ART-003",
    isAll,
    `the artifacts of a stream are ${[...folded.keys()].join(", ")}, and those of the task ${names.join(", ")}`,
    level,
  );
  for (const { artifactId, parts } of storedArtifacts) {
    const streamed = folded.get(String(artifactId));
    if (streamed === undefined) continue;
    const hasSameContent = isDeepStrictEqual(contentOf(listIn(parts).filter(isObject)), contentOf(streamed.parts));
    visit.expect(
      "A2A-ART-003",
      hasSameContent,
      `the artifact ${artifactId} of the stream has other content than that of the task`,
      level,
    );
  }
}

/** The content of parts: their texts joined, and all other parts unchanged. */
function contentOf(parts: readonly JsonObject[]): Json[] {
  const text = parts.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
  const otherParts = parts.flatMap(({ raw, url, data }) => {
    const content = raw === undefined ? (url ?? data) : Buffer.from(String(raw), "base64").toString("hex");
    return content === undefined ? [] : [content];
  });
  return [text, ...otherParts];
}

async function comesInTime(visit: InterfaceVisit): Promise<void> {
  const heard = await wholeStream(visit, "working");
  const [first] = heard.items;
  const last = heard.items.at(-1);
  if (first === undefined || last === undefined || heard.items.length < 3)
    throw notShown("a working task has fewer than three items");
  const durationMs = last.at - heard.asked;
  const limitMs = 2000 * Math.max(1, visit.context.setting.timeScale ?? 1);
  visit.expect(
    "A2A-STREAM-012",
    first.at - heard.asked < Math.max(limitMs, durationMs / 2),
    `the first item comes after ${Math.round(first.at - heard.asked)} ms`,
  );
  if (durationMs < 800) throw notShown(`a task that should work for a second took ${Math.round(durationMs)} ms`);
  const isSpread = heard.items.some(({ at }) => at - heard.asked < durationMs * 0.9);
  visit.expect("A2A-STREAM-012", isSpread, `all items come in the last tenth of ${Math.round(durationMs)} ms`);
  // If the suite itself stalls, only one stream is delayed. A second stream is on time.
  if (!isSpread || !holdsBack(heard)) return;
  const secondStream = await wholeStream(visit, "working");
  const why = "after the first item all come at the end, though their timestamps say that they were made before";
  visit.expect("A2A-STREAM-012", !holdsBack(secondStream), why);
}

/** Whether all updates arrive at the end, although the timestamp of one of them is much earlier. */
function holdsBack({ items, asked }: Heard): boolean {
  const updates = items.slice(1);
  const last = updates.at(-1);
  if (last === undefined) return false;
  const durationMs = last.at - asked;
  if (updates.some(({ at }) => at - asked < durationMs * 0.9)) return false;
  const timestamps = updates.map(stampIn).filter((stamp) => Number.isFinite(stamp));
  return Math.max(...timestamps) - Math.min(...timestamps) > durationMs / 2;
}

/** The timestamp of a status in milliseconds since 1970; NaN if there is none. */
function stampIn({ said }: HeardItem): number {
  const status = isObject(said?.statusUpdate) ? said.statusUpdate.status : undefined;
  return isObject(status) ? Date.parse(String(status.timestamp)) : Number.NaN;
}

async function failsFirst(visit: InterfaceVisit): Promise<void> {
  const faultyRequests: [string, JsonObject, boolean][] = [
    ["an unknown task", { message: messageOf(visit.context, { taskId: unknownId(visit.context) }) }, true],
    ["no message", {}, false],
  ];
  for (const [name, params, isUnknown] of faultyRequests) {
    const heard = await listen(visit, "SendStreamingMessage", params);
    if (heard.observed !== undefined) {
      const isRight = isUnknown ? isError(heard.observed, "TaskNotFound") : isInvalid(heard.observed);
      visit.expect("A2A-STREAM-013", isRight, `a stream with ${name} is answered with ${brief(heard.observed)}`);
      continue;
    }
    const hasItem = await heard.read(1, boundOf(visit.context, "item"));
    const isErrorItem = hasItem && heard.items[0]?.said === undefined && heard.items[0]?.json !== undefined;
    visit.expect(
      "A2A-STREAM-013",
      isErrorItem,
      `a stream with ${name} is ${hasItem ? "served" : heard.end() === "open" ? "opened, and silent" : "opened, and ends without an item"}`,
    );
    if (isErrorItem && visit.endpoint.binding === "HTTP+JSON")
      visit.expect(
        "A2A-STREAM-013",
        false,
        `a stream with ${name} has HTTP ${heard.status} with the error inside`,
        "SHOULD",
      );
    heard.cut();
  }
}

async function outlivesStream(visit: InterfaceVisit): Promise<void> {
  const heard = await listen(visit, "SendStreamingMessage", { message: recipe(visit.context, "working") });
  if (!heard.isStream || !(await heard.read(1, boundOf(visit.context, "item"))))
    throw notShown("a stream has no first item");
  const task = heard.items[0]?.said?.task;
  heard.cut();
  if (!isObject(task)) throw notShown("a stream does not begin with a task");
  const laterTask = await awaitTask(visit, task.id as Json);
  const isContinued =
    [...terminal, ...interrupted].includes(stateOf(laterTask)) && stateOf(laterTask) !== "TASK_STATE_CANCELED";
  visit.expect("A2A-STREAM-015", isContinued, `a task whose stream was cut is ${stateOf(laterTask)}`);
}

async function staysForGrant(visit: InterfaceVisit): Promise<void> {
  const heard = await listen(visit, "SendStreamingMessage", { message: recipe(visit.context, "authorizing") });
  while (heard.isStream && stateIn(heard.items.at(-1)?.said) !== "TASK_STATE_AUTH_REQUIRED")
    if (!(await heard.read(heard.items.length + 1, boundOf(visit.context, "item")))) break;
  const task = heard.items[0]?.said?.task;
  if (!isObject(task) || stateIn(heard.items.at(-1)?.said) !== "TASK_STATE_AUTH_REQUIRED")
    throw notShown("a stream does not come to TASK_STATE_AUTH_REQUIRED");
  await heard.read(heard.items.length + 1, 500);
  visit.expect("A2A-STREAM-016", heard.end() === "open", "a stream ends at TASK_STATE_AUTH_REQUIRED");
  if (heard.end() !== "open") return;
  const itemsBefore = heard.items.length;
  await visit.context.hook("grant", { taskId: task.id as Json });
  const hasNextItem = await heard.read(itemsBefore + 1, boundOf(visit.context, "item"));
  visit.expect(
    "A2A-STREAM-016",
    hasNextItem,
    "nothing more comes on a stream after its task's authorization was granted",
  );
  heard.cut();
}

export const streams: readonly Scenario[] = [
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
    when: offersStreams,
    withinMs: 180_000,
    play: judgesStreams,
  }),
  atEachInterface({
    name: "streams-in-time",
    says: "items come when they happen",
    rules: ["A2A-STREAM-012"],
    when: offersStreams,
    play: comesInTime,
  }),
  atEachInterface({
    name: "streams-refused",
    says: "a stream that cannot begin is answered with its error",
    rules: ["A2A-STREAM-013"],
    when: offersStreams,
    play: failsFirst,
  }),
  atEachInterface({
    name: "streams-cut",
    says: "a task goes on without its stream",
    waits: 8000,
    rules: ["A2A-STREAM-015"],
    when: offersStreams,
    withinMs: 120_000,
    play: outlivesStream,
  }),
  atEachInterface({
    name: "streams-granted",
    says: "a stream stays open while its task waits for authorization",
    rules: ["A2A-STREAM-016"],
    needs: ["grant"],
    when: offersStreams,
    play: staysForGrant,
  }),
];
