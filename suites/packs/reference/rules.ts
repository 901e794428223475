import type { Enforcer, Judge, Reason, RuledProtocol } from "../../../schemas/index.ts";
import type { Variant } from "./variants/variant.ts";

/** What else enforces each rule of a protocol, by rule id. */
export function enforcersOf({ families }: Pick<RuledProtocol, "families">): Readonly<Record<string, Enforcer>> {
  return Object.assign({}, ...families.map(({ enforcedBy }) => enforcedBy));
}

/** Judges an instance that its schema accepts by a protocol's semantic rules, as far as the variant knows them; with the bytes, also by rules about the text. The checkers are loaded here, and only when needed. */
export async function rulesFor(protocol: RuledProtocol, variant?: Variant): Promise<Judge> {
  if (variant?.schemaOnly === true) return () => ({ breaches: [], advice: [] });
  const { checkersOf, findings, textFindings } = await import("../../../generators/index.ts");
  const enforcers = enforcersOf(protocol);
  // An implementation that conforms without the checker enforces these rules by other code.
  const lacks = variant?.conforms?.(protocol.profile) === true ? undefined : variant?.lacks;
  const known = new Map(
    protocol.profile.documents.map(({ name }) => [
      name,
      checkersOf(protocol.families, name).filter(
        ({ rule }) => rule !== variant?.withoutRule && (lacks === undefined || enforcers[rule] !== lacks),
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
