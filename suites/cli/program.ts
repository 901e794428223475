import { TouchstoneError } from "../../schemas/light-entry.ts";
import { endWithParent } from "../base/process/watchdog.ts";
import { escapeInvisible } from "../base/text/escape.ts";
import { cli } from "./cli.ts";
import { currentEnding } from "./process/ending.ts";
import { printError } from "./process/failure.ts";
import { checkWrites } from "./process/standard-output.ts";

/** The exit code of the process, once there is a verdict. */
let verdict: number | undefined;
/** Node's exit code for a program that awaits a promise although nothing is pending. */
const nothingPendingCode = 13;
process.once("exit", () => {
  const likelyCause =
    process.exitCode === nothingPendingCode ? "nothing was left to wait for" : "something called process.exit";
  const { code, during, cause = likelyCause } = currentEnding();
  const activity = during === undefined ? "" : ` while ${escapeInvisible(during)}`;
  if (verdict === undefined) process.stderr.write(`touchstone: ended without a verdict${activity}, since ${cause}\n`);
  process.exitCode = verdict ?? code;
});
process.on("uncaughtException", (error) => {
  verdict = printError(error);
  process.exit();
});
/** A failed write to standard output, which leaves a partial report. A closed pipe does not count: its reader has read enough. */
let writeError: Error | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") writeError ??= error;
});
// If messages on stderr cannot be written, the results and the exit code remain.
process.stderr.on("error", () => {});
checkWrites(process.stdout);
endWithParent();
const code = await cli(process.argv.slice(2)).catch(printError);
process.stdout.write("", () =>
  // If standard output is a file, the error of a failed write is emitted a little later.
  setImmediate(() => {
    const failureCode = writeError === undefined ? 0 : printError(unwritableOutput(writeError));
    verdict = code === 0 ? failureCode : code;
    process.exit();
  }),
);

function unwritableOutput(cause: Error): TouchstoneError {
  return new TouchstoneError("usage", `the output could not be written completely: ${cause.message}`, {
    where: "standard output",
    cause,
  });
}
