import { dirname, join } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import { writeWhole } from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { type Difference, provenDifferences, type VersionComparison } from "./result.ts";
import { describeDifference } from "./words.ts";

/** Writes the messages on which the versions disagree, with a file for each document and direction, and each test with the verdict of the new version. Leaves out messages on which validators disagree. Returns the files. Throws a usage error for a folder that cannot be written. */
export function writeVectors(folder: string, { documents, old, new: next }: VersionComparison): string[] {
  const writtenPaths: string[] = [];
  for (const document of documents) {
    // A whole request is not a message of a schema.
    if (document.name.endsWith(".request")) continue;
    for (const change of ["refused", "accepted"] as const) {
      const directionDifferences = provenDifferences(document).filter((difference) => difference.change === change);
      if (directionDifferences.length === 0) continue;
      const refusingVersion = change === "refused" ? "new" : "old";
      const place = directionDifferences.find((difference) => difference[refusingVersion])?.[refusingVersion];
      const directionText =
        change === "refused" ? `${old} accepts and ${next} refuses` : `${old} refuses and ${next} accepts`;
      const file = join(folder, fileName(document.name), `${change}.json`);
      const content = {
        description: `${document.name}: what ${directionText}`,
        schema: place?.location.replace(/#.*$/s, "") ?? document.name,
        tests: directionDifferences.map(testOf),
      };
      write(file, `${JSON.stringify(content, null, 2)}\n`);
      writtenPaths.push(file);
    }
  }
  return writtenPaths;
}

function testOf(difference: Difference): object {
  const { message, change, at, asserts } = difference;
  return { description: describeDifference(difference), valid: change === "accepted", data: message, at, asserts };
}

/** Names of documents may contain slashes, but never lead out of the folder. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9._/-]+/g, "-").replace(/(^|\/)\.+/g, "$1") || "document";
}

function write(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writeWhole(file, text);
  } catch (cause) {
    throw new TouchstoneError("usage", `the folder cannot be written: ${(cause as Error).message}`, {
      where: file,
      hint: "name another folder with --out",
      cause,
    });
  }
}
