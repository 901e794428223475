/** How many mutants of one kind the tests kill. */
export interface MutantCounts {
  mutants: number;
  /** Killed by two tests or more. */
  twice: number;
  once: number;
  /** Proven: no instance kills them. */
  equivalent: number;
  notKilled: number;
  /** Mutants among `notKilled` for which it is unknown whether an instance can kill them. */
  undecided: number;
}

/** How the tests cover the assertions of one keyword, and its mutants. */
export interface KeywordCoverage extends MutantCounts {
  sites: number;
  /** Assertions that some test isolates: it breaks no other assertion. */
  broken: number;
}
