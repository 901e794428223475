/** A party with one mistake, which shows whether a suite detects it. */
export interface MistakenParty {
  /** The id of the rule that it breaks. */
  rule: string;
  /** Distinguishes it from other parties that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "a hub that", or with the name of another party. */
  says: string;
}

/** The mistakes that break one rule, by name; a single mistake has the name "". Each has a description, its wrong decisions, and further members of its variant. */
export type Mistakes<Decisions, OtherMembers = object> = Readonly<
  Record<string, readonly [says: string, decisions: Decisions, more?: OtherMembers]>
>;

/** Makes one variant for each mistake that breaks the rule. The decisions become the variant's member `member`. */
export function variantsOf<Member extends string, Decisions, More extends object>(
  member: Member,
  rule: string,
  mistakes: Mistakes<Decisions, More>,
): (MistakenParty & Record<Member, Decisions> & Partial<More>)[] {
  return Object.entries(mistakes).map(
    ([name, [says, decisions, more]]) =>
      ({ rule, ...(name === "" ? {} : { name }), says, [member]: decisions, ...more }) as MistakenParty &
        Record<Member, Decisions> &
        Partial<More>,
  );
}

/** The name of a variant on the command line. */
export function variantNameOf({ rule, name }: Pick<MistakenParty, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}
