import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { isObject, type Json, protocolNamed } from "../../../../schemas/index.ts";

/** The reason why a message is invalid, as a sentence and as data. */
export interface Invalid {
  why: string;
  /** JSON Pointers to the members at fault. */
  at: readonly string[];
  /** The schema keywords that fail, such as `required`. */
  keywords: readonly string[];
}

/** Validates a message; returns undefined if it is valid. */
export type Validity = (message: Json) => Invalid | undefined;

// Created on first use.
let sharedValidity: Validity | undefined;

/** Validates messages by the schema of their category. All parties of a process share the compiled schemas, since compiling is expensive. */
export function validityBySchema(): Validity {
  sharedValidity ??= compileValidity();
  return sharedValidity;
}

function compileValidity(): Validity {
  const { schemas, profile } = protocolNamed("agent-conventions");
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  formatsPlugin.default(ajv);
  ajv.addSchema(schemas);
  return (message) => {
    if (!isObject(message)) return { why: "the message is not a mapping", at: [""], keywords: ["type"] };
    const [category] = String(message.message_type).split(".");
    const document = profile.documents.find(({ when }) =>
      when?.["/message_type"]?.some((type) => String(type).startsWith(`${category}.`)),
    );
    if (document === undefined)
      return { why: `the category ${category} is unknown`, at: ["/message_type"], keywords: [] };
    if (ajv.validate(document.schema, message)) return undefined;
    const errors = ajv.errors ?? [];
    return {
      why: ajv.errorsText(),
      at: errors.map(({ instancePath }) => instancePath),
      keywords: errors.map(({ keyword }) => keyword),
    };
  };
}
