/** One benchmark: `npm run bench NAME -- ARGUMENTS`. */
export interface Bench {
  name: string;
  /** Its measured figures, and its arguments. */
  title: string;
  /** Measures and prints. Absolute rates depend on the machine and its load: only ratios within one run are comparable. */
  run(args: readonly string[]): Promise<void>;
}
