import type { JsonObject } from "../../schemas/index.ts";

const knownMentions = new WeakMap<readonly JsonObject[], Map<string, boolean>>();

/** Whether schemas contain a string anywhere. Cached, because all documents of a protocol share their schemas, which never change. */
export function mentions(schemas: readonly JsonObject[], name: string): boolean {
  const answers = knownMentions.get(schemas) ?? new Map<string, boolean>();
  knownMentions.set(schemas, answers);
  const isMentioned = answers.get(name) ?? JSON.stringify(schemas).includes(JSON.stringify(name));
  answers.set(name, isMentioned);
  return isMentioned;
}
