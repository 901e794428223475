import { forkHelpers } from "./start/worker-processes.ts";

/** `--quick` runs one of this many parts, always the same one. */
const quickParts = 20;

const helpers = forkHelpers();
void import("./start/all.ts").then(async ({ start }) => {
  process.exitCode = await start(process.argv.includes("--quick") ? quickParts : 1, helpers);
});
