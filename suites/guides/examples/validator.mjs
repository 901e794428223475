import { Ajv2020 } from "ajv/dist/2020.js";

const ajv = new Ajv2020({ strict: false });

export const claims = ["format-assertion"];

export default (instance, { schema, schemas }) => {
  if (ajv.getSchema(schema) === undefined) ajv.addSchema(schemas);
  const validate = ajv.getSchema(schema);
  return { valid: validate(instance), errors: validate.errors };
};
