import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { brief, type CallResult, isInvalid, isServerFault } from "./calls.ts";
import { listIn } from "./party.ts";
import { askingTask, finishedTask, getTask, hasRecipe, stateOf, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, stepFailed } from "./visit.ts";

interface TaskPage {
  tasks: JsonObject[];
  ids: string[];
  token: string;
  body: JsonObject;
  observed: CallResult;
}

/** Requests one page of tasks. Throws if the request is refused. */
async function pageOf(visit: InterfaceVisit, params: JsonObject): Promise<TaskPage> {
  const answer = await visit.call("ListTasks", params);
  if (!isObject(answer.result)) throw stepFailed(`a right request for tasks is answered with ${brief(answer)}`);
  const { tasks, nextPageToken } = answer.result;
  const listedTasks = listIn(tasks).filter(isObject);
  const token = typeof nextPageToken === "string" ? nextPageToken : "";
  return {
    tasks: listedTasks,
    ids: listedTasks.map(({ id }) => String(id)),
    token,
    body: answer.result,
    observed: answer,
  };
}

/** The maximum number of pages that are read. */
const maxPages = 12;

async function pagesOf(visit: InterfaceVisit, params: JsonObject): Promise<TaskPage[]> {
  const pages: TaskPage[] = [];
  let token = "";
  do {
    const page = await pageOf(visit, { ...params, ...(token === "" ? {} : { pageToken: token }) });
    pages.push(page);
    ({ token } = page);
  } while (token !== "" && pages.length < maxPages);
  return pages;
}

/** Makes a number of tasks in one context, and returns them in the order of their creation. */
async function tasksInContext(
  visit: InterfaceVisit,
  count: number,
  pause = 30,
): Promise<{ contextId: string; ids: string[]; tasks: JsonObject[] }> {
  const firstPage = await finishedTask(visit);
  const contextId = typeof firstPage.contextId === "string" ? firstPage.contextId : "";
  if (contextId === "") throw notShown("its tasks name no context");
  const tasks = [firstPage];
  while (tasks.length < count) {
    await visit.context.wait(pause);
    tasks.push(await finishedTask(visit, "finishing", { contextId }));
  }
  if (tasks.some((task) => task.contextId !== contextId))
    throw notShown("the agent opens tasks in other contexts than the given one");
  return { contextId, ids: tasks.map(({ id }) => String(id)), tasks };
}

async function shapesPage(visit: InterfaceVisit): Promise<void> {
  const { body } = await pageOf(visit, {});
  const isCounted = [body.pageSize, body.totalSize].every((count) => Number.isInteger(count) && (count as number) >= 0);
  const isWhole = isCounted && typeof body.nextPageToken === "string";
  visit.expect(
    "A2A-LIST-001",
    isWhole,
    `a list lacks nextPageToken, pageSize or totalSize: ${JSON.stringify(body).slice(0, 160)}`,
  );
  visit.expect(
    "A2A-LIST-001",
    Array.isArray(body.tasks),
    "a list has no member tasks",
    body.tasks === undefined ? "SHOULD" : "MUST",
  );
}

async function walksPages(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids } = await tasksInContext(visit, 3);
  const pages = await pagesOf(visit, { contextId, pageSize: 1 });
  const last = pages.at(-1);
  const allIds = pages.flatMap((page) => page.ids);
  const isEnded = last?.token === "" && isDeepStrictEqual([...allIds].sort(), [...ids].sort());
  visit.expect("A2A-LIST-002", isEnded, `three tasks are ${allIds.length} on ${pages.length} pages of one`);
  for (const tasks of [pages.flatMap((page) => page.tasks), (await pageOf(visit, { contextId })).tasks])
    judgeSorted(visit, tasks);
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
    const page = await pageOf(visit, { contextId, pageSize });
    visit.expect("A2A-LIST-005", page.tasks.length <= pageSize, `a page of ${pageSize} has ${page.tasks.length} tasks`);
  }
  const page = await pageOf(visit, {});
  visit.expect("A2A-LIST-005", page.tasks.length <= 50, `a page without a size has ${page.tasks.length} tasks`);
}

/** Checks that no task is listed before another with a newer status. */
function judgeSorted(visit: InterfaceVisit, tasks: readonly JsonObject[]): void {
  const stamps = tasks.map(({ status }) => (isObject(status) ? Date.parse(String(status.timestamp)) : Number.NaN));
  if (stamps.some((timestamp) => Number.isNaN(timestamp))) return;
  const isSorted = stamps.every((stamp, index) => index === 0 || stamp <= (stamps[index - 1] as number));
  visit.expect("A2A-LIST-003", isSorted, "a list has a task before another one whose status is newer");
}

