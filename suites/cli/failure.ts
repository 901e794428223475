import { CommanderError } from "commander";
import { exitCodes, TouchstoneError } from "../../schemas/first.ts";
import { discreet } from "../secrets/confided.ts";
import { visible } from "../text/escape.ts";
import { asCalled } from "../text/program.ts";

/** Neither does it do anything to a terminal, nor does it tell a secret that was read. */
function plain(text: string): string {
  return visible(discreet(text));
}

/** The message of an error. It may quote what is in a file, which shall do nothing to a terminal; only a hint has lines of its own. */
function told({ what, where, hint }: TouchstoneError): string {
  const first = `${where === undefined ? "" : `${plain(where)}: `}${plain(what)}`;
  const lines =
    hint === undefined
      ? []
      : asCalled(hint)
          .split("\n")
          .map((line) => `  ${plain(line.trim())}`);
  return [first, ...lines].join("\n");
}

/** Tells an error on stderr and gives its exit code. */
export function codeOf(error: unknown): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  const known = error instanceof TouchstoneError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`touchstone: ${known ? told(error) : `internal error: ${plain(message)}`}\n`);
  if (process.env.TOUCHSTONE_DEBUG === "1" && error instanceof Error)
    process.stderr.write(`${(error.stack ?? "").split("\n").map(plain).join("\n")}\n`);
  else if (!known) process.stderr.write("  TOUCHSTONE_DEBUG=1 shows where\n");
  return known ? error.exitCode : exitCodes.internal;
}
