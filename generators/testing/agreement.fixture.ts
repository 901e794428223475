import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { id } from "./schemas.fixture.ts";

// For tests: what a schema means, by two validators that know nothing of our model.

/** The verdict of both validators, or undefined where they, or exact arithmetic, differ. Ajv throws on a member `toString` that is compared: no verdict. */
export async function agreement(schema: JsonObject): Promise<(instance: Json) => boolean | undefined> {
  const ajv = compileAjv([schema], id, "quick", "binary");
  const decimal = compileAjv([schema], id, "quick");
  const hyperjump = await compileHyperjump([schema], id);
  return (instance) => {
    try {
      const verdict = ajv(instance);
      return hyperjump(instance) === verdict && decimal(instance) === verdict ? verdict : undefined;
    } catch {
      return undefined;
    }
  };
}
