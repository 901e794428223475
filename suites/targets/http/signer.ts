import type { Protocol, Signer } from "../../../schemas/index.ts";

/** The signer with the test keys; undefined for a protocol without signatures, which needs no code of its pack for this. */
export async function signerFor(protocol: Protocol): Promise<Signer | undefined> {
  const isSigned = protocol.profile.documents.some(({ fresh = [] }) => fresh.some(({ make }) => make === "signature"));
  if (!isSigned) return undefined;
  const { packOf } = await import("../../packs/pack/load.ts");
  return (await packOf(protocol)).signer?.();
}
