import { isDeepStrictEqual } from "node:util";
import {
  type Arrival,
  type Callback,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { algorithmOf, type Key, verifiesPush } from "./callback-signature.ts";
import { bodyOf, type Scheme, schemes, signatureOf, verificationKeyFor } from "./pushes.ts";

/** Runs an action with each scheme and without one. Cases that the hub does not support are skipped. */
export async function forEachScheme(action: (scheme: Scheme | null) => Promise<void>): Promise<void> {
  const skips: unknown[] = [];
  const schemesAndNone = [...schemes, null];
  for (const scheme of schemesAndNone)
    await action(scheme).catch((error: unknown) => {
      if (!(error instanceof TargetSkip)) throw error;
      skips.push(error);
    });
  if (skips.length === schemesAndNone.length) throw skips[0];
}

/** A push with some scheme. `key` is undefined if the hook returns no key of the right algorithm. */
export interface SignedPush {
  description: string;
  key: Key | undefined;
  isVerified: boolean;
  arrival: Arrival | undefined;
}

export async function pushUnderScheme(
  context: ScenarioContext,
  callback: Callback,
  scheme: Scheme | null,
): Promise<SignedPush> {
  const [arrival] = callback.arrivals;
  const signature = signatureOf(arrival);
  const key = await verificationKeyFor(context, callback, scheme).catch((error: unknown) => {
    if (error instanceof TargetSkip || (error instanceof TargetFailure && error.stage === "hook")) return undefined;
    throw error;
  });
  const description = withScheme(scheme);
  if (key === undefined || signature === undefined || algorithmOf(signature) !== key.alg)
    return { description, key: undefined, isVerified: false, arrival };
  return { description, key, isVerified: verifiesPush(bodyOf(arrival), callback.url, signature, key), arrival };
}

/** Compares the signatures with several schemes. If none verifies, the scenario `signatures-context` finds out why. */
export function judge(context: ScenarioContext, signedPushes: readonly SignedPush[]): void {
  const verified = signedPushes.filter(({ isVerified }) => isVerified);
  if (verified.length === 0) context.skip("AHCP-SIG-003", "no known signature can be verified");
  if (verified.length === 0) return;
  for (const { description, key, isVerified, arrival } of signedPushes) {
    // Without a key, the signature cannot be verified.
    if (key === undefined) {
      context.skip("AHCP-SIG-003", `${description} the signature of a push cannot be verified with any known key`);
      continue;
    }
    const why = `${description} the signature of a push does not verify with the hook's key for it`;
    // The hook may return the secret of the first callback for all of them.
    const isShared = key.alg === "hmac-sha256" && verified.some((signedPush) => isDeepStrictEqual(signedPush.key, key));
    if (isVerified || !isShared) context.expect("AHCP-SIG-003", isVerified, why, arrival);
    else context.skip("AHCP-SIG-003", `${why}, which is also the key for another scheme`);
  }
}

export function withScheme(scheme: Scheme | null): string {
  return scheme === null ? "without `auth`" : `with the scheme ${scheme}`;
}
