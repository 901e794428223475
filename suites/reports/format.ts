import type { BaselineEntry, Report, Result, Rule, Run, Source } from "../../schemas/index.ts";
import type { Background } from "./background.ts";

export interface RenderOptions {
  /** The rules of the protocols in the report, for explaining ids. */
  rules: readonly Rule[];
  /** The further known parts of the protocols: their schemas and vectors. */
  background?: readonly Background[];
  /** Colours, if the format has them. */
  colour?: boolean;
  /** The number of vectors shown for each rule, if the format does not show all. */
  examples?: number;
  /** Only the summary, with a line for each failing rule, if the format has one. */
  brief?: boolean;
  /** The line of a vector in its file, from 1, if the vectors are available. */
  lineOf?(run: Run, id: string): number | undefined;
  /** The user's folder with the vectors of a run; undefined for the vectors of the package, null if nothing reads them. */
  vectorsOf?(run: Run): string | null | undefined;
  /** The path of a file from the root of the repository, with `/`; undefined for a file outside of it. */
  inRepository?(file: string): string | undefined;
  /** The place of an assertion of a schema in a user's file, if known. */
  sourceOf?(site: string): Source | undefined;
  /** The place of the subject of a result in the user's file from which the vectors were made, beside its assertion. */
  describedAt?(result: Pick<Result, "id" | "rule" | "site">): Source | undefined;
  /** On which line of the baseline, from 1, an entry of an id, a rule or an assertion is. */
  entryLine?(entry: Pick<BaselineEntry, "id" | "rule" | "site">): number | undefined;
  /** The user's file behind the run: the configuration, or the baseline. */
  ownFile?: string;
  /** Every rule and every vector, if the format shows only the first ones by default. */
  verbose?: boolean;
  /** Columns of the terminal, if tables must fit. */
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
