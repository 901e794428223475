import type { KeyObject } from "node:crypto";
import type { Report } from "../../../schemas/index.ts";
import { type Bundle, formatBundle, packMaterial, unpackMaterial } from "./bundle.ts";
import { signPayload } from "./envelope.ts";
import { describePacked, type Statement } from "./statement.ts";

/** The parts that a dishonest signer may change before signing. */
export interface ForgedContent {
  statement: Statement;
  files: Map<string, string>;
}

/** For tests: changes a bundle and signs it again with correct digests, as a dishonest signer could. */
export function forgeCertificate(bundle: Bundle, key: KeyObject, change: (forged: ForgedContent) => void): string {
  const files = new Map(bundle.materials.map((material) => [material.name, unpackMaterial(material).toString("utf8")]));
  const statement = JSON.parse(Buffer.from(bundle.envelope.payload, "base64").toString("utf8")) as Statement;
  const originalFiles = new Map(files);
  change({ statement, files });
  const materials = [...files].map(([name, text]) => packMaterial(name, text));
  const { predicate } = statement;
  const digests = new Map(
    materials.map(({ name, data }) => [name, describePacked(name, files.get(name) as string, data)]),
  );
  const describeMaterial = (descriptor: Statement["subject"][number]): typeof descriptor =>
    originalFiles.get(descriptor.name) === files.get(descriptor.name)
      ? descriptor
      : (digests.get(descriptor.name) ?? descriptor);
  predicate.configuration = predicate.configuration.map(describeMaterial);
  statement.subject = statement.subject.map(describeMaterial);
  return formatBundle({ ...bundle, materials, envelope: signPayload(JSON.stringify(statement), key) });
}

/** Changes the report of a bundle. */
export function forgeReport({ files }: ForgedContent, change: (report: Report) => void): void {
  const report = JSON.parse(files.get("report.json") as string) as Report;
  change(report);
  files.set("report.json", `${JSON.stringify(report)}\n`);
}
