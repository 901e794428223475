import {
  type AnswerHeader,
  type DescribedHeaders,
  isObject,
  type JsonObject,
  pointer,
} from "../../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import type { DescriptionKind } from "./kind.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import { textTypes } from "./types.ts";

/** OpenAPI says that a declaration of this header is ignored: the media type determines it. */
const contentType = "content-type";

/** The headers that a response declares, as a document for an object with these headers as members. Undefined if it declares none. */
export function headersOf(
  sources: Sources,
  kind: DescriptionKind,
  response: { place: SourcePlace; value: JsonObject },
  isMeant: (name: string) => boolean = () => true,
): (Pick<DescribedHeaders["answers"][number], "headers"> & { schema: Bundled }) | undefined {
  const { headers: given } = response.value;
  const found = Object.keys(isObject(given) ? given : {})
    .map((name) => ({
      name: name.toLowerCase(),
      header: objectAt(sources, placeBelow(response.place, "headers", name)),
    }))
    .filter(({ name, header }) => name !== contentType && header !== undefined) as NamedHeader[];
  if (found.length === 0) return undefined;
  const required = found.filter(({ header }) => header.value.required === true).map(({ name }) => name);
  const schema = bundle(
    sources,
    kind,
    (write) => {
      const schemaMembers = found.flatMap(({ name, header }) =>
        header.value.schema === undefined || !isMeant(name)
          ? []
          : [[name, write(placeBelow(header.place, "schema"), pointer.append("/properties", name))] as const],
      );
      const properties = Object.fromEntries(schemaMembers);
      return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
    },
    { view: "response", from: placeBelow(response.place, "headers") },
  );
  const schemaValue = schema.text.value as JsonObject;
  const headers = found.map(({ name }): AnswerHeader => {
    const {
      members: _,
      mixed: __,
      ...read
    } = textTypes(pointer.at(pointer.append("/properties", name), schemaValue), schemaValue);
    return { name, ...read, ...(required.includes(name) ? { required: true } : {}) };
  });
  return { headers, schema };
}

interface NamedHeader {
  name: string;
  header: { place: SourcePlace; value: JsonObject };
}
