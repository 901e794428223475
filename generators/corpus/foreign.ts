import { type JsonObject, type LoadedSchemas, type RuledProtocol, TouchstoneError } from "../../schemas/index.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";

/** A user's schema as a protocol of one document, so that everything that is done for the five can be done for it. */
export function foreignProtocol({ entry, schemas }: LoadedSchemas, name: string): RuledProtocol {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new TouchstoneError("usage", `"${name}" cannot name a set of vectors`, {
      hint: "a name begins with a lower-case letter and goes on with these, digits and hyphens: choose one with --name",
    });
  }
  return {
    name,
    version: "1",
    folder: "",
    schemas,
    rules: [],
    families: [],
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

/** Compiles a user's schema with both validators. Throws a usage error when one of them cannot. */
export async function foreignOracle(schemas: readonly JsonObject[], id: string): Promise<Oracle> {
  try {
    return await oracleFor(schemas, id, "lenient");
  } catch (cause) {
    const why = cause instanceof RangeError ? "its references go too deep" : (cause as Error).message;
    throw new TouchstoneError("usage", `a validator cannot read it: ${why}`, {
      where: id,
      hint: "a verdict needs both validators, Ajv and Hyperjump",
      cause,
    });
  }
}
