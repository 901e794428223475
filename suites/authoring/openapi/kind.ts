import { isObject, TouchstoneError } from "../../../schemas/index.ts";
import { faultAt, type SourceFile } from "./source.ts";

/** The kind of an interface description. The version decides how its schemas are read. */
export type DescriptionKind = { name: "openapi"; version: "3.0" | "3.1" | "3.2" } | { name: "asyncapi"; version: "3" };

/** Recognizes the kind of a document by its content. Throws a usage error, with a remedy, for a kind that cannot be read here. */
export function kindOf(root: SourceFile): DescriptionKind {
  const { value } = root.text;
  const rootPlace = { source: root, at: "" };
  if (!isObject(value))
    throw faultAt(rootPlace, "not an API description: expected an object", `${supportedKinds}; ${schemaHint}`);
  const { openapi, swagger, asyncapi } = value;
  if (swagger !== undefined)
    throw faultAt(
      { source: root, at: "/swagger" },
      `this is Swagger ${String(swagger)}, the predecessor of OpenAPI 3`,
      "convert it, for instance with `npx swagger2openapi`, and give the result",
    );
  if (openapi !== undefined) {
    const [, version] = /^(3\.[012])(\.\d+)?(-.+)?$/.exec(String(openapi)) ?? [];
    if (version === undefined)
      throw faultAt({ source: root, at: "/openapi" }, `OpenAPI ${String(openapi)} is not supported`, supportedKinds);
    return { name: "openapi", version: version as "3.0" };
  }
  if (asyncapi !== undefined) {
    if (/^3\./.test(String(asyncapi))) return { name: "asyncapi", version: "3" };
    throw faultAt(
      { source: root, at: "/asyncapi" },
      `AsyncAPI ${String(asyncapi)} is not supported`,
      "convert it to AsyncAPI 3, for instance with `npx @asyncapi/cli convert`",
    );
  }
  throw new TouchstoneError("usage", 'not an API description: it has neither "openapi" nor "asyncapi"', {
    where: root.file,
    hint: `${supportedKinds}; ${schemaHint}`,
  });
}

const supportedKinds = "OpenAPI 3.0, 3.1 and 3.2 are supported, and AsyncAPI 3";
const schemaHint = "for a JSON Schema use `touchstone generate --schema FILE`";
