import { createHash } from "node:crypto";
import { pointer } from "../../schemas/index.ts";
import type { Draft } from "./draft.ts";

/** Gives ids that are names: location, fault, detail. A clash is told apart by the branch taken, then by content, never by a number. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #prefix: string;

  /** `prefix` is `PROTOCOL/VERSION/DOCUMENT`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  id(kind: string, draft: Draft): string {
    const name = `${this.#prefix}/${kind}/${draft.name.map(segment).join("/")}`;
    const branch = branchOf(draft);
    const candidates = [name, ...(branch === "" ? [] : [`${name}@${branch}`])];
    const free = candidates.find((id) => !this.#taken.has(id)) ?? `${candidates.at(-1)}~${hash(draft)}`;
    this.#taken.add(free);
    return free;
  }
}

function segment(part: string): string {
  const text = part === "" ? "$" : part.startsWith("/") ? pointer.segments(part).map(word).join(".") : word(part);
  return text.length <= 120
    ? text
    : `${text.slice(0, 100)}~${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

/** Characters that are no wildcard, no separator and no blank stay; the rest is percent-encoded. */
export function word(text: string): string {
  if (text === "") return "%00";
  return [...text].map((character) => (/[A-Za-z0-9_.@$:+-]/.test(character) ? character : encode(character))).join("");
}

function encode(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function branchOf(draft: Draft): string {
  return (draft.place?.steps ?? [])
    .filter(({ site }) => /\/(oneOf|anyOf|allOf|if|dependentSchemas)$/.test(site))
    .map(({ site, key }) => (site.endsWith("/if") ? key : `${site.slice(site.lastIndexOf("/") + 1)}-${key}`))
    .join(".");
}

function hash(draft: Draft): string {
  return createHash("sha256")
    .update(JSON.stringify([draft.data, draft.site]))
    .digest("hex")
    .slice(0, 8);
}
