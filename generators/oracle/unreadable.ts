import { TouchstoneError } from "../../schemas/index.ts";

/** Makes the error for a user's schema that a validator cannot compile. */
export function unreadableError(id: string, cause: unknown): TouchstoneError {
  const why = cause instanceof RangeError ? "its references go too deep" : (cause as Error).message;
  return new TouchstoneError("usage", `a validator cannot compile the schema: ${why}`, {
    where: id,
    hint: "Ajv and Hyperjump must both compile it, because a verdict needs both",
    cause,
  });
}
