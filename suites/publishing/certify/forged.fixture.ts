import type { KeyObject } from "node:crypto";
import type { Report } from "../../../schemas/index.ts";
import { type Bundle, bundleText, packMaterial, unpackMaterial } from "./bundle.ts";
import { signPayload } from "./envelope.ts";
import { describePacked, type Statement } from "./statement.ts";

/** The parts that a dishonest signer may change before signing. */
export interface Forged {
  statement: Statement;
  files: Map<string, string>;
}

/** For tests: a bundle with changes, signed again with correct digests, as its signer could have made it. */
export function forgeCertificate(bundle: Bundle, key: KeyObject, change: (forgeCertificate: Forged) => void): string {
  const files = new Map(bundle.materials.map((material) => [material.name, unpackMaterial(material).toString("utf8")]));
  const statement = JSON.parse(Buffer.from(bundle.envelope.payload, "base64").toString("utf8")) as Statement;
  const before = new Map(files);
  change({ statement, files });
  const materials = [...files].map(([name, text]) => packMaterial(name, text));
  const { predicate } = statement;
  const digests = new Map(
    materials.map(({ name, data }) => [name, describePacked(name, files.get(name) as string, data)]),
  );
  const describe = (descriptor: Statement["subject"][number]): typeof descriptor =>
    before.get(descriptor.name) === files.get(descriptor.name)
      ? descriptor
      : (digests.get(descriptor.name) ?? descriptor);
  predicate.configuration = predicate.configuration.map(describe);
  statement.subject = statement.subject.map(describe);
  return bundleText({ ...bundle, materials, envelope: signPayload(JSON.stringify(statement), key) });
}

/** Changes the report of a bundle, with its counts. */
export function forgeReport({ files }: Forged, change: (report: Report) => void): void {
  const report = JSON.parse(files.get("report.json") as string) as Report;
  change(report);
  files.set("report.json", `${JSON.stringify(report)}\n`);
}
