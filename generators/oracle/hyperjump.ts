import { setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { withSchemas } from "../model/compile.ts";

setShouldValidateFormat(true);

/** Compiles a schema with Hyperjump, formats asserted. */
export async function compileHyperjump(
  schemas: readonly JsonObject[],
  id: string,
): Promise<(instance: Json) => boolean> {
  const judge = await withSchemas(schemas, () => validate(id));
  return (instance) => judge(instance as Parameters<typeof judge>[0]).valid;
}
