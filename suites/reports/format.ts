import type { Report, Rule } from "../../schemas/index.ts";
import type { Background } from "./background.ts";

export interface RenderOptions {
  /** The rules of the protocols in the report: what the ids in it demand. */
  rules: readonly Rule[];
  /** What else is at hand of the protocols: their schemas and vectors. */
  background?: readonly Background[];
  /** Colours, where the format has them. */
  colour?: boolean;
  /** How many vectors are shown of each rule, where the format does not show them all. */
  examples?: number;
  /** Nothing but the summary, where the format has one. */
  brief?: boolean;
}

/** One way to write a report down: a pure function of it. */
export interface Format {
  name: string;
  /** Of a file in this format, without the dot. */
  extension: string;
  render(report: Report, options: RenderOptions): string;
}
