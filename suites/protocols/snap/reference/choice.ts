import { type LiveChoice, TouchstoneError } from "../../../../schemas/index.ts";

/** A choice, and its changes to a party. A choice may build on another one. */
export interface Made<P, T> extends Omit<LiveChoice, "side"> {
  policy?(base: P): Partial<P>;
  transport?: T;
}

/** The choices with these names, in the order of the list. Throws a usage error for an unknown name, and for two choices of one factor. */
export function chosenFrom<P, T>(all: readonly Made<P, T>[], names: readonly string[] = []): Made<P, T>[] {
  const unknown = names.find((name) => !all.some((made) => made.name === name));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, {
      hint: `known choices: ${all.map(({ name }) => name).join(", ")}`,
    });
  const chosen = all.filter(({ name }) => names.includes(name));
  const factors = chosen.map(({ name, factor = name }) => factor);
  const twice = factors.find((factor, index) => factors.indexOf(factor) < index);
  if (twice !== undefined)
    throw new TouchstoneError("usage", `two choices of the factor "${twice}" exclude each other`, {
      hint: "name one of them",
    });
  return chosen;
}

/** The policy of a party that makes all these choices. */
export function policyOf<P extends object, T>(right: P, chosen: readonly Made<P, T>[]): P {
  let base = right;
  for (const { policy } of chosen) if (policy !== undefined) base = Object.assign({}, base, policy(base));
  return base;
}

export function transportOf<P, T extends object>(chosen: readonly Made<P, T>[]): T | undefined {
  const all = chosen.flatMap(({ transport }) => (transport === undefined ? [] : [transport]));
  return all.length === 0 ? undefined : (Object.assign({}, ...all) as T);
}
