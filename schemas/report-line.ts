import type { FailOn } from "./fail-on.ts";
import type { BaselineReport, Counts, Known, Report, Result, Run } from "./report.ts";

/** The facts of a report before its first result. */
export interface HeaderLine extends Pick<Report, "$schema" | "tool" | "started" | "command" | "options"> {
  line: "header";
  runs: Omit<Run, "counts" | "results" | "bounds" | "inCommon" | "untested" | "lost" | "failure">[];
}

/** One result, in the order of the run. */
export interface ResultLine {
  line: "result";
  /** The index of its run in the header, and its index among the run's results. Both count from 0. */
  run: number;
  index: number;
  result: Result;
}

/** The facts at the end of a run. A file without this line is from an unfinished run. */
export interface FooterLine {
  line: "footer";
  durationMs: number;
  complete: boolean;
  counts: Counts;
  failOn?: FailOn;
  baseline?: BaselineReport;
  exitCode: number;
  runs: (Pick<Run, "target" | "counts" | "bounds" | "inCommon" | "untested" | "lost" | "failure"> & {
    /** Results that the baseline lists, by their ids. */
    known?: Record<string, Known>;
  })[];
}

/** A report written as lines, one JSON text each: a header, results, a footer. */
export type ReportLine = HeaderLine | ResultLine | FooterLine;
