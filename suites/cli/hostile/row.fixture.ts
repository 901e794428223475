/** The kinds of attacks, in the words of SECURITY.md. */
export const kinds = [
  "code in files that are read",
  "reports damaged by redaction",
  "secrets in disguise",
  "forged certificates",
  "names that every object inherits",
  "files and connections without end",
] as const;
export type Kind = (typeof kinds)[number];

/** One attack that needs no separate process. */
export interface Attack {
  kind: Kind;
  name: string;
  /** Carries out the attack. Resolves to the faults, one sentence each; empty if the attack was survived. */
  play(): Promise<string[]>;
  /** Whether it belongs to the larger set, which `npm run hostile` plays and CI does not. */
  isLarge?: true;
}

/** Returns a complaint for each value that differs from the expected one. */
export function describeDifferences(
  comparisons: readonly (readonly [name: string, actual: unknown, expected: unknown])[],
): string[] {
  return comparisons.flatMap(([name, actual, expected]) => {
    const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
    return actualText === expectedText
      ? []
      : [`${name} is ${actualText?.slice(0, 300)}, not ${expectedText?.slice(0, 300)}`];
  });
}
