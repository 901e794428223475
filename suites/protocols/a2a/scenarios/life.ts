import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { brief, isError, isServerFault } from "./calls.ts";
import {
  askingTask,
  awaitTask,
  finishedTask,
  getTask,
  hasRecipe,
  messageOf,
  openTask,
  patient,
  type RecipeName,
  recipe,
  stateOf,
  taskIn,
  terminal,
  unknownId,
  workingTask,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, listen, notShown, type SeenTask } from "./visit.ts";

async function makesIds(visit: InterfaceVisit): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) ids.push(String((await openTask(visit, "finishing")).id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  visit.expect("A2A-TASK-003", twice === undefined, `two new tasks have the id ${twice}`);
}

async function knowsTasks(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const taskId = unknownId(context);
  const observed = await visit.call("SendMessage", { message: messageOf(context, { taskId }) }, patient(visit));
  visit.expect(
    "A2A-TASK-004",
    isError(observed, "TaskNotFound"),
    `a message to an unknown task is answered with ${brief(observed)}`,
  );
  const after = await visit.call("GetTask", { id: taskId });
  visit.expect("A2A-TASK-004", after.error !== undefined, `a message to an unknown task makes one: ${brief(after)}`);
  if (!party.streaming) return;
  const heard = await listen(visit, "SendStreamingMessage", { message: messageOf(context, { taskId }) });
  if (heard.isStream) await heard.read(1, 5000);
  const isSaid = heard.observed !== undefined && isError(heard.observed, "TaskNotFound");
  const isInside = heard.isStream && heard.items.every(({ said }) => said === undefined);
  visit.expect("A2A-TASK-004", isSaid || isInside, "a message to an unknown task is served as a stream");
  heard.cut();
}

/** Tasks in each terminal state that the agent can be brought to. */
async function overTasks(visit: InterfaceVisit): Promise<JsonObject[]> {
  const tasks = [await finishedTask(visit)];
  for (const name of ["failing", "rejecting"] as const)
    if (hasRecipe(visit.context, name)) tasks.push(await finishedTask(visit, name));
  for (const name of ["asking", "working"] as const) {
    if (!hasRecipe(visit.context, name)) continue;
    const task = name === "asking" ? await askingTask(visit) : await workingTask(visit).catch(() => undefined);
    if (task === undefined) continue;
    const observed = await visit.call("CancelTask", { id: task.id as Json });
    if (stateOf(observed.result) === "TASK_STATE_CANCELED") tasks.push(observed.result as JsonObject);
    break;
  }
  return tasks;
}

async function staysOver(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  for (const { id } of await overTasks(visit)) {
    const before = await getTask(visit, id as Json);
    const state = stateOf(before);
    const observed = await visit.call(
      "SendMessage",
      { message: messageOf(context, { taskId: id as Json }) },
      patient(visit),
    );
    const why = `a message to a task that is ${state} is answered with ${brief(observed)}`;
    visit.expect("A2A-TASK-005", isError(observed, "UnsupportedOperation"), why);
    if (party.streaming) {
      const heard = await listen(visit, "SendStreamingMessage", {
        message: messageOf(context, { taskId: id as Json }),
      });
      if (heard.isStream) await heard.read(1, 5000);
      const isRefused =
        heard.observed === undefined
          ? heard.items.every(({ said }) => said === undefined)
          : isError(heard.observed, "UnsupportedOperation");
      visit.expect("A2A-TASK-005", isRefused, `a message to a task that is ${state} opens a stream`);
      heard.cut();
    }
    await visit.call("CancelTask", { id: id as Json });
    await context.wait(1000);
    const after = await getTask(visit, id as Json);
    visit.expect("A2A-TASK-006", stateOf(after) === state, `a task that was ${state} is ${stateOf(after)} later`);
    const isSame =
      isDeepStrictEqual(after.artifacts, before.artifacts) && isDeepStrictEqual(after.history, before.history);
    visit.expect(
      "A2A-TASK-006",
      isSame,
      `a task that was ${state} has other artifacts or another history later`,
      "SHOULD",
    );
  }
}

async function continuesTask(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await askingTask(visit);
  const taskId = task.id as Json;
  const observed = await visit.call(
    "SendMessage",
    { message: recipe(context, "answering", { taskId }) },
    patient(visit),
  );
  const next = taskIn(observed);
  const isSame = next?.id === taskId;
  const why = `a message that continues the task ${taskId} is answered with ${brief(observed)}`;
  visit.expect("A2A-TASK-009", isSame, why, next === undefined && observed.error === undefined ? "SHOULD" : "MUST");
  if (next === undefined || !isSame) return;
  const isContext = next.contextId === task.contextId || next.contextId === undefined;
  visit.expect(
    "A2A-CTX-003",
    isContext,
    `the context of the task was ${task.contextId}, and is ${next.contextId} once a message named only the task`,
  );
}

async function mindsWork(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await workingTask(visit);
  const observed = await visit.call(
    "SendMessage",
    { message: messageOf(context, { taskId: task.id as Json }) },
    patient(visit),
  );
  const other = taskIn(observed);
  const isOwn = other === undefined || other.id === task.id;
  visit.expect(
    "A2A-TASK-010",
    isOwn,
    `a message to the task ${task.id} is answered with the task ${other?.id}`,
    "MUST",
  );
  visit.expect(
    "A2A-TASK-010",
    !isServerFault(observed),
    `a message to a task at work is answered with ${brief(observed)}`,
    "MUST",
  );
  const after = await awaitTask(visit, task.id as Json);
  const isFine = stateOf(after) !== "TASK_STATE_FAILED" || hasRecipe(context, "failing") === false;
  visit.expect("A2A-TASK-010", isFine, "a task at work fails once a message was sent to it", "MUST");
}

async function refinesTask(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await finishedTask(visit);
  const contextId = contextOf(task);
  const observed = await visit.call(
    "SendMessage",
    { message: recipe(context, "finishing", { contextId }) },
    patient(visit),
  );
  const next = taskIn(observed);
  if (next === undefined) {
    const isMessage = isObject(observed.result) && isObject(observed.result.message);
    visit.expect(
      "A2A-TASK-012",
      isMessage,
      `a message in the context of a finished task is answered with ${brief(observed)}`,
    );
    visit.expect("A2A-CTX-005", isMessage, `the agent refuses its own context: ${brief(observed)}`, "SHOULD");
    return;
  }
  visit.expect("A2A-TASK-012", next.id !== task.id, "a message in the context of a finished task continues that task");
  const why = `a message in the context ${contextId} opens a task in ${next.contextId}`;
  visit.expect("A2A-TASK-012", next.contextId === contextId, why);
  visit.expect("A2A-CTX-005", next.contextId === contextId, why, "MUST");
}

function contextOf(task: JsonObject): string {
  if (typeof task.contextId === "string" && task.contextId !== "") return task.contextId;
  throw notShown("its tasks name no context");
}

async function keepsContext(visit: InterfaceVisit): Promise<void> {
  const contextId = unknownId(visit.context);
  const observed = await visit.call(
    "SendMessage",
    { message: recipe(visit.context, "finishing", { contextId }) },
    patient(visit),
  );
  const said = isObject(observed.result) ? (observed.result.task ?? observed.result.message) : undefined;
  const given = isObject(said) ? said.contextId : undefined;
  const isKept = observed.error !== undefined ? !isServerFault(observed) : given === contextId || given === undefined;
  visit.expect("A2A-CTX-002", isKept, `the context ${contextId} of the client becomes ${JSON.stringify(given)}`);
}

async function refusesContext(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = hasRecipe(context, "asking") ? await askingTask(visit) : await finishedTask(visit);
  contextOf(task);
  const message = messageOf(context, { taskId: task.id as Json, contextId: unknownId(context) });
  const observed = await visit.call("SendMessage", { message }, patient(visit));
  const isRefused = observed.error !== undefined && !isServerFault(observed);
  visit.expect("A2A-CTX-004", isRefused, `a message to a task in another context is answered with ${brief(observed)}`);
  const after = await getTask(visit, task.id as Json);
  const why = `a task that was ${stateOf(task)} is ${stateOf(after)} after a message in another context`;
  visit.expect("A2A-CTX-004", stateOf(after) === stateOf(task), why);
}

/** What is seen of a few tasks over their lives must fit together. */
async function followsLives(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const names = (["finishing", "working", "asking", "failing"] as RecipeName[]).filter((name) =>
    hasRecipe(context, name),
  );
  let isReply = true;
  if (party.streaming) await hearLife(visit);
  for (const name of names) {
    const observed = await visit.call(
      "SendMessage",
      { message: recipe(context, name), configuration: { returnImmediately: true } },
      patient(visit),
    );
    const task = taskIn(observed);
    if (task === undefined) continue;
    isReply = false;
    await awaitTask(visit, task.id as Json);
    if (name === "asking")
      await visit.call(
        "SendMessage",
        { message: recipe(context, "answering", { taskId: task.id as Json }) },
        patient(visit),
      );
    const after = await getTask(visit, task.id as Json);
    const shown = task.contextId;
    const isShown = after.contextId === undefined || after.contextId === "" || shown === after.contextId;
    visit.expect(
      "A2A-CTX-001",
      isShown,
      `the reply names the context ${JSON.stringify(shown)}, and the task has ${JSON.stringify(after.contextId)}`,
    );
    visit.expect(
      "A2A-CTX-001",
      after.contextId !== undefined && after.contextId !== "",
      "a task names no context",
      "SHOULD",
    );
  }
  if (isReply) throw notShown("the agent answers with messages, and makes no tasks");
  await visit.call("ListTasks", { pageSize: 20 });
  for (const seen of byTask(visit.seen)) {
    if (seen.length > 1) judgeLife(visit, seen);
    judgeContext(visit, seen);
  }
}

/** That the first answer about a task has the context which a later one shows. */
function judgeContext(visit: InterfaceVisit, seen: readonly SeenTask[]): void {
  const [reply] = seen;
  const hasContext = ({ contextId }: SeenTask): boolean => contextId !== undefined && contextId !== "";
  const shown = seen.find(hasContext);
  if (reply === undefined || shown === undefined || !/^Send/.test(reply.via)) return;
  const why = `the task ${reply.id} is returned by ${reply.via} without a context, and is in ${shown.contextId} by ${shown.via}`;
  visit.expect("A2A-CTX-001", hasContext(reply), why);
}

async function hearLife(visit: InterfaceVisit): Promise<void> {
  const heard = await listen(visit, "SendStreamingMessage", { message: recipe(visit.context, "finishing") });
  while (heard.isStream && (await heard.read(heard.items.length + 1, 5000)))
    if (terminal.includes(visit.seen.at(-1)?.state ?? "")) break;
  heard.cut();
}

function byTask(seen: readonly SeenTask[]): SeenTask[][] {
  const all = new Map<string, SeenTask[]>();
  for (const seenTask of seen) all.set(seenTask.id, [...(all.get(seenTask.id) ?? []), seenTask]);
  return [...all.values()];
}

/** Judges what was seen of one task, one after the other. */
function judgeLife(visit: InterfaceVisit, seen: readonly SeenTask[]): void {
  let before: SeenTask | undefined;
  for (const now of seen) {
    const stamp = Date.parse(String(now.timestamp));
    visit.expect(
      "A2A-TASK-008",
      Number.isFinite(stamp),
      `the status of a task has the timestamp ${JSON.stringify(now.timestamp)}`,
    );
    if (before !== undefined) judgeStep(visit, before, now);
    before = now;
  }
}

function judgeStep(visit: InterfaceVisit, before: SeenTask, now: SeenTask): void {
  const [was, is] = [before, now].map(({ contextId }) => (contextId === "" ? undefined : contextId));
  const isSame = was === undefined || is === undefined || was === is;
  visit.expect("A2A-TASK-007", isSame, `the task ${now.id} is in the context ${was}, and then in ${is}`);
  const [first, second] = [before, now].map(({ timestamp }) => Date.parse(String(timestamp)));
  const isLater = !((second as number) < (first as number));
  visit.expect("A2A-TASK-008", isLater, `the status of a task is of ${before.timestamp}, and then of ${now.timestamp}`);
  const isOver = terminal.includes(before.state);
  visit.expect(
    "A2A-TASK-011",
    !isOver || now.state === before.state,
    `a task is ${before.state}, and then ${now.state}`,
  );
  const isBack = now.state === "TASK_STATE_SUBMITTED" && before.state !== now.state;
  visit.expect("A2A-TASK-011", !isBack || isOver, `a task is ${before.state}, and then ${now.state} again`, "SHOULD");
}

export const lives: readonly Scenario[] = [
  atEachInterface({
    name: "task-ids",
    says: "each new task has an id of its own",
    rules: ["A2A-TASK-003"],
    play: makesIds,
  }),
  atEachInterface({
    name: "task-unknown",
    says: "a message to an unknown task is refused, and makes none",
    rules: ["A2A-TASK-004"],
    play: knowsTasks,
  }),
  atEachInterface({
    name: "task-over",
    says: "a task that is over takes no message, and stays as it is",
    waits: 10_000,
    rules: ["A2A-TASK-005", "A2A-TASK-006"],
    withinMs: 120_000,
    play: staysOver,
  }),
  atEachInterface({
    name: "task-continued",
    says: "a message continues the task that waits for it, in its context",
    rules: ["A2A-TASK-009", "A2A-CTX-003"],
    play: continuesTask,
  }),
  atEachInterface({
    name: "task-at-work",
    says: "a message to a task at work is taken or refused, and breaks nothing",
    waits: 8000,
    rules: ["A2A-TASK-010"],
    withinMs: 120_000,
    play: mindsWork,
  }),
  atEachInterface({
    name: "task-refined",
    says: "a message in the context of a finished task opens another one there",
    rules: ["A2A-TASK-012", "A2A-CTX-005"],
    play: refinesTask,
  }),
  atEachInterface({
    name: "task-lives",
    says: "what is seen of a task fits together",
    waits: 8000,
    rules: ["A2A-TASK-007", "A2A-TASK-008", "A2A-TASK-011", "A2A-CTX-001"],
    withinMs: 120_000,
    play: followsLives,
  }),
  atEachInterface({
    name: "context-of-client",
    says: "the context of a client is kept or refused",
    rules: ["A2A-CTX-002"],
    play: keepsContext,
  }),
  atEachInterface({
    name: "context-of-another",
    says: "a message to a task in another context is refused",
    rules: ["A2A-CTX-004"],
    play: refusesContext,
  }),
];
