import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { describeAnswer, isError, isServerFault } from "./calls.ts";
import {
  awaitTask,
  blockingOptions,
  getTask,
  hasRecipe,
  makeAskingTask,
  makeFinishedTask,
  makeMessage,
  makeWorkingTask,
  openTask,
  recipeMessage,
  stateOf,
  taskIn,
  unknownId,
} from "./recipes.ts";
import { checkTaskLives } from "./task-lives.ts";
import { atEachInterface, type InterfaceVisit, notShown, openStream } from "./visit.ts";

async function checkTaskIds(visit: InterfaceVisit): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) ids.push(String((await openTask(visit, "finishing")).id));
  const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
  visit.expect("A2A-TASK-003", repeatedId === undefined, `two new tasks have the id ${repeatedId}`);
}

async function checkUnknownTask(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const taskId = unknownId(context);
  const answer = await visit.call("SendMessage", { message: makeMessage(context, { taskId }) }, blockingOptions(visit));
  visit.expect(
    "A2A-TASK-004",
    isError(answer, "TaskNotFound"),
    `a message to an unknown task is answered with ${describeAnswer(answer)}`,
  );
  const laterAnswer = await visit.call("GetTask", { id: taskId });
  visit.expect(
    "A2A-TASK-004",
    laterAnswer.error !== undefined,
    `a message to an unknown task creates it: ${describeAnswer(laterAnswer)}`,
  );
  if (!party.hasStreaming) return;
  const stream = await openStream(visit, "SendStreamingMessage", { message: makeMessage(context, { taskId }) });
  if (stream.isStream) await stream.read(1, 5000);
  const isRefused = stream.answer !== undefined && isError(stream.answer, "TaskNotFound");
  const isRefusedInside = stream.isStream && stream.items.every(({ response }) => response === undefined);
  visit.expect("A2A-TASK-004", isRefused || isRefusedInside, "a message to an unknown task is served as a stream");
  stream.cut();
}

/** Opens a task for each terminal state that the agent can be made to reach. */
async function openTerminalTasks(visit: InterfaceVisit): Promise<JsonObject[]> {
  const tasks = [await makeFinishedTask(visit)];
  for (const name of ["failing", "rejecting"] as const)
    if (hasRecipe(visit.context, name)) tasks.push(await makeFinishedTask(visit, name));
  for (const name of ["asking", "working"] as const) {
    if (!hasRecipe(visit.context, name)) continue;
    const task = name === "asking" ? await makeAskingTask(visit) : await makeWorkingTask(visit).catch(() => undefined);
    if (task === undefined) continue;
    const answer = await visit.call("CancelTask", { id: task.id as Json });
    if (stateOf(answer.result) === "TASK_STATE_CANCELED") tasks.push(answer.result as JsonObject);
    break;
  }
  return tasks;
}

