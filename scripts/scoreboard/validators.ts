import type { Capability } from "../../schemas/index.ts";

/** A JSON Schema validator of the scoreboard. */
export interface ScoredValidator {
  name: string;
  /** The dialect that the validator applies to the schemas. */
  reads: string;
  claims: readonly Capability[];
  /** npm packages with exact versions. The scoreboard shows the version of the first one. */
  packages?: readonly string[];
  /**
   * The source of a module with imports and a function `make`. It receives the `$id` of a schema and all schemas, and returns a function
   * that judges instances. Validators of old dialects can call `plain`, which removes the `$schema` that they would refuse.
   */
  module?: string;
  /** The shell command of an adapter, if the validator is not a module. */
  command?: string;
  /** The shell command that prints the version of the validator, and fails if it is not installed. */
  version?: string;
}

const formats = ["format-assertion"] as const;
const adapter = (file: string): string => `"$ADAPTERS/${file}"`;

/** The folder of Go libraries in Debian. */
const gopath = "GO111MODULE=off GOPATH=/usr/share/gocode";

export const validators: readonly ScoredValidator[] = [
  {
    name: "ajv, ajv-formats",
    reads: "2020-12",
    claims: formats,
    packages: ["ajv@8.20.0", "ajv-formats@3.0.1"],
    module: `
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
const make = (id, schemas) => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.addSchema(schemas).getSchema(id);
};
`,
  },
  {
    name: "ajv, strict",
    reads: "2020-12",
    claims: formats,
    packages: ["ajv@8.20.0", "ajv-formats@3.0.1"],
    module: `
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
const make = (id, schemas) => {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  return ajv.addSchema(schemas).getSchema(id);
};
`,
  },
  {
    name: "ajv, no formats",
    reads: "2020-12",
    claims: [],
    packages: ["ajv@8.20.0"],
    module: `
import { Ajv2020 } from "ajv/dist/2020.js";
const make = (id, schemas) => new Ajv2020({ strict: false, validateFormats: false }).addSchema(schemas).getSchema(id);
`,
  },
  {
    name: "@hyperjump/json-schema",
    reads: "2020-12",
    claims: formats,
    packages: ["@hyperjump/json-schema@1.18.0", "@hyperjump/json-schema-formats@1.0.7"],
    module: `
import { registerSchema, setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";
setShouldValidateFormat(true);
let registered = false;
const make = async (id, schemas) => {
  if (!registered) for (const schema of schemas) registerSchema(structuredClone(schema), schema.$id);
  registered = true;
  const judge = await validate(id);
  return (instance) => judge(instance).valid;
};
`,
  },
  {
    name: "@cfworker/json-schema",
    reads: "2020-12",
    claims: formats,
    packages: ["@cfworker/json-schema@4.1.6"],
    module: `
import { Validator } from "@cfworker/json-schema";
const make = (id, schemas) => {
  const validator = new Validator(schemas.find((schema) => schema.$id === id), "2020-12");
  for (const schema of schemas) if (schema.$id !== id) validator.addSchema(schema);
  return (instance) => validator.validate(instance).valid;
};
`,
  },
  {
    name: "@exodus/schemasafe",
    reads: "2020-12",
    claims: formats,
    packages: ["@exodus/schemasafe@1.3.0"],
    module: `
import { validator } from "@exodus/schemasafe";
const make = (id, schemas) => validator(schemas.find((schema) => schema.$id === id), { schemas, mode: "spec", isJSON: true, formatAssertion: true });
`,
  },
  {
    name: "json-schema-library",
    reads: "2020-12",
    claims: formats,
    packages: ["json-schema-library@11.6.2"],
    module: `
import { compileSchema, draft2020 } from "json-schema-library";
import { addFormats } from "json-schema-library/formats";
addFormats([draft2020]);
const make = (id, schemas) => {
  const schema = compileSchema(schemas.find((each) => each.$id === id), { remotes: schemas.filter((each) => each.$id !== id), formatAssertion: true });
  return (instance) => schema.validate(instance).valid;
};
`,
  },
  {
    name: "ata-validator",
    reads: "2020-12",
    claims: formats,
    packages: ["ata-validator@1.27.1"],
    module: `
import { Validator } from "ata-validator";
const make = (id, schemas) => {
  const others = schemas.filter((schema) => schema.$id !== id);
  const validator = new Validator(schemas.find((schema) => schema.$id === id), { schemas: others, assertFormat: true, useDefaults: false });
  return (instance) => validator.validate(instance).valid;
};
`,
  },
  {
    name: "jsonschema",
    reads: "draft-07",
    claims: formats,
    packages: ["jsonschema@1.5.0"],
    module: `
import { Validator } from "jsonschema";
const make = (id, all) => {
  const schemas = plain(all);
  const validator = new Validator();
  for (const schema of schemas) validator.addSchema(schema);
  const schema = schemas.find((each) => each.$id === id);
  return (instance) => validator.validate(instance, schema).valid;
};
`,
  },
  {
    name: "z-schema",
    reads: "2020-12",
    claims: formats,
    packages: ["z-schema@12.5.0"],
    module: `
import ZSchema from "z-schema";
const make = (id, schemas) => {
  const validator = ZSchema.create({ version: "draft2020-12" });
  for (const schema of schemas) if (schema.$id !== id) validator.setRemoteReference(schema.$id, structuredClone(schema));
  const schema = structuredClone(schemas.find((each) => each.$id === id));
  const judge = (instance) => {
    try {
      return validator.validate(instance, schema);
    } catch (error) {
      const refused = JSON.stringify(error.details).match(/Pattern rejected[^"]*/);
      if (refused !== null) throw new Error(refused[0]);
      return false;
    }
  };
  return judge;
};
`,
  },
  ...["python3", "/usr/bin/python3"].map((python) => ({
    name: "Python's jsonschema",
    reads: "2020-12",
    claims: formats,
    command: `${python} -W ignore ${adapter("python-jsonschema.py")}`,
    version: `${python} -W ignore -c 'import jsonschema; print(jsonschema.__version__)'`,
  })),
  {
    name: "Ruby's json_schemer",
    reads: "2020-12, before 1.0 draft-07",
    claims: formats,
    command: `ruby ${adapter("ruby-json_schemer.rb")}`,
    version: "ruby -rset -rjson_schemer -e 'puts JSONSchemer::VERSION'",
  },
  {
    name: "Go's gojsonschema",
    reads: "draft-07",
    claims: formats,
    command: `env ${gopath} go run ${adapter("go-gojsonschema.go")}`,
    version: `${gopath} go list github.com/xeipuuv/gojsonschema > /dev/null && dpkg-query --show --showformat '\${source:Upstream-Version}' golang-github-xeipuuv-gojsonschema-dev`,
  },
  {
    name: "Perl's JSON::Validator",
    reads: "2020-12",
    claims: formats,
    command: `perl ${adapter("perl-json-validator.pl")}`,
    version: "perl -MJSON::Validator -e 'print JSON::Validator->VERSION'",
  },
];
