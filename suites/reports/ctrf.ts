import type { Report, Result, Run } from "../../schemas/index.ts";
import { escapeInvisible, escapeInvisibleJson, escapeInvisibleLines } from "../base/text/escape.ts";
import type { Format, RenderOptions } from "./format.ts";
import { remarksOn } from "./groups/remarks.ts";
import { sharedCommand } from "./groups/shared-command.ts";
import { placedFacts } from "./sections/heading.ts";
import { findShortfalls, type Status, statusOf } from "./sections/status.ts";
import { describeConclusion, describeTarget } from "./wording/phrases.ts";

type CtrfStatus = "passed" | "failed" | "skipped" | "pending" | "other";

/** CTRF's status for each of our statuses. Results that neither pass nor fail are `other`; their outcome is in `rawStatus`. */
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

/** The Common Test Report Format. */
export const ctrf: Format = {
  name: "ctrf",
  extension: "ctrf.json",
  render(report, { sourceOf }) {
    const { tool, started, durationMs, complete, counts, exitCode } = report;
    const tests = [
      ...report.runs.flatMap((run) => run.results.map((result) => testOf(report, run, result, sourceOf))),
      ...findShortfalls(report).map(
        ({ name, message }): CtrfTest => ({
          name: escapeInvisible(name),
          status: "failed",
          duration: 0,
          suite: ["touchstone"],
          message: escapeInvisibleLines(message),
        }),
      ),
    ];
    const countWithStatus = (status: CtrfStatus): number =>
      tests.filter((ctrfTest) => ctrfTest.status === status).length;
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
          passed: countWithStatus("passed"),
          failed: countWithStatus("failed"),
          skipped: countWithStatus("skipped"),
          pending: countWithStatus("pending"),
          other: countWithStatus("other"),
          start,
          stop: start + durationMs,
          duration: durationMs,
          extra: {
            counts,
            complete,
            exitCode,
            conclusion: describeConclusion(report),
            command: escapeInvisible(sharedCommand(report)),
          },
        },
        tests,
        extra: {
          runs: report.runs.map((run) => ({
            protocol: run.protocol,
            version: run.version,
            target: escapeInvisible(describeTarget(run)),
            set: run.set,
            filter: run.filter,
            readings: run.readings,
            counts: run.counts,
            remarks: remarksOn(run).map(escapeInvisible),
          })),
        },
      },
    };
    return `${escapeInvisibleJson(JSON.stringify(value, null, 2))}\n`;
  },
};

function testOf(report: Report, run: Run, result: Result, sourceOf: RenderOptions["sourceOf"]): CtrfTest {
  const { id, outcome, rule, level, verdict, document, description, why, known } = result;
  const status = statusOf(result, report);
  const trace = status === "passed" || status === "skipped" ? [] : placedFacts(result, sourceOf);
  return {
    name: escapeInvisible(id),
    status: statuses[status],
    // The format requires a number, even if the duration was not recorded.
    duration: result.durationMs ?? 0,
    suite: [`${run.protocol} ${run.version}`, escapeInvisible(document)],
    testId: escapeInvisible(id),
    rawStatus: outcome,
    type: "conformance",
    ...(why === undefined ? {} : { message: escapeInvisibleLines(why) }),
    ...(trace.length === 0
      ? {}
      : { trace: trace.map(([name, text]) => `${name}: ${escapeInvisibleLines(text)}`).join("\n") }),
    labels: {
      level,
      verdict,
      ...(rule === undefined ? {} : { rule: escapeInvisible(rule) }),
      ...(known === undefined ? {} : { known }),
    },
    extra: { description: escapeInvisible(description) },
  };
}
