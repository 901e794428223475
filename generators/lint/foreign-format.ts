import { dialectOf, dialects, type JsonObject } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";
import type { Node } from "../model/model.ts";
import type { LintFinding } from "./finding.ts";

/** Formats by the version of JSON Schema that added them, as each lists them under "Defined Formats". All others are in draft-04. */
const formatsAddedIn: Readonly<Record<string, readonly string[]>> = {
  "draft-06": ["uri-reference", "uri-template", "json-pointer"],
  "draft-07": ["date", "time", "idn-email", "idn-hostname", "iri", "iri-reference", "relative-json-pointer", "regex"],
  "2019-09": ["duration", "uuid"],
};

/** Finds formats that the schema's version of JSON Schema lacks and a later one has. Their treatment depends on the validator. */
export function findForeignFormats(schemas: readonly JsonObject[], { resource, keywords }: Node): LintFinding[] {
  const formats = keywords.filter((keyword) => keyword.kind === "format");
  if (formats.length === 0) return [];
  const document = schemas.find((schema) => identifier(schema) === resource);
  const dialect = document?.$schema === undefined ? undefined : dialectOf(document.$schema);
  if (dialect === undefined) return [];
  const laterDialects = dialects.slice(dialects.indexOf(dialect) + 1);
  return formats.flatMap(({ format, site }): LintFinding[] => {
    const introducedIn = laterDialects.find(({ name }) => formatsAddedIn[name]?.includes(format));
    if (introducedIn === undefined) return [];
    const why = `no format \`${format}\` in ${dialect.name}, only since ${introducedIn.name}: some validators ignore it, others assert it all the same`;
    return [{ at: site, kind: "foreign-format", why }];
  });
}
