#!/usr/bin/env node
import { visible } from "../text/escape.ts";
import { cli, codeOf } from "./cli.ts";
import { ending } from "./ending.ts";

let verdict: number | undefined;
/** Node's own code for a program that waits for something while nothing is going on. */
const idle = 13;
process.once("exit", () => {
  const cause = process.exitCode === idle ? "nothing was left to wait for" : "something called process.exit";
  const { code, during, since = cause } = ending();
  const where = during === undefined ? "" : ` while ${visible(during)}`;
  if (verdict === undefined) process.stderr.write(`touchstone: ended without a verdict${where}, since ${since}\n`);
  process.exitCode = verdict ?? code;
});
process.on("uncaughtException", (error) => {
  verdict = codeOf(error);
  process.exit();
});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
verdict = await cli(process.argv.slice(2));
process.stdout.write("", () => process.exit());
