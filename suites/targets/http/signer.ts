import type { Protocol, Signer } from "../../../schemas/index.ts";

/** Who signs for the test keys; undefined for a protocol that signs nothing, which then loads nothing for it. */
export async function signerFor(protocol: Protocol): Promise<Signer | undefined> {
  const isSigned = protocol.profile.documents.some(({ fresh = [] }) => fresh.some(({ make }) => make === "signature"));
  if (!isSigned) return undefined;
  const { packOf } = await import("../../packs/pack/load.ts");
  return (await packOf(protocol)).signer?.();
}
