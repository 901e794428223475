import { type Document, levelOf, namedReadings, type RuledProtocol, readAs, type Vector } from "../../schemas/index.ts";
import type { VectorBreach } from "../laws.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { findings, type RuleViolation, textFindings } from "./check.ts";
import { contentOf } from "./content.ts";

/**
 * A vector of a semantic rule is accepted by the schema, or validators of the schema differ on it if it is wrong anyway. A valid vector breaks no rule that it must keep, an invalid one its own rule
 * and no other. A disputed one need only be accepted by the schema.
 */
export function semanticLaw(
  protocol: RuledProtocol,
  document: Document,
  oracle: Oracle,
  vectors: readonly Vector[],
): VectorBreach[] {
  return vectors.flatMap((vector): VectorBreach[] => {
    const breach = (why: string): VectorBreach[] => [{ id: vector.id, law: "rule", why }];
    const verdict = vector.data === undefined ? "valid" : oracle.judge(vector.data).verdict;
    if (verdict !== "valid" && !(verdict === "disputed" && vector.valid === false))
      return breach("the schema does not accept it");
    const found = foundIn(protocol, document, vector);
    if (vector.valid === undefined) return [];
    // A valid vector may earn advice from another rule; an invalid one is wrong in only one way.
    const counts = vector.valid ? ["MUST"] : ["MUST", "SHOULD"];
    const stated = protocol.rules.find(({ id }) => id === vector.rule);
    // A point that is only advised against may be the very cause of the breach.
    const isCause = ({ rule, level }: RuleViolation): boolean =>
      level === "SHOULD" && stated?.follows?.includes(rule) === true;
    const [other] = found.filter(
      (ruleViolation) =>
        ruleViolation.rule !== vector.rule && counts.includes(ruleViolation.level) && !isCause(ruleViolation),
    );
    if (other !== undefined) return breach(`breaks ${other.rule} at "${other.at}": ${other.why}`);
    const own = found.filter(({ rule }) => rule === vector.rule);
    const grave = own.find(({ level }) => stated === undefined || level === levelOf(stated));
    if (vector.valid && grave !== undefined) return breach(`its rule says that "${grave.at}" ${grave.why}`);
    if (!vector.valid && own.length === 0) return breach("its rule finds nothing wrong");
    const strongest = own.some(({ level }) => level === (vector.level ?? "MUST"));
    return vector.valid || strongest
      ? []
      : breach(`counts as ${vector.level ?? "MUST"}, its rule says ${own[0]?.level}`);
  });
}

/** A vector that some reading of the specification accepts breaks no binding rule, or says so (`beyond`): otherwise an implementation of the reading would fail for enforcing that rule. */
export function readingLaw(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): VectorBreach[] {
  const names = namedReadings(protocol.profile).map(({ name }) => name);
  return vectors.flatMap((vector): VectorBreach[] => {
    if (vector.valid !== undefined) return [];
    const reading = names.find((name) => readAs(protocol, [name], vector).valid === true);
    if (reading === undefined) return [];
    const [other] = foundIn(protocol, document, vector).filter(
      ({ rule, level }) => level === "MUST" && rule !== vector.rule && vector.beyond?.includes(rule) !== true,
    );
    const { id } = vector;
    return other === undefined
      ? []
      : [{ id, law: "reading", why: `taken by ${reading}, it breaks ${other.rule} at "${other.at}": ${other.why}` }];
  });
}

function foundIn(protocol: RuledProtocol, document: Document, vector: Vector): RuleViolation[] {
  const { text, value } = contentOf(vector);
  return [
    ...(value === undefined ? [] : findings(protocol, document.name, value)),
    ...(text === undefined ? [] : textFindings(protocol, document.name, text)),
  ];
}
