import { createInterface } from "node:readline";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { startSession } from "./session.ts";
import { decisionsOf } from "./variants.ts";

/** The runtime as a command: a JSON object a line on stdin and stdout, until stdin ends. The argument is the name of a variant. */
const session = startSession(
  decisionsOf(process.argv[2]),
  (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  () => Date.now(),
);
createInterface({ input: process.stdin }).on("line", (line) => session.tell(JSON.parse(line) as JsonObject));
