import type { Json, Protocol, VectorFile } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** An instance that a schema decides by itself. */
export interface Decided {
  id: string;
  description: string;
  data: Json;
  valid: boolean;
}

/** Capabilities that a validator needs in addition to the keywords: a checker of formats, or integers of more than 64 bits. */
export type ExtraMembers = "none" | "format" | "bignum";

/** The instances of one schema, by the capabilities that deciding them needs. */
export interface DecidedDocument {
  document: string;
  title: string;
  /** The `$id` of the schema. */
  schema: string;
  decided: Record<ExtraMembers, Decided[]>;
}

/** The questions that a JSON Schema validator can decide, by document: no texts, no disputed vectors, nothing that semantic rules decide, and no numbers that are not doubles, which are texts here. */
export function decidedBy({ profile }: Protocol, { files }: VectorSet): DecidedDocument[] {
  return profile.documents.flatMap(({ name, title, schema }) => {
    const all = files.filter((file) => file.document === name && file.schema === schema).flatMap(bySchema);
    if (all.length === 0) return [];
    const decided: DecidedDocument["decided"] = { none: [], format: [], bignum: [] };
    for (const { extra, ...each } of all) decided[extra].push(each);
    return [{ document: name, title, schema, decided }];
  });
}

const supportedNeeds = new Set(["format-assertion", "big-numbers"]);

function bySchema({ tests }: VectorFile): (Decided & { extra: ExtraMembers })[] {
  return tests.flatMap(({ id, description, data, valid, needs }) => {
    const [, , , kind] = id.split("/");
    const isDecided = (kind === "valid" || kind === "invalid") && valid !== undefined;
    if (!isDecided || data === undefined || !needs.every((need) => supportedNeeds.has(need))) return [];
    const extra = isWide(data) || needs.includes("big-numbers") ? "bignum" : needs.length > 0 ? "format" : "none";
    return [{ id, description, data, valid, extra }];
  });
}

/** Whether it contains a number beyond 64 bits: a reader that stores it as an integer may crash. */
function isWide(data: Json): boolean {
  if (typeof data === "number") return Math.abs(data) >= 2 ** 63;
  return typeof data === "object" && data !== null && Object.values(data).some(isWide);
}
