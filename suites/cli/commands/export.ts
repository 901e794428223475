import { dirname, join, resolve } from "node:path";
import { example, nearestName, shownPath, TouchstoneError } from "../../../schemas/index.ts";
import { makeFolder } from "../../base/process/folder.ts";
import type { CliCommand } from "../command.ts";
import { resolveProtocols } from "../sources/description.ts";

const help = `
Formats:
  vectors                  the files of the set itself, plain JSON, with a manifest, and beside them schemas, rules, pages and licences
  json-schema-test-suite   files as the JSON Schema Test Suite has them, each with its schema, for validators and their harnesses
  jsonschema-test          files and schemas for \`jsonschema test --resolve DIR/schemas DIR/tests\`

Only \`vectors\` contains the vectors that no schema decides: texts, semantic rules, and those that readings differ about. Vectors that
need more of a validator than keywords are in separate folders: optional/format needs a checker of formats
(\`jsonschema test --format-assertion\`), optional/bignum needs integers of more than 64 bits.

Examples:
  touchstone export all --out vectors                                       for a reader in any language
  touchstone export ${example.protocol} --as json-schema-test-suite --out suite
  touchstone export ./order --as jsonschema-test --out tests                of a pack of your own`;

const pathHint = "a file of a vector set lies in its folder: correct its manifest";

interface ExportCommandOptions {
  as: string;
  out: string;
  vectors?: string;
}

export const exportCommand: CliCommand = {
  define(command) {
    command
      .argument("<protocol>", "a protocol, name@version, all, or the folder of a pack")
      .requiredOption("--out <dir>", "output folder; an older export there is replaced")
      .option("--as <format>", "vectors, json-schema-test-suite or jsonschema-test", "vectors")
      .option("--vectors <dir>", "a vector set other than the built-in one, or the pack's")
      .addHelpText("after", help);
  },
  async run([name = ""], flags) {
    const { as, out, vectors } = flags as unknown as ExportCommandOptions;
    const { exportFormats, findOutdated, removeFiles, checksumsOf } = await import("../../authoring/export/index.ts");
    const format = exportFormats.find((exportFormat) => exportFormat.name === as);
    if (format === undefined) {
      const names = exportFormats.map((exportFormat) => exportFormat.name);
      throw new TouchstoneError("usage", `unknown export format "${as}"`, {
        hint: `${nearestName(as, names)}there are ${names.join(", ")}`,
      });
    }
    const { loadVectors, vectorsFolder } = await import("../../packs/corpus/index.ts");
    const { writeWhole } = await import("../../base/process/file-writer.ts");
    const { countNoun } = await import("../../reports/wording/phrases.ts");
    const sources = (await resolveProtocols(name)).map((protocol) => {
      const folder = vectors ?? vectorsFolder(protocol);
      return { protocol, folder, set: loadVectors(protocol, folder) };
    });
    const isInPlace = sources.some(({ folder }) => resolve(folder) === resolve(out));
    const supplements = isInPlace ? undefined : format.accompanyingFiles?.(sources);
    const allFiles = [
      ...sources.flatMap((source) => format.files(source)),
      ...(format.sharedFiles?.(sources) ?? []),
      ...(supplements ?? []),
    ];
    const outdated =
      isInPlace || format.sharedFiles === undefined
        ? { unchanged: [], changed: [], overwritten: [], kept: [] }
        : findOutdated(out, supplements === undefined ? allFiles : [...allFiles, checksumsOf(allFiles)]);
    const writtenFiles = allFiles.filter(({ path }) => !outdated.kept.includes(path));
    const sums =
      supplements === undefined ? [] : [checksumsOf(writtenFiles)].filter(({ path }) => !outdated.kept.includes(path));
    const files = [...writtenFiles, ...sums];
    for (const { path, text } of files) {
      if (path.split(/[\\/]/).includes(".."))
        throw new TouchstoneError("usage", `the set has a file "${path}"`, { hint: pathHint });
      const file = join(out, path);
      makeFolder(dirname(file));
      writeWhole(file, text);
    }
    removeFiles(out, outdated.unchanged);
    const count = files.reduce((sum, file) => sum + file.vectors, 0);
    const vectorFileCount = files.filter((file) => file.vectors > 0).length;
    const { length: removedCount } = outdated.unchanged;
    const removalNote = removedCount === 0 ? "" : `; ${countNoun(removedCount, "file")} of an older export removed`;
    const changedNotes = outdated.changed.map(
      (path) => `kept, since it was changed: ${shownPath(join(out, path))}, which the export no longer has\n`,
    );
    const keptNotes = outdated.kept.map(
      (path) => `kept, since it was changed after an export wrote it: ${shownPath(join(out, path))}\n`,
    );
    const overwrittenNotes = outdated.overwritten.map(
      (path) => `overwritten, although it was changed or is not from an export: ${shownPath(join(out, path))}\n`,
    );
    process.stdout.write(
      `${countNoun(count, "vector")} in ${countNoun(vectorFileCount, "file")} in ${shownPath(out)}${removalNote}\n${[...changedNotes, ...keptNotes, ...overwrittenNotes].join("")}`,
    );
    return 0;
  },
};
