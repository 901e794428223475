import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, isObject, type Manifest, pointer } from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { complainAt, type ReadFile, type SetComplaint } from "./complaint.ts";

/** The faults in the former ids of a set, which are optional. The file must be the one in the manifest, if the manifest lists one. Each entry must lead from an unused id to the id of a vector. */
export async function aliasComplaints(
  folder: string,
  ids: ReadonlySet<string>,
  { aliases: listed }: Manifest,
  manifest: ReadFile,
): Promise<SetComplaint[]> {
  const path = join(folder, "aliases.json");
  if (!existsSync(path))
    return listed === undefined
      ? []
      : [complainAt(manifest, "/aliases", "there is no file aliases.json", "restore it, or remove it from the list")];
  const file = { file: path, text: await readTextFile(path) };
  const digest = digestOf(readFileSync(path));
  const isOther = listed !== undefined && listed.digest !== digest;
  const sum = isOther
    ? [
        complainAt(
          manifest,
          "/aliases/digest",
          `the digest of aliases.json is ${digest}`,
          "the file was changed: restore it, or write its digest",
        ),
      ]
    : [];
  return [...sum, ...idComplaints(file, ids)];
}

function idComplaints(file: ReadFile, ids: ReadonlySet<string>): SetComplaint[] {
  const aliases = file.text.value;
  if (!isObject(aliases))
    return [complainAt(file, "", "it is not an object", "it maps each former id to the present one")];
  const all = Object.entries(aliases);
  const reused = all.filter(([former]) => ids.has(former)).map(([former]) => ({ former, why: "a vector has this id" }));
  const dangling = all.filter(([, present]) => typeof present !== "string" || !ids.has(present));
  // One complaint for all of these, since a missing vector file would cause hundreds.
  const moreText = dangling.length > 1 ? `; and of ${dangling.length - 1} more` : "";
  const nowhere = dangling.slice(0, 1).map(([former, present]) => {
    return { former, why: `its present id ${JSON.stringify(present)} belongs to no vector${moreText}` };
  });
  return [...reused, ...nowhere].map(({ former, why }) =>
    complainAt(file, pointer.append("", former), `${former}: ${why}`),
  );
}
