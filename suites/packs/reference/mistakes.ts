/** A party with one mistake, which shows whether a suite detects it. */
export interface Mistaken {
  /** The id of the rule that it breaks. */
  rule: string;
  /** Distinguishes it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "a hub that", or with the name of another party. */
  says: string;
}

/** Parties that break a rule, by the name that distinguishes them, or "" for a single one. Each has a description, its wrong decisions, and other members of its variant. */
export type Mistakes<Decisions, OtherMembers = object> = Readonly<
  Record<string, readonly [says: string, decisions: Decisions, more?: OtherMembers]>
>;

/** Makes the variants that break a rule from their mistakes. `member` is the protocol's name for the decisions. */
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
