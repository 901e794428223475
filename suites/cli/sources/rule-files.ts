import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readPack, shownPath, TouchstoneError, withNewRule } from "../../../schemas/index.ts";
import { convertToRuleFiles } from "../../authoring/generate/rule-files.ts";
import { escapeInvisible } from "../../base/text/escape.ts";

/** Writes the rules of a pack that has them in the older form as rule files, and prints the names of the files. Throws a usage error without a pack. */
export async function writeRuleFiles(pack: string | undefined): Promise<void> {
  if (pack === undefined)
    throw new TouchstoneError("usage", "--rule-files needs the folder of a pack", {
      hint: "name its folder: touchstone generate ./order --rule-files",
    });
  const files = await convertToRuleFiles(pack);
  process.stderr.write(files.map((file) => `${escapeInvisible(`${pack}/${file}`)}: written\n`).join(""));
}

/** Writes an incomplete rule into a pack's rule files, and prints its place. Throws a usage error without a pack, or for an id that cannot be a new one. */
export function writeNewRule(pack: string | undefined, id: string): void {
  if (pack === undefined)
    throw new TouchstoneError("usage", "--new-rule needs the folder of a pack", {
      hint: `name its folder: touchstone generate ./order --new-rule ${id}`,
    });
  const { file, text, line } = withNewRule(readPack(pack), id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(
    `${escapeInvisible(`${shownPath(file)}:${line}: written. Fill in what is …, and then: touchstone generate ${pack}`)}\n`,
  );
}
