import { inProcess, runSuite } from "touchstone";
import validate from "./validator.mjs";

const report = await runSuite({
  protocols: "ahcp",
  target: () => inProcess(validate),
  only: ["AHCP-ENV-007"],
});

for (const { id, outcome, why } of report.runs.flatMap((run) => run.results))
  if (outcome !== "conforms" && outcome !== "skipped") console.log(`${outcome} ${id}: ${why}`);
console.log(`${report.counts.conforms} conform, ${report.counts.violates} violate`);
process.exitCode = report.exitCode;
