import { isObject, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { readReport } from "../../reports/index.ts";
import { json } from "../../reports/json.ts";
import { type Bundle, readBundle } from "../certify/bundle.ts";
import { findObjections } from "../certify/check.ts";
import { keyId, readEmbeddedKey } from "../certify/key.ts";
import type { Statement } from "../certify/statement.ts";
import { verifyBundle } from "../certify/verify.ts";
import type { SiteEntry } from "./types.ts";

export interface ReadOptions {
  /** The ids of the keys that the maker of the site trusts. */
  trustedKeys: ReadonlySet<string>;
  /** Finds a protocol of this version, with its published vectors and profiles. */
  findProtocol: (name: string, version: string) => Protocol | undefined;
  /** The subject of a report; a certificate contains its own. */
  implementation?: { name: string; release: string };
}

/** Reads a report or a certificate. Throws a usage error for an invalid certificate, so a site never shows one. A valid certificate with an untrusted key is marked as untrusted. */
export async function readEntry(text: string, file: string, options: ReadOptions): Promise<SiteEntry> {
  const { implementation } = options;
  if (isBundle(text)) {
    if (implementation !== undefined)
      throw new TouchstoneError("usage", "a certificate contains its own name and release", {
        where: file,
        hint: "leave out NAME@RELEASE=",
      });
    return readCertified(readBundle(text, file), text, file, options);
  }
  const report = await readReport(text, file);
  if (report.runs.length === 0)
    throw new TouchstoneError("usage", "nothing was run", { where: file, hint: "leave this report out" });
  return {
    report,
    download: { text: json.render(report, { rules: [] }), extension: "json" },
    ...(implementation === undefined ? {} : { implementation }),
  };
}

function isBundle(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && "envelope" in value;
  } catch {
    return false;
  }
}

async function readCertified(
  bundle: Bundle,
  text: string,
  file: string,
  { trustedKeys, findProtocol }: ReadOptions,
): Promise<SiteEntry> {
  const key = readEmbeddedKey(bundle.publicKey, file);
  const { checks, statement, report } = await verifyBundle(bundle, { key, findProtocol });
  const fault = checks.find(({ wrong }) => wrong !== undefined);
  if (fault !== undefined || statement === undefined || report === undefined)
    throw new TouchstoneError("usage", `the certificate is not valid: ${fault?.what}: ${fault?.wrong}`, {
      where: file,
      hint: "leave it out, or ask for a new one; touchstone certify verify lists all its faults",
    });
  const { implementation, scores, notChecked } = requireDetails(statement, file);
  const id = keyId(key);
  return {
    implementation: { name: implementation.name, release: implementation.release },
    report,
    certificate: { key: id, isTrusted: trustedKeys.has(id) && findObjections(checks).length === 0, scores, notChecked },
    download: { text, extension: "touchstone.json" },
  };
}

/** Returns the details of a statement. Throws a usage error if the name, the release or the unchecked results are malformed: they are the signer's claims, and verification does not check them. */
function requireDetails({ predicate: { touchstone } }: Statement, file: string): Statement["predicate"]["touchstone"] {
  const { implementation, notChecked } = touchstone;
  const isShortText = (value: unknown): boolean => typeof value === "string" && value !== "" && value.length <= 200;
  const isValid =
    isShortText(implementation?.name) &&
    isShortText(implementation.release) &&
    Array.isArray(notChecked) &&
    notChecked.length <= 1000 &&
    notChecked.every(
      (each) =>
        [each?.protocol, each?.version, each?.profile, each?.why].every(isShortText) &&
        Number.isSafeInteger(each.results),
    );
  if (isValid) return touchstone;
  throw new TouchstoneError("usage", "the certificate lacks its name, its release or the list of unchecked results", {
    where: file,
    hint: "give a file that touchstone certify has written, with a name and a release of at most 200 characters",
  });
}
