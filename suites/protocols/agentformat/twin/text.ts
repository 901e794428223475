import { isAlias, isCollection, isScalar, parseAllDocuments, visit } from "yaml";
import type { Json, TwinQuestion } from "../../../../schemas/index.ts";
import { readJsonWithFreedoms } from "../../../packs/twins/freedoms.ts";

export type IsStrict = (freedom: string) => boolean;

/** Parses a document in JSON or YAML. Throws an Error with the reason if it is refused. */
export function parseValue({ text, yaml }: TwinQuestion, isStrict: IsStrict): Json {
  if (yaml === true) return parseYaml(text, isStrict);
  return readJsonWithFreedoms(text, isStrict);
}

function parseYaml(bytes: Uint8Array, isStrict: IsStrict): Json {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const parsed = parseAllDocuments(text, {
    version: "1.2",
    uniqueKeys: true,
    merge: !isStrict("yaml-merge"),
    logLevel: "silent",
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [document] = documents;
  if (document === undefined || (documents.length > 1 && isStrict("yaml-many-documents")))
    throw new Error("is not one document");
  const [error] = [...document.errors, ...(isStrict("yaml-tags") ? document.warnings : [])];
  if (error !== undefined) throw error;
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(key)) throw new Error("has a collection as a key");
      const isString = isAlias(key) || (isScalar(key) && typeof key.value === "string");
      if (!isString && isStrict("yaml-keys")) throw new Error("has a key that is not a string");
    },
  });
  const value = document.toJS({ maxAliasCount: isStrict("yaml-aliases") ? 100 : -1 }) as Json;
  if (
    isStrict("yaml-non-json") &&
    /\.(inf|nan)/i.test(text) &&
    JSON.stringify(value) !== JSON.stringify(value, finiteValue)
  )
    throw new Error("has a number that JSON cannot represent");
  return value;
}

function finiteValue(_name: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? "none" : value;
}
