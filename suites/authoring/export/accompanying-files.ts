import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { home, type JsonObject, type Protocol } from "../../../schemas/index.ts";
import type { ExportedFile, ExportSource } from "./format.ts";

/** Pages of this repository, by their path in an export. */
export const pages: Readonly<Record<string, string>> = {
  "README.md": "vectors/README.md",
  "GLOSSARY.md": "vectors/GLOSSARY.md",
  "READERS.md": "suites/guides/readers.md",
  "NOTICE.md": "schemas/NOTICE.md",
  LICENSE: "LICENSE",
  "LICENSES/Apache-2.0.txt": "schemas/LICENSES/Apache-2.0.txt",
  "schemas/README.md": "schemas/README.md",
};

const readPage = (path: string): string => readFileSync(join(home, path), "utf8");

/** The files for readers in addition to the vectors: schemas, profile and rules of each protocol, the formats of these files, the pages for readers, and the licences. */
export function accompanyingFiles(sources: readonly ExportSource[]): ExportedFile[] {
  const protocols = sources.map(({ protocol }) => protocol);
  const data = new Map([
    ...protocols.flatMap((protocol) => [
      ...(protocol.foreign === true ? [] : builtInData(protocol)),
      // The data of a protocol that extends another one is complete only after loading.
      ...(protocol.foreign === true || protocol.extends !== undefined ? packData(protocol) : []),
    ]),
    ...formatSchemas(),
  ]);
  const notice = noticeFor(protocols, readPage(pages["NOTICE.md"] as string));
  const texts = new Map(
    Object.entries(pages).map(([path, source]) => [path, path === "NOTICE.md" ? notice : readPage(source)]),
  );
  for (const path of texts.keys()) if (path.startsWith("LICENSES/") && !notice.includes(path)) texts.delete(path);
  const paths = new Set([...data.keys(), ...texts.keys(), "MANIFEST.json", "aliases.json"]);
  for (const [path, text] of texts)
    if (path.endsWith(".md")) texts.set(path, relinkText(text, pages[path] ?? path, path, paths));
  return [...texts, ...data].map(([path, text]): ExportedFile => ({ path, text, vectors: 0, isAccompanying: true }));
}

/** All data of a built-in protocol except the former ids, which `aliases.json` has. */
function builtInData({ folder, name, version }: Protocol): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".json") && path !== "renamed.json")
    .sort()
    .map((path) => [`schemas/${name}/${version}/${path}`, readFileSync(join(folder, path), "utf8")]);
}

/** The data of a loaded pack. Its folder may have other formats, and other files. */
function packData({ name, version, profile, rules, schemas }: Protocol): [string, string][] {
  const folder = `schemas/${name}/${version}`;
  // The summary is optional, and the format does not allow an empty one.
  const { summary } = profile;
  const usedNames = new Set<string>();
  const fileOf = (schema: JsonObject, index: number): string => {
    const { file = "", name = "" } = profile.documents.find((document) => document.schema === schema.$id) ?? {};
    const isPlain = /^[\w.-]+(\/[\w.-]+)*\.json$/.test(file) && !file.split("/").includes("..");
    const schemaPath = isPlain ? file : `schemas/${name}.schema.json`;
    const path = name === "" || usedNames.has(schemaPath) ? `schemas/shared-${index + 1}.schema.json` : schemaPath;
    usedNames.add(path);
    return path;
  };
  const files = new Map(schemas.map((schema, index) => [schema.$id, fileOf(schema, index)]));
  // In an export, a part of a file becomes a separate file.
  const documents = profile.documents.map((document) => ({
    ...document,
    file: files.get(document.schema) ?? document.file,
  }));
  const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const formatPath = (name: string): string => `../../touchstone/${name}.schema.json`;
  return [
    [
      `${folder}/profile.json`,
      toJson({ ...profile, documents, $schema: formatPath("profile"), summary: summary || undefined }),
    ],
    ...(rules.length === 0
      ? []
      : [
          [`${folder}/rules.json`, toJson({ $schema: formatPath("rules"), protocol: name, version, rules })] as [
            string,
            string,
          ],
        ]),
    ...schemas.map((schema): [string, string] => [`${folder}/${files.get(schema.$id)}`, toJson(schema)]),
  ];
}

/** The schemas of our own formats. Files name them by `$id`. */
function formatSchemas(): [string, string][] {
  const folder = "schemas/touchstone";
  return readdirSync(join(home, folder))
    .filter((name) => name.endsWith(".schema.json"))
    .sort()
    .map((name) => [`${folder}/${name}`, readPage(`${folder}/${name}`)]);
}

/** The notice with only the rows of these protocols. The owner of a pack lists its sources. */
function noticeFor(protocols: readonly Protocol[], notice: string): string {
  const nameOf = ({ name, version }: Protocol): string => `${name}@${version}`;
  const builtInNames = protocols.filter(({ foreign }) => foreign !== true).map(nameOf);
  const packNames = protocols.filter(({ foreign }) => foreign === true).map(nameOf);
  const lines = notice.split("\n").filter((line) => {
    const [, name] = /^\| `([^`]+)` \|/.exec(line) ?? [];
    return name === undefined || builtInNames.includes(name);
  });
  const rows = packNames.map((name) => `| \`${name}\` | the schemas of its pack | ask its owner | ask its owner |`);
  return `${[...lines.join("\n").trimEnd().split("\n"), ...rows].join("\n")}\n`;
}

/** Adapts the links of a page to its path in an export. A link to a file outside the export becomes plain text. */
function relinkText(text: string, fromPath: string, toPath: string, paths: ReadonlySet<string>): string {
  const places = new Map(Object.entries(pages).map(([path, page]) => [page, path]));
  return text.replace(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, (link, linkText: string, address: string) => {
    if (/^[a-z]+:|^#/.test(address)) return link;
    const [path = "", fragment] = address.split("#");
    const target = posix.join(posix.dirname(fromPath), path);
    const place = places.get(target) ?? (paths.has(target) ? target : undefined);
    if (place === undefined || !paths.has(place)) return linkText;
    return `[${linkText}](${posix.relative(posix.dirname(toPath), place)}${fragment === undefined ? "" : `#${fragment}`})`;
  });
}
