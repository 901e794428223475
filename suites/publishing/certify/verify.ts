import type { KeyObject } from "node:crypto";
import { isObject, type Protocol, type Report, TouchstoneError } from "../../../schemas/index.ts";
import { readReport } from "../../reports/index.ts";
import { type Bundle, unpackMaterials } from "./bundle.ts";
import { type CertificateCheck, objectionsAmong } from "./check.ts";
import { openEnvelope } from "./envelope.ts";
import { publicHalf } from "./key.ts";
import type { CertificationProfile } from "./profiles.ts";
import { publishedChecks } from "./published-checks.ts";
import { rebuildStatement } from "./rebuilt-statement.ts";
import { faultsOf } from "./report-faults.ts";
import { describePacked, predicateType, type Statement, statementType } from "./statement.ts";

/** The readable content of a bundle, and its faults. */
export interface Verification {
  checks: CertificateCheck[];
  statement?: Statement;
  report?: Report;
  profiles: CertificationProfile[];
}

/** The inputs that a verification may trust in addition to the bundle itself. */
export interface Trusted {
  key: KeyObject;
  /** The name that the reader gave for the key. */
  keyName?: string;
  /** The known protocols with published sets and lists. */
  known: (name: string, version: string) => Protocol | undefined;
  /** The SHA-256 of the tested artifact, in hexadecimal, if the certificate is about a file. */
  artifact?: string | undefined;
}

/** Checks a bundle by itself: signature and digests, and the whole statement, which is made again from the results of the report and must be equal. Sets and lists are compared with the published ones. No target is needed. */
export async function verifyBundle(
  bundle: Bundle,
  { key, keyName = "the key", known, artifact }: Trusted,
): Promise<Verification> {
  const checks: CertificateCheck[] = [];
  const check = (what: string, against: string, wrong?: string): void =>
    void checks.push(wrong === undefined ? { what, against } : { what, against, wrong });
  const payload = openEnvelope(bundle.envelope, key);
  check("signature", keyName, payload instanceof Error ? payload.message : undefined);
  if (payload instanceof Error) return { checks, profiles: [] };
  const ownKey = publicHalf(key).toString("base64");
  check(
    "public key",
    keyName,
    bundle.publicKey === ownKey ? undefined : "the key in the bundle is not the key of the signature",
  );
  const statement = statementIn(payload);
  check("statement", predicateType, typeof statement === "string" ? statement : undefined);
  if (typeof statement === "string") return { checks, profiles: [] };
  const files = unpackMaterials(bundle.materials);
  for (const { what, wrong } of findWrongDigests(statement, bundle, files))
    check(what, "the digests of the statement", wrong);
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, statement, profiles: [] };
  const text = files.get("report.json")?.toString("utf8") ?? "";
  const report = await readReport(text, "report.json");
  for (const { what, wrong } of faultsOf(report, text)) check(what, "the results of the report", wrong);
  const { checks: anew, profiles } = rebuildStatement({ statement, report, bundle, files, payload, artifact });
  checks.push(...anew);
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, statement, report, profiles };
  checks.push(...(await publishedChecks(statement, report, profiles, known)));
  return { checks, statement, report, profiles };
}

function statementIn(payload: string): Statement | string {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return "it is not JSON";
  }
  if (!isObject(value) || value._type !== statementType) return `it is not an in-toto statement (${statementType})`;
  if (value.predicateType !== predicateType) return `it is not a statement about a test result (${predicateType})`;
  const { predicate } = value as unknown as Statement;
  const isWhole =
    Array.isArray(predicate?.configuration) &&
    predicate.configuration.every((descriptor) => isObject(descriptor) && isObject(descriptor.digest)) &&
    Array.isArray(predicate.touchstone?.scores) &&
    predicate.touchstone.scores.every((score) => isObject(score) && typeof score.profile === "string") &&
    Array.isArray((value as unknown as Statement).subject);
  return isWhole ? (value as unknown as Statement) : "it was not made by touchstone certify";
}

type CertificateFinding = Pick<CertificateCheck, "what" | "wrong">;

/** Checks that each described file exists and has its digest, and that there is no other file. */
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

/** Throws a usage error unless the certificate is valid, so that its vectors can be run again. */
export function mustHold({ checks, statement, report }: Verification): { statement: Statement; report: Report } {
  if (statement === undefined || report === undefined || objectionsAmong(checks).length > 0)
    throw new TouchstoneError("usage", "the certificate is not valid", { hint: "ask for a new one" });
  return { statement, report };
}
