import { createHash } from "node:crypto";

const maxLength = 40;

/** Device names on Windows, and names of other files in the folder. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|index\.html|files\.txt)(?:\.|$)/;

/** Makes a path segment from a name. A name that is valid on every host stays unchanged; any other is reduced to its usable part and a digest. Different names have different slugs, even if letter case is ignored. */
export function slugOf(name: string): string {
  const isPlain =
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(name) && name.length <= maxLength && !reservedNames.test(name);
  if (isPlain) return name;
  const readablePart = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-|-$/g, "");
  return `${readablePart || "x"}~${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
