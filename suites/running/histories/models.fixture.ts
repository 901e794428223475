import type { History, SequentialModel } from "./history.ts";

type Numbered = { do: string; value: number };

/** Well-known small objects for trying a checker. */
export const register: SequentialModel<number, Numbered, number> = {
  init: () => 0,
  step(state, { do: act, value }, output) {
    if (act === "write") return [value];
    return output === undefined || output === state ? [state] : [];
  },
  key: String,
};

export const counter: SequentialModel<number, Numbered, number> = {
  init: () => 0,
  step(state, { do: act }, output) {
    const next = act === "write" ? state + 1 : state;
    return output === undefined || output === next ? [next] : [];
  },
  key: String,
};

/** A set. Each operation returns 1 if its element was present before; each element is a separate object. */
export const set: SequentialModel<boolean, Numbered, number> = {
  init: () => false,
  step(has, { do: act }, output) {
    const next = act === "read" ? has : act === "write";
    return output === undefined || output === Number(has) ? [next] : [];
  },
  key: String,
  partition: ({ value }) => String(value),
};

/** A register that may lose a write. */
export const leakyRegister: SequentialModel<number, Numbered, number> = {
  ...register,
  step: (state, input, output) => (input.do === "write" ? [state, input.value] : register.step(state, input, output)),
};

export const models: Record<string, typeof register> = {
  register,
  counter,
  leaky: leakyRegister,
  set: set as unknown as typeof register,
};

export type Small = History<Numbered, number>;

/** Whether some order explains a history: tries every order of every choice of open operations. */
export function isLegal(model: typeof register, history: Small): boolean {
  const must = [...history.keys()].filter((index) => history[index]?.end !== undefined);
  const may = [...history.keys()].filter((index) => history[index]?.end === undefined);
  return subsets(may).some((pendingSubset) =>
    permutations([...must, ...pendingSubset]).some((order) => explains(model, history, order)),
  );
}

function explains(model: typeof register, history: Small, order: readonly number[]): boolean {
  const isInTime = order.every((index, place) =>
    order.slice(place + 1).every((later) => {
      const end = history[later]?.end?.at ?? Number.POSITIVE_INFINITY;
      return !(end < (history[index]?.call ?? 0));
    }),
  );
  if (!isInTime) return false;
  let states = [model.init()];
  for (const index of order) {
    const { input, end } = history[index] as Small[number];
    const isUnknown = end !== undefined && end.output === undefined;
    const before = states;
    states = states.flatMap((state) => [...model.step(state, input, end?.output)]);
    if (isUnknown) states.push(...before);
  }
  return states.length > 0;
}

/** Checks each object separately. */
export function areLegal(model: typeof register, history: Small): boolean {
  const { partition = () => "" } = model;
  const names = new Set(history.map(({ input }) => partition(input)));
  return [...names].every((name) =>
    isLegal(
      model,
      history.filter(({ input }) => partition(input) === name),
    ),
  );
}

export function subsets<T>(all: readonly T[]): T[][] {
  const [first, ...otherItems] = all;
  if (first === undefined) return [[]];
  const otherSubsets = subsets(otherItems);
  return [...otherSubsets, ...otherSubsets.map((pendingSubset) => [first, ...pendingSubset])];
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((each, index) =>
    permutations(all.filter((_, otherIndex) => otherIndex !== index)).map((otherOrder) => [each, ...otherOrder]),
  );
}