async function checkFinishedTasks(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  for (const { id } of await openTerminalTasks(visit)) {
    const taskBefore = await getTask(visit, id as Json);
    const state = stateOf(taskBefore);
    const answer = await visit.call(
      "SendMessage",
      { message: makeMessage(context, { taskId: id as Json }) },
      blockingOptions(visit),
    );
    const why = `a message to a task that is ${state} is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-TASK-005", isError(answer, "UnsupportedOperation"), why);
    if (party.hasStreaming) {
      const stream = await openStream(visit, "SendStreamingMessage", {
        message: makeMessage(context, { taskId: id as Json }),
      });
      if (stream.isStream) await stream.read(1, 5000);
      const isRefused =
        stream.answer === undefined
          ? stream.items.every(({ response }) => response === undefined)
          : isError(stream.answer, "UnsupportedOperation");
      visit.expect("A2A-TASK-005", isRefused, `a message to a task that is ${state} opens a stream`);
      stream.cut();
    }
    await visit.call("CancelTask", { id: id as Json });
    await context.wait(1000);
    const laterTask = await getTask(visit, id as Json);
    visit.expect(
      "A2A-TASK-006",
      stateOf(laterTask) === state,
      `a task that was ${state} is ${stateOf(laterTask)} later`,
    );
    const isSame =
      isDeepStrictEqual(laterTask.artifacts, taskBefore.artifacts) &&
      isDeepStrictEqual(laterTask.history, taskBefore.history);
    visit.expect(
      "A2A-TASK-006",
      isSame,
      `a task that was ${state} has different artifacts or a different history later`,
      "SHOULD",
    );
  }
}

async function checkContinuation(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeAskingTask(visit);
  const taskId = task.id as Json;
  const answer = await visit.call(
    "SendMessage",
    { message: recipeMessage(context, "answering", { taskId }) },
    blockingOptions(visit),
  );
  const continuedTask = taskIn(answer);
  const isSame = continuedTask?.id === taskId;
  const why = `a message that continues the task ${taskId} is answered with ${describeAnswer(answer)}`;
  visit.expect(
    "A2A-TASK-009",
    isSame,
    why,
    continuedTask === undefined && answer.error === undefined ? "SHOULD" : "MUST",
  );
  if (continuedTask === undefined || !isSame) return;
  const hasSameContext = continuedTask.contextId === task.contextId || continuedTask.contextId === undefined;
  visit.expect(
    "A2A-CTX-003",
    hasSameContext,
    `the context of the task was ${task.contextId}, and is ${continuedTask.contextId} once a message named only the task`,
  );
}

async function checkMessageToWorkingTask(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeWorkingTask(visit);
  const answer = await visit.call(
    "SendMessage",
    { message: makeMessage(context, { taskId: task.id as Json }) },
    blockingOptions(visit),
  );
  const returnedTask = taskIn(answer);
  const isSameTask = returnedTask === undefined || returnedTask.id === task.id;
  visit.expect(
    "A2A-TASK-010",
    isSameTask,
    `a message to the task ${task.id} is answered with the task ${returnedTask?.id}`,
    "MUST",
  );
  visit.expect(
    "A2A-TASK-010",
    !isServerFault(answer),
    `a message to a working task is answered with ${describeAnswer(answer)}`,
    "MUST",
  );
  const endedTask = await awaitTask(visit, task.id as Json);
  const isUndisturbed = stateOf(endedTask) !== "TASK_STATE_FAILED" || hasRecipe(context, "failing") === false;
  visit.expect("A2A-TASK-010", isUndisturbed, "a working task fails after a message was sent to it", "MUST");
}

async function checkRefinement(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeFinishedTask(visit);
  const contextId = contextOf(task);
  const answer = await visit.call(
    "SendMessage",
    { message: recipeMessage(context, "finishing", { contextId }) },
    blockingOptions(visit),
  );
  const openedTask = taskIn(answer);
  if (openedTask === undefined) {
    const isMessage = isObject(answer.result) && isObject(answer.result.message);
    visit.expect(
      "A2A-TASK-012",
      isMessage,
      `a message in the context of a finished task is answered with ${describeAnswer(answer)}`,
    );
    visit.expect("A2A-CTX-005", isMessage, `the agent refuses its own context: ${describeAnswer(answer)}`, "SHOULD");
    return;
  }
  visit.expect(
    "A2A-TASK-012",
    openedTask.id !== task.id,
    "a message in the context of a finished task continues that task",
  );
  const why = `a message in the context ${contextId} opens a task in ${openedTask.contextId}`;
  visit.expect("A2A-TASK-012", openedTask.contextId === contextId, why);
  visit.expect("A2A-CTX-005", openedTask.contextId === contextId, why, "MUST");
}

function contextOf(task: JsonObject): string {
  if (typeof task.contextId === "string" && task.contextId !== "") return task.contextId;
  throw notShown("its tasks do not name a context");
}

async function checkClientContext(visit: InterfaceVisit): Promise<void> {
  const contextId = unknownId(visit.context);
  const answer = await visit.call(
    "SendMessage",
    { message: recipeMessage(visit.context, "finishing", { contextId }) },
    blockingOptions(visit),
  );
  const reply = isObject(answer.result) ? (answer.result.task ?? answer.result.message) : undefined;
  const replyContext = isObject(reply) ? reply.contextId : undefined;
  const isKept =
    answer.error !== undefined ? !isServerFault(answer) : replyContext === contextId || replyContext === undefined;
  visit.expect("A2A-CTX-002", isKept, `the context ${contextId} of the client becomes ${JSON.stringify(replyContext)}`);
}

async function checkOtherContext(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = hasRecipe(context, "asking") ? await makeAskingTask(visit) : await makeFinishedTask(visit);
  contextOf(task);
  const message = makeMessage(context, { taskId: task.id as Json, contextId: unknownId(context) });
  const answer = await visit.call("SendMessage", { message }, blockingOptions(visit));
  const isRefused = answer.error !== undefined && !isServerFault(answer);
  visit.expect(
    "A2A-CTX-004",
    isRefused,
    `a message to a task in a different context is answered with ${describeAnswer(answer)}`,
  );
  const laterTask = await getTask(visit, task.id as Json);
  const why = `a task that was ${stateOf(task)} is ${stateOf(laterTask)} after a message in a different context`;
  visit.expect("A2A-CTX-004", stateOf(laterTask) === stateOf(task), why);
}

export const lifeScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "task-ids",
    says: "each new task has a unique id",
    rules: ["A2A-TASK-003"],
    play: checkTaskIds,
  }),
  atEachInterface({
    name: "task-unknown",
    says: "a message to an unknown task is refused, and does not create it",
    rules: ["A2A-TASK-004"],
    play: checkUnknownTask,
  }),
  atEachInterface({
    name: "task-over",
    says: "a finished task refuses messages, and does not change",
    waits: 10_000,
    rules: ["A2A-TASK-005", "A2A-TASK-006"],
    withinMs: 120_000,
    play: checkFinishedTasks,
  }),
  atEachInterface({
    name: "task-continued",
    says: "a message continues the task that waits for it, in its context",
    rules: ["A2A-TASK-009", "A2A-CTX-003"],
    play: checkContinuation,
  }),
  atEachInterface({
    name: "task-at-work",
    says: "a message to a working task is accepted or refused, and does not break the task",
    waits: 8000,
    rules: ["A2A-TASK-010"],
    withinMs: 120_000,
    play: checkMessageToWorkingTask,
  }),
  atEachInterface({
    name: "task-refined",
    says: "a message in the context of a finished task opens a new task there",
    rules: ["A2A-TASK-012", "A2A-CTX-005"],
    play: checkRefinement,
  }),
  atEachInterface({
    name: "task-lives",
    says: "all readings of a task are consistent",
    waits: 8000,
    rules: ["A2A-TASK-007", "A2A-TASK-008", "A2A-TASK-011", "A2A-CTX-001"],
    withinMs: 120_000,
    play: checkTaskLives,
  }),
  atEachInterface({
    name: "context-of-client",
    says: "a context chosen by the client is kept or refused",
    rules: ["A2A-CTX-002"],
    play: checkClientContext,
  }),
  atEachInterface({
    name: "context-of-another",
    says: "a message to a task in a different context is refused",
    rules: ["A2A-CTX-004"],
    play: checkOtherContext,
  }),
];
