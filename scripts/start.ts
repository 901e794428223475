import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, protocolsNamed } from "../schemas/index.ts";
import { commandLine, formats, runSuite } from "../suites/index.ts";

/** A first look: every protocol's vectors against its reference implementation, over HTTP on the loopback interface. */
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

const folder = join(home, "report");
mkdirSync(folder, { recursive: true });
for (const { name, extension, render } of formats) {
  if (name === "terminal")
    process.stdout.write(render(report, { rules, colour: process.stdout.isTTY && process.stdout.hasColors() }));
  else writeFileSync(join(folder, name === "html" ? "index.html" : `report.${extension}`), render(report, { rules }));
}
console.log("The whole report: report/index.html, and as data: report/report.json");
process.exitCode = report.exitCode;
