import { type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";

/** Compiles a user's schema with both validators. Throws a usage error when one of them cannot. */
export async function foreignOracle(schemas: readonly JsonObject[], id: string): Promise<Oracle> {
  try {
    return await oracleFor(schemas, id, "lenient");
  } catch (cause) {
    const why = cause instanceof RangeError ? "its references go too deep" : (cause as Error).message;
    throw new TouchstoneError("usage", `a validator cannot read it: ${why}`, {
      where: id,
      hint: "a verdict needs both validators, Ajv and Hyperjump",
      cause,
    });
  }
}
