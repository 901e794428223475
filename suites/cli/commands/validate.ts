import { example, TouchstoneError } from "../../../schemas/index.ts";
import { escapeInvisibleJson } from "../../base/text/escape.ts";
import type { FileOptions, ValidatedFile } from "../../packs/validate/file.ts";
import type { CliCommand } from "../command.ts";
import { level } from "../options/parsers.ts";

interface ValidateOptions extends FileOptions {
  json?: true;
  failOn?: "must" | "should" | "may";
}

const help = `
Examples:
  touchstone validate message.json                                        protocol and document are recognized
  touchstone validate message.json --protocol ${example.protocol} --fail-on should
  touchstone validate --trace session.jsonl                               a recorded session, one message a line
  cat message.json | touchstone validate -`;

export const validate: CliCommand = {
  define(command) {
    command
      .argument("<file...>", "JSON, YAML, or JSON lines with --trace; - reads standard input")
      .option(
        "--protocol <name>",
        "the protocol of the message, or the folder of its pack (default: recognized by its members)",
      )
      .option("--document <name>", "the kind of document (default: recognized by its members)")
      .option("--trace", "each line is a message of one session, in order")
      .option("--partial", "with --trace: the session may begin before the recording and continue after it")
      .option(
        "--fail-on <level>",
        "lowest requirement level that makes the run fail: must, should or may (default: must)",
        level,
      )
      .option("--json", "as a JSON array")
      .addHelpText("after", help);
  },
  async run(files, flags) {
    const options = flags as ValidateOptions;
    if (options.partial === true && options.trace !== true)
      throw new TouchstoneError("usage", "--partial needs --trace", { hint: "add --trace, or leave it out" });
    const { fileValidator } = await import("../../packs/validate/file.ts");
    const validateFile = fileValidator(options);
    const validatedFiles: ValidatedFile[] = [];
    const unjudgedErrors: TouchstoneError[] = [];
    for (const file of files) {
      try {
        validatedFiles.push(await validateFile(file));
      } catch (error) {
        // With several files, one that cannot be judged does not stop the others.
        if (files.length === 1 || !(error instanceof TouchstoneError)) throw error;
        unjudgedErrors.push(error);
      }
    }
    const { countsAsFailure, renderFiles: render } = await import("../../packs/validate/render.ts");
    process.stdout.write(
      options.json === true
        ? `${escapeInvisibleJson(JSON.stringify(validatedFiles, null, 2))}\n`
        : render(validatedFiles, options.failOn),
    );
    const { escapeInvisible } = await import("../../base/text/escape.ts");
    const { renameProgram } = await import("../../base/text/program.ts");
    for (const { message } of unjudgedErrors)
      process.stderr.write(`not judged: ${renameProgram(message).split("\n").map(escapeInvisible).join("\n")}\n`);
    const hasFailure = validatedFiles.some(({ findings }) =>
      findings.some((finding) => countsAsFailure(finding, options.failOn)),
    );
    const unjudgedCode = unjudgedErrors.length > 0 ? 2 : 0;
    return hasFailure ? 1 : unjudgedCode;
  },
};
