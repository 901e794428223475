import { type LiveChoice, TouchstoneError } from "../../../../schemas/index.ts";

/** A choice, and its changes to a party. A choice may build on another one. */
export interface PolicyChoice<P, T> extends Omit<LiveChoice, "side"> {
  policy?(base: P): Partial<P>;
  transport?: T;
}

/** The choices with these names, in the order of the list. Throws a usage error for an unknown name, and for two choices of one factor. */
export function chosenFrom<P, T>(
  all: readonly PolicyChoice<P, T>[],
  names: readonly string[] = [],
): PolicyChoice<P, T>[] {
  const unknown = names.find((name) => !all.some((choice) => choice.name === name));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, {
      hint: `known choices: ${all.map(({ name }) => name).join(", ")}`,
    });
  const choices = all.filter(({ name }) => names.includes(name));
  const factors = choices.map(({ name, factor = name }) => factor);
  const repeatedFactor = factors.find((factor, index) => factors.indexOf(factor) < index);
  if (repeatedFactor !== undefined)
    throw new TouchstoneError("usage", `two choices of the factor "${repeatedFactor}" exclude each other`, {
      hint: "name one of them",
    });
  return choices;
}

/** The policy of a party that makes all these choices. */
export function policyOf<P extends object, T>(rightPolicy: P, choices: readonly PolicyChoice<P, T>[]): P {
  let base = rightPolicy;
  for (const { policy } of choices) if (policy !== undefined) base = Object.assign({}, base, policy(base));
  return base;
}

export function transportOf<P, T extends object>(choices: readonly PolicyChoice<P, T>[]): T | undefined {
  const all = choices.flatMap(({ transport }) => (transport === undefined ? [] : [transport]));
  return all.length === 0 ? undefined : (Object.assign({}, ...all) as T);
}
