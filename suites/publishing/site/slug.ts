import { createHash } from "node:crypto";

const mostCharacters = 40;

/** Names that a system takes for a device, or that another file of the folder has. */
const taken = /^(?:con|prn|aux|nul|com\d|lpt\d|index\.html|files\.txt)(?:\.|$)/;

/**
 * A name as a part of a path: itself where every host takes it, otherwise what is left of it and a digest. Names that differ have slugs that
 * differ, also where a host does not tell letters by their case.
 */
export function slugOf(name: string): string {
  const isPlain =
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(name) && name.length <= mostCharacters && !taken.test(name);
  if (isPlain) return name;
  const left = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, mostCharacters)
    .replace(/^-|-$/g, "");
  return `${left || "x"}~${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}
