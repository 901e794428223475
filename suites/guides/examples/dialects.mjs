import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";

const options = { strict: false, validateSchema: false };
const [early, older, latest] = [new Ajv(options), new Ajv2019(options), new Ajv2020(options)];

const ajvOf = ({ $schema = "" }) =>
  $schema.includes("draft-0") ? early : $schema.includes("2019-09") ? older : latest;

export const claims = []; // no "format-assertion": Ajv alone knows no formats

export default (instance, { schema, schemas }) => {
  const ajv = ajvOf(schemas.find(({ $id }) => $id === schema));
  if (ajv.getSchema(schema) === undefined) ajv.addSchema(schemas.filter((each) => ajvOf(each) === ajv));
  const validate = ajv.getSchema(schema);
  return { valid: validate(instance), errors: validate.errors };
};
