import type { Report, Result, Run } from "../../schemas/index.ts";
import { visible, visibleJson, visibleLines } from "../base/text/escape.ts";
import type { Format, RenderOptions } from "./format.ts";
import { remarksOn } from "./groups/remarks.ts";
import { sharedCommand } from "./groups/shared-command.ts";
import { placedFacts } from "./sections/heading.ts";
import { type Status, shortfalls, statusOf } from "./sections/status.ts";
import { against, conclusion } from "./wording/phrases.ts";

type CtrfStatus = "passed" | "failed" | "skipped" | "pending" | "other";

/** A result that neither passes nor fails here is `other` there, with its outcome as `rawStatus`. */
const statuses: Record<Status, CtrfStatus> = {
  passed: "passed",
  failed: "failed",
  errored: "failed",
  known: "other",
  skipped: "skipped",
  noted: "other",
};

interface CtrfTest {
  name: string;
  status: CtrfStatus;
  [more: string]: unknown;
}

/** Common Test Report Format. */
export const ctrf: Format = {
  name: "ctrf",
  extension: "ctrf.json",
  render(report, { sourceOf }) {
    const { tool, started, durationMs, complete, counts, exitCode } = report;
    const tests = [
      ...report.runs.flatMap((run) => run.results.map((result) => test(report, run, result, sourceOf))),
      ...shortfalls(report).map(
        ({ name, message }): CtrfTest => ({
          name: visible(name),
          status: "failed",
          duration: 0,
          suite: ["touchstone"],
          message: visibleLines(message),
        }),
      ),
    ];
    const those = (status: CtrfStatus): number => tests.filter((each) => each.status === status).length;
    const start = Date.parse(started);
    const value = {
      reportFormat: "CTRF",
      specVersion: "0.0.0",
      timestamp: started,
      generatedBy: `${tool.name} ${tool.version}`,
      results: {
        tool,
        summary: {
          tests: tests.length,
          passed: those("passed"),
          failed: those("failed"),
          skipped: those("skipped"),
          pending: those("pending"),
          other: those("other"),
          start,
          stop: start + durationMs,
          duration: durationMs,
          extra: {
            counts,
            complete,
            exitCode,
            conclusion: conclusion(report),
            command: visible(sharedCommand(report)),
          },
        },
        tests,
        extra: {
          runs: report.runs.map((run) => ({
            protocol: run.protocol,
            version: run.version,
            target: visible(against(run)),
            set: run.set,
            filter: run.filter,
            readings: run.readings,
            counts: run.counts,
            remarks: remarksOn(run).map(visible),
          })),
        },
      },
    };
    return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
  },
};

function test(report: Report, run: Run, result: Result, sourceOf: RenderOptions["sourceOf"]): CtrfTest {
  const { id, outcome, rule, level, verdict, document, description, why, known } = result;
  const status = statusOf(result, report);
  const trace = status === "passed" || status === "skipped" ? [] : placedFacts(result, sourceOf);
  return {
    name: visible(id),
    status: statuses[status],
    // How long one vector took is not recorded, and the format wants a number.
    duration: result.durationMs ?? 0,
    suite: [`${run.protocol} ${run.version}`, visible(document)],
    testId: visible(id),
    rawStatus: outcome,
    type: "conformance",
    ...(why === undefined ? {} : { message: visibleLines(why) }),
    ...(trace.length === 0 ? {} : { trace: trace.map(([name, text]) => `${name}: ${visibleLines(text)}`).join("\n") }),
    labels: {
      level,
      verdict,
      ...(rule === undefined ? {} : { rule: visible(rule) }),
      ...(known === undefined ? {} : { known }),
    },
    extra: { description: visible(description) },
  };
}
