interface UndecidedMutant {
  says: string;
  where: string;
  why: string;
}

/** A line for each reason why it is not known whether any message kills a mutant. */
export function undecidedLines(mutants: readonly UndecidedMutant[]): string[] {
  const byReason = new Map<string, UndecidedMutant[]>();
  for (const mutant of mutants) byReason.set(mutant.why, [...(byReason.get(mutant.why) ?? []), mutant]);
  return [...byReason].map(([why, [first, ...otherMutants]]) => {
    const firstMutant = `${first?.says} (${first?.where})`;
    if (otherMutants.length === 0) return `undecided (nothing to do): ${firstMutant}: ${why}`;
    return `undecided (nothing to do), ${otherMutants.length + 1} mutants: ${why}: ${firstMutant}, and ${otherMutants.length} more`;
  });
}
