import type { VersionComparison } from "./result.ts";

/** A format of comparisons: a pure function of the result. */
export interface CompareFormat {
  name: string;
  render(result: VersionComparison): string;
}
