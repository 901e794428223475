import {
  type Extension,
  type JsonObject,
  protocolNamed,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { messageSpellings } from "../../../packs/pack/renamed-scenarios.ts";
import { parseHeader } from "../../ahcp/rules/header.ts";
import { isSignedBy, type VerificationKey } from "../../ahcp/rules/signature.ts";
import type { EntryKind } from "../rules/kinds.ts";
import { addressOf, entryContext } from "../rules/signed-entry.ts";
import type { DrainedEntry } from "./talk.ts";

/** Reads the key that verifies the signatures of entries from the hook. */
async function entryKey(context: ScenarioContext): Promise<VerificationKey> {
  const { alg, secret, publicKey } = await context.hook("entry-key", {});
  if (alg === "hmac-sha256" && typeof secret === "string") return { alg, secret };
  if (alg === "ed25519" && typeof publicKey === "string") return { alg, public_key: publicKey };
  throw new TargetSkip('the hook "entry-key" does not answer with a key');
}

/** Whether the signature of an entry is valid for its addressee. The hub signed the entry with MA2H's names, not AHCP's. */
export async function hasValidSignature(
  context: ScenarioContext,
  { kind, payload, signature }: DrainedEntry,
  addressee: { agent: string; session?: string },
): Promise<boolean> {
  const header = parseHeader(signature.replace(/^[A-Za-z0-9]+-Signature: /, ""), true);
  if (header === undefined) return false;
  const { version, extends: extension } = protocolNamed("ma2h");
  const { toPack } = messageSpellings(extension as Extension);
  const renamed = toPack.value(payload) as JsonObject;
  // The scenarios see messages of this version as version 0.3, AHCP's.
  const signedPayload = renamed.ma2h_version === "0.3" ? { ...renamed, ma2h_version: version } : renamed;
  const signed = entryContext(kind as EntryKind["member"], signedPayload, header, addressOf(addressee));
  return isSignedBy(signed, header.v1, await entryKey(context));
}
