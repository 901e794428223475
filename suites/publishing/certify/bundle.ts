import { gunzipSync, gzipSync } from "node:zlib";
import {
  faultsIn,
  formatAddress,
  isObject,
  type Json,
  longestFile,
  maxValues,
  refuseMany,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { SignedEnvelope } from "./envelope.ts";

/** A certificate with its subjects, in one file. */
export interface Bundle {
  $schema: string;
  envelope: SignedEnvelope;
  /** The SubjectPublicKeyInfo of the signing key, DER in base64. It identifies the key; it does not make it trusted. */
  publicKey: string;
  /** The files that the statement describes, compressed by gzip and in base64. */
  materials: { name: string; data: string }[];
}

/** The maximum size of a bundle, and of all its materials after unpacking, in bytes. */
const maxLengths = { bundle: longestFile, materials: longestFile };

const hint = "give a complete file that touchstone certify has written";

/** Writes a bundle in its only valid form: `readBundle` compares each byte with it. */
export function formatBundle(bundle: Omit<Bundle, "$schema">): string {
  const { envelope, publicKey, materials } = bundle;
  const { payloadType, payload, signatures } = envelope;
  const orderedBundle: Bundle = {
    $schema: formatAddress("bundle"),
    envelope: { payloadType, payload, signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })) },
    publicKey,
    materials: materials.map(({ name, data }) => ({ name, data })),
  };
  return `${JSON.stringify(orderedBundle, null, 2)}\n`;
}

export function packMaterial(name: string, bytes: string | Uint8Array): Bundle["materials"][number] {
  return { name, data: gzipSync(bytes, { level: 9 }).toString("base64") };
}

/** Unpacks materials, by name. Throws a usage error if one is damaged, or if they are too large together. */
export function unpackMaterials(
  materials: Bundle["materials"],
  maxBytes: number = maxLengths.materials,
): Map<string, Buffer> {
  let bytesLeft = maxBytes;
  return new Map(
    materials.map((material) => {
      const bytes = unpackMaterial(material, bytesLeft);
      bytesLeft -= bytes.length;
      return [material.name, bytes];
    }),
  );
}

/** Unpacks a material. Throws a usage error if it is damaged, or larger than this many bytes. */
export function unpackMaterial(
  { name, data }: Bundle["materials"][number],
  maxBytes: number = maxLengths.materials,
): Buffer {
  try {
    return gunzipSync(Buffer.from(data, "base64"), { maxOutputLength: Math.max(1, maxBytes) });
  } catch (cause) {
    throw new TouchstoneError("usage", `${name} cannot be unpacked: ${(cause as Error).message}`, { hint, cause });
  }
}

/** Reads a bundle. Throws a usage error if the text is not a bundle, or is not exactly as `formatBundle` writes it. */
export function readBundle(text: string, file: string): Bundle {
  if (text.length > maxLengths.bundle)
    throw new TouchstoneError(
      "usage",
      `it has ${text.length} characters; a bundle may have at most ${maxLengths.bundle}`,
      {
        where: file,
        hint,
      },
    );
  refuseMany(text, maxValues, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new TouchstoneError("usage", `not valid JSON: ${(cause as Error).message}`, { where: file, hint, cause });
  }
  const [fault] = isObject(value) ? faultsIn("bundle", value as Json) : [{ at: "", what: "it is not an object" }];
  if (fault !== undefined)
    throw new TouchstoneError("usage", `not a bundle: ${fault.what}`, { where: `${file} (#${fault.at})`, hint });
  const bundle = value as unknown as Bundle;
  const base64Texts = [bundle.envelope.payload, bundle.publicKey, ...bundle.materials.map(({ data }) => data)];
  const isExact = [...base64Texts, ...bundle.envelope.signatures.map(({ sig }) => sig)].every(
    (each) => Buffer.from(each, "base64").toString("base64") === each,
  );
  if (!isExact || formatBundle(bundle) !== text)
    throw new TouchstoneError("usage", "the file was changed after it was written", { where: file, hint });
  return bundle;
}
