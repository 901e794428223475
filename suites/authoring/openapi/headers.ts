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
  isIncluded: (name: string) => boolean = () => true,
): (Pick<DescribedHeaders["answers"][number], "headers"> & { schema: Bundled }) | undefined {
  const { headers: declaredHeaders } = response.value;
  const namedHeaders = Object.keys(isObject(declaredHeaders) ? declaredHeaders : {})
    .map((name) => ({
      name: name.toLowerCase(),
      header: objectAt(sources, placeBelow(response.place, "headers", name)),
    }))
    .filter(({ name, header }) => name !== contentType && header !== undefined) as NamedHeader[];
  if (namedHeaders.length === 0) return undefined;
  const requiredNames = namedHeaders.filter(({ header }) => header.value.required === true).map(({ name }) => name);
  const schema = bundle(
    sources,
    kind,
    (write) => {
      const schemaMembers = namedHeaders.flatMap(({ name, header }) =>
        header.value.schema === undefined || !isIncluded(name)
          ? []
          : [[name, write(placeBelow(header.place, "schema"), pointer.append("/properties", name))] as const],
      );
      const properties = Object.fromEntries(schemaMembers);
      return { type: "object", properties, ...(requiredNames.length === 0 ? {} : { required: requiredNames }) };
    },
    { view: "response", from: placeBelow(response.place, "headers") },
  );
  const schemaValue = schema.text.value as JsonObject;
  const headers = namedHeaders.map(({ name }): AnswerHeader => {
    const {
      members: _,
      mixed: __,
      ...typeMembers
    } = textTypes(pointer.at(pointer.append("/properties", name), schemaValue), schemaValue);
    return { name, ...typeMembers, ...(requiredNames.includes(name) ? { required: true } : {}) };
  });
  return { headers, schema };
}

interface NamedHeader {
  name: string;
  header: { place: SourcePlace; value: JsonObject };
}
