import { type JsonObject, type LiveChoice, TouchstoneError } from "../../../../schemas/index.ts";

/** A decision that a conforming party may make differently from the reference. */
export interface PartyChoice<Policy> extends Omit<LiveChoice, "side"> {
  /** The decisions that this choice changes in the policy of a conforming or a broken party. */
  changePolicy(policy: Policy): Partial<Policy>;
  /** Set if the party admits every caller. */
  isOpen?: true;
  /** Facts about the party that the suite must know. */
  options?: JsonObject;
}

/** Applies the named choices to a policy. Throws a usage error for an unknown name. */
export function policyWithChoices<Policy>(
  choices: readonly PartyChoice<Policy>[],
  names: readonly string[],
  policy: Policy,
): Policy {
  const unknownName = names.find((requestedName) => choices.every(({ name }) => name !== requestedName));
  if (unknownName !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknownName}"`, { hint: "see the list of choices" });
  // Choices are applied in the order of the list, so the order of the names does not matter.
  let chosenPolicy = policy;
  for (const choice of choices)
    if (names.includes(choice.name)) chosenPolicy = { ...chosenPolicy, ...choice.changePolicy(chosenPolicy) };
  return chosenPolicy;
}
