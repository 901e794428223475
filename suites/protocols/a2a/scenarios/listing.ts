import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { describeAnswer, isInvalid, isServerFault } from "./calls.ts";
import { listIn } from "./party.ts";
import { getTask, hasRecipe, makeAskingTask, makeFinishedTask, stateOf, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, stepFailed } from "./visit.ts";

interface TaskPage {
  tasks: JsonObject[];
  ids: string[];
  token: string;
  body: JsonObject;
}

/** Requests one page of tasks. Throws if the request is refused. */
async function readPage(visit: InterfaceVisit, params: JsonObject): Promise<TaskPage> {
  const answer = await visit.call("ListTasks", params);
  if (!isObject(answer.result))
    throw stepFailed(`a valid request for tasks is answered with ${describeAnswer(answer)}`);
  const { tasks, nextPageToken } = answer.result;
  const listedTasks = listIn(tasks).filter(isObject);
  const token = typeof nextPageToken === "string" ? nextPageToken : "";
  return {
    tasks: listedTasks,
    ids: listedTasks.map(({ id }) => String(id)),
    token,
    body: answer.result,
  };
}

/** The maximum number of pages that are read. */
const maxPages = 12;

async function readPages(visit: InterfaceVisit, params: JsonObject): Promise<TaskPage[]> {
  const pages: TaskPage[] = [];
  let token = "";
  do {
    const page = await readPage(visit, { ...params, ...(token === "" ? {} : { pageToken: token }) });
    pages.push(page);
    ({ token } = page);
  } while (token !== "" && pages.length < maxPages);
  return pages;
}

/** Opens a number of tasks in one context, and returns them in order of creation. */
async function openTasksInContext(
  visit: InterfaceVisit,
  count: number,
  pause = 30,
): Promise<{ contextId: string; ids: string[]; tasks: JsonObject[] }> {
  const firstTask = await makeFinishedTask(visit);
  const contextId = typeof firstTask.contextId === "string" ? firstTask.contextId : "";
  if (contextId === "") throw notShown("its tasks do not name a context");
  const tasks = [firstTask];
  while (tasks.length < count) {
    await visit.context.wait(pause);
    tasks.push(await makeFinishedTask(visit, "finishing", { contextId }));
  }
  if (tasks.some((task) => task.contextId !== contextId))
    throw notShown("the agent opens tasks outside the requested context");
  return { contextId, ids: tasks.map(({ id }) => String(id)), tasks };
}

async function checkPageMembers(visit: InterfaceVisit): Promise<void> {
  const { body } = await readPage(visit, {});
  const hasCounts = [body.pageSize, body.totalSize].every((count) => Number.isInteger(count) && (count as number) >= 0);
  const hasAllMembers = hasCounts && typeof body.nextPageToken === "string";
  visit.expect(
    "A2A-LIST-001",
    hasAllMembers,
    `a list lacks nextPageToken, pageSize or totalSize: ${JSON.stringify(body).slice(0, 160)}`,
  );
  visit.expect(
    "A2A-LIST-001",
    Array.isArray(body.tasks),
    "a list has no member tasks",
    body.tasks === undefined ? "SHOULD" : "MUST",
  );
}

async function checkPages(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids } = await openTasksInContext(visit, 3);
  const pages = await readPages(visit, { contextId, pageSize: 1 });
  const lastPage = pages.at(-1);
  const allIds = pages.flatMap((page) => page.ids);
  const isComplete = lastPage?.token === "" && isDeepStrictEqual([...allIds].sort(), [...ids].sort());
  visit.expect(
    "A2A-LIST-002",
    isComplete,
    `three tasks are listed as ${allIds.length} on ${pages.length} pages of one task`,
  );
  for (const tasks of [pages.flatMap((page) => page.tasks), (await readPage(visit, { contextId })).tasks])
    checkOrder(visit, tasks);
  for (const { body, tasks } of pages) {
    const { totalSize } = body;
    if (typeof totalSize !== "number") continue;
    visit.expect(
      "A2A-LIST-012",
      totalSize === ids.length,
      `totalSize of three tasks is ${totalSize}`,
      totalSize < tasks.length ? "MUST" : "SHOULD",
    );
  }
  for (const pageSize of [1, 2]) {
    const page = await readPage(visit, { contextId, pageSize });
    visit.expect("A2A-LIST-005", page.tasks.length <= pageSize, `a page of ${pageSize} has ${page.tasks.length} tasks`);
  }
  const page = await readPage(visit, {});
  visit.expect("A2A-LIST-005", page.tasks.length <= 50, `a page without a size has ${page.tasks.length} tasks`);
}

