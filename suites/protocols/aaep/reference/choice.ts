import { type JsonObject, type LiveChoice, TouchstoneError } from "../../../../schemas/index.ts";

/** A decision that a right party may make differently from the reference. */
export interface PartyChoice<Policy> extends Omit<LiveChoice, "side"> {
  /** Changes the decisions of a party, whether it is right or broken. */
  makes(policy: Policy): Partial<Policy>;
  /** Set if the party admits every caller. */
  isOpen?: true;
  /** Facts about such a party that the suite must know. */
  options?: JsonObject;
}

/** The decisions of a party that makes the named choices. Throws a usage error for an unknown name. */
export function madeBy<Policy>(
  choices: readonly PartyChoice<Policy>[],
  names: readonly string[],
  policy: Policy,
): Policy {
  const unknown = names.find((each) => choices.every(({ name }) => name !== each));
  if (unknown !== undefined)
    throw new TouchstoneError("usage", `unknown choice "${unknown}"`, { hint: "see the list of choices" });
  // The order of the list counts, so that the order of the names does not matter.
  let made = policy;
  for (const choice of choices) if (names.includes(choice.name)) made = { ...made, ...choice.makes(made) };
  return made;
}
