import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { exitCodes, ownVectors, profileFile, protocolNamed } from "../../../schemas/index.ts";
import { escapeInvisibleJson } from "../../base/text/escape.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../options/parsers.ts";
import { runGuarded } from "../process/guarded-run.ts";

interface CheckOptions {
  json?: true;
  deadline?: number;
  unguarded?: true;
}

const help = `
Checks the format of every file, digests and counts of the manifest, ids, rules, the verdict of every vector by two
independent validators, and whether each change leads from its parent to its data.

Examples:
  touchstone check                     the built-in set
  touchstone check ./order             the vectors of a pack, as touchstone generate has made them
  touchstone check my-vectors          a set of your own

A set is a folder with a MANIFEST.json. Schemas are those of the protocol or of the pack; for a set without either, put them into schemas.json beside
the manifest, as a list, each with its $id.`;

export const check: CliCommand = {
  define(command) {
    command
      .argument("[dir]", "folder of a MANIFEST.json, or of a pack (default: the built-in set)")
      .option("--json", "as JSON: complaints, numbers, and the vectors that break another rule as well")
      .option("--deadline <seconds>", "time limit in seconds (default: 600)", wholeNumber(1, 86_400))
      .option("--unguarded", "run in this process, without time or memory limits")
      .addHelpText("after", help);
  },
  async run([folder], flags) {
    const { json, deadline = 600, unguarded } = flags as CheckOptions;
    if (unguarded !== true) return runGuarded({ seconds: deadline });
    const { checkSet } = await import("../../authoring/check/index.ts");
    const { vectorsFolder } = await import("../../packs/corpus/index.ts");
    const packFolder = folder !== undefined && isPack(folder) ? folder : undefined;
    const setFolder = packFolder === undefined ? (folder ?? ownVectors) : vectorsFolder(protocolNamed(packFolder));
    const { countNoun } = await import("../../reports/wording/phrases.ts");
    const { escapeInvisible } = await import("../../base/text/escape.ts");
    const { progressOn } = await import("../output/progress.ts");
    const progress = progressOn(process.stderr);
    try {
      const {
        complaints,
        files,
        vectors,
        alsoBreaks,
        unjudged: unjudgedCount,
      } = await checkSet(
        setFolder,
        (stage, done, total) => progress.show(stage, done, total),
        packFolder === undefined ? undefined : "given",
      );
      progress.clear();
      if (json === true)
        process.stdout.write(
          `${escapeInvisibleJson(JSON.stringify({ complaints, files, vectors, alsoBreaks, unjudged: unjudgedCount }, null, 2))}\n`,
        );
      else {
        const lines = complaints.map(
          ({ where, what, hint }) => `${where}: ${what}${hint === undefined ? "" : ` (${hint})`}`,
        );
        const totals = `${countNoun(vectors, "vector")} in ${countNoun(files, "file")}`;
        const summary =
          complaints.length === 0
            ? `Sound: ${totals}.`
            : `${countNoun(complaints.length, "complaint")} about ${totals}.`;
        const notes =
          alsoBreaks.length === 0
            ? []
            : [
                `${alsoBreaks.length} of the invalid ones break another rule as well (alsoBreaks): --json lists them, touchstone explain ID names it.`,
              ];
        if (unjudgedCount > 0)
          notes.push(
            `${countNoun(unjudgedCount, "vector")} not judged: the checks of these semantic rules are not in the folder. Give the folder of the pack to check them.`,
          );
        process.stdout.write(
          `${[...lines.slice(0, maxShown), ...describeHidden(lines), summary, ...notes].map((line) => escapeInvisible(line)).join("\n")}\n`,
        );
      }
      return complaints.length === 0 ? 0 : exitCodes.violations;
    } finally {
      progress.stop();
    }
  },
};

/** Whether the path is a pack: a folder with a profile, or the profile itself. */
function isPack(folder: string): boolean {
  return basename(folder) === profileFile || existsSync(join(folder, profileFile));
}

const maxShown = 100;

function describeHidden(lines: readonly string[]): string[] {
  return lines.length > maxShown ? [`… and ${lines.length - maxShown} more; --json has all of them`] : [];
}
