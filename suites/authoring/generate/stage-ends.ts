/**
 * Returns, for each stage, the share of the time limit (`milliseconds`) after which the stage ends, so that the vectors made so far can still be
 * judged and written. That needs two fifths of a short time, and about a tenth of a long one.
 */
export function stageEndsOf(milliseconds: number): Partial<Record<string, number>> {
  const makingShare = 1 - Math.min(0.4, 5000 / milliseconds + 0.08);
  const remainingShare = 1 - makingShare;
  return {
    faults: makingShare * 0.67,
    mutants: makingShare,
    families: makingShare + remainingShare * 0.1,
    judging: makingShare + remainingShare * 0.25,
    choosing: makingShare + remainingShare * 0.55,
    texts: makingShare + remainingShare * 0.65,
    lint: makingShare + remainingShare * 0.8,
  };
}

/** Stages with parts that need about the same time each. In other stages, one choice may need a hundred times as long as one member. */
export const evenStages: ReadonlySet<string> = new Set(["mutants", "judging", "choosing"]);
