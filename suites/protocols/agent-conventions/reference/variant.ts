/** A party that decides wrongly in one way. */
export interface Variant<Decisions> {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "one that". */
  says: string;
  conduct: Partial<Decisions> | ((right: Decisions) => Partial<Decisions>);
  /** It shows only over several steps, so that walks find it, and no scenario has to. */
  isCourse?: true;
}
