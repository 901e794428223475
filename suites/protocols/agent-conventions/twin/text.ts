import { parseDocument } from "yaml";
import type { Json, TwinQuestion } from "../../../../schemas/index.ts";
import { readJsonWithFreedoms } from "../../../packs/twins/freedoms.ts";

export type IsStrictFor = (freedom: string) => boolean;

/** Parses a message in JSON or YAML. Throws an Error with the reason if it is refused. */
export function valueIn({ text, yaml }: TwinQuestion, isStrict: IsStrictFor): Json {
  if (yaml === true) return parseYaml(text, isStrict);
  return readJsonWithFreedoms(text, isStrict);
}

function parseYaml(bytes: Uint8Array, isStrict: IsStrictFor): Json {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const parsed = parseDocument(text, {
    version: isStrict("yaml-version") ? "1.2" : "1.1",
    uniqueKeys: isStrict("yaml-duplicates"),
    logLevel: "silent",
  });
  const [error] = parsed.errors;
  if (error !== undefined) throw error;
  return parsed.toJS() as Json;
}
