interface Undecided {
  says: string;
  where: string;
  why: string;
}

/** Mutants for which it is unknown whether a message kills them: a line for each reason. */
export function undecidedLines(mutants: readonly Undecided[]): string[] {
  const byReason = new Map<string, Undecided[]>();
  for (const mutant of mutants) byReason.set(mutant.why, [...(byReason.get(mutant.why) ?? []), mutant]);
  return [...byReason].map(([why, [first, ...others]]) => {
    const shown = `${first?.says} (${first?.where})`;
    if (others.length === 0) return `undecided (nothing to do): ${shown}: ${why}`;
    return `undecided (nothing to do), ${others.length + 1} mutants: ${why}: ${shown}, and ${others.length} more`;
  });
}
