import { type Document, nearestName, type Protocol, protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";

type DocumentIdentity = Pick<Document, "name" | "schema">;

/** Whether names, of documents or of schemas by `$id`, include this document; undefined means all. */
export function hasNamed(names: readonly string[] | undefined, { name, schema }: DocumentIdentity): boolean {
  return names === undefined || names.includes(name) || names.includes(schema);
}

/** Checks validators by name against a protocol. Throws a usage error if a document has no validator and some name is unknown, because that name may be meant for the document. Throws a target error if no name belongs to the protocol. Names that are URIs may belong to any other schema, and validators may belong to several protocols. */
export function mustBeOf(protocol: Protocol, names: readonly string[] | undefined, where: string): void {
  if (names === undefined) return;
  const { documents } = protocol.profile;
  const missingNames = documents.filter((document) => !hasNamed(names, document)).map(({ name }) => name);
  if (missingNames.length === 0) return;
  const hasDocument = (name: string) => (candidate: Protocol) =>
    candidate.profile.documents.some((document) => document.name === name);
  const unknownNames = names.filter((name) => !name.includes(":") && !hasDocument(name)(protocol));
  const builtInProtocols = unknownNames.length === 0 ? [] : protocolsNamed("all");
  const unknownName = unknownNames.find((name) => !builtInProtocols.some(hasDocument(name)));
  const hint = `the documents of ${protocol.name}: ${documents.map(({ name }) => name).join(", ")}`;
  if (unknownName !== undefined)
    throw new TouchstoneError(
      "usage",
      `it has a validator for "${unknownName}", which is not a document of ${protocol.name}`,
      {
        where,
        hint: `${nearestName(unknownName, missingNames)}${hint}`,
      },
    );
  if (missingNames.length < documents.length) return;
  throw new TouchstoneError(
    "target",
    `it has no validator for a document of ${protocol.name}, only for ${names.join(", ")}`,
    {
      where,
      hint,
    },
  );
}
