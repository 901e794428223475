import type { Document, Vector } from "../../schemas/index.ts";
import type { Question } from "../targets/target.ts";
import { hash } from "./hash.ts";

/** What a target is asked about a vector: the instance, and neither the id nor the verdict. */
export function questionOf(vector: Vector, document: Document, seed: number): Question {
  const places = [vector.at, ...(vector.change ?? []).map((operation) => operation.path)];
  // A deadline that is right and long past would be refused by a live server, whatever the vector is about.
  const isDeadline = (place: string): boolean =>
    vector.valid === true && (document.fresh ?? []).some(({ at, offset = 0 }) => at === place && offset > 0);
  return {
    document,
    ...instanceOf(vector),
    // The whole document is never what must stay: a member of it is, or nothing.
    keep: [
      ...new Set(places.filter((place): place is string => place !== undefined && place !== "" && !isDeadline(place))),
    ],
    ...(vector.needs.includes("yaml-text") ? { yaml: true as const } : {}),
    // A fault in a schema is the only fault of its vector; elsewhere a signature that does not fit may be the fault.
    ...(vector.site === undefined ? {} : { sign: true as const }),
    seed: (seed ^ hash(vector.id)) >>> 0,
  };
}

function instanceOf({ data, raw, base64 }: Vector): Pick<Question, "data" | "text" | "bytes"> {
  if (data !== undefined) return { data };
  if (raw !== undefined) return { text: raw };
  return { bytes: Buffer.from(base64 ?? "", "base64") };
}
