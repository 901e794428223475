import type { Report } from "../../../schemas/index.ts";
import type { Format, RenderOptions } from "../format.ts";
import { byId } from "../groups/group.ts";
import { withLatestRuns } from "../groups/implementations.ts";
import { pageData } from "./data.ts";
import { describeSubject, describeVerdict, renderHeader } from "./head.ts";
import { renderPlain } from "./plain-page.ts";
import { renderShell } from "./shell.ts";
import { renderSummary } from "./summary.ts";

/** One page that needs nothing else. Its script turns data only into text, which the policy enforces. */
export const html: Format = {
  name: "html",
  extension: "html",
  render: (report, options) => page(report, options),
};

/** Does the same for a running run: the page asks its own server for news, and no other. */
export function livePage(report: Report, options: RenderOptions, isRunning: boolean): string {
  return page(report, options, { isRunning });
}

function page(report: Report, { rules, background, sourceOf }: RenderOptions, live?: { isRunning: boolean }): string {
  const known = byId(rules);
  const shownReport = withLatestRuns(report);
  const stands = live?.isRunning === true ? "running" : shownReport === report ? "whole" : "last";
  const verdictText = describeVerdict(shownReport, stands);
  return renderShell({
    title: `${verdictText} ${describeSubject(shownReport)}`,
    head: renderHeader(shownReport, rules, stands, verdictText),
    summary: `${renderSummary(report, known, sourceOf)}\n${renderPlain(shownReport, known, sourceOf)}`,
    version: report.tool.version,
    data: pageData(report, rules, background, sourceOf),
    isLive: live !== undefined,
  });
}