async function keepsPlace(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids } = await tasksInContext(visit, 4);
  const first = await pageOf(visit, { contextId, pageSize: 2 });
  for (let count = 0; count < 2; count++) await finishedTask(visit, "finishing", { contextId });
  if (first.token === "") throw notShown("four tasks come on one page of two");
  const laterIds: string[] = [];
  for (let token = first.token, pages = 0; token !== "" && pages < maxPages; pages++) {
    const page = await pageOf(visit, { contextId, pageSize: 2, pageToken: token });
    laterIds.push(...page.ids);
    ({ token } = page);
  }
  const allIds = [...first.ids, ...laterIds];
  const misplacedId = ids.find((id) => allIds.filter((listedId) => listedId === id).length !== 1);
  const count = allIds.filter((listedId) => listedId === misplacedId).length;
  visit.expect(
    "A2A-LIST-004",
    misplacedId === undefined,
    `a task comes ${count} times when others are made between two pages`,
  );
}

async function refusesSizes(visit: InterfaceVisit): Promise<void> {
  for (const pageSize of [0, -1, 101, "x"]) {
    const answer = await visit.call("ListTasks", { pageSize });
    const isNear = answer.error === undefined;
    visit.expect(
      "A2A-LIST-006",
      isInvalid(answer),
      `pageSize ${pageSize} is answered with ${brief(answer)}`,
      isNear && !isServerFault(answer) ? "SHOULD" : "MUST",
    );
  }
}

async function showsArtifacts(visit: InterfaceVisit): Promise<void> {
  const { contextId } = await tasksInContext(visit, 1);
  for (const params of [{ contextId }, { contextId, includeArtifacts: false }]) {
    const { tasks } = await pageOf(visit, params);
    const taskWithArtifacts = tasks.find((task) => Object.hasOwn(task, "artifacts"));
    visit.expect(
      "A2A-LIST-007",
      taskWithArtifacts === undefined,
      "a list that was not to include artifacts has the member artifacts",
    );
  }
  const { tasks } = await pageOf(visit, { contextId, includeArtifacts: true });
  for (const task of tasks) {
    const { artifacts } = await getTask(visit, task.id as Json);
    const isSame = listIn(artifacts).length === 0 || isDeepStrictEqual(task.artifacts, artifacts);
    visit.expect("A2A-LIST-008", isSame, "a list that was to include artifacts has others than GetTask gives");
  }
}

async function filtersTasks(visit: InterfaceVisit): Promise<void> {
  const { contextId, ids, tasks } = await tasksInContext(visit, 2);
  await finishedTask(visit);
  const contextPages = await pagesOf(visit, { contextId });
  const foundIds = contextPages.flatMap((page) => page.ids);
  const isComplete = isDeepStrictEqual([...foundIds].sort(), [...ids].sort());
  visit.expect("A2A-LIST-009", isComplete, `a context with ${ids.length} tasks is listed with ${foundIds.length}`);
  const unknownContextPage = await pageOf(visit, { contextId: unknownId(visit.context) });
  visit.expect(
    "A2A-LIST-009",
    unknownContextPage.tasks.length === 0,
    `an unknown context is listed with ${unknownContextPage.tasks.length} tasks`,
  );
  for (const status of ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"]) {
    const page = await pageOf(visit, { status });
    const mismatch = page.tasks.find((task) => stateOf(task) !== status);
    visit.expect(
      "A2A-LIST-009",
      mismatch === undefined,
      `a list of tasks that are ${status} has one that is ${stateOf(mismatch)}`,
    );
  }
  const status = stateOf(tasks[0]);
  const matchingIds = (await pagesOf(visit, { contextId, status })).flatMap((page) => page.ids);
  const expectedCount = tasks.filter((task) => stateOf(task) === status).length;
  visit.expect(
    "A2A-LIST-009",
    matchingIds.length === expectedCount,
    `${expectedCount} tasks of a context are ${status}, and ${matchingIds.length} are listed`,
  );
}

async function refusesStates(visit: InterfaceVisit): Promise<void> {
  for (const status of ["TASK_STATE_RUNNING", "completed"]) {
    const answer = await visit.call("ListTasks", { status });
    visit.expect("A2A-LIST-010", isInvalid(answer), `the status ${status} is answered with ${brief(answer)}`);
  }
}

