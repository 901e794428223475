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

/** Nothing on this machine takes long, so that waits can be short. */
function hurried(stager: Stager): Stager {
  return {
    ...stager,
    async stage(protocol, side) {
      const { setting, close } = await stager.stage(protocol, side);
      return { setting: { timeScale: 0.3, ...setting }, close };
    },
  };
}

/** A first look: every protocol's vectors and scenarios against its reference implementations, over HTTP on the loopback interface. */
async function start(): Promise<number> {
  const protocols = protocolsNamed("all");
  const rules = protocols.flatMap((protocol) => protocol.rules);
  const target = { kind: "reference" } as const;
  console.error(`running ${protocols.map(({ name }) => name).join(", ")}`);
  const scenarios = hurried(referenceStager(undefined));
  const command = commandLine({ program: "npm run -s touchstone --", protocol: "all", target, scenarios: true });
  // Much of it is waiting, so that they wait together.
  const [first, ...others] = await Promise.all(
    protocols.map((protocol) => runSuite({ protocols: [protocol], target, scenarios, command })),
  );
  if (first === undefined) throw new TouchstoneError("internal", "there is no protocol");
  const report = combine([first, ...others]);

  const background = backgroundOf(protocols, report);
  mkdirSync(join(home, "report"), { recursive: true });
  for (const { name, extension, render } of formats) {
    if (name === "terminal") {
      const colour = process.stdout.isTTY && process.stdout.hasColors();
      process.stdout.write(render(report, { rules, colour }));
    } else {
      const file = name === "html" ? "index.html" : `report.${extension}`;
      writeFileSync(join(home, "report", file), render(report, { rules, background }));
    }
  }
  console.log("The whole report is in report/index.html, and as data in report/report.json.");
  return report.exitCode;
}

process.exitCode = await start().catch((error: unknown) => {
  console.error(error instanceof TouchstoneError ? error.message : error);
  return error instanceof TouchstoneError ? error.exitCode : 4;
});
