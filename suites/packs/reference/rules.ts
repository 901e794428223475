import type { Enforcer, Judge, Reason, RuledProtocol } from "../../../schemas/index.ts";
import type { Variant } from "./variants/variant.ts";

/** Returns, by rule id, what enforces a rule besides its checker. Rules that only their checker enforces are left out. */
export function enforcersOf({ families }: Pick<RuledProtocol, "families">): Readonly<Record<string, Enforcer>> {
  return Object.assign({}, ...families.map(({ enforcedBy }) => enforcedBy));
}

/** Returns a judge that applies the semantic rules known to the variant, to instances that the schema accepts. Given the bytes, it also applies rules about the text. The checkers are loaded only when they are needed. */
export async function rulesFor(protocol: RuledProtocol, variant?: Variant): Promise<Judge> {
  if (variant?.schemaOnly === true) return () => ({ breaches: [], advice: [] });
  const { checkersOf, findings, textFindings } = await import("../../../generators/index.ts");
  const enforcers = enforcersOf(protocol);
  // An implementation that conforms without the checker enforces these rules by other code.
  const lacks = variant?.conforms?.(protocol.profile) === true ? undefined : variant?.missingEnforcer;
  const checkersByDocument = new Map(
    protocol.profile.documents.map(({ name }) => [
      name,
      checkersOf(protocol.families, name).filter(
        ({ rule }) => rule !== variant?.withoutRule && (lacks === undefined || enforcers[rule] !== lacks),
      ),
    ]),
  );
  return ({ name }, value, bytes) => {
    const checkers = checkersByDocument.get(name) ?? [];
    const breaches: Reason[] = [];
    const advice: Reason[] = [];
    const allFindings = [
      ...(bytes === undefined ? [] : textFindings(protocol, name, bytes, checkers)),
      ...findings(protocol, name, value, checkers),
    ];
    for (const { rule, level, at, why } of allFindings)
      (level === "MUST" ? breaches : advice).push({ at, rule, message: why });
    return { breaches, advice };
  };
}
