import { createHash } from "node:crypto";
import { pointer } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import { encodeIdPart } from "../drafts/word.ts";
import type { Keyword } from "../model/model.ts";

/**
 * Makes the ids of vectors from location, fault and detail. If an id is taken, the branch is added, then a hash of the content, never a number. Only vectors
 * that kill the same mutant are numbered.
 */
export class VectorIds {
  readonly #takenIds = new Set<string>();
  readonly #prefix: string;

  /** `prefix` is `PROTOCOL/VERSION/DOCUMENT`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  createId(kind: string, draft: Draft): string {
    const name = `${this.#prefix}/${kind}/${draft.name.map(idPart).join("/")}`;
    const branch = branchOf(draft);
    const candidates = [name, ...(branch === "" ? [] : [`${name}@${branch}`])];
    const freeId =
      candidates.find((id) => !this.#takenIds.has(id)) ?? this.#distinguish(candidates.at(-1) as string, draft);
    this.#takenIds.add(freeId);
    return freeId;
  }

  #distinguish(name: string, draft: Draft): string {
    if (!draft.tags.includes("forcing")) return `${name}~${shortHash(JSON.stringify([draft.data, draft.site]))}`;
    let count = 2;
    while (this.#takenIds.has(`${name}/${count}`)) count += 1;
    return `${name}/${count}`;
  }
}

function idPart(part: string): string {
  const text = spellPart(part);
  return text.length <= maxPartLength ? text : `${text.slice(0, cutLength)}~${shortHash(text)}`;
}

function spellPart(part: string): string {
  if (part === "") return "$";
  return part.startsWith("/") ? pointer.segments(part).map(encodeIdPart).join(".") : encodeIdPart(part);
}

/** The maximum length of a part of an id, and the length of the beginning that is kept of a longer one. */
const maxPartLength = 120;
const cutLength = 100;

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

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
