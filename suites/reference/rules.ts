import type { Protocol, Reason } from "../../schemas/index.ts";
import type { Judge } from "./service.ts";
import type { Variant } from "./variants/variant.ts";

/**
 * Judges an instance that its schema accepts by a protocol's rules beyond the schemas, those on the text included where its bytes are
 * given, as the variant knows them. The checkers are loaded here, and only for this.
 */
export async function rulesFor(protocol: Protocol, variant?: Variant): Promise<Judge> {
  if (variant?.schemaOnly === true) return () => ({ breaches: [], advice: [] });
  const { checkersOf, findings, textFindings } = await import("../../generators/index.ts");
  const known = new Map(
    protocol.profile.documents.map(({ name }) => [
      name,
      checkersOf(protocol.name, name).filter(
        ({ rule, careless }) =>
          rule !== variant?.withoutRule && (careless === undefined || careless !== variant?.careless),
      ),
    ]),
  );
  return ({ name }, value, bytes) => {
    const checkers = known.get(name) ?? [];
    const breaches: Reason[] = [];
    const advice: Reason[] = [];
    const found = [
      ...(bytes === undefined ? [] : textFindings(protocol, name, bytes, checkers)),
      ...findings(protocol, name, value, checkers),
    ];
    for (const { rule, level, at, why } of found)
      (level === "MUST" ? breaches : advice).push({ at, rule, message: why });
    return { breaches, advice };
  };
}
