/** An implementation that decides wrongly in one way, so that a suite can be shown to notice. */
export interface Variant<Policy> {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "one that". */
  says: string;
  policy: Partial<Policy>;
  /** Shows on walks alone. */
  isCourse?: true;
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: Pick<Variant<unknown>, "rule" | "name">): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** An implementation that breaks no rule, and uses the freedoms that the protocol leaves. */
export interface Twin<Policy> {
  name: string;
  freedoms: readonly string[];
  policy: Partial<Policy>;
}
