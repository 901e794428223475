/** A party with one mistake, which the suite must notice. */
export interface PartyVariant<Policy> {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Distinguishes it from others that break the same rule. */
  name?: string;
  /** Describes the party. The text continues the words "a party that". */
  says: string;
  policy: Partial<Policy>;
  /** Set if the mistake needs a course of several steps, so that only walks find it. */
  isCourse?: true;
  /** The hooks that the mistake needs. */
  withHooks?: readonly string[];
}

/**
 * The description and the wrong decisions of each variant of a rule, by name. The name may be empty.
 * `course` is set if only walks find it, and `clock` if it breaks the rule only while its clock is moved.
 */
export type PartyMistakes<Policy> = Readonly<
  Record<string, readonly [says: string, policy: Partial<Policy>, needs?: "course" | "clock"]>
>;

/** Makes parties that break one rule, one for each mistake. */
export function variantsBreaking<Policy>(rule: string, mistakes: PartyMistakes<Policy>): PartyVariant<Policy>[] {
  return Object.entries(mistakes).map(([name, [says, policy, needs]]) => ({
    rule,
    ...(name === "" ? {} : { name }),
    says,
    policy,
    ...(needs === "course" ? { isCourse: true as const } : {}),
    ...(needs === "clock" ? { withHooks: ["clock"] } : {}),
  }));
}

/** Returns the name of a variant on the command line. */
export function nameOf({ rule, name }: Pick<PartyVariant<unknown>, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** A party that breaks no rule, but uses the freedoms of the protocol. */
export interface PartyTwin<Policy> {
  name: string;
  freedoms: readonly string[];
  policy: Partial<Policy>;
}
