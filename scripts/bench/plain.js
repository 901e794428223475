// The implementation that `npm run bench run` asks: plain Ajv, compiled once for each document. Plain JavaScript, since it also runs as
// a command and behind HTTP, without the loader that runs TypeScript.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const compiled = new Map();

/** The validator of a schema; all schemas of its protocol are known to it. */
export function validatorFor(schema, schemas) {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    for (const each of schemas) ajv.addSchema(each);
    for (const { $id } of schemas) compiled.set($id, ajv.getSchema($id));
    validator = compiled.get(schema);
  }
  return validator;
}

export default function validate(instance, { schema, schemas }) {
  const validator = validatorFor(schema, schemas);
  return validator(instance) ? true : { valid: false, errors: validator.errors };
}
