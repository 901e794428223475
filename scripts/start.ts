import { forkHelpers } from "./start/worker-processes.ts";

/** A quick look runs one of so many parts, the same one each time. */
const quickParts = 20;

const helpers = forkHelpers();
void import("./start/all.ts").then(async ({ start }) => {
  process.exitCode = await start(process.argv.includes("--quick") ? quickParts : 1, helpers);
});
