import { readFileSync, statSync } from "node:fs";
import { isObject, type Json, methods, readJson, readYaml, TouchstoneError } from "../../schemas/index.ts";
import type { Figures } from "./row.ts";

/** The version of a document, how large it is, and its operations by method and path. */
export async function outlineOf(file: string): Promise<Figures["outline"]> {
  try {
    const bytes = readFileSync(file);
    const text = bytes.toString("utf8").replace(/^\ufeff/, "");
    const { value } = /^\s*\{/.test(text) ? readJson(text, file) : await readYaml(text, file);
    const { openapi = "", asyncapi, paths = {} } = isObject(value) ? value : {};
    return { version: String(asyncapi ?? openapi), kib: Math.round(statSync(file).size / 1024), names: namesIn(paths) };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { failure: error.what };
  }
}

function namesIn(paths: Json): string[] {
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    methods.filter((each) => isObject(item) && isObject(item[each.toLowerCase()])).map((each) => `${each} ${path}`),
  );
}
