import type { Json } from "../../schemas/index.ts";
import { type Formula, negate, type Shape } from "../formulas/formula.ts";
import { isMentioned, mentionedNames, nameHolds, namesFor, namesOfEachKind, namesSolving, take } from "./names.ts";
import type { Search } from "./search.ts";
import { appliesTo } from "./shape.ts";

/** Makes a value of a member that fulfils the demands and the shape's constraints on its name. Undefined if there is none. */
export type MakeMember = (name: string, demands: readonly Formula[]) => Json | undefined;

/** Requirements on chosen members, by name, in addition to the shape's constraints. */
export type ExtraDemands = Map<string, Formula[]>;

/** The number of names tried for one demand before similar names are skipped. */
const triesBeforeSkipping = 20;

/** The maximum number of names tried for one demand. */
const maxTries = 60;

/** The maximum number of other demands that a name is tried for. */
const maxOtherDemands = 4;

/** The context for choosing the members of one object. */
interface ChoiceTask {
  search: Search;
  shape: Shape;
  sample: readonly string[];
  make: MakeMember;
}

/** Chooses a member for each demand on some member or some name. */
export function chooseMembers(
  search: Search,
  shape: Shape,
  sample: readonly string[],
  make: MakeMember,
): Generator<ExtraDemands> {
  const { required, some, someName } = shape.object;
  return assignMembers({ search, shape, sample, make }, some, someName, required);
}

function* assignMembers(
  task: ChoiceTask,
  some: Shape["object"]["some"],
  someName: readonly Formula[],
  taken: ReadonlySet<string>,
): Generator<ExtraDemands> {
  if (some.length === 0 && someName.length === 0) {
    yield new Map();
    return;
  }
  const { search, shape, make } = task;
  const [demand, ...rest] = some;
  const [nameDemand, ...restNames] = someName;
  const formula = demand?.formula;
  const names =
    demand !== undefined
      ? namesFor(search, shape, demand.test, task.sample)
      : namesFulfilling(task, nameDemand as Formula, restNames, taken);
  const tries = new Map<string, number>();
  let triedCount = 0;
  for (const name of names) {
    if (!taken.has(name) && taken.size >= shape.object.max) continue;
    if (demand !== undefined && triedCount >= triesBeforeSkipping && hasEnoughTries(task, name, tries)) continue;
    triedCount += 1;
    if (demand !== undefined && triedCount > maxTries) {
      search.giveUp("a member");
      break;
    }
    if (formula !== undefined && make(name, [formula]) === undefined) continue;
    const [remaining, remainingNames] = demand === undefined ? [[], restNames] : [rest, someName];
    for (const otherMembers of assignMembers(task, remaining, remainingNames, new Set([...taken, name]))) {
      const extra = new Map(otherMembers);
      extra.set(name, [...(extra.get(name) ?? []), ...(formula === undefined ? [] : [formula])]);
      yield extra;
    }
  }
}

/** Whether enough names with the same constraints have been tried. */
function hasEnoughTries({ shape }: ChoiceTask, name: string, tries: Map<string, number>): boolean {
  const { each, some, someName } = shape.object;
  if (isMentioned(shape, name)) return false;
  const signature = [...each, ...some].map(({ test }) => (appliesTo(test, name) ? 1 : 0)).join("");
  const triedBefore = tries.get(signature) ?? 0;
  tries.set(signature, triedBefore + 1);
  return triedBefore >= some.length + someName.length;
}

/**
 * Finds names that fulfil one demand: first any names, then a few of each kind for each subset of the other demands. If there is no room for one member per
 * demand, only names that fulfil other demands too are tried, the most demands first.
 */
function* namesFulfilling(
  { search, shape }: ChoiceTask,
  demand: Formula,
  rest: readonly Formula[],
  taken: ReadonlySet<string>,
): Generator<string> {
  const offeredNames = new Set<string>();
  const offer = function* (names: Iterable<string>): Generator<string> {
    for (const name of names) {
      if (offeredNames.has(name)) continue;
      offeredNames.add(name);
      yield name;
    }
  };
  const isTight = taken.size + 1 + rest.length > shape.object.max;
  if (!isTight) yield* offer(take(namesSolving(search, shape, demand), 8));
  yield* offer(
    [...taken, ...mentionedNames(shape)].filter(
      (name) =>
        !shape.object.forbidden.has(name) && nameHolds(search, shape, name) && fulfilsDemand(search, demand, name),
    ),
  );
  const otherDemands = rest.slice(0, maxOtherDemands);
  if (otherDemands.length < rest.length) search.giveUp("a name for so many demands");
  for (const alsoFulfilled of subsets(otherDemands)) {
    const unfulfilled = otherDemands.filter((formula) => !alsoFulfilled.includes(formula));
    const combinedDemand: Formula = { op: "and", of: [demand, ...alsoFulfilled, ...unfulfilled.map(negate)] };
    for (const kind of namesOfEachKind(search, shape, undefined, combinedDemand))
      yield* offer(take(kind, rest.length + 1));
  }
}

function fulfilsDemand(search: Search, demand: Formula, name: string): boolean {
  return search.first([demand, { op: "in", values: [name] }], undefined, 1) !== undefined;
}

/** Lists all subsets, large ones first. */
function subsets<T>(items: readonly T[]): T[][] {
  const sets = Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, index) => (bits >> index) & 1),
  );
  return sets.sort((first, second) => second.length - first.length);
}
