import { accessSync, constants } from "node:fs";
import { CommanderError } from "commander";
import { exitCodes, TouchstoneError } from "../../../schemas/light-entry.ts";
import { StoppedError } from "../../base/process/stop-error.ts";
import { hideSecrets } from "../../base/secrets/output-filter.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { renameProgram } from "../../base/text/program.ts";

/** Escapes control characters, and hides secrets. */
function makePrintable(text: string): string {
  return escapeInvisible(hideSecrets(text));
}

/** Formats an error for the terminal. Only the hint can have several lines. */
function formatError({ what, where, hint }: TouchstoneError): string {
  const firstLine = `${where === undefined ? "" : `${makePrintable(where)}: `}${makePrintable(what)}`;
  const lines =
    hint === undefined
      ? []
      : renameProgram(hint)
          .split("\n")
          .map((line) => `  ${makePrintable(line.trim())}`);
  return [firstLine, ...lines].join("\n");
}

/** System calls on files. If they fail, the machine is the cause, not this program. */
const fileCalls =
  /^(open|read|write|[lf]?stat|readlink|realpath|access|scandir|opendir|mkdir|mkdtemp|rename|unlink|rm|rmdir|copyfile|f?chmod|f?sync)$/;
const refusalCodes = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "ENAMETOOLONG",
  "ENOTDIR",
  "EISDIR",
  "EEXIST",
  "ELOOP",
  "ENXIO",
  "ENODEV",
  "ESPECIAL",
]);
/** Calls that only read, and error codes that do not occur when a file is written. */
const readOnlyCalls = /^([lf]?stat|readlink|realpath|access|scandir|opendir)$/;
const readOnlyCodes = new Set(["ESPECIAL", "ENXIO", "ELOOP", "ENAMETOOLONG"]);

/** Whether the system refuses access. Missing parents are created, so ENOENT from mkdir means that a folder cannot exist there, such as beneath `/proc`. */
function isRefused({ code = "", syscall }: NodeJS.ErrnoException): boolean {
  return refusalCodes.has(code) || (code === "ENOENT" && syscall === "mkdir");
}

/** Converts a system error to a usage error, if a resource is exhausted, or a file cannot be read or written. Returns any other error unchanged. */
function explainSystemError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = "", syscall = "", path, message } = error as NodeJS.ErrnoException;
  if (code === "EMFILE" || code === "ENFILE")
    return new TouchstoneError("usage", `the limit of open files is reached (${code})`, {
      hint: "raise the limit, ulimit -n, or lower --concurrency",
      cause: error,
    });
  if (syscall === "uv_cwd")
    // A hint cannot name the call of this program, which depends on the working directory.
    return new TouchstoneError("usage", "the working directory no longer exists: change to another one", {
      cause: error,
    });
  if (!fileCalls.test(syscall) || !isRefused(error)) return error;
  const mayRead = readOnlyCalls.test(syscall) || /^(open|read)$/.test(syscall);
  const canOnlyBeRead =
    readOnlyCalls.test(syscall) || (syscall === "read" && code === "EFBIG") || readOnlyCodes.has(code);
  const isRead = path !== undefined && mayRead && (canOnlyBeRead || !isReadable(path));
  const reason = message.replace(/, \w+( '.*)?$/s, "").replace(/^ESPECIAL: /, "");
  return new TouchstoneError("usage", `the file cannot be ${isRead ? "read" : "written"}: ${reason}`, {
    ...(path === undefined ? {} : { where: path }),
    hint: isRead
      ? "make it readable, or leave it out"
      : `${code === "ENOSPC" || code === "EDQUOT" ? "make room" : "make it writable"}, or choose another place`,
    cause: error,
  });
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Prints an error on stderr and returns its exit code. */
export function printError(thrown: unknown): number {
  const error = explainSystemError(thrown);
  // Commander has already printed the error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof StoppedError) {
    process.stderr.write(`touchstone: ${error.message}\n`);
    return error.exitCode;
  }
  const isExpected = error instanceof TouchstoneError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `touchstone: ${isExpected ? formatError(error) : `internal error: ${makePrintable(message)}`}\n`,
  );
  if (process.env.TOUCHSTONE_DEBUG === "1" && error instanceof Error)
    process.stderr.write(`${(error.stack ?? "").split("\n").map(makePrintable).join("\n")}\n`);
  else if (!isExpected) process.stderr.write("  TOUCHSTONE_DEBUG=1 shows where\n");
  return isExpected ? error.exitCode : exitCodes.internal;
}
