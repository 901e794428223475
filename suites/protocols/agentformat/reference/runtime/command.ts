import { createInterface } from "node:readline";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { variantNameOf } from "../../../../packs/reference/mistakes.ts";
import { correctDecisions } from "./decisions.ts";
import { startSession } from "./session.ts";
import { decisionsOf } from "./variant.ts";
import { runtimeVariants } from "./variants/index.ts";

// Runs the runtime as a command: one JSON object per line on stdin and stdout, until stdin ends. The argument is the name of a variant.
const variant = runtimeVariants.find((runtimeVariant) => variantNameOf(runtimeVariant) === process.argv[2]);
if (variant === undefined && process.argv[2] !== undefined) throw new Error(`unknown variant ${process.argv[2]}`);
const session = startSession(
  { ...correctDecisions, ...(variant === undefined ? {} : decisionsOf(variant)) },
  (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  () => Date.now(),
);
createInterface({ input: process.stdin }).on("line", (line) => session.tell(JSON.parse(line) as JsonObject));
