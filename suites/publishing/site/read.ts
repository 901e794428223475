import { isObject, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { readReport } from "../../reports/index.ts";
import { json } from "../../reports/json.ts";
import { type Bundle, readBundle } from "../certify/bundle.ts";
import { objectionsAmong } from "../certify/check.ts";
import { embeddedKey, keyId } from "../certify/key.ts";
import type { Statement } from "../certify/statement.ts";
import { verifyBundle } from "../certify/verify.ts";
import type { SiteEntry } from "./types.ts";

export interface ReadOptions {
  /** SHA-256 in hex of the public keys that the maker of the site trusts. */
  trusted: ReadonlySet<string>;
  /** The known protocols, with published lists for judging certificates. */
  known: (name: string, version: string) => Protocol | undefined;
  /** The subject of a report; a certificate contains its own. */
  implementation?: { name: string; release: string };
}

/** Reads a report or a certificate. An invalid certificate is a usage error, so none is ever shown. A valid certificate with an untrusted key is marked as such. */
export async function entryOf(text: string, file: string, options: ReadOptions): Promise<SiteEntry> {
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
  { trusted, known }: ReadOptions,
): Promise<SiteEntry> {
  const key = embeddedKey(bundle.publicKey, file);
  const { checks, statement, report } = await verifyBundle(bundle, { key, known });
  const fault = checks.find(({ wrong }) => wrong !== undefined);
  if (fault !== undefined || statement === undefined || report === undefined)
    throw new TouchstoneError("usage", `the certificate is not valid: ${fault?.what}: ${fault?.wrong}`, {
      where: file,
      hint: "leave it out, or ask for a new one; touchstone certify verify lists all its faults",
    });
  const { implementation, scores, notChecked } = detailsIn(statement, file);
  const id = keyId(key);
  return {
    implementation: { name: implementation.name, release: implementation.release },
    report,
    certificate: { key: id, isTrusted: trusted.has(id) && objectionsAmong(checks).length === 0, scores, notChecked },
    download: { text, extension: "touchstone.json" },
  };
}

/** A certificate with any signature: its scores are computed again, but its names and its list of unchecked results are the signer's. */
function detailsIn({ predicate: { touchstone } }: Statement, file: string): Statement["predicate"]["touchstone"] {
  const { implementation, notChecked } = touchstone;
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "" && value.length <= 200;
  const isWhole =
    isText(implementation?.name) &&
    isText(implementation.release) &&
    Array.isArray(notChecked) &&
    notChecked.length <= 1000 &&
    notChecked.every(
      (each) =>
        [each?.protocol, each?.version, each?.profile, each?.why].every(isText) && Number.isSafeInteger(each.results),
    );
  if (isWhole) return touchstone;
  throw new TouchstoneError("usage", "the certificate lacks its name, its release or the list of unchecked results", {
    where: file,
    hint: "give a file that touchstone certify has written, with a name and a release of at most 200 characters",
  });
}
