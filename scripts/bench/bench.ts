/** One benchmark: `npm run bench NAME`. */
export interface Bench {
  name: string;
  /** What it measures, for the list. */
  title: string;
  /** Measures and prints. Absolute rates depend on the machine and the hour: only ratios within one run say something. */
  run(options: { quick: boolean }): Promise<void>;
}
