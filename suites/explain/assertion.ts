import { type Json, type Protocol, pointer } from "../../schemas/index.ts";

/** ` is maxLength 200`: what a schema says at a location; nothing for one that it does not have. */
export function assertionAt({ schemas }: Protocol, site: string): string {
  const [id, fragment = ""] = site.split("#");
  const schema = schemas.find(({ $id }) => $id === id);
  const value = schema === undefined ? undefined : pointer.at(fragment, schema);
  if (value === undefined || fragment === "") return "";
  const text = JSON.stringify(bare(value));
  const shown = text.length > 160 ? `${text.slice(0, 159)}…` : text;
  return `: ${shown}`;
}

/** What a schema demands, without what it only says. */
function bare(value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !["title", "description", "$comment", "examples"].includes(name)),
  );
}
