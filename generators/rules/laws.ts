import { type Document, levelOf, namedReadings, type RuledProtocol, readAs, type Vector } from "../../schemas/index.ts";
import type { VectorBreach } from "../laws.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { findings, type RuleViolation, textFindings } from "./check.ts";
import { contentOf } from "./content.ts";

/**
 * The schema accepts a vector of a semantic rule; for an invalid vector, validators may also disagree. A valid vector breaks no binding rule. An invalid
 * vector breaks its own rule and no other. A disputed vector needs only to be accepted by the schema.
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
    const violations = violationsIn(protocol, document, vector);
    if (vector.valid === undefined) return [];
    // A valid vector may break another rule's advice. An invalid one is wrong in only one way.
    const relevantLevels = vector.valid ? ["MUST"] : ["MUST", "SHOULD"];
    const ownRule = protocol.rules.find(({ id }) => id === vector.rule);
    // Advice that follows from the broken rule is broken by the same fault.
    const isConsequence = ({ rule, level }: RuleViolation): boolean =>
      level === "SHOULD" && ownRule?.follows?.includes(rule) === true;
    const [otherViolation] = violations.filter(
      (ruleViolation) =>
        ruleViolation.rule !== vector.rule &&
        relevantLevels.includes(ruleViolation.level) &&
        !isConsequence(ruleViolation),
    );
    if (otherViolation !== undefined)
      return breach(`breaks ${otherViolation.rule} at "${otherViolation.at}": ${otherViolation.why}`);
    const ownViolations = violations.filter(({ rule }) => rule === vector.rule);
    const fullViolation = ownViolations.find(({ level }) => ownRule === undefined || level === levelOf(ownRule));
    if (vector.valid && fullViolation !== undefined)
      return breach(`its rule says that "${fullViolation.at}" ${fullViolation.why}`);
    if (!vector.valid && ownViolations.length === 0) return breach("its rule finds nothing wrong");
    const hasStatedLevel = ownViolations.some(({ level }) => level === (vector.level ?? "MUST"));
    return vector.valid || hasStatedLevel
      ? []
      : breach(`counts as ${vector.level ?? "MUST"}, its rule says ${ownViolations[0]?.level}`);
  });
}

/** A vector that some reading of the specification accepts breaks no other binding rule, or lists it in `beyond`. Otherwise an implementation of that reading would fail for enforcing the rule. */
export function readingLaw(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): VectorBreach[] {
  const names = namedReadings(protocol.profile).map(({ name }) => name);
  return vectors.flatMap((vector): VectorBreach[] => {
    if (vector.valid !== undefined) return [];
    const reading = names.find((name) => readAs(protocol, [name], vector).valid === true);
    if (reading === undefined) return [];
    const [otherViolation] = violationsIn(protocol, document, vector).filter(
      ({ rule, level }) => level === "MUST" && rule !== vector.rule && vector.beyond?.includes(rule) !== true,
    );
    const { id } = vector;
    return otherViolation === undefined
      ? []
      : [
          {
            id,
            law: "reading",
            why: `taken by ${reading}, it breaks ${otherViolation.rule} at "${otherViolation.at}": ${otherViolation.why}`,
          },
        ];
  });
}

function violationsIn(protocol: RuledProtocol, document: Document, vector: Vector): RuleViolation[] {
  const { text, value } = contentOf(vector);
  return [
    ...(value === undefined ? [] : findings(protocol, document.name, value)),
    ...(text === undefined ? [] : textFindings(protocol, document.name, text)),
  ];
}