async function cutsByTime(visit: InterfaceVisit): Promise<void> {
  const { contextId, tasks, ids } = await tasksInContext(visit, 2, 1100);
  const stamps = tasks.map(({ status }) => (isObject(status) ? String(status.timestamp) : ""));
  const [first, second] = stamps.map((stamp) => Date.parse(stamp)) as [number, number];
  if (!(second > first)) throw notShown("its tasks have no different timestamps");
  const middle = new Date(Math.floor((first + second) / 2)).toISOString();
  const listAfter = async (statusTimestampAfter: string): Promise<string[]> =>
    (await pageOf(visit, { contextId, statusTimestampAfter })).ids;
  const laterIds = await listAfter(middle);
  visit.expect(
    "A2A-LIST-011",
    isDeepStrictEqual(laterIds, [ids[1]]),
    `after an instant between two tasks there are ${laterIds.length}, or another one`,
  );
  const futureIds = await listAfter("2199-01-01T00:00:00Z");
  visit.expect(
    "A2A-LIST-011",
    futureIds.length === 0,
    `after an instant far ahead there are ${futureIds.length} tasks`,
  );
  const idsAtInstant = await listAfter(String(stamps[1]));
  visit.expect(
    "A2A-LIST-011",
    idsAtInstant.includes(String(ids[1])),
    "the task whose status is of the very instant is left out",
    "SHOULD",
  );
  const answer = await visit.call("ListTasks", { statusTimestampAfter: "yesterday" });
  visit.expect(
    "A2A-LIST-011",
    answer.error !== undefined && !isServerFault(answer),
    `the instant "yesterday" is answered with ${brief(answer)}`,
    isServerFault(answer) ? "MUST" : "SHOULD",
  );
}

async function listsOwn(visit: InterfaceVisit): Promise<void> {
  const names = (["finishing", "failing", "asking"] as const).filter(
    (name) => name === "finishing" || hasRecipe(visit.context, name),
  );
  for (const name of names) {
    const task = name === "asking" ? await askingTask(visit) : await finishedTask(visit, name);
    const pages = await pagesOf(visit, typeof task.contextId === "string" ? { contextId: task.contextId } : {});
    const listedTask = pages.flatMap(({ tasks }) => tasks).find(({ id }) => id === task.id);
    const currentState = stateOf(await getTask(visit, task.id as Json));
    const state = listedTask === undefined ? "not listed" : stateOf(listedTask);
    visit.expect("A2A-LIST-013", state === currentState, `a task that is ${currentState} is ${state} in the list`);
  }
}

async function refusesTokens(visit: InterfaceVisit): Promise<void> {
  const { contextId } = await tasksInContext(visit, 2);
  const { token } = await pageOf(visit, { contextId, pageSize: 1 });
  for (const pageToken of ["x", ...(token.length > 2 ? [token.slice(0, -2)] : [])]) {
    const answer = await visit.call("ListTasks", { contextId, pageToken });
    const why = `the page token "${pageToken.slice(0, 40)}" is answered with ${brief(answer)}`;
    visit.expect("A2A-LIST-014", isInvalid(answer), why, answer.error === undefined ? "SHOULD" : "MUST");
  }
}

export const listing: readonly Scenario[] = [
  atEachInterface({
    name: "list-form",
    says: "a list says how much there is",
    rules: ["A2A-LIST-001"],
    play: shapesPage,
  }),
  atEachInterface({
    name: "list-pages",
    says: "pages have the size that was asked for, the newest tasks first, and an end",
    rules: ["A2A-LIST-002", "A2A-LIST-003", "A2A-LIST-005", "A2A-LIST-012"],
    play: walksPages,
  }),
  atEachInterface({
    name: "list-cursor",
    says: "new tasks do not move the others between pages",
    rules: ["A2A-LIST-004"],
    play: keepsPlace,
  }),
  atEachInterface({
    name: "list-sizes",
    says: "a size out of bounds is refused",
    rules: ["A2A-LIST-006"],
    play: refusesSizes,
  }),
  atEachInterface({
    name: "list-artifacts",
    says: "artifacts are listed only if they were asked for",
    rules: ["A2A-LIST-007", "A2A-LIST-008"],
    play: showsArtifacts,
  }),
  atEachInterface({
    name: "list-filters",
    says: "filters hold",
    rules: ["A2A-LIST-009"],
    play: filtersTasks,
  }),
  atEachInterface({
    name: "list-states",
    says: "a state that there is not is refused",
    rules: ["A2A-LIST-010"],
    play: refusesStates,
  }),
  atEachInterface({
    name: "list-after",
    says: "tasks are listed from an instant on",
    waits: 2500,
    rules: ["A2A-LIST-011"],
    play: cutsByTime,
  }),
  atEachInterface({
    name: "list-own",
    says: "each task is listed, in its state",
    rules: ["A2A-LIST-013"],
    play: listsOwn,
  }),
  atEachInterface({
    name: "list-tokens",
    says: "a page token of somebody else is refused",
    rules: ["A2A-LIST-014"],
    play: refusesTokens,
  }),
];
