import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, isObject, type Manifest, pointer } from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { complainAt, type ReadFile, type SetComplaint } from "./complaint.ts";

/** Checks `aliases.json`, the optional map from former ids to present ids. If the manifest lists the file, the digests must agree. A former id must be unused, and a present id must belong to a vector. */
export async function checkAliases(
  folder: string,
  ids: ReadonlySet<string>,
  { aliases: listedFile }: Manifest,
  manifest: ReadFile,
): Promise<SetComplaint[]> {
  const path = join(folder, "aliases.json");
  if (!existsSync(path))
    return listedFile === undefined
      ? []
      : [complainAt(manifest, "/aliases", "there is no file aliases.json", "restore it, or remove it from the list")];
  const file = { file: path, text: await readTextFile(path) };
  const digest = digestOf(readFileSync(path));
  const isChanged = listedFile !== undefined && listedFile.digest !== digest;
  const digestComplaints = isChanged
    ? [
        complainAt(
          manifest,
          "/aliases/digest",
          `the digest of aliases.json is ${digest}`,
          "the file was changed: restore it, or write its digest",
        ),
      ]
    : [];
  return [...digestComplaints, ...checkEntries(file, ids)];
}

function checkEntries(file: ReadFile, ids: ReadonlySet<string>): SetComplaint[] {
  const aliases = file.text.value;
  if (!isObject(aliases))
    return [complainAt(file, "", "it is not an object", "it maps each former id to the present one")];
  const entries = Object.entries(aliases);
  const reused = entries
    .filter(([former]) => ids.has(former))
    .map(([former]) => ({ former, why: "a vector has this id" }));
  const dangling = entries.filter(([, present]) => typeof present !== "string" || !ids.has(present));
  // One complaint for all dangling ids, since a missing vector file would cause hundreds.
  const moreText = dangling.length > 1 ? `; and of ${dangling.length - 1} more` : "";
  const firstDangling = dangling.slice(0, 1).map(([former, present]) => {
    return { former, why: `its present id ${JSON.stringify(present)} belongs to no vector${moreText}` };
  });
  return [...reused, ...firstDangling].map(({ former, why }) =>
    complainAt(file, pointer.append("", former), `${former}: ${why}`),
  );
}
