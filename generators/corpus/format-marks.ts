import type { Protocol, Vector } from "../../schemas/index.ts";
import { isByFormats } from "../evaluate/deciding-formats.ts";
import type { Model } from "../model/model.ts";
import { contentOf } from "../rules/content.ts";

/** A valid vector that no schema vector is made of: where its verdict depends on formats, it counts as such vectors do (`standing`). */
export function markFormats({ profile }: Pick<Protocol, "profile">, model: Model, vector: Vector): Vector {
  if (vector.valid !== true || isFirm(model, vector)) return vector;
  const { level, needs } = vector;
  return {
    ...vector,
    ...(level === undefined && profile.formats === "annotate" ? { level: "SHOULD" as const } : {}),
    needs: [...needs, "format-assertion"],
  };
}

/** The vectors with the same verdict for readers without formats, if there are any. */
export function firmFirst(model: Model, vectors: readonly Vector[]): readonly Vector[] {
  const firm = vectors.filter((vector) => isFirm(model, vector));
  return firm.length > 0 ? firm : vectors;
}

function isFirm(model: Model, vector: Vector): boolean {
  const { value } = contentOf(vector);
  return value === undefined || !isByFormats(model, value);
}
