import { join } from "node:path";
import {
  calledBy,
  canonical,
  type Document,
  digestOf,
  type Manifest,
  type Protocol,
  schemasUsed,
  shownPath,
  TouchstoneError,
  type VectorFile,
} from "../../../schemas/index.ts";

/** The error for a pack that has no vectors yet. */
export function missingVectors(protocol: Protocol): TouchstoneError {
  const { folder, name } = protocol;
  return new TouchstoneError("usage", `${name} has no vectors yet`, {
    where: shownPath(join(folder, "vectors")),
    hint: `make them: touchstone generate ${calledBy(protocol)}`,
  });
}

/** The most missing documents that a notice names. */
const maxNamed = 5;

/** A notice that names the documents of a pack without vectors. */
export function describeMissing(protocol: Protocol, missing: readonly string[]): string {
  const total = protocol.profile.documents.filter(({ standalone }) => standalone).length;
  const restNote = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : "";
  return (
    `${missing.length} of ${total} documents of ${protocol.name} have no vectors yet and are not tested, because generation was stopped: ` +
    `${missing.slice(0, maxNamed).join(", ")}${restNote}; touchstone generate ${calledBy(protocol)} continues with them\n`
  );
}

/** The vectors of a pack: its manifest, the entries of its files, and the content of these files. */
interface PackVectors {
  manifest: Pick<Manifest, "documents" | "files" | "missing">;
  entries: Manifest["files"];
  files: readonly VectorFile[];
}

/** Throws a usage error if the vectors belong to a different schema, version or name of the pack. */
export function refuseForeignVectors(protocol: Protocol, folder: string, vectors: PackVectors): void {
  const hint = `make them again: touchstone generate ${calledBy(protocol)}`;
  const fail = (where: string, problem: string): never => {
    throw new TouchstoneError("usage", problem, { where: shownPath(where), hint });
  };
  if (vectors.files.length === 0) throw otherPackError(protocol, folder, vectors.manifest, hint);
  const untestedDocument = findUntested(protocol, vectors);
  if (untestedDocument !== undefined)
    fail(join(folder, "MANIFEST.json"), `there are no vectors of ${untestedDocument.name}`);
  const digests = new Map<string, string>();
  for (const [index, { document, schemaDigest }] of vectors.files.entries()) {
    const where = join(folder, vectors.entries[index]?.path ?? "");
    const packDocument = protocol.profile.documents.find(({ name }) => name === document);
    const { schema = "", file = "" } = packDocument ?? {};
    if (packDocument === undefined)
      fail(where, `these vectors belong to "${document}", which is not a document of the pack`);
    const digest = digests.get(schema) ?? digestOf(canonical(schemasUsed(protocol.schemas, schema)));
    digests.set(schema, digest);
    if (digest !== schemaDigest)
      fail(where, `the vectors of ${document} were generated from an older schema than ${file}`);
  }
}

/** The error for vectors of a pack with a different name or version. */
function otherPackError(
  protocol: Protocol,
  folder: string,
  { files = [] }: Partial<PackVectors["manifest"]>,
  hint: string,
): TouchstoneError {
  const [{ protocol: name, version } = {}] = files;
  const actual = name === undefined ? "" : ` but to ${name}@${version}`;
  return new TouchstoneError("usage", `the vectors do not belong to ${protocol.name}@${protocol.version}${actual}`, {
    where: shownPath(join(folder, "MANIFEST.json")),
    hint:
      name === undefined || name === protocol.name
        ? hint
        : `if only the folder was renamed, write "protocol": "${name}" into profile.json; otherwise ${hint}`,
  });
}

/** Finds a document that should have vectors and has none. */
function findUntested({ profile }: Protocol, { manifest, files }: PackVectors): Document | undefined {
  const missing = new Set(manifest.missing);
  // A server may list a tool with a schema that no value satisfies: such a document was tried, and has no vectors.
  const triedDocuments = new Set((manifest.documents ?? []).map(({ document }) => document));
  return profile.documents.find(
    ({ name, standalone, tool }) =>
      standalone &&
      !missing.has(name) &&
      !files.some(({ document }) => document === name) &&
      !(tool !== undefined && triedDocuments.has(name)),
  );
}
