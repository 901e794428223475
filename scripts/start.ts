import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, protocolsNamed, TouchstoneError } from "../schemas/index.ts";
import { commandLine, formats, runSuite } from "../suites/index.ts";

/** A first look: every protocol's vectors against its reference implementation, over HTTP on the loopback interface. */
async function start(): Promise<number> {
  const protocols = protocolsNamed("all");
  const rules = protocols.flatMap((protocol) => protocol.rules);
  const target = { kind: "reference" } as const;
  let current = "";
  const report = await runSuite({
    protocols,
    target,
    command: commandLine({ program: "npm run -s touchstone --", protocol: "all", target }),
    onProgress({ protocol }) {
      if (protocol !== current) console.error(`running ${protocol}`);
      current = protocol;
    },
  });

  mkdirSync(join(home, "report"), { recursive: true });
  for (const { name, extension, render } of formats) {
    if (name === "terminal") {
      const colour = process.stdout.isTTY && process.stdout.hasColors();
      process.stdout.write(render(report, { rules, colour }));
    } else {
      const file = name === "html" ? "index.html" : `report.${extension}`;
      writeFileSync(join(home, "report", file), render(report, { rules }));
    }
  }
  console.log("The whole report is in report/index.html, and as data in report/report.json.");
  return report.exitCode;
}

process.exitCode = await start().catch((error: unknown) => {
  console.error(error instanceof TouchstoneError ? error.message : error);
  return error instanceof TouchstoneError ? error.exitCode : 4;
});
