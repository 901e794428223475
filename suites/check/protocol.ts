import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type CodeSource,
  type Document,
  type JsonObject,
  known,
  type Protocol,
  profileFile,
  protocolNamed,
  readPack,
  withCode,
} from "../../schemas/index.ts";
import { textIn } from "../format/read.ts";
import { ruled } from "../pack/load.ts";
import { type Complaint, complaint } from "./complaint.ts";
import type { Listed } from "./file.ts";

export interface Found {
  protocol?: Protocol;
  /** It is not a built-in protocol. */
  isForeign: boolean;
  complaints: Complaint[];
}

/** The protocol that files are of: one that is known, or one whose schemas lie beside the manifest. */
export async function protocolFor(folder: string, files: readonly Listed[], by?: CodeSource): Promise<Found> {
  const [first] = files as [Listed, ...Listed[]];
  const { protocol: name, version } = first.content;
  if (existsSync(join(folder, "..", profileFile))) {
    const data = readPack(join(folder, ".."));
    const pack = by === undefined ? data : withCode(data, by);
    if (pack.name === name && pack.version === version)
      return { protocol: await ruled(pack), isForeign: true, complaints: [] };
  }
  if (known.some((each) => each.name === name && each.version === version))
    return { protocol: protocolNamed(name), isForeign: false, complaints: [] };
  const beside = join(folder, "schemas.json");
  if (existsSync(beside)) {
    const { value } = await textIn(beside);
    const documents = [...new Map(files.map(({ content }) => [content.document, documentOf(content)])).values()];
    return { protocol: foreign(name, version, value as JsonObject[], documents), isForeign: true, complaints: [] };
  }
  const hint = `put its schemas into ${beside}, as a list, each with its $id`;
  return { isForeign: true, complaints: [complaint(first, "/protocol", `${name}@${version} is not known`, hint)] };
}

function documentOf({ document: name, schema }: Listed["content"]): Document {
  return { name, title: name, schema, file: "", standalone: true, role: "entry" };
}

function foreign(name: string, version: string, schemas: JsonObject[], documents: Document[]): Protocol {
  const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
  const profile = {
    $schema: "",
    protocol: name,
    version,
    title: name,
    summary: "",
    formats: "assert" as const,
    documents,
    http,
  };
  return { name, version, folder: "", schemas, rules: [], profile };
}
