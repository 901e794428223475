import type { KeyObject } from "node:crypto";
import { isObject, type Protocol, type Report, TouchstoneError } from "../../../schemas/index.ts";
import { readReport } from "../../reports/index.ts";
import { type Bundle, unpackMaterials } from "./bundle.ts";
import { type CertificateCheck, findObjections } from "./check.ts";
import { openEnvelope } from "./envelope.ts";
import { exportPublicKey } from "./key.ts";
import type { CertificationProfile } from "./profiles.ts";
import { compareWithPublished } from "./published-checks.ts";
import { rebuildStatement } from "./rebuilt-statement.ts";
import { checkReport } from "./report-faults.ts";
import { describePacked, predicateType, type Statement, statementType } from "./statement.ts";

/** The checks of a bundle, and its content as far as it could be read. */
export interface Verification {
  checks: CertificateCheck[];
  statement?: Statement;
  report?: Report;
  profiles: CertificationProfile[];
}

/** The inputs that a verification may trust in addition to the bundle itself. */
export interface TrustedInputs {
  key: KeyObject;
  /** The name of the key in the checks, such as its file. */
  keyName?: string;
  /** Finds a protocol of this version, with its published vectors and profiles. */
  findProtocol: (name: string, version: string) => Protocol | undefined;
  /** The SHA-256 of the tested artifact, in hexadecimal, if the certificate is about a file. */
  artifact?: string | undefined;
}

/** Verifies a bundle without running anything. Checks the signature and the digests, rebuilds the statement from the results of the report, and compares vector sets and profiles with the published ones. */
export async function verifyBundle(
  bundle: Bundle,
  { key, keyName = "the key", findProtocol, artifact }: TrustedInputs,
): Promise<Verification> {
  const checks: CertificateCheck[] = [];
  const addCheck = (what: string, against: string, wrong?: string): void =>
    void checks.push(wrong === undefined ? { what, against } : { what, against, wrong });
  const payload = openEnvelope(bundle.envelope, key);
  addCheck("signature", keyName, payload instanceof Error ? payload.message : undefined);
  if (payload instanceof Error) return { checks, profiles: [] };
  const ownKey = exportPublicKey(key).toString("base64");
  addCheck(
    "public key",
    keyName,
    bundle.publicKey === ownKey ? undefined : "the key in the bundle is not the key of the signature",
  );
  const statement = parseStatement(payload);
  addCheck("statement", predicateType, typeof statement === "string" ? statement : undefined);
  if (typeof statement === "string") return { checks, profiles: [] };
  const files = unpackMaterials(bundle.materials);
  for (const { what, wrong } of findWrongDigests(statement, bundle, files))
    addCheck(what, "the digests of the statement", wrong);
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, statement, profiles: [] };
  const text = files.get("report.json")?.toString("utf8") ?? "";
  const report = await readReport(text, "report.json");
  for (const { what, wrong } of checkReport(report, text)) addCheck(what, "the results of the report", wrong);
  const { checks: rebuiltChecks, profiles } = rebuildStatement({ statement, report, bundle, files, payload, artifact });
  checks.push(...rebuiltChecks);
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, statement, report, profiles };
  checks.push(...(await compareWithPublished(statement, report, profiles, findProtocol)));
  return { checks, statement, report, profiles };
}

function parseStatement(payload: string): Statement | string {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return "it is not JSON";
  }
  if (!isObject(value) || value._type !== statementType) return `it is not an in-toto statement (${statementType})`;
  if (value.predicateType !== predicateType) return `it is not a statement about a test result (${predicateType})`;
  const { predicate } = value as unknown as Statement;
  const hasRequiredMembers =
    Array.isArray(predicate?.configuration) &&
    predicate.configuration.every((descriptor) => isObject(descriptor) && isObject(descriptor.digest)) &&
    Array.isArray(predicate.touchstone?.scores) &&
    predicate.touchstone.scores.every((score) => isObject(score) && typeof score.profile === "string") &&
    Array.isArray((value as unknown as Statement).subject);
  return hasRequiredMembers ? (value as unknown as Statement) : "it was not made by touchstone certify";
}

type CertificateFinding = Pick<CertificateCheck, "what" | "wrong">;

/** Checks that each described file is in the bundle with the stated digest, and that there are no other files. */
function findWrongDigests(
  { predicate }: Statement,
  { materials }: Bundle,
  files: ReadonlyMap<string, Buffer>,
): CertificateFinding[] {
  const statedFiles = new Map(predicate.configuration.map((descriptor) => [descriptor.name, descriptor]));
  const checks: CertificateFinding[] = materials.map(({ name, data }) => {
    const { digest, annotations } = describePacked(name, files.get(name) as Buffer, data);
    const signedFile = statedFiles.get(name);
    if (signedFile === undefined) return { what: name, wrong: "the statement does not mention it" };
    if (signedFile.digest.sha256 !== digest.sha256)
      return { what: name, wrong: `its SHA-256 is ${digest.sha256}, the statement says ${signedFile.digest.sha256}` };
    if (signedFile.annotations?.packed !== annotations?.packed)
      return { what: name, wrong: "it is compressed differently than when it was signed" };
    return { what: name };
  });
  if (new Set(materials.map(({ name }) => name)).size < materials.length)
    checks.push({ what: "files of the bundle", wrong: "two have the same name" });
  if (statedFiles.size < predicate.configuration.length)
    checks.push({ what: "files of the statement", wrong: "two have the same name" });
  for (const name of statedFiles.keys())
    if (!name.startsWith("vectors ") && !files.has(name)) checks.push({ what: name, wrong: "it is not in the bundle" });
  if (!files.has("report.json") && !statedFiles.has("report.json"))
    checks.push({ what: "report.json", wrong: "it is not in the bundle" });
  return checks;
}

/** Returns the statement and the report of a valid certificate. Throws a usage error if it is not valid. */
export function requireValid({ checks, statement, report }: Verification): { statement: Statement; report: Report } {
  if (statement === undefined || report === undefined || findObjections(checks).length > 0)
    throw new TouchstoneError("usage", "the certificate is not valid", { hint: "ask for a new one" });
  return { statement, report };
}
