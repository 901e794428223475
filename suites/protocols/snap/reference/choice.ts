import { type LiveChoice, TouchstoneError } from "../../../../schemas/index.ts";

/** A choice, and how it changes the policy and transport of a party. */
export interface PolicyChoice<P, T> extends Omit<LiveChoice, "side"> {
  /** The changed decisions, which may use the decisions so far. */
  policy?(base: P): Partial<P>;
  transport?: T;
}

/** Selects choices by name, in the order of the list. Throws a usage error for an unknown name, and for two choices of one factor. */
export function chosenFrom<P, T>(
  knownChoices: readonly PolicyChoice<P, T>[],
  names: readonly string[] = [],
): PolicyChoice<P, T>[] {
  const unknownName = names.find((name) => !knownChoices.some((choice) => choice.name === name));
  if (unknownName !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknownName}"`, {
      hint: `known choices: ${knownChoices.map(({ name }) => name).join(", ")}`,
    });
  const choices = knownChoices.filter(({ name }) => names.includes(name));
  const factors = choices.map(({ name, factor = name }) => factor);
  const repeatedFactor = factors.find((factor, index) => factors.indexOf(factor) < index);
  if (repeatedFactor !== undefined)
    throw new TouchstoneError("usage", `two choices of the factor "${repeatedFactor}" exclude each other`, {
      hint: "name one of them",
    });
  return choices;
}

/** Returns the policy of a party that makes all these choices. */
export function policyOf<P extends object, T>(rightPolicy: P, choices: readonly PolicyChoice<P, T>[]): P {
  let base = rightPolicy;
  for (const { policy } of choices) if (policy !== undefined) base = Object.assign({}, base, policy(base));
  return base;
}

/** Combines the transports of these choices. Undefined if none of them changes the transport. */
export function transportOf<P, T extends object>(choices: readonly PolicyChoice<P, T>[]): T | undefined {
  const transports = choices.flatMap(({ transport }) => (transport === undefined ? [] : [transport]));
  return transports.length === 0 ? undefined : (Object.assign({}, ...transports) as T);
}
