import { isObject, type Json, type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";
import { pushTarget } from "./deliver.ts";
import type { Operations, RunningHub } from "./hub.ts";
import { commit, note } from "./keeping.ts";
import { secondReference, signingKey, vaultReference } from "./keys.ts";
import { restart } from "./open.ts";
import { resolve } from "./resolve.ts";
import { instant, timestamp } from "./time.ts";
import { viewOf } from "./view.ts";

/** The operations of the hub's operator: its inbox, its console and its administration. */
export const operations: Operations = {
  resolve: async (hub, input) => ({ ...(await resolve(hub, input)) }),

  delete(hub, { id }) {
    const entry = hub.store.entries.get(stringOf(id, "id"));
    if (entry === undefined) return { deleted: false };
    if (!entry.deleted) commit(hub, { event: "deleted", id: entry.id, at: hub.clock.now() });
    note(hub, "deleted", { id: entry.id });
    return { deleted: true };
  },

  restart(hub) {
    restart(hub);
    return { restarted: true };
  },

  /** Sets the clock, advances it, stops it (`stopped: true`) or starts it. The answer tells whether the clock also moves pushes. */
  clock(hub, { at, advanceMs, stopped }) {
    const time = at === undefined ? hub.clock.now() : instant(stringOf(at, "at"));
    if (time === undefined) throw invalidOption("at", "is not an RFC 3339 time");
    if (stopped === true) hub.clock.stop();
    if (at !== undefined || advanceMs !== undefined) hub.clock.set(time + Number(advanceMs ?? 0));
    if (stopped === false) hub.clock.start();
    const { arePausesReal, isFirstDelayReal, deniesMovingPushes } = hub.policy;
    const usesRealTime = arePausesReal || isFirstDelayReal;
    const declaredPushes = usesRealTime ? {} : { pushes: true };
    const pushes = deniesMovingPushes ? { pushes: false } : declaredPushes;
    return { now: timestamp(hub.clock.now()), ...pushes };
  },

  bind(hub, { host, agent }) {
    const text = stringOf(host, "host");
    const url = text.includes("://") ? text : `http://${text}`;
    if (!URL.canParse(url)) throw invalidOption("host", "is not a host");
    const bindingName = hub.policy.bindingOf(new URL(url));
    commit(hub, { event: "bound", host: bindingName, agent: stringOf(agent, "agent") });
    return { bound: bindingName };
  },

  /** The key that verifies pushes to a callback: the secret of the last message with this URL, or the hub's public key. */
  async key(hub, { callback }) {
    const targets = [...hub.store.entries.values()].map(pushTarget);
    const lastTarget = targets.findLast((target) => target?.url === callback);
    const key = signingKey(hub, lastTarget ?? {});
    if (key?.alg === "hmac-sha256") return { alg: key.alg, secret: key.secret };
    const { ed25519 } = await import("@noble/curves/ed25519.js");
    const publicKey = ed25519.getPublicKey(Buffer.from(hub.seed, "hex"));
    return { alg: "ed25519", publicKey: Buffer.from(publicKey).toString("hex") };
  },

  /** Signs a Response for a URL, with the caller's secret, time and nonce. */
  async sign({ policy, settings }, { response, url, secret, t, jti }) {
    const { sign } = settings.dialect?.signatures ?? (await import("../../rules/signature.ts"));
    const key = { alg: "hmac-sha256", secret: stringOf(secret, "secret") } as const;
    if (!isObject(response ?? null)) throw invalidOption("response", "is not an object");
    const stamp = { t: stringOf(t, "t"), jti: stringOf(jti, "jti") };
    return { signature: policy.sampleSignature(sign(response as JsonObject, stringOf(url, "url"), stamp, key)) };
  },

  logs: (hub) => ({ lines: hub.log.lines as unknown as Json }),

  view(hub, { id }) {
    const entry = hub.store.entries.get(stringOf(id, "id"));
    if (entry === undefined || entry.deleted) throw invalidOption("id", "is not the id of a message");
    return viewOf(hub, entry);
  },

  /** A reference that this hub resolves, as the members of a callback's auth for this scheme. */
  secret({ vault }, { scheme, second }) {
    if (scheme === "hmac" && second === true) return { secret_ref: secondReference };
    const reference = vaultReference(stringOf(scheme, "scheme"));
    return scheme === "hmac" ? { secret_ref: reference } : { token_ref: reference, token: vault.get(reference) ?? "" };
  },

  /** Installs DNS answers for a host. Each lookup uses the next one; the last one is repeated. */
  names(hub, { host, answers }) {
    const isAnswer = (answer: Json): answer is string[] =>
      Array.isArray(answer) && answer.every((address) => typeof address === "string");
    if (!Array.isArray(answers) || !answers.every(isAnswer))
      throw invalidOption("answers", "is not a list of lists of addresses");
    hub.names.set(stringOf(host, "host").toLowerCase(), [...answers]);
    return { answers: answers.length };
  },

  /** Switches the hub to production or development. A correct hub ignores `relaxed`. */
  profile({ settings, policy }, { profile, relaxed }) {
    const text = stringOf(profile, "profile");
    if (text !== "development" && text !== "production")
      throw invalidOption("profile", "is neither development nor production");
    settings.profile = text;
    settings.relaxed = relaxed === true && policy.canRelaxChecks;
    return { profile: text, relaxed: settings.relaxed };
  },
};

function stringOf(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw invalidOption(name, "is not a string");
  return value;
}

function invalidOption(name: string, problem: string): TouchstoneError {
  return new TouchstoneError("usage", `"${name}" ${problem}`, {});
}

/** Runs the operation with this name. Returns undefined if there is none. */
export async function operate(hub: RunningHub, name: string, input: Json): Promise<JsonObject | undefined> {
  const allOperations = { ...operations, ...hub.extraOperations };
  const operation = Object.hasOwn(allOperations, name) ? allOperations[name] : undefined;
  return operation?.(hub, isObject(input) ? input : {});
}
