import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { isObject, type Json, protocolNamed } from "../../../../schemas/index.ts";

/** What is wrong with a message, in words; undefined where nothing is. */
export type Validity = (message: Json) => string | undefined;

let known: Validity | undefined;

/** Judges messages by the schema of their category. All parties of this process have the same judge: to compile schemas is most of what a party costs. */
export function validityBySchema(): Validity {
  known ??= compiled();
  return known;
}

function compiled(): Validity {
  const { schemas, profile } = protocolNamed("agent-conventions");
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
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
