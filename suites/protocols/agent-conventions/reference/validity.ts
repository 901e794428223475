import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { isObject, type Json, protocolNamed } from "../../../../schemas/index.ts";

/** What is wrong with a message, in words; undefined where nothing is. */
export type Validity = (message: Json) => string | undefined;

/** Judges messages by the schema of their category. */
export function validityBySchema(): Validity {
  const { schemas, profile } = protocolNamed("agent-conventions");
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formatsPlugin.default(ajv);
  ajv.addSchema(schemas);
  return (message) => {
    if (!isObject(message)) return "it is no mapping";
    const [category] = String(message.message_type).split(".");
    const document = profile.documents.find(({ when }) =>
      when?.["/message_type"]?.some((type) => String(type).startsWith(`${category}.`)),
    );
    if (document === undefined) return `there are no messages of the category ${category}`;
    return ajv.validate(document.schema, message) ? undefined : ajv.errorsText();
  };
}
