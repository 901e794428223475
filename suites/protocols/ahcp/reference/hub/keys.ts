import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { RunningHub, Signing } from "./hub.ts";
import type { HubSettings } from "./settings.ts";

const schemes = ["hmac", "bearer", "apikey"] as const;

/** The secrets by reference: those of the settings, and random ones for the references that every hub resolves. */
export function openVault({ vault = {} }: HubSettings): ReadonlyMap<string, string> {
  const references = schemes.map((scheme) => [vaultReference(scheme), randomBytes(24).toString("base64url")] as const);
  const secondKey = [secondReference, randomBytes(24).toString("base64url")] as const;
  return new Map([...references, secondKey, ...Object.entries(vault)]);
}

/** The reference for this scheme that every hub resolves. */
export function vaultReference(scheme: string): string {
  return `vault://touchstone/${scheme}`;
}

/** A second signing secret, to test whether each reference has its own. */
export const secondReference = "vault://touchstone/hmac/second";

/** The key that signs pushes to a callback: its secret if it has one, otherwise the hub's key. Undefined if the hub does not know the secret. */
export function signingKey(hub: RunningHub, callback: JsonObject): Signing["key"] | undefined {
  const auth = authOf(callback);
  if (auth.scheme !== "hmac") return hub.policy.hubKey(hub);
  const secret = hub.vault.get(String(auth.secret_ref));
  return secret === undefined ? undefined : { alg: "hmac-sha256", secret };
}

/** The header that identifies the hub to a callback. */
export function credentialHeader({ vault }: RunningHub, callback: JsonObject): Record<string, string> {
  const { scheme, token_ref: reference } = authOf(callback);
  const token = typeof reference === "string" ? vault.get(reference) : undefined;
  if (token === undefined) return {};
  return scheme === "bearer" ? { authorization: `Bearer ${token}` } : { "x-api-key": token };
}

function authOf({ auth }: JsonObject): Record<string, Json | undefined> {
  return isObject(auth) ? auth : {};
}
