/**
 * The parts of a time in milliseconds after which each stage ends, so that what there is can still be judged and written. That takes some seconds,
 * and longer where there is more: of a short time it is two fifths, of a long one a tenth.
 */
export function endsOf(milliseconds: number): Partial<Record<string, number>> {
  const made = 1 - Math.min(0.4, 5000 / milliseconds + 0.08);
  const rest = 1 - made;
  return {
    faults: made * 0.67,
    mutants: made,
    families: made + rest * 0.1,
    judging: made + rest * 0.25,
    choosing: made + rest * 0.55,
    texts: made + rest * 0.65,
    lint: made + rest * 0.8,
  };
}

/** Stages in which each part takes about as long as any other; a choice takes a hundred times as long as a member, and a text as another. */
export const even: ReadonlySet<string> = new Set(["mutants", "judging", "choosing"]);
