import type { Question } from "../../../schemas/index.ts";
import type { CommandCheck } from "./worker.ts";

/** Creates the message for a question, without its number. */
export function checkOf({ document: { name, schema }, data, text, bytes, yaml }: Question): CommandCheck {
  const head = { document: name, schema, ...(yaml === undefined ? {} : { yaml }) };
  if (data !== undefined) return { ...head, data };
  if (text !== undefined) return { ...head, text };
  return { ...head, base64: Buffer.from(bytes ?? []).toString("base64") };
}
