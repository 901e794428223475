/**
 * For each stage, the part of the time (in milliseconds) after which it ends, so that the vectors made so far can still be judged and written. That needs some seconds,
 * and more if there are more vectors: two fifths of a short time, and a tenth of a long one.
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

/** Stages with parts that need about the same time each. In other stages, one choice may need a hundred times as long as one member. */
export const evenStages: ReadonlySet<string> = new Set(["mutants", "judging", "choosing"]);
