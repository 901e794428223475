import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { home, protocolsNamed, type Report, TouchstoneError } from "../../schemas/index.ts";
import { backgroundOf, combine, formats, type RenderOptions } from "../../suites/index.ts";
import { runParts } from "./workers.ts";

/** The report files. `report render` makes every other format from the JSON report. */
const files: Readonly<Record<string, string>> = { json: "report.json", html: "index.html" };

/** Runs vectors and scenarios of every protocol against its reference implementations, and returns the exit code. */
export async function start(parts: number, helpers: readonly ChildProcess[]): Promise<number> {
  return showParts(parts, helpers).catch((error: unknown) => {
    console.error(error instanceof TouchstoneError ? error.message : error);
    return error instanceof TouchstoneError ? error.exitCode : 4;
  });
}

async function showParts(parts: number, helpers: readonly ChildProcess[]): Promise<number> {
  const protocols = protocolsNamed("all");
  const extent = parts === 1 ? "all vectors and scenarios" : `1 of ${parts} parts of the vectors and scenarios`;
  console.error(`running ${extent} of ${protocols.length} protocols against their reference implementations`);
  // A protocol with more rules has more scenarios, and scenarios wait: the longest protocols begin first.
  const startParts = protocols
    .toSorted((first, second) => second.rules.length - first.rules.length)
    .map(({ name }) => ({ protocol: name, parts }));
  const reports = await runParts(startParts, helpers, ({ runs: [run], counts }) =>
    console.error(`  ${run?.protocol} ${run?.version}: ${counts.conforms} conform, ${counts.violates} violate`),
  );
  const protocolIndex = ({ runs: [run] }: Report): number => protocols.findIndex(({ name }) => name === run?.protocol);
  const report = combine(
    reports.toSorted((first, second) => protocolIndex(first) - protocolIndex(second)) as [Report, ...Report[]],
  );

  const rules = protocols.flatMap((protocol) => protocol.rules);
  const background = backgroundOf(protocols, report);
  mkdirSync(join(home, "report"), { recursive: true });
  const renderReport = (format: string, options: Omit<RenderOptions, "rules">): string =>
    formats.find(({ name }) => name === format)?.render(report, { rules, ...options }) ?? "";
  const colour = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(renderReport("terminal", { colour, written: ["report/index.html"] }));
  const writes = Object.entries(files).map(([format, file]) =>
    writeFile(join(home, "report", file), renderReport(format, { background })),
  );
  await Promise.all(writes);
  console.log("The whole report is in report/index.html, and as data in report/report.json.");
  console.log("For other formats: npm run -s touchstone -- report render report/report.json --report junit=FILE");
  if (parts > 1) console.log("This was a quick look. All vectors and scenarios: npm start");
  console.error(`took ${(performance.now() / 1000).toFixed(1)} s`);
  return report.exitCode;
}
