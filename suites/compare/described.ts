import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import type { LoadedDocument, VersionDocument } from "./versions.ts";

/**
 * The bodies, parameters and answers of the operations that a document describes, or its messages. Operations are paired by method and path: what they
 * and the parameters in their paths are named is not sent.
 */
export async function describedBy(given: string): Promise<Map<string, VersionDocument>> {
  const { addressOf, packFrom, pathNames } = await import("../openapi/index.ts");
  const { documents, exchanges, source, notes } = await packFrom(given, {});
  const found = new Map<string, VersionDocument>();
  for (const { name, schema, samples, operation } of documents) {
    const load = async (): Promise<LoadedDocument> => ({
      ...{ schemas: [schema], id: String(schema.$id), samples, notes, source },
    });
    if (operation === undefined) found.set(name, { name, load });
    else
      found.set(`${addressOf(operation)}${name.slice(operation.name.length)}`, {
        ...{ name, load },
        ...(name === `${operation.name}.parameters` ? { pathNames: pathNames(operation) } : {}),
      });
  }
  const named = new Set(documents.map(({ operation }) => operation?.name));
  for (const { name, operation, schema, place, isShared } of exchanges()) {
    const id = `exchange:/${name}`;
    const { file, text } = place.source;
    const load = async (): Promise<LoadedDocument> => ({
      schemas: [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id: id, ...schema }],
      ...{ id, samples: [], notes: [] },
      source: () => ({ file, ...text.locate(place.at) }),
    });
    const isAside = isShared || named.has(operation.name) || !name.endsWith(".request");
    found.set(`${addressOf(operation)}${name.slice(operation.name.length)}`, { name, load, isAside });
  }
  return found;
}

/** A document of parameters with other names for those in the path, `to` in place of `from`. */
export function withPathNames(
  document: LoadedDocument,
  from: readonly string[],
  to: readonly string[],
): LoadedDocument {
  const [schema] = document.schemas;
  const path = pointer.at(section, schema ?? null);
  const isNamed = JSON.stringify(schema).includes(`"#${section}/properties/`);
  if (from.length !== to.length || from.every((name, index) => name === to[index])) return document;
  if (schema === undefined || !isObject(path) || isNamed) return document;
  const renamed = (name: string): string => to[from.indexOf(name)] ?? name;
  const members = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, each]) => [renamed(name), each]));
  const written: JsonObject = {
    ...path,
    ...(isObject(path.properties) ? { properties: members(path.properties) } : {}),
    ...(Array.isArray(path.required) ? { required: path.required.map((name) => renamed(String(name))) } : {}),
  };
  const { properties } = schema;
  const back = (location: string): string =>
    location.replace(/(#\/properties\/path\/properties\/)([^/]+)/, (_, before: string, name: string) => {
      const [own = ""] = pointer.segments(`/${name}`);
      return `${before}${pointer.append("", from[to.indexOf(own)] ?? own).slice(1)}`;
    });
  return {
    ...document,
    schemas: [{ ...schema, properties: { ...(properties as JsonObject), path: written } }],
    samples: document.samples.map((sample): Json => {
      return isObject(sample) && isObject(sample.path) ? { ...sample, path: members(sample.path) } : sample;
    }),
    source: (location) => document.source(back(location)),
  };
}

const section = "/properties/path";
