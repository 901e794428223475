// The implementation that `npm run bench run` tests: plain Ajv, compiled once for each document. Plain JavaScript, because it also runs as
// a command and behind HTTP, without the loader that runs TypeScript.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const validators = new Map();

/** The validator of a schema, compiled with all schemas of its protocol. */
export function validatorFor(schema, schemas) {
  let validator = validators.get(schema);
  if (validator === undefined) {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    for (const protocolSchema of schemas) ajv.addSchema(protocolSchema);
    for (const { $id } of schemas) validators.set($id, ajv.getSchema($id));
    validator = validators.get(schema);
  }
  return validator;
}

export default function validate(instance, { schema, schemas }) {
  const validator = validatorFor(schema, schemas);
  return validator(instance) ? true : { valid: false, errors: validator.errors };
}
