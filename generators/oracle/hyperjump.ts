import { setShouldValidateFormat } from "@hyperjump/json-schema/draft-2020-12";
import { type CompiledSchema, interpret } from "@hyperjump/json-schema/experimental";
import "@hyperjump/json-schema/formats";
import { fromJs } from "@hyperjump/json-schema/instance/experimental";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileDocument } from "../compile/compile.ts";
import { runQuietly } from "../formats/quiet-library.ts";
import { guardPattern } from "../regex/guard.ts";

setShouldValidateFormat(true);

/** Compiles a schema with Hyperjump, formats asserted. */
export async function compileHyperjump(
  schemas: readonly JsonObject[],
  id: string,
): Promise<(instance: Json) => boolean> {
  const compiled = withGuards((await compileDocument(schemas, id)) as CompiledSchema);
  return (instance) => runQuietly(() => interpret(compiled, fromJs(instance as Parameters<typeof fromJs>[0])).valid);
}

/** Makes a compiled schema with patterns that throw for a string on which matching may never end. */
function withGuards(compiled: CompiledSchema): CompiledSchema {
  const guardValue = (value: unknown): unknown => {
    if (value instanceof RegExp) return guardPattern(new RegExp(value), "throw");
    return Array.isArray(value) && containsPattern(value) ? value.map(guardValue) : value;
  };
  const { metaData, plugins, ...nodes } = compiled.ast;
  const ast = Object.entries(nodes).map(([name, keywords]) => [name, guardValue(keywords)]);
  return { ...compiled, ast: { ...Object.fromEntries(ast), metaData, plugins } };
}

function containsPattern(value: unknown): boolean {
  return value instanceof RegExp || (Array.isArray(value) && value.some(containsPattern));
}
