import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { compileHyperjump } from "../oracle/hyperjump.ts";
import { id } from "./schemas.fixture.ts";

// For tests: the meaning of a schema according to two validators that are independent of our model.

/** Returns a function with the common verdict of both validators and of Ajv with decimal arithmetic. Undefined if they differ, or if Ajv throws, as it does when it compares a member `toString`. */
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
