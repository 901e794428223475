#!/usr/bin/env node
import { exitCodes } from "../../schemas/index.ts";
import { cli, codeOf } from "./cli.ts";

let code: number = exitCodes.internal;
// Whatever a target's module does to this process, a run that did not end is never a success.
process.once("exit", () => {
  process.exitCode = code;
});
process.on("uncaughtException", (error) => {
  code = codeOf(error);
  process.exit();
});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
code = await cli(process.argv.slice(2));
process.stdout.write("", () => process.exit());
