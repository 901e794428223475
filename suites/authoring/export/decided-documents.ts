import type { Json, Protocol, VectorFile } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** An instance that a schema decides by itself. */
export interface DecidedInstance {
  id: string;
  description: string;
  data: Json;
  valid: boolean;
}

/** A capability that a validator needs beyond the keywords: a format checker, or integers of more than 64 bits. */
export type ExtraCapability = "none" | "format" | "bignum";

/** The instances of one schema, by the extra capability that a validator needs for them. */
export interface DecidedDocument {
  document: string;
  title: string;
  /** The `$id` of the schema. */
  schema: string;
  decided: Record<ExtraCapability, DecidedInstance[]>;
}

/** The vectors that a JSON Schema validator can decide, by document. Leaves out disputed vectors, vectors that semantic rules decide, and vectors stored as text, such as those with numbers that are not doubles. */
export function decidedDocuments({ profile }: Protocol, { files }: VectorSet): DecidedDocument[] {
  return profile.documents.flatMap(({ name, title, schema }) => {
    const instances = files.filter((file) => file.document === name && file.schema === schema).flatMap(decidedIn);
    if (instances.length === 0) return [];
    const decided: DecidedDocument["decided"] = { none: [], format: [], bignum: [] };
    for (const { extra, ...instance } of instances) decided[extra].push(instance);
    return [{ document: name, title, schema, decided }];
  });
}

const supportedNeeds = new Set(["format-assertion", "big-numbers"]);

function decidedIn({ tests }: VectorFile): (DecidedInstance & { extra: ExtraCapability })[] {
  return tests.flatMap(({ id, description, data, valid, needs }) => {
    const [, , , kind] = id.split("/");
    const isDecided = (kind === "valid" || kind === "invalid") && valid !== undefined;
    if (!isDecided || data === undefined || !needs.every((need) => supportedNeeds.has(need))) return [];
    return [{ id, description, data, valid, extra: extraOf(data, needs) }];
  });
}

function extraOf(data: Json, needs: readonly string[]): ExtraCapability {
  if (isWide(data) || needs.includes("big-numbers")) return "bignum";
  return needs.length > 0 ? "format" : "none";
}

/** Whether a value contains a number beyond 64 bits: a reader that stores it as an integer may crash. */
function isWide(data: Json): boolean {
  if (typeof data === "number") return Math.abs(data) >= 2 ** 63;
  return typeof data === "object" && data !== null && Object.values(data).some(isWide);
}
