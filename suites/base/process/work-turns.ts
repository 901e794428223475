import { reportAlive } from "./watchdog.ts";

/** A period for the work of a task. */
export interface WorkTurn {
  /** The length of the turn in milliseconds. */
  length: number;
  /** Whether an earlier turn was too short. */
  isAgain: boolean;
  /** Whether a part of the turn, from 0 to 1, is over. A task that ends early because of this may get another turn. */
  isOver(timePerTask: number): boolean;
}

/** A task is only restarted if its new turn is longer by this factor. */
const minGrowth = 1.5;

/** Runs several tasks within a shared time, in milliseconds. Each task has an equal share of the remaining time. Tasks that ended early are restarted if enough time remains for a longer turn. If there are not `least` milliseconds for each task, the first tasks have that much and the others share the rest, because a few finished tasks are worth more than many unfinished ones. Returns the final result of each task, and the tasks that still ended early. */
export async function runInTurns<T, Result>(
  tasks: readonly T[],
  milliseconds: number,
  runTask: (task: T, turn: WorkTurn) => Promise<Result>,
  { now = () => performance.now(), least: minTurn = 0 }: { now?: () => number; least?: number } = {},
): Promise<{ results: Result[]; late: T[] }> {
  const startedAt = now();
  const states = tasks.map((task) => ({
    each: task,
    length: 0,
    isBegun: false,
    isLate: true,
    result: undefined as Result,
  }));
  const shareFor = (count: number): number => (milliseconds - (now() - startedAt)) / count;
  /** Selects as many tasks as the remaining time allows. The more tasks are started, the less time each has. */
  const selectTasks = (candidates: typeof states): typeof states => {
    for (const minTime of [minTurn, minTurn / 4, minTurn / 16, 0])
      for (let count = candidates.length; count > 0; count -= 1) {
        const share = shareFor(count);
        const affordable = candidates.filter(({ length }) => share > Math.max(minTime, length * minGrowth));
        if (affordable.length >= count) return affordable.slice(0, count);
      }
    return [];
  };
  const firstTasks = selectTasks(states);
  for (
    let selected = firstTasks.length > 0 ? firstTasks : states;
    selected.length > 0;
    selected = selectTasks(states.filter(({ isLate }) => isLate))
  ) {
    for (const [index, state] of selected.entries()) {
      const turnStart = now();
      const length = shareFor(selected.length - index);
      const isAgain = state.isBegun;
      Object.assign(state, { length, isBegun: true, isLate: false });
      const isOver = (share: number): boolean => {
        reportAlive();
        const isTimeOver = now() - turnStart > length * share;
        state.isLate ||= isTimeOver;
        return isTimeOver;
      };
      state.result = await runTask(state.each, { length, isAgain, isOver });
    }
  }
  return {
    results: states.map(({ result }) => result),
    late: states.filter(({ isLate }) => isLate).map(({ each }) => each),
  };
}
