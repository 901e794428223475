import { isObject } from "../../../schemas/index.ts";
import { kindOf } from "../../results/kind.ts";
import { formerBrief, formerCause, formerCodeless } from "./former-causes.ts";
import { parseCommandLine } from "./shell-line.ts";

// The values can be anything, because the schema is only checked afterwards.

/** Upgrades an old report in place: adds missing kinds and causes of results, and missing options. */
export function upgradeReport(report: unknown): void {
  upgradeOptions(report);
  upgradeCounts(report);
  for (const run of listIn(report, "runs")) {
    upgradeOptions(run);
    upgradeCounts(run);
    if (isObject(run)) upgradeFailure(run.failure);
    for (const result of listIn(run, "results")) upgradeResult(result);
  }
}

/** Upgrades a line of an older report. */
export function upgradeLine(line: unknown): void {
  if (!isObject(line)) return;
  if (line.line === "header") upgradeReport(line);
  if (line.line === "footer") upgradeReport(line);
  upgradeResult(line.result);
}

function upgradeResult(result: unknown): void {
  if (!isObject(result)) return;
  if (typeof result.id === "string") result.kind ??= kindOf(result.id);
  if (result.cause !== undefined) return;
  const cause = formerCause(result);
  if (cause !== undefined) result.cause = cause;
  // A conforming result contains its answer only if that is a refusal without a code.
  const { answer } = result;
  const codeless = isObject(answer) && answer.codeless === undefined ? formerCodeless(answer.reasons) : undefined;
  if (codeless !== undefined) Object.assign(answer as object, { codeless });
}

function upgradeFailure(failure: unknown): void {
  if (!isObject(failure) || failure.brief !== undefined || failure.stage !== "scenarios") return;
  if (typeof failure.message === "string") failure.brief = formerBrief(failure.message);
}

/** Adds the number of flaky results, which older reports lack. */
function upgradeCounts(reportOrRun: unknown): void {
  if (isObject(reportOrRun) && isObject(reportOrRun.counts)) reportOrRun.counts.flaky ??= 0;
}

function upgradeOptions(reportOrRun: unknown): void {
  if (!isObject(reportOrRun) || typeof reportOrRun.command !== "string" || reportOrRun.options !== undefined) return;
  const options = parseCommandLine(reportOrRun.command);
  if (options !== undefined) Object.assign(reportOrRun, { options });
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
