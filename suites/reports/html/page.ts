import type { Report } from "../../../schemas/index.ts";
import type { Format, RenderOptions } from "../format.ts";
import { byId } from "../groups/group.ts";
import { withLatestRuns } from "../groups/implementations.ts";
import { pageData } from "./data.ts";
import { describeSubject, describeVerdict, renderHeader } from "./head.ts";
import { renderPlain } from "./plain-page.ts";
import { renderShell } from "./shell.ts";
import { renderSummary } from "./summary.ts";

/** A single page without external resources. Its script writes data only as text, which the content security policy enforces. */
export const html: Format = {
  name: "html",
  extension: "html",
  render: (report, options) => page(report, options),
};

/** The same page for a run in progress: it polls the server that it came from, and no other. */
export function livePage(report: Report, options: RenderOptions, isRunning: boolean): string {
  return page(report, options, { isRunning });
}

function page(report: Report, { rules, background, sourceOf }: RenderOptions, live?: { isRunning: boolean }): string {
  const rulesById = byId(rules);
  const shownReport = withLatestRuns(report);
  const stage = live?.isRunning === true ? "running" : shownReport === report ? "whole" : "last";
  const verdictText = describeVerdict(shownReport, stage);
  return renderShell({
    title: `${verdictText} ${describeSubject(shownReport)}`,
    head: renderHeader(shownReport, rules, stage, verdictText),
    summary: `${renderSummary(report, rulesById, sourceOf)}\n${renderPlain(shownReport, rulesById, sourceOf)}`,
    version: report.tool.version,
    data: pageData(report, rules, background, sourceOf),
    isLive: live !== undefined,
  });
}
