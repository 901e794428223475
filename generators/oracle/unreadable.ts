import { TouchstoneError } from "../../schemas/index.ts";

/** What is thrown for a schema of a user's that a validator cannot compile. */
export function unreadable(id: string, cause: unknown): TouchstoneError {
  const why = cause instanceof RangeError ? "its references go too deep" : (cause as Error).message;
  return new TouchstoneError("usage", `a validator cannot read it: ${why}`, {
    where: id,
    hint: "a verdict needs both validators, Ajv and Hyperjump",
    cause,
  });
}
