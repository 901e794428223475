import { createHash } from "node:crypto";

const maxCharacters = 40;

/** Names that a system reads as a device, or that another file of the folder has. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|index\.html|files\.txt)(?:\.|$)/;

/** A name as a part of a path: unchanged if every host accepts it, otherwise its usable part and a digest. Different names have different slugs, even on a host that ignores letter case. */
export function slugOf(name: string): string {
  const isPlain =
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(name) && name.length <= maxCharacters && !reservedNames.test(name);
  if (isPlain) return name;
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxCharacters)
    .replace(/^-|-$/g, "");
  return `${letters || "x"}~${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
