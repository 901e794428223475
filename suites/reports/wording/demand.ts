import { type Result, shortAssertion } from "../../../schemas/index.ts";

/** Names the subject of a vector: its rule, or else the assertion of the schema, or the kind of message. */
export function demandOf({ id, rule, site, document }: Pick<Result, "id" | "rule" | "site" | "document">): string {
  if (rule !== undefined) return rule;
  return site === undefined ? `${document}: ${describeKind(id)}` : shortAssertion(site);
}

/** Describes the kind of a vector that is not about a single assertion, by its id. */
function describeKind(id: string): string {
  const [, , , kind] = id.split("/");
  if (kind === "raw") return "how the JSON text is written";
  return kind === "valid" || kind === "invalid" ? `${kind} messages` : "other messages";
}
