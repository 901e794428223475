import type { BaselineEntry, Report, Result, Rule, Run, Source } from "../../schemas/index.ts";
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
  /** Nothing but the summary, with a line for each rule that fails, where the format has one. */
  brief?: boolean;
  /** On which line of its file a vector stands, from 1, where the vectors are at hand. */
  lineOf?(run: Run, id: string): number | undefined;
  /** The folder of the user in which the vectors of a run lie; undefined for those that come along with the program, null where nobody looks for them. */
  vectorsOf?(run: Run): string | null | undefined;
  /** A file as it is called from the root of the repository, with `/`; undefined where it lies outside of it. */
  inRepository?(file: string): string | undefined;
  /** Where an assertion of a schema stands in a file of the user, where that is known. */
  sourceOf?(site: string): Source | undefined;
  /** Where what a result is about stands in a file of the user's of which the vectors were made, beside its assertion. */
  describedAt?(result: Pick<Result, "id" | "rule" | "site">): Source | undefined;
  /** On which line of the baseline, from 1, an entry of an id, a rule or an assertion is. */
  entryLine?(entry: Pick<BaselineEntry, "id" | "rule" | "site">): number | undefined;
  /** The user's file behind the run: the configuration, or the baseline. */
  ownFile?: string;
  /** Every rule and every vector, where the format shows only the first ones otherwise. */
  verbose?: boolean;
  /** Columns of the terminal, where tables have to fit one. */
  columns?: number;
  /** Files to which the whole report is written as well, the one for people first. */
  written?: readonly string[];
  /** The command that shows this report again, if it is not that of the run. */
  again?: string;
}

/** One way to write a report down: a pure function of it. */
export interface Format {
  name: string;
  /** Of a file in this format, without the dot. */
  extension: string;
  render(report: Report, options: RenderOptions): string;
}
