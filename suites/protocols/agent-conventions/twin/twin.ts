import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { freedomsOf, type Json, protocolNamed, type Twin } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { checkBase } from "./base.ts";
import { checkCoordination } from "./cue.ts";
import { checkExchange } from "./exchange.ts";
import { get, has, type Message, messageOf } from "./finding.ts";
import { checkRelease } from "./release.ts";
import { checkStatus, checkTask } from "./task.ts";
import { checkAssignments, checkDeployment, checkSchemaFile, checkSchemaFolder } from "./team.ts";
import { type IsStrictFor, valueIn } from "./text.ts";
import { checkAcknowledgment, checkEscalation } from "./trouble.ts";

const documentsByCategory: Record<string, string> = {
  task: "task",
  status: "status",
  coord: "coordination",
  escalation: "escalation",
  ack: "acknowledgment",
};
const messageChecks: Record<string, (message: Message) => Iterable<TwinFinding>> = {
  task: checkTask,
  status: checkStatus,
  coord: checkCoordination,
  escalation: checkEscalation,
  ack: checkAcknowledgment,
};
const recordChecks: Record<string, (value: Json) => Iterable<TwinFinding>> = {
  deployment: checkDeployment,
  "schema-folder": checkSchemaFolder,
  "schema-file": checkSchemaFile,
  release: checkRelease,
};

/** Judges messages, recorded sequences and other records. An independent implementation, written from the rules alone. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("agent-conventions")).flatMap(({ id, shows }) =>
    shows === "judgement" ? [id] : [],
  ),
  judge(question, isStrict) {
    let value: Json;
    try {
      value = question.value === undefined ? valueIn(question, isStrict) : question.value;
    } catch (error) {
      return (error as Error).message;
    }
    const allFindings = findings(value, question.document, isStrict);
    const refusal = [...allFindings].find(({ freedom }) => freedom === undefined || isStrict(freedom));
    return refusal === undefined ? undefined : `${refusal.rule} ${refusal.at} ${refusal.why}`;
  },
};

function* findings(value: Json, document: string, isStrict: IsStrictFor): Generator<TwinFinding> {
  if (document === "message" || Object.values(documentsByCategory).includes(document)) {
    yield* checkMessage(value, document, isStrict);
    return;
  }
  const validate = validatorFor(document);
  if (!validate(value)) {
    yield { rule: "schema", at: validate.errors?.[0]?.instancePath ?? "", why: "is refused by the schema" };
    return;
  }
  if (document === "assignments")
    for (const assignment of value as Json[]) yield* checkMessage(assignment, "task", isStrict);
  if (document === "assignments") yield* checkAssignments(value as Json[]);
  else if (document === "exchange") {
    for (const recorded of value as Json[]) yield* checkMessage(get(recorded, "message") as Json, "message", isStrict);
    yield* checkExchange(value as Json[]);
  } else yield* recordChecks[document]?.(value) ?? [];
}

/** Checks a message by the schema of its category. A strict reading may use the schema of the named document instead. */
function* checkMessage(value: Json, document: string, isStrict: IsStrictFor): Generator<TwinFinding> {
  const type = get(value, "message_type");
  const [category = ""] = typeof type === "string" && type.includes(".") ? type.split(".", 1) : [];
  const ownDocument = has(documentsByCategory, category) ? documentsByCategory[category] : undefined;
  const name = document !== "message" && isStrict("schema-by-document") ? document : ownDocument;
  if (name === undefined) {
    yield { rule: "CONV-BASE-006", at: "/message_type", why: "does not name a category" };
    return;
  }
  const validate = validatorFor(name);
  if (!validate(value)) {
    yield { rule: "schema", at: validate.errors?.[0]?.instancePath ?? "", why: "is refused by the schema" };
    return;
  }
  const parsed = messageOf(value);
  yield* checkBase(parsed);
  yield* messageChecks[parsed.category]?.(parsed) ?? [];
}

const { schemas, profile } = protocolNamed("agent-conventions");
const validators = new Map<string, ValidateFunction>();
// Created on first use.
let ajv: Ajv2020 | undefined;

/** Compiles the schema of a document. Formats are annotations, as in 2020-12. */
function validatorFor(document: string): ValidateFunction {
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, schemas });
  const validate =
    validators.get(document) ?? ajv.getSchema(profile.documents.find(({ name }) => name === document)?.schema ?? "");
  if (validate === undefined) throw new Error(`there is no document ${document}`);
  validators.set(document, validate);
  return validate;
}
