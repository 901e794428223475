import { setShouldValidateFormat } from "@hyperjump/json-schema/draft-2020-12";
import { type CompiledSchema, interpret } from "@hyperjump/json-schema/experimental";
import "@hyperjump/json-schema/formats";
import { fromJs } from "@hyperjump/json-schema/instance/experimental";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compiledBy } from "../compile/compile.ts";
import { quietly } from "../formats/quietly.ts";
import { guarded } from "../regex/guard.ts";

setShouldValidateFormat(true);

/** Compiles a schema with Hyperjump, formats asserted. */
export async function compileHyperjump(
  schemas: readonly JsonObject[],
  id: string,
): Promise<(instance: Json) => boolean> {
  const compiled = (await compiledBy(schemas, id)) as CompiledSchema;
  guardPatterns(compiled);
  return (instance) => quietly(() => interpret(compiled, fromJs(instance as Parameters<typeof fromJs>[0])).valid);
}

/** Lets the patterns of a compiled schema fail on a text on which they may never end. */
function guardPatterns({ ast }: CompiledSchema): void {
  const visit = (value: unknown): void => {
    if (value instanceof RegExp) guarded(value, "throw");
    else if (Array.isArray(value)) value.forEach(visit);
  };
  for (const [name, keywords] of Object.entries(ast)) if (name !== "metaData" && name !== "plugins") visit(keywords);
}
