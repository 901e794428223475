/** How many mutants of one kind the tests kill. */
export interface MutantCounts {
  mutants: number;
  /** Killed by two tests or more. */
  twice: number;
  once: number;
  /** Proven: no instance kills them. */
  equivalent: number;
  notKilled: number;
  /** Of these, mutants that an instance may or may not kill. */
  undecided: number;
}

/** How the tests cover the assertions of one keyword, and its mutants. */
export interface Covered extends MutantCounts {
  sites: number;
  /** By some test that breaks no other assertion. */
  broken: number;
}
