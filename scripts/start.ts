import "./start/optimise-late.ts";
import { forked } from "./start/beside.ts";

/** A quick look takes one of so many parts, the same one each time. */
const quickParts = 20;

const others = forked();
const { start } = await import("./start/all.ts");
process.exitCode = await start(process.argv.includes("--quick") ? quickParts : 1, others);
