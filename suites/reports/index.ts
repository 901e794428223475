import { badge } from "./badge.ts";
import { ctrf } from "./ctrf.ts";
import type { Format } from "./format.ts";
import { github } from "./github.ts";
import { har } from "./har.ts";
import { html } from "./html/page.ts";
import { json } from "./json.ts";
import { jsonl } from "./jsonl.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import { sarif } from "./sarif.ts";
import { tap } from "./tap.ts";
import { terminal } from "./terminal.ts";

export { type Background, backgroundOf } from "./background.ts";
export { compare, type ReportDifference as Difference, type ReportPair as Pair } from "./comparison/comparison.ts";
export { describeDifference } from "./comparison/difference.ts";
export type { Format, RenderOptions } from "./format.ts";
export { type MergeSource as Source, merge, type PlaceInSet } from "./merging/merge.ts";
export { combine } from "./merging/merged-report.ts";
export { readReport } from "./reading/report-reader.ts";

/** Every report format, the default first. */
export const formats: readonly Format[] = [
  terminal,
  html,
  json,
  jsonl,
  junit,
  ctrf,
  tap,
  sarif,
  har,
  markdown,
  github,
  badge,
];
