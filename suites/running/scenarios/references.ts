import type { Hook, JsonObject, Setting } from "../../../schemas/index.ts";

/** Adds the configured callback credentials to a setting as the hooks `secret` and `key`. Existing hooks of the setting take precedence. */
export function withReferences(setting: Setting): Setting {
  const { callbackAuth: auth, hooks = {} } = setting;
  if (auth === undefined) return setting;
  const secondKey = auth.hmac?.second;
  const secret: Hook = ({ scheme, second }): JsonObject => {
    if (scheme === "hmac" && second === true)
      return secondKey === undefined
        ? { skipped: "callbackAuth has no second secret" }
        : { secret_ref: secondKey.reference };
    if (scheme === "hmac" && auth.hmac !== undefined) return { secret_ref: auth.hmac.reference };
    const credential = scheme === "bearer" ? auth.bearer : scheme === "apikey" ? auth.apikey : undefined;
    if (credential === undefined) return { skipped: `callbackAuth has nothing for the scheme ${scheme}` };
    const { reference, ...otherMembers } = credential;
    return { token_ref: reference, ...otherMembers };
  };
  const key: Hook = ({ scheme, reference }): JsonObject => {
    if (secondKey !== undefined && reference === secondKey.reference)
      return { alg: "hmac-sha256", secret: secondKey.secret };
    if (scheme === "hmac" && auth.hmac !== undefined) return { alg: "hmac-sha256", secret: auth.hmac.secret };
    if (auth.ed25519 !== undefined) return { alg: "ed25519", ...auth.ed25519 };
    return { skipped: "callbackAuth has no key of the target's own" };
  };
  return { ...setting, hooks: { secret, key, ...hooks } };
}
