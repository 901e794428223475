import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { freedomsOf, type Json, protocolNamed, type Twin } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { checkMerger, checkTightening } from "./bounds.ts";
import { checkConsent } from "./consent.ts";
import { checkAgent } from "./document.ts";
import { evaluate } from "./evaluate.ts";
import { checkBundle, checkReading, type JudgeDocument } from "./files.ts";
import { finding, get } from "./finding.ts";
import { checkSelection } from "./selection.ts";
import { type IsStrict, parseValue } from "./text.ts";

const recordChecks: Record<string, (value: Json, judge: JudgeDocument) => Iterable<TwinFinding>> = {
  reading: checkReading,
  bundle: checkBundle,
  match: checkMatch,
  consent: checkConsent,
  tightening: checkTightening,
  merger: checkMerger,
  selection: checkSelection,
};

/** Lints agent documents and judges records of a runtime. An independent implementation, written from the rules alone. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("agentformat")).flatMap(({ id, shows }) => (shows === "judgement" ? [id] : [])),
  judge(question, isStrict) {
    let value: Json;
    try {
      value = question.value === undefined ? parseValue(question, isStrict) : question.value;
    } catch (error) {
      return (error as Error).message;
    }
    const refusal = findRefusals(value, question.document, isStrict)[0];
    return refusal === undefined ? undefined : `${refusal.rule} ${refusal.at} ${refusal.why}`;
  },
};

/** The reasons to refuse a document. */
function findRefusals(value: Json, document: string, isStrict: IsStrict): TwinFinding[] {
  const validate = validatorFor(document);
  if (!validate(value))
    return [finding("schema", validate.errors?.[0]?.instancePath ?? "", "is refused by the schema")];
  // A document inside a record is refused only for faults that no freedom allows.
  const judge: JudgeDocument = (otherDocument) => findRefusals(otherDocument, "agent", () => false);
  const findings = document === "agent" ? checkAgent(value) : (recordChecks[document]?.(value, judge) ?? []);
  return [...findings].filter(({ freedom }) => freedom === undefined || isStrict(freedom));
}

function* checkMatch(record: Json): Generator<TwinFinding> {
  const { holds, isOpen } = evaluate(get(record, "condition") ?? {}, get(record, "arguments") ?? {});
  if (holds !== get(record, "holds"))
    yield finding("MATCH-003", "/holds", "should be otherwise", isOpen ? "match-008" : undefined);
}

const { schemas, profile } = protocolNamed("agentformat");
const validators = new Map<string, ValidateFunction>();
// Compiled once, on first use.
let ajv: Ajv2020 | undefined;

/** Compiles the schema of a document. Formats are annotations, as in 2020-12. */
function validatorFor(document: string): ValidateFunction {
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, schemas });
  const { schema = "" } = profile.documents.find(({ name }) => name === document) ?? {};
  const validate = validators.get(document) ?? ajv.getSchema(schema);
  if (validate === undefined) throw new Error(`there is no document ${document}`);
  validators.set(document, validate);
  return validate;
}
