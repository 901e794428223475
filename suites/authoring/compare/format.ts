import type { Compared } from "./result.ts";

/** A format of comparisons: a pure function of the result. */
export interface CompareFormat {
  name: string;
  render(result: Compared): string;
}
