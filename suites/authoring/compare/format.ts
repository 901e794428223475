import type { Compared } from "./result.ts";

/** One way to write a comparison down: a pure function of it. */
export interface CompareFormat {
  name: string;
  render(result: Compared): string;
}
