import { Ajv2020 } from "ajv/dist/2020.js";
import { ajvOptions } from "../../../../generators/index.ts";
import { type Json, type Protocol, protocolNamed } from "../../../../schemas/index.ts";

const base = "https://snap-protocol.org/schemas/0.1/";

let known: { protocol: Protocol; ajv: Ajv2020 } | undefined;

/** The protocol as data, read when it is first needed. */
export function snapProtocol(): Protocol {
  return loaded().protocol;
}

/** Whether a schema of the protocol, named by its file without `.schema.json`, accepts the value. Formats are annotations here. */
export function fits(schema: string, value: Json): boolean {
  return loaded().ajv.validate(`${base}${schema}.schema.json`, value);
}

/** Name of the schema for the payload of a message, where there is one. */
export function payloadSchema(method: unknown, type: unknown): string | undefined {
  const step = snapProtocol().profile.steps?.find(({ at }) => at === "/payload");
  const name = `${method} ${type}`;
  const id = Object.hasOwn(step?.schemas ?? {}, name) ? step?.schemas?.[name] : undefined;
  return id?.slice(base.length).replace(".schema.json", "");
}

function loaded(): { protocol: Protocol; ajv: Ajv2020 } {
  if (known === undefined) {
    const protocol = protocolNamed("snap");
    const ajv = new Ajv2020({ ...ajvOptions, validateFormats: false });
    for (const schema of protocol.schemas) if (String(schema.$id).startsWith(base)) ajv.addSchema(schema);
    known = { protocol, ajv };
  }
  return known;
}
