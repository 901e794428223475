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

/** How many missing documents are named. */
const mostNamed = 5;

/** A line about documents of a pack that have no vectors yet. */
export function describeMissing(protocol: Protocol, missing: readonly string[]): string {
  const all = protocol.profile.documents.filter(({ standalone }) => standalone).length;
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
  return (
    `${missing.length} of ${all} documents of ${protocol.name} have no vectors yet and are not tested, since their generation was stopped: ` +
    `${missing.slice(0, mostNamed).join(", ")}${more}; touchstone generate ${calledBy(protocol)} continues with them\n`
  );
}

/** Throws a usage error if the vectors belong to another schema, version or name of the pack. */
export function refuseOthers(
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
  const fail = (where: string, what: string): never => {
    throw new TouchstoneError("usage", what, { where: shownPath(where), hint });
  };
  if (files.length === 0) {
    const [{ protocol: name, version } = {}] = manifest.files ?? [];
    const others = name === undefined ? "" : ` but of ${name}@${version}`;
    throw new TouchstoneError("usage", `the vectors are not of ${protocol.name}@${protocol.version}${others}`, {
      where: shownPath(join(folder, "MANIFEST.json")),
      hint:
        name === undefined || name === protocol.name
          ? hint
          : `if only the folder has another name now, write "protocol": "${name}" into profile.json; otherwise ${hint}`,
    });
  }
  const missing = new Set(manifest.missing);
  // A server may list a tool with a schema that no value satisfies.
  const tried = new Set((manifest.documents ?? []).map(({ document }) => document));
  const lacking = protocol.profile.documents.find(
    ({ name, standalone, tool }) =>
      standalone &&
      !missing.has(name) &&
      !files.some(({ document }) => document === name) &&
      !(tool !== undefined && tried.has(name)),
  );
  if (lacking !== undefined) fail(join(folder, "MANIFEST.json"), `there are no vectors of ${lacking.name}`);
  const digests = new Map<string, string>();
  for (const [index, { document, schemaDigest }] of files.entries()) {
    const where = join(folder, listed[index]?.path ?? "");
    const known = protocol.profile.documents.find(({ name }) => name === document);
    const { schema = "", file = "" } = known ?? {};
    if (known === undefined) fail(where, `the vectors are of "${document}", which is not a document of the pack`);
    const digest = digests.get(schema) ?? digestOf(canonical(schemasUsed(protocol.schemas, schema)));
    digests.set(schema, digest);
    if (digest !== schemaDigest) fail(where, `the vectors of ${document} were made from an older schema than ${file}`);
  }
}
