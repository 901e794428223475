import type { Document, Question, Vector } from "../../schemas/index.ts";
import { hash } from "./hash.ts";

/** What a target is asked about a vector: the instance, and neither the id nor the verdict. */
export function questionOf(vector: Vector, document: Document, seed: number): Question {
  return {
    document,
    ...instanceOf(vector),
    keep: kept(vector, document),
    ...(vector.needs.includes("yaml-text") ? { yaml: true as const } : {}),
    // A fault in a schema is the only fault of its vector; elsewhere a signature that does not fit may be the fault.
    ...(vector.site === undefined ? {} : { sign: true as const }),
    seed: (seed ^ hash(vector.id)) >>> 0,
  };
}

function kept({ at, change = [], valid }: Vector, { fresh = [] }: Document): string[] {
  const places = new Set(change.map(({ path }) => path));
  if (at !== undefined) places.add(at);
  // The whole document is never what must stay: a member of it is, or nothing.
  places.delete("");
  // A deadline that is right and long past would be refused by a live server, whatever the vector is about.
  if (valid === true) for (const { at: place, offset = 0 } of fresh) if (offset > 0) places.delete(place);
  return [...places];
}

function instanceOf({ data, raw, base64 }: Vector): Pick<Question, "data" | "text" | "bytes"> {
  if (data !== undefined) return { data };
  if (raw !== undefined) return { text: raw };
  return { bytes: Buffer.from(base64 ?? "", "base64") };
}
