import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  builtInPacks,
  type CodeSource,
  type Document,
  type JsonObject,
  type Protocol,
  profileFile,
  protocolNamed,
  readPack,
  withCode,
} from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { ruled } from "../../packs/pack/load.ts";
import { complainAt, type SetComplaint } from "./complaint.ts";
import type { ListedFile } from "./file.ts";

export interface FoundProtocol {
  protocol?: Protocol;
  /** Whether it is not a built-in protocol. */
  isForeign: boolean;
  complaints: SetComplaint[];
}

/** Finds the protocol of the files: a known protocol, or schemas beside the manifest, as in an export. Code in an export is not loaded. */
export async function findProtocol(
  folder: string,
  files: readonly ListedFile[],
  codeSource?: CodeSource,
): Promise<FoundProtocol> {
  const [firstFile] = files as [ListedFile, ...ListedFile[]];
  const { protocol: name, version } = firstFile.content;
  if (existsSync(join(folder, "..", profileFile))) {
    const data = readPack(join(folder, ".."));
    const pack = codeSource === undefined ? data : withCode(data, codeSource);
    if (pack.name === name && pack.version === version)
      return { protocol: await ruled(pack), isForeign: true, complaints: [] };
  }
  if (builtInPacks.some((builtInPack) => builtInPack.name === name && builtInPack.version === version))
    return { protocol: protocolNamed(name), isForeign: false, complaints: [] };
  // An export of a pack has its schemas, profile and rules beside the vectors.
  const exportFolder = join(folder, "schemas", basename(name), basename(version));
  if (existsSync(join(exportFolder, profileFile))) {
    const data = readPack(exportFolder);
    const documents = data.profile.documents.map((document) =>
      documentOf({ document: document.name, schema: document.schema }),
    );
    // The checks may be code, which an export does not contain: then only the schemas judge.
    if (data.name === name && data.version === version) {
      const protocol = foreignProtocol(name, version, {
        schemas: data.schemas,
        documents,
        formats: data.profile.formats,
      });
      return { protocol, isForeign: true, complaints: [] };
    }
  }
  const schemasFile = join(folder, "schemas.json");
  if (existsSync(schemasFile)) {
    const { value } = await readTextFile(schemasFile);
    const documents = [...new Map(files.map(({ content }) => [content.document, documentOf(content)])).values()];
    return {
      protocol: foreignProtocol(name, version, { schemas: value as JsonObject[], documents }),
      isForeign: true,
      complaints: [],
    };
  }
  const hint = `put its schemas into ${schemasFile}, as a list, each with its $id`;
  return { isForeign: true, complaints: [complainAt(firstFile, "/protocol", `${name}@${version} is not known`, hint)] };
}

function documentOf({ document: name, schema }: Pick<ListedFile["content"], "document" | "schema">): Document {
  return { name, title: name, schema, file: "", standalone: true, role: "entry" };
}

function foreignProtocol(
  name: string,
  version: string,
  {
    schemas,
    documents,
    formats = "assert",
  }: { schemas: JsonObject[]; documents: Document[]; formats?: Protocol["profile"]["formats"] },
): Protocol {
  const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
  const profile = {
    $schema: "",
    protocol: name,
    version,
    title: name,
    summary: "",
    formats,
    documents,
    http,
  };
  return { name, version, folder: "", schemas, rules: [], profile };
}
