import type { BaselineEntry, Report, Result, Rule, Run, Source } from "../../schemas/index.ts";
import type { Background } from "./background.ts";

export interface RenderOptions {
  /** The rules of the protocols in the report, for explaining ids. */
  rules: readonly Rule[];
  /** More data about the protocols: their schemas and vectors. */
  background?: readonly Background[];
  /** Whether to use colours, if the format has them. */
  colour?: boolean;
  /** The number of vectors shown for each rule, if the format does not show all. */
  examples?: number;
  /** Whether to show only the summary, with a line for each failing rule, if the format has one. */
  brief?: boolean;
  /** Returns the line of a vector in its file, counted from 1, if the vectors are available. */
  lineOf?(run: Run, id: string): number | undefined;
  /** Returns the user's folder with the vectors of a run; undefined for the vectors of the package, null if they cannot be found. */
  vectorsOf?(run: Run): string | null | undefined;
  /** Returns the path of a file relative to the root of the repository, with `/`; undefined for a file outside it. */
  inRepository?(file: string): string | undefined;
  /** Returns the place of a schema's assertion in a user's file, if known. */
  sourceOf?(site: string): Source | undefined;
  /** Returns the place of a result's subject in the user's API description, which is shown in addition to its assertion. */
  describedAt?(result: Pick<Result, "id" | "rule" | "site">): Source | undefined;
  /** Returns the line of the baseline, counted from 1, with the entry for an id, a rule or an assertion. */
  entryLine?(entry: Pick<BaselineEntry, "id" | "rule" | "site">): number | undefined;
  /** The user's file that the run depends on: the configuration, or the baseline. */
  ownFile?: string;
  /** Whether to show every rule and every vector, if the format shows only the first ones by default. */
  verbose?: boolean;
  /** The columns of the terminal, if tables must fit. */
  columns?: number;
  /** The files that also contain the complete report, the human-readable one first. */
  written?: readonly string[];
  /** The command that shows this report again, if that is not the command of the run. */
  again?: string;
}

/** A format for reports. Its output depends only on the report and the options. */
export interface Format {
  name: string;
  /** The extension of a file in this format, without the dot. */
  extension: string;
  render(report: Report, options: RenderOptions): string;
}
