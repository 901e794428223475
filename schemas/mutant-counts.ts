/** The number of mutants, and how many of them the tests kill. */
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

/** The coverage of the assertions of one keyword, and of its mutants. */
export interface KeywordCoverage extends MutantCounts {
  sites: number;
  /** Assertions that some test isolates, because it does not break any other. */
  broken: number;
}
