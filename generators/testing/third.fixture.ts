import { validator } from "@exodus/schemasafe";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";

// For tests: a third validator, which shares no code with Ajv, Hyperjump or ours.

/** Compiles a schema with the third validator; undefined if it refuses the schema. */
export function compileThird(
  schemas: readonly JsonObject[],
  id: string,
): ((instance: Json) => boolean | undefined) | undefined {
  try {
    const schemasById = Object.fromEntries(schemas.map((schema) => [identifier(schema), schema as never]));
    const options = {
      mode: "lax",
      formatAssertion: true,
      schemas: schemasById,
      isJSON: true,
      $schemaDefault: null,
    } as const;
    const holds = validator({ $ref: id } as never, { ...options, extraFormats: true });
    return (instance) => {
      try {
        return holds(instance as never);
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}
