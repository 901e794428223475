interface Undecided {
  says: string;
  where: string;
  why: string;
}

/** Mutants for which it is unknown whether a message kills them: a line for each reason. */
export function undecidedLines(mutants: readonly Undecided[]): string[] {
  const byReason = new Map<string, Undecided[]>();
  for (const mutant of mutants) byReason.set(mutant.why, [...(byReason.get(mutant.why) ?? []), mutant]);
  return [...byReason].map(([why, [first, ...otherMutants]]) => {
    const firstMutant = `${first?.says} (${first?.where})`;
    if (otherMutants.length === 0) return `undecided (nothing to do): ${firstMutant}: ${why}`;
    return `undecided (nothing to do), ${otherMutants.length + 1} mutants: ${why}: ${firstMutant}, and ${otherMutants.length} more`;
  });
}
