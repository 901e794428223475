/** One benchmark: `npm run bench NAME -- ARGUMENTS`. */
export interface Bench {
  name: string;
  /** Its measured figures, and its arguments. */
  title: string;
  /** Measures and prints. Absolute rates depend on the machine and the hour: only ratios within one run say something. */
  run(args: readonly string[]): Promise<void>;
}
