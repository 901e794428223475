import type { Report } from "../../../schemas/index.ts";
import type { Format, RenderOptions } from "../format.ts";
import { indexById } from "../groups/group.ts";
import { withLatestRuns } from "../groups/implementations.ts";
import { pageData } from "./data.ts";
import { describeSubject, describeVerdict, renderHeader } from "./head.ts";
import { renderPlain } from "./plain-page.ts";
import { renderShell } from "./shell.ts";
import { renderSummary } from "./summary.ts";

/** Renders a single page without external resources. Its script writes data only as text, which the content security policy enforces. */
export const html: Format = {
  name: "html",
  extension: "html",
  render: (report, options) => renderPage(report, options),
};

/** Renders the same page for a run in progress. It polls only the server from which it was loaded. */
export function livePage(report: Report, options: RenderOptions, isRunning: boolean): string {
  return renderPage(report, options, { isRunning });
}

function renderPage(
  report: Report,
  { rules, background, sourceOf }: RenderOptions,
  live?: { isRunning: boolean },
): string {
  const rulesById = indexById(rules);
  const shownReport = withLatestRuns(report);
  const finishedStage = shownReport === report ? "whole" : "last";
  const stage = live?.isRunning === true ? "running" : finishedStage;
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
