import {
  type Document,
  digestOf,
  exactNumbersIn,
  type Manifest,
  type RuledProtocol,
  sealManifest,
  version,
} from "../../schemas/index.ts";
import { type AssembleOptions, assemble, assembleRules } from "./assemble.ts";
import { type AssembledDocument, defaultSeed } from "./document-files.ts";
import { print, withNumbers } from "./print.ts";

/** The default version of a set. That of the published set is in `scripts/vectors/versions.json`. */
export const setVersion = "1.1.0";

export interface BuiltSet {
  /** File contents by path below the set's folder. */
  texts: Map<string, string>;
  manifest: Manifest;
}

export interface BuildOptions extends AssembleOptions {
  /** The name of the only document to build; without it, all are built. */
  document?: string;
  /** Whether the result is a part for `joinParts`. The manifest of a part has no digest and no file. */
  isPart?: boolean;
}

/** Builds the vectors of every document of the protocols. `onDocument` is called after each document. */
export async function buildSet(
  protocols: readonly RuledProtocol[],
  onDocument?: (name: string, assembled: AssembledDocument) => void,
  { document: onlyDocument, isPart = false, ...options }: BuildOptions = {},
): Promise<BuiltSet> {
  const texts = new Map<string, string>();
  const files: Manifest["files"] = [];
  const documents: Manifest["documents"] = [];
  const add = (protocol: RuledProtocol, document: Document, assembledFiles: AssembledDocument["files"]): void => {
    const exactNumbers = exactNumbersOf(protocol);
    const folder = `${protocol.name}/${protocol.version}`;
    for (const { kind, file: assembledFile } of assembledFiles) {
      const file = withNumbers(assembledFile, exactNumbers);
      // Traces share one folder, with a file for each.
      const path =
        document.role === "trace"
          ? `${folder}/traces/${document.name}.json`
          : `${folder}/${document.name}/${kind}.json`;
      const text = print(file, exactNumbers);
      texts.set(path, text);
      files.push({
        path,
        protocol: protocol.name,
        version: protocol.version,
        document: document.name,
        kind,
        count: file.count,
        digest: digestOf(text),
      });
    }
  };
  for (const protocol of protocols) {
    for (const document of protocol.profile.documents) {
      if (onlyDocument !== undefined && document.name !== onlyDocument) continue;
      if (!document.standalone) {
        add(protocol, document, await assembleRules(protocol, document, options));
        continue;
      }
      const assembled = await assemble(protocol, document, options);
      add(protocol, document, assembled.files);
      documents.push(assembled.sites);
      onDocument?.(`${protocol.name} ${document.name}`, assembled);
    }
  }
  const parts = { texts, files, documents, seed: options.seed ?? defaultSeed };
  return isPart ? { texts, manifest: manifestOf(parts) } : publishSet(parts);
}

const knownExactNumbers = new WeakMap<RuledProtocol["schemas"], ReadonlyMap<number, string>>();

/** Returns the exact spelling of the numbers that doubles represent. Cached, because an interface description may have thousands of schemas. */
function exactNumbersOf({ schemas }: RuledProtocol): ReadonlyMap<number, string> {
  const known = knownExactNumbers.get(schemas) ?? exactNumbersIn(schemas);
  knownExactNumbers.set(schemas, known);
  return known;
}

/** Joins parts that were built separately into one set, in the given order. `published` has its version, its former ids, and the missing documents. */
export function joinParts(
  parts: readonly BuiltSet[],
  published: Partial<Pick<Manifest, "version" | "aliases" | "missing">> = {},
): BuiltSet {
  return publishSet({
    ...published,
    texts: new Map(parts.flatMap(({ texts }) => [...texts])),
    files: parts.flatMap(({ manifest }) => manifest.files),
    documents: parts.flatMap(({ manifest }) => manifest.documents),
    seed: parts[0]?.manifest.generator.seed ?? defaultSeed,
  });
}

interface SetParts extends Pick<Manifest, "files" | "documents" | "aliases" | "missing"> {
  texts: Map<string, string>;
  seed: number;
  version?: string;
}

function publishSet(parts: SetParts): BuiltSet {
  const manifest = sealManifest(manifestOf(parts));
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return { texts: new Map([...parts.texts, ["MANIFEST.json", text]]), manifest };
}

/** Makes the manifest without a digest. */
function manifestOf({ files, documents, seed, version: published = setVersion, aliases, missing }: SetParts): Manifest {
  return {
    $schema: "https://touchstone.example/schemas/touchstone/manifest.schema.json",
    name: "touchstone",
    version: published,
    generator: { name: "touchstone", version, seed },
    digest: "",
    count: files.reduce((sum, { count }) => sum + count, 0),
    ...(aliases === undefined ? {} : { aliases }),
    ...(missing === undefined || missing.length === 0 ? {} : { missing }),
    files,
    documents,
  };
}
