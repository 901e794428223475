import type { Report } from "../../../schemas/index.ts";
import type { Format, RenderOptions } from "../format.ts";
import { byId } from "../groups/group.ts";
import { latest } from "../groups/implementations.ts";
import { pageData } from "./data.ts";
import { header, over, verdict } from "./head.ts";
import { plain } from "./plain.ts";
import { shell } from "./shell.ts";
import { summary } from "./summary.ts";

/** One page that needs nothing else. Its script turns data into text alone; the policy enforces that. */
export const html: Format = {
  name: "html",
  extension: "html",
  render: (report, options) => page(report, options),
};

/** The same for a running run: it asks its own server for news, and no other. */
export function livePage(report: Report, options: RenderOptions, isRunning: boolean): string {
  return page(report, options, { isRunning });
}

function page(report: Report, { rules, background, sourceOf }: RenderOptions, live?: { isRunning: boolean }): string {
  const known = byId(rules);
  const shown = latest(report);
  const stands = live?.isRunning === true ? "running" : shown === report ? "whole" : "last";
  const said = verdict(shown, stands);
  return shell({
    title: `${said} ${over(shown)}`,
    head: header(shown, rules, stands, said),
    summary: `${summary(report, known, sourceOf)}\n${plain(shown, known, sourceOf)}`,
    version: report.tool.version,
    data: pageData(report, rules, background, sourceOf),
    isLive: live !== undefined,
  });
}
