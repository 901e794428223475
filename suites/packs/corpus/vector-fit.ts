import { join } from "node:path";
import {
  calledBy,
  canonical,
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
  const rest = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : "";
  return (
    `${missing.length} of ${total} documents of ${protocol.name} have no vectors yet and are not tested, because generation was stopped: ` +
    `${missing.slice(0, maxNamed).join(", ")}${rest}; touchstone generate ${calledBy(protocol)} continues with them\n`
  );
}

/** Throws a usage error if the vectors belong to another schema, version or name of the pack. */
export function refuseForeignVectors(
  protocol: Protocol,
  folder: string,
  {
    manifest,
    listed,
    files,
  }: {
    manifest: Pick<Manifest, "documents" | "files" | "missing">;
    listed: Manifest["files"];
    files: readonly VectorFile[];
  },
): void {
  const hint = `make them again: touchstone generate ${calledBy(protocol)}`;
  const fail = (where: string, problem: string): never => {
    throw new TouchstoneError("usage", problem, { where: shownPath(where), hint });
  };
  if (files.length === 0) {
    const [{ protocol: name, version } = {}] = manifest.files ?? [];
    const actual = name === undefined ? "" : ` but to ${name}@${version}`;
    throw new TouchstoneError("usage", `the vectors do not belong to ${protocol.name}@${protocol.version}${actual}`, {
      where: shownPath(join(folder, "MANIFEST.json")),
      hint:
        name === undefined || name === protocol.name
          ? hint
          : `if only the folder was renamed, write "protocol": "${name}" into profile.json; otherwise ${hint}`,
    });
  }
  const missing = new Set(manifest.missing);
  // A server may list a tool with a schema that no value satisfies: such a document was tried, and has no vectors.
  const triedDocuments = new Set((manifest.documents ?? []).map(({ document }) => document));
  const withoutVectors = protocol.profile.documents.find(
    ({ name, standalone, tool }) =>
      standalone &&
      !missing.has(name) &&
      !files.some(({ document }) => document === name) &&
      !(tool !== undefined && triedDocuments.has(name)),
  );
  if (withoutVectors !== undefined)
    fail(join(folder, "MANIFEST.json"), `there are no vectors of ${withoutVectors.name}`);
  const digests = new Map<string, string>();
  for (const [index, { document, schemaDigest }] of files.entries()) {
    const where = join(folder, listed[index]?.path ?? "");
    const described = protocol.profile.documents.find(({ name }) => name === document);
    const { schema = "", file = "" } = described ?? {};
    if (described === undefined)
      fail(where, `these vectors belong to "${document}", which is not a document of the pack`);
    const digest = digests.get(schema) ?? digestOf(canonical(schemasUsed(protocol.schemas, schema)));
    digests.set(schema, digest);
    if (digest !== schemaDigest)
      fail(where, `the vectors of ${document} were generated from an older schema than ${file}`);
  }
}
