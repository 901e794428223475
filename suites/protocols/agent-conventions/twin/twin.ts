import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { freedomsOf, type Json, protocolNamed, type Twin } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { base } from "./base.ts";
import { coordination } from "./cue.ts";
import { exchange } from "./exchange.ts";
import { get, has, type Message, messageOf } from "./finding.ts";
import { release } from "./release.ts";
import { status, task } from "./task.ts";
import { assignments, deployment, schemaFile, schemaFolder } from "./team.ts";
import { type RefusesBy, valueIn } from "./text.ts";
import { acknowledgment, escalation } from "./trouble.ts";

const documents: Record<string, string> = {
  task: "task",
  status: "status",
  coord: "coordination",
  escalation: "escalation",
  ack: "acknowledgment",
};
const rules: Record<string, (message: Message) => Iterable<TwinFinding>> = {
  task,
  status,
  coord: coordination,
  escalation,
  ack: acknowledgment,
};
const records: Record<string, (value: Json) => Iterable<TwinFinding>> = {
  deployment,
  "schema-folder": schemaFolder,
  "schema-file": schemaFile,
  release,
};

/** A validator of messages and of sequences, written from the rules alone. */
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
    const judged = findings(value, question.document, isStrict);
    const against = [...judged].find(({ freedom }) => freedom === undefined || isStrict(freedom));
    return against === undefined ? undefined : `${against.rule} ${against.at} ${against.why}`;
  },
};

function* findings(value: Json, document: string, isStrict: RefusesBy): Generator<TwinFinding> {
  if (document === "message" || Object.values(documents).includes(document)) {
    yield* message(value, document, isStrict);
    return;
  }
  const validate = validator(document);
  if (!validate(value)) {
    yield { rule: "schema", at: validate.errors?.[0]?.instancePath ?? "", why: "is refused by the schema" };
    return;
  }
  if (document === "assignments") for (const each of value as Json[]) yield* message(each, "task", isStrict);
  if (document === "assignments") yield* assignments(value as Json[]);
  else if (document === "exchange") {
    for (const each of value as Json[]) yield* message(get(each, "message") as Json, "message", isStrict);
    yield* exchange(value as Json[]);
  } else yield* records[document]?.(value) ?? [];
}

/** One message, by the schema of its category or, if that is a freedom, of the named document. */
function* message(value: Json, document: string, isStrict: RefusesBy): Generator<TwinFinding> {
  const type = get(value, "message_type");
  const [category = ""] = typeof type === "string" && type.includes(".") ? type.split(".", 1) : [];
  const ownDocument = has(documents, category) ? documents[category] : undefined;
  const name = document !== "message" && isStrict("schema-by-document") ? document : ownDocument;
  if (name === undefined) {
    yield { rule: "CONV-BASE-006", at: "/message_type", why: "is of no category" };
    return;
  }
  const validate = validator(name);
  if (!validate(value)) {
    yield { rule: "schema", at: validate.errors?.[0]?.instancePath ?? "", why: "is refused by the schema" };
    return;
  }
  const known = messageOf(value);
  yield* base(known);
  yield* rules[known.category]?.(known) ?? [];
}

const { schemas, profile } = protocolNamed("agent-conventions");
const validators = new Map<string, ValidateFunction>();
// Compiled once, when it is first needed.
let ajv: Ajv2020 | undefined;

/** Formats are annotations, as 2020-12 has them. */
function validator(document: string): ValidateFunction {
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, schemas });
  const made =
    validators.get(document) ?? ajv.getSchema(profile.documents.find(({ name }) => name === document)?.schema ?? "");
  if (made === undefined) throw new Error(`there is no document ${document}`);
  validators.set(document, made);
  return made;
}
