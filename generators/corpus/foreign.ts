import { type LoadedSchemas, type Protocol, TouchstoneError } from "../../schemas/index.ts";

/** A user's schema as a protocol of one document, so that everything that is done for the five can be done for it. */
export function foreignProtocol({ entry, schemas }: LoadedSchemas, name: string): Protocol {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new TouchstoneError("usage", `"${name}" cannot name a set of vectors`, {
      hint: "a name begins with a lower-case letter and goes on with these, digits and hyphens: choose one with --name",
    });
  }
  const dialect = String(schemas[0]?.$schema ?? "");
  if (dialect.includes("draft-04")) {
    throw new TouchstoneError("usage", "vectors cannot be made from a draft-04 schema", {
      hint: "only one of the two validators reads draft-04, and a verdict needs both: convert the schema to draft-06 or later",
    });
  }
  return {
    name,
    version: "1",
    folder: "",
    schemas,
    rules: [],
    profile: {
      $schema: "",
      protocol: name,
      version: "1",
      title: name,
      summary: "",
      formats: "assert",
      documents: [{ name, title: name, schema: entry, file: "", standalone: true, role: "entry" }],
      http: { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] },
    },
  };
}
