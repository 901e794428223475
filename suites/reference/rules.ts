import type { Document, Json, Protocol, Reason } from "../../schemas/index.ts";
import type { Variant } from "./variants/variant.ts";

/** What an instance that its schema accepts breaks of the rules beyond it: what forbids it, and what only speaks against it. */
export type RuleJudge = (document: Document, value: Json) => { breaches: Reason[]; advice: Reason[] };

/** Judges by a protocol's rules beyond the schemas, as the variant knows them. The checkers are loaded here, and only for this. */
export async function rulesFor(protocol: Protocol, variant?: Variant): Promise<RuleJudge> {
  if (variant?.schemaOnly === true) return () => ({ breaches: [], advice: [] });
  const { checkersOf, findings } = await import("../../generators/index.ts");
  const known = new Map(
    protocol.profile.documents.map(({ name }) => [
      name,
      checkersOf(protocol.name, name).filter(({ rule }) => rule !== variant?.withoutRule),
    ]),
  );
  return ({ name }, value) => {
    const breaches: Reason[] = [];
    const advice: Reason[] = [];
    for (const { rule, level, at, why } of findings(protocol, name, value, known.get(name) ?? []))
      (level === "MUST" ? breaches : advice).push({ at, rule, message: why });
    return { breaches, advice };
  };
}
