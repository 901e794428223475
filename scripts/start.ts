import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, protocolsNamed, TouchstoneError } from "../schemas/index.ts";
import {
  backgroundOf,
  combine,
  commandLine,
  formats,
  referenceStager,
  runSuite,
  type Stager,
} from "../suites/index.ts";

/** A quick look takes one of so many parts, the same ones each time. */
const parts = 20;

/** Nothing on this machine takes long, so that waits can be short; and what is busy with five protocols at once may take its time to answer. */
const timeScale = 0.3;
const timeoutMs = 60_000;

function hurried(stager: Stager): Stager {
  return {
    ...stager,
    async stage(protocol, side) {
      const { setting, close } = await stager.stage(protocol, side);
      return { setting: { timeScale, ...setting }, close };
    },
  };
}

/** Vectors and scenarios of every protocol against its reference implementations, over HTTP on the loopback interface. */
async function start(isQuick: boolean): Promise<number> {
  const protocols = protocolsNamed("all");
  const rules = protocols.flatMap((protocol) => protocol.rules);
  const target = { kind: "reference" } as const;
  console.error(
    `running ${isQuick ? `1 of ${parts} parts of the vectors and scenarios` : "all vectors and scenarios"} of ${protocols.length} protocols`,
  );
  const scenarios = hurried(referenceStager(undefined));
  const command = commandLine({ protocol: "all", target, scenarios: true });
  const shard = isQuick ? { shard: { index: 1, count: parts } } : {};
  // Much of it is waiting, so that they wait together.
  const [first, ...others] = await Promise.all(
    protocols.map(async (protocol) => {
      const report = await runSuite({ protocols: [protocol], target, scenarios, command, timeoutMs, ...shard });
      console.error(`  ${protocol.name}: ${report.counts.conforms} conform, ${report.counts.violates} violate`);
      return report;
    }),
  );
  if (first === undefined) throw new TouchstoneError("internal", "there is no protocol");
  const report = combine([first, ...others]);

  const background = backgroundOf(protocols, report);
  mkdirSync(join(home, "report"), { recursive: true });
  for (const { name, extension, render } of formats) {
    if (name === "terminal") {
      const colour = process.stdout.isTTY && process.stdout.hasColors();
      process.stdout.write(render(report, { rules, colour, written: ["report/index.html"] }));
    } else {
      const file = name === "html" ? "index.html" : `report.${extension}`;
      writeFileSync(join(home, "report", file), render(report, { rules, background }));
    }
  }
  console.log("The whole report is in report/index.html, and as data in report/report.json.");
  if (isQuick) console.log("This was a quick look. All vectors and scenarios: npm start");
  console.error(`took ${(performance.now() / 1000).toFixed(1)} s`);
  return report.exitCode;
}

process.exitCode = await start(process.argv.includes("--quick")).catch((error: unknown) => {
  console.error(error instanceof TouchstoneError ? error.message : error);
  return error instanceof TouchstoneError ? error.exitCode : 4;
});