/** Checks that no task is listed before another with a newer status. */
function checkOrder(visit: InterfaceVisit, tasks: readonly JsonObject[]): void {
  const timestamps = tasks.map(({ status }) => (isObject(status) ? Date.parse(String(status.timestamp)) : Number.NaN));
  if (timestamps.some((timestamp) => Number.isNaN(timestamp))) return;
  const isSorted = timestamps.every((stamp, index) => index === 0 || stamp <= (timestamps[index - 1] as number));
  visit.expect("A2A-LIST-003", isSorted, "a task is listed before a task whose status is newer");
}

async function checkCursor(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids } = await openTasksInContext(visit, 4);
  const firstPage = await readPage(visit, { contextId, pageSize: 2 });
  for (let count = 0; count < 2; count++) await makeFinishedTask(visit, "finishing", { contextId });
  if (firstPage.token === "") throw notShown("four tasks are listed on one page of two");
  const laterIds: string[] = [];
  for (let token = firstPage.token, pages = 0; token !== "" && pages < maxPages; pages++) {
    const page = await readPage(visit, { contextId, pageSize: 2, pageToken: token });
    laterIds.push(...page.ids);
    ({ token } = page);
  }
  const allIds = [...firstPage.ids, ...laterIds];
  const misplacedId = ids.find((id) => allIds.filter((listedId) => listedId === id).length !== 1);
  const count = allIds.filter((listedId) => listedId === misplacedId).length;
  visit.expect(
    "A2A-LIST-004",
    misplacedId === undefined,
    `a task is listed ${count} times when others are created between two pages`,
  );
}

async function checkSizes(visit: InterfaceVisit): Promise<void> {
  for (const pageSize of [0, -1, 101, "x"]) {
    const answer = await visit.call("ListTasks", { pageSize });
    const isAccepted = answer.error === undefined;
    visit.expect(
      "A2A-LIST-006",
      isInvalid(answer),
      `pageSize ${pageSize} is answered with ${describeAnswer(answer)}`,
      isAccepted && !isServerFault(answer) ? "SHOULD" : "MUST",
    );
  }
}

async function checkArtifacts(visit: InterfaceVisit): Promise<void> {
  const { contextId } = await openTasksInContext(visit, 1);
  for (const params of [{ contextId }, { contextId, includeArtifacts: false }]) {
    const { tasks } = await readPage(visit, params);
    const taskWithArtifacts = tasks.find((task) => Object.hasOwn(task, "artifacts"));
    visit.expect(
      "A2A-LIST-007",
      taskWithArtifacts === undefined,
      "a list without includeArtifacts has the member artifacts",
    );
  }
  const { tasks } = await readPage(visit, { contextId, includeArtifacts: true });
  for (const task of tasks) {
    const { artifacts } = await getTask(visit, task.id as Json);
    const isSame = listIn(artifacts).length === 0 || isDeepStrictEqual(task.artifacts, artifacts);
    visit.expect("A2A-LIST-008", isSame, "a list with includeArtifacts has different artifacts from GetTask");
  }
}

async function checkFilters(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids, tasks } = await openTasksInContext(visit, 2);
  await makeFinishedTask(visit);
  const contextPages = await readPages(visit, { contextId });
  const foundIds = contextPages.flatMap((page) => page.ids);
  const isComplete = isDeepStrictEqual([...foundIds].sort(), [...ids].sort());
  visit.expect("A2A-LIST-009", isComplete, `a context with ${ids.length} tasks is listed with ${foundIds.length}`);
  const unknownContextPage = await readPage(visit, { contextId: unknownId(visit.context) });
  visit.expect(
    "A2A-LIST-009",
    unknownContextPage.tasks.length === 0,
    `an unknown context is listed with ${unknownContextPage.tasks.length} tasks`,
  );
  for (const status of ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"]) {
    const page = await readPage(visit, { status });
    const mismatch = page.tasks.find((task) => stateOf(task) !== status);
    visit.expect(
      "A2A-LIST-009",
      mismatch === undefined,
      `a list of tasks that are ${status} contains one that is ${stateOf(mismatch)}`,
    );
  }
  const status = stateOf(tasks[0]);
  const matchingIds = (await readPages(visit, { contextId, status })).flatMap((page) => page.ids);
  const expectedCount = tasks.filter((task) => stateOf(task) === status).length;
  visit.expect(
    "A2A-LIST-009",
    matchingIds.length === expectedCount,
    `${expectedCount} tasks of a context are ${status}, and ${matchingIds.length} are listed`,
  );
}

async function checkUnknownStates(visit: InterfaceVisit): Promise<void> {
  for (const status of ["TASK_STATE_RUNNING", "completed"]) {
    const answer = await visit.call("ListTasks", { status });
    visit.expect("A2A-LIST-010", isInvalid(answer), `the status ${status} is answered with ${describeAnswer(answer)}`);
  }
}

