/** An implementation that decides wrongly in one way, so that a suite can be shown to notice. */
export interface PartyVariant<Policy> {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Distinguishes it from others that break the same rule. */
  name?: string;
  /** The description of the party, to follow the word `that`. */
  says: string;
  policy: Partial<Policy>;
  /** Shows on walks alone. */
  isCourse?: true;
  /** Hooks without which it breaks nothing. */
  withHooks?: readonly string[];
}

/**
 * By the name that distinguishes it from others that break the same rule, or none: a description, and its wrong decisions; `course` if only walks show it,
 * `clock` if it breaks a rule only while its clock is moved.
 */
export type PartyMistakes<Policy> = Readonly<
  Record<string, readonly [says: string, policy: Partial<Policy>, shows?: "course" | "clock"]>
>;

/** Implementations that break a rule, one for each mistake. */
export function breaks<Policy>(rule: string, mistakes: PartyMistakes<Policy>): PartyVariant<Policy>[] {
  return Object.entries(mistakes).map(([name, [says, policy, shows]]) => ({
    rule,
    ...(name === "" ? {} : { name }),
    says,
    policy,
    ...(shows === "course" ? { isCourse: true as const } : {}),
    ...(shows === "clock" ? { withHooks: ["clock"] } : {}),
  }));
}

/** The name of a variant on the command line. */
export function nameOf({ rule, name }: Pick<PartyVariant<unknown>, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** An implementation that breaks no rule, and uses the freedoms that the protocol leaves. */
export interface PartyTwin<Policy> {
  name: string;
  freedoms: readonly string[];
  policy: Partial<Policy>;
}
