import { TouchstoneError } from "../../../schemas/index.ts";
import { toRuleFiles } from "../../authoring/generate/rule-files.ts";
import { visible } from "../../base/text/escape.ts";

/** Turns the older form of a pack's rules into files, and names these. Throws a usage error without a pack. */
export async function writeRuleFiles(pack: string | undefined): Promise<void> {
  if (pack === undefined)
    throw new TouchstoneError("usage", "--rule-files turns the rules of a pack", {
      hint: "name its folder: touchstone generate ./order --rule-files",
    });
  const files = await toRuleFiles(pack);
  process.stderr.write(files.map((file) => `${visible(`${pack}/${file}`)}: written\n`).join(""));
}