async function checkTimeFilter(visit: InterfaceVisit): Promise<void> {
  const { contextId, tasks, ids } = await openTasksInContext(visit, 2, 1100);
  const timestamps = tasks.map(({ status }) => (isObject(status) ? String(status.timestamp) : ""));
  const [firstTime, secondTime] = timestamps.map((stamp) => Date.parse(stamp)) as [number, number];
  if (!(secondTime > firstTime)) throw notShown("its tasks do not have different timestamps");
  const middle = new Date(Math.floor((firstTime + secondTime) / 2)).toISOString();
  const listAfter = async (statusTimestampAfter: string): Promise<string[]> =>
    (await readPage(visit, { contextId, statusTimestampAfter })).ids;
  const laterIds = await listAfter(middle);
  visit.expect(
    "A2A-LIST-011",
    isDeepStrictEqual(laterIds, [ids[1]]),
    `after an instant between two tasks, ${laterIds.length} tasks are listed, or the wrong one`,
  );
  const futureIds = await listAfter("2199-01-01T00:00:00Z");
  visit.expect(
    "A2A-LIST-011",
    futureIds.length === 0,
    `after an instant in the far future, ${futureIds.length} tasks are listed`,
  );
  const idsAtInstant = await listAfter(String(timestamps[1]));
  visit.expect(
    "A2A-LIST-011",
    idsAtInstant.includes(String(ids[1])),
    "a task whose status has exactly this timestamp is not listed",
    "SHOULD",
  );
  const answer = await visit.call("ListTasks", { statusTimestampAfter: "yesterday" });
  visit.expect(
    "A2A-LIST-011",
    answer.error !== undefined && !isServerFault(answer),
    `the instant "yesterday" is answered with ${describeAnswer(answer)}`,
    isServerFault(answer) ? "MUST" : "SHOULD",
  );
}

async function checkAllStates(visit: InterfaceVisit): Promise<void> {
  const names = (["finishing", "failing", "asking"] as const).filter(
    (name) => name === "finishing" || hasRecipe(visit.context, name),
  );
  for (const name of names) {
    const task = name === "asking" ? await makeAskingTask(visit) : await makeFinishedTask(visit, name);
    const pages = await readPages(visit, typeof task.contextId === "string" ? { contextId: task.contextId } : {});
    const listedTask = pages.flatMap(({ tasks }) => tasks).find(({ id }) => id === task.id);
    const currentState = stateOf(await getTask(visit, task.id as Json));
    const state = listedTask === undefined ? "not listed" : stateOf(listedTask);
    visit.expect("A2A-LIST-013", state === currentState, `a task that is ${currentState} is ${state} in the list`);
  }
}

async function checkInvalidTokens(visit: InterfaceVisit): Promise<void> {
  const { contextId } = await openTasksInContext(visit, 2);
  const { token } = await readPage(visit, { contextId, pageSize: 1 });
  for (const pageToken of ["x", ...(token.length > 2 ? [token.slice(0, -2)] : [])]) {
    const answer = await visit.call("ListTasks", { contextId, pageToken });
    const why = `the page token "${pageToken.slice(0, 40)}" is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-LIST-014", isInvalid(answer), why, answer.error === undefined ? "SHOULD" : "MUST");
  }
}

export const listScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "list-form",
    says: "a list has the page size, the total and the next page token",
    rules: ["A2A-LIST-001"],
    play: checkPageMembers,
  }),
  atEachInterface({
    name: "list-pages",
    says: "pages have the requested size, list the newest tasks first, and end",
    rules: ["A2A-LIST-002", "A2A-LIST-003", "A2A-LIST-005", "A2A-LIST-012"],
    play: checkPages,
  }),
  atEachInterface({
    name: "list-cursor",
    says: "new tasks do not move the others between pages",
    rules: ["A2A-LIST-004"],
    play: checkCursor,
  }),
  atEachInterface({
    name: "list-sizes",
    says: "an invalid page size is refused",
    rules: ["A2A-LIST-006"],
    play: checkSizes,
  }),
  atEachInterface({
    name: "list-artifacts",
    says: "artifacts are listed only on request",
    rules: ["A2A-LIST-007", "A2A-LIST-008"],
    play: checkArtifacts,
  }),
  atEachInterface({
    name: "list-filters",
    says: "lists contain exactly the tasks that match the filters",
    rules: ["A2A-LIST-009"],
    play: checkFilters,
  }),
  atEachInterface({
    name: "list-states",
    says: "an unknown state is refused",
    rules: ["A2A-LIST-010"],
    play: checkUnknownStates,
  }),
  atEachInterface({
    name: "list-after",
    says: "tasks are listed from a given instant",
    waits: 2500,
    rules: ["A2A-LIST-011"],
    play: checkTimeFilter,
  }),
  atEachInterface({
    name: "list-own",
    says: "each task is listed, in its state",
    rules: ["A2A-LIST-013"],
    play: checkAllStates,
  }),
  atEachInterface({
    name: "list-tokens",
    says: "an unknown page token is refused",
    rules: ["A2A-LIST-014"],
    play: checkInvalidTokens,
  }),
];
