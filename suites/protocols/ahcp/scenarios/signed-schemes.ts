import { isDeepStrictEqual } from "node:util";
import {
  type Arrival,
  type Callback,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { algorithmOf, isSigned, type Key } from "./callback-signature.ts";
import { bodyOf, keyFor, type Scheme, schemes, signatureOf } from "./pushes.ts";

/** Runs an action with each scheme, and without one, if the hub serves it. */
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

/** A push with some scheme, and the hook's key for it; undefined if no key fits. */
export interface SignedPush {
  description: string;
  key: Key | undefined;
  isRight: boolean;
  arrival: Arrival | undefined;
}

export async function pushUnderScheme(
  context: ScenarioContext,
  callback: Callback,
  scheme: Scheme | null,
): Promise<SignedPush> {
  const [arrival] = callback.arrivals;
  const signature = signatureOf(arrival);
  const key = await keyFor(context, callback, scheme).catch((error: unknown) => {
    if (error instanceof TargetSkip || (error instanceof TargetFailure && error.stage === "hook")) return undefined;
    throw error;
  });
  const description = withScheme(scheme);
  if (key === undefined || signature === undefined || algorithmOf(signature) !== key.alg)
    return { description, key: undefined, isRight: false, arrival };
  return { description, key, isRight: isSigned(bodyOf(arrival), callback.url, signature, key), arrival };
}

/** Judges signatures with several schemes: another scenario judges a fault of all signatures. */
export function judge(context: ScenarioContext, signedPushes: readonly SignedPush[]): void {
  const verified = signedPushes.filter(({ isRight }) => isRight);
  if (verified.length === 0) context.skip("AHCP-SIG-003", "no known signature can be verified");
  if (verified.length === 0) return;
  for (const { description, key, isRight, arrival } of signedPushes) {
    // No push of this scheme has verified.
    if (key === undefined) {
      context.skip("AHCP-SIG-003", `${description} the signature of a push verifies with no known key`);
      continue;
    }
    const why = `${description} the signature of a push does not verify with the hook's key for it`;
    // A secret that the hook returns for every callback may be that of the first alone.
    const isShared = key.alg === "hmac-sha256" && verified.some((signedPush) => isDeepStrictEqual(signedPush.key, key));
    if (isRight || !isShared) context.expect("AHCP-SIG-003", isRight, why, arrival);
    else context.skip("AHCP-SIG-003", `${why}, which is also the key for another scheme`);
  }
}

export function withScheme(scheme: Scheme | null): string {
  return scheme === null ? "without `auth`" : `with the scheme ${scheme}`;
}
