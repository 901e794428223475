import { createHash } from "node:crypto";
import { pointer } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import { encodeIdPart } from "../drafts/word.ts";
import type { Keyword } from "../model/model.ts";

/**
 * Gives ids that are names: location, fault, detail. A clash is resolved by the branch, then by content, never by a number. The exception is several vectors
 * for the same mutants, which are numbered.
 */
export class Names {
  readonly #taken = new Set<string>();
  readonly #prefix: string;

  /** `prefix` is `PROTOCOL/VERSION/DOCUMENT`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  id(kind: string, draft: Draft): string {
    const name = `${this.#prefix}/${kind}/${draft.name.map(idPart).join("/")}`;
    const branch = branchOf(draft);
    const candidates = [name, ...(branch === "" ? [] : [`${name}@${branch}`])];
    const free = candidates.find((id) => !this.#taken.has(id)) ?? this.#distinguish(candidates.at(-1) as string, draft);
    this.#taken.add(free);
    return free;
  }

  #distinguish(name: string, draft: Draft): string {
    if (!draft.tags.includes("forcing")) return `${name}~${hash(draft)}`;
    let count = 2;
    while (this.#taken.has(`${name}/${count}`)) count += 1;
    return `${name}/${count}`;
  }
}

function idPart(part: string): string {
  const text =
    part === "" ? "$" : part.startsWith("/") ? pointer.segments(part).map(encodeIdPart).join(".") : encodeIdPart(part);
  return text.length <= 120
    ? text
    : `${text.slice(0, 100)}~${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

const branchingKeywords: ReadonlySet<Keyword["kind"]> = new Set([
  "oneOf",
  "anyOf",
  "allOf",
  "if",
  "dependentSchemas",
] as const);

function branchOf(draft: Draft): string {
  return (draft.place?.steps ?? [])
    .filter(({ kind }) => branchingKeywords.has(kind))
    .map(({ kind, key }) => (kind === "if" ? key : `${kind}-${key}`))
    .join(".");
}

function hash(draft: Draft): string {
  return createHash("sha256")
    .update(JSON.stringify([draft.data, draft.site]))
    .digest("hex")
    .slice(0, 8);
}
