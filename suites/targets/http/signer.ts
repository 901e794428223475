import type { Protocol, Signer } from "../../../schemas/index.ts";

/** Creates the signer with the test keys. Undefined for a protocol without signatures, so that the code of its pack is not loaded for this. */
export async function signerFor(protocol: Protocol): Promise<Signer | undefined> {
  const isSigned = protocol.profile.documents.some(({ fresh = [] }) => fresh.some(({ make }) => make === "signature"));
  if (!isSigned) return undefined;
  const { packOf } = await import("../../packs/pack/load.ts");
  return (await packOf(protocol)).signer?.();
}
