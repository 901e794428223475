/** A party that decides wrongly in one way, so that a suite can be shown to notice. */
export interface Mistaken {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Distinguishes it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "a hub that", or with the name of another party. */
  says: string;
}

/**
 * Parties that break a rule, by their distinguishing name, or by "" for none: the description, the wrong decisions, and the other members of a
 * variant of its kind.
 */
export type Mistakes<Decisions, More = object> = Readonly<
  Record<string, readonly [says: string, decisions: Decisions, more?: More]>
>;

/** The variants that break a rule, from their mistakes. `member` is the word of their protocol for decisions. */
export function variantsOf<Member extends string, Decisions, More extends object>(
  member: Member,
  rule: string,
  mistakes: Mistakes<Decisions, More>,
): (Mistaken & Record<Member, Decisions> & Partial<More>)[] {
  return Object.entries(mistakes).map(
    ([name, [says, decisions, more]]) =>
      ({ rule, ...(name === "" ? {} : { name }), says, [member]: decisions, ...more }) as Mistaken &
        Record<Member, Decisions> &
        Partial<More>,
  );
}

/** The name of a variant on the command line. */
export function nameOf({ rule, name }: Pick<Mistaken, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}
