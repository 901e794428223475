import type { Protocol, Vector } from "../../schemas/index.ts";
import { dependsOnFormats } from "../evaluate/deciding-formats.ts";
import type { Model } from "../model/model.ts";
import { contentOf } from "../rules/content.ts";

/** Marks a valid vector that was not made from the schema: if its verdict depends on formats, it gets the same level and need as schema vectors (`positionOf`). */
export function markFormats({ profile }: Pick<Protocol, "profile">, model: Model, vector: Vector): Vector {
  if (vector.valid !== true || isFormatIndependent(model, vector)) return vector;
  const { level, needs } = vector;
  return {
    ...vector,
    ...(level === undefined && profile.formats === "annotate" ? { level: "SHOULD" as const } : {}),
    needs: [...needs, "format-assertion"],
  };
}

/** Lists the vectors with a verdict that does not depend on formats, or all vectors if there are none. */
export function preferFormatIndependent(model: Model, vectors: readonly Vector[]): readonly Vector[] {
  const independent = vectors.filter((vector) => isFormatIndependent(model, vector));
  return independent.length > 0 ? independent : vectors;
}

function isFormatIndependent(model: Model, vector: Vector): boolean {
  const { value } = contentOf(vector);
  return value === undefined || !dependsOnFormats(model, value);
}
