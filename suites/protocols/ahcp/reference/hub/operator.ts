import { isObject, type Json, type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";
import { pushTarget } from "./deliver.ts";
import type { Operations, RunningHub } from "./hub.ts";
import { commit, note } from "./keeping.ts";
import { referenceOf, secondReference, signingKey } from "./keys.ts";
import { restart } from "./open.ts";
import { resolve } from "./resolve.ts";
import { instant, timestamp } from "./time.ts";
import { viewOf } from "./view.ts";

/** The operations of a hub's inbox, console and administration. */
export const operations: Operations = {
  resolve: async (hub, input) => ({ ...(await resolve(hub, input)) }),

  delete(hub, { id }) {
    const entry = hub.store.entries.get(textOf(id, "id"));
    if (entry === undefined) return { deleted: false };
    if (!entry.deleted) commit(hub, { event: "deleted", id: entry.id, at: hub.clock.now() });
    note(hub, "deleted", { id: entry.id });
    return { deleted: true };
  },

  restart(hub) {
    restart(hub);
    return { restarted: true };
  },

  /** Sets the clock, moves it forward, stops it (`stopped: true`) or lets it run. The answer says whether the clock moves pushes. */
  clock(hub, { at, advanceMs, stopped }) {
    const time = at === undefined ? hub.clock.now() : instant(textOf(at, "at"));
    if (time === undefined) throw wrongOption("at", "is not an RFC 3339 time");
    if (stopped === true) hub.clock.stop();
    if (at !== undefined || advanceMs !== undefined) hub.clock.set(time + Number(advanceMs ?? 0));
    if (stopped === false) hub.clock.start();
    const { arePausesReal, isFirstDelayReal, deniesMovingPushes } = hub.policy;
    const pushes = deniesMovingPushes ? { pushes: false } : arePausesReal || isFirstDelayReal ? {} : { pushes: true };
    return { now: timestamp(hub.clock.now()), ...pushes };
  },

  bind(hub, { host, agent }) {
    const text = textOf(host, "host");
    const url = text.includes("://") ? text : `http://${text}`;
    if (!URL.canParse(url)) throw wrongOption("host", "is not a host");
    const bindingName = hub.policy.bindingOf(new URL(url));
    commit(hub, { event: "bound", host: bindingName, agent: textOf(agent, "agent") });
    return { bound: bindingName };
  },

  /** The key that verifies pushes to a callback: the key of the last message with this URL, or the hub's own key. */
  async key(hub, { callback }) {
    const targets = [...hub.store.entries.values()].map(pushTarget);
    const last = targets.findLast((target) => target?.url === callback);
    const key = signingKey(hub, last ?? {});
    if (key?.alg === "hmac-sha256") return { alg: key.alg, secret: key.secret };
    const { ed25519 } = await import("@noble/curves/ed25519.js");
    const publicKey = ed25519.getPublicKey(Buffer.from(hub.seed, "hex"));
    return { alg: "ed25519", publicKey: Buffer.from(publicKey).toString("hex") };
  },

  /** Signs a Response for a URL, with the caller's secret, time and nonce. */
  async sign({ policy, settings }, { response, url, secret, t, jti }) {
    const { sign } = settings.dialect?.signatures ?? (await import("../../rules/signature.ts"));
    const key = { alg: "hmac-sha256", secret: textOf(secret, "secret") } as const;
    if (!isObject(response ?? null)) throw wrongOption("response", "is not an object");
    const stamp = { t: textOf(t, "t"), jti: textOf(jti, "jti") };
    return { signature: policy.sampleSignature(sign(response as JsonObject, textOf(url, "url"), stamp, key)) };
  },

  logs: (hub) => ({ lines: hub.log.lines as unknown as Json }),

  view(hub, { id }) {
    const entry = hub.store.entries.get(textOf(id, "id"));
    if (entry === undefined || entry.deleted) throw wrongOption("id", "is not the id of a message");
    return viewOf(hub, entry);
  },

  /** A reference that this hub resolves, in the form of the scheme. */
  secret({ vault }, { scheme, second }) {
    if (scheme === "hmac" && second === true) return { secret_ref: secondReference };
    const reference = referenceOf(textOf(scheme, "scheme"));
    return scheme === "hmac" ? { secret_ref: reference } : { token_ref: reference, token: vault.get(reference) ?? "" };
  },

  /** Installs a name service: each lookup of the host gets the next answer, and the last answer remains. */
  names(hub, { host, answers }) {
    const isAnswer = (answer: Json): answer is string[] =>
      Array.isArray(answer) && answer.every((address) => typeof address === "string");
    if (!Array.isArray(answers) || !answers.every(isAnswer))
      throw wrongOption("answers", "is not a list of lists of addresses");
    hub.names.set(textOf(host, "host").toLowerCase(), [...answers]);
    return { answers: answers.length };
  },

  /** Switches the hub to production or to development; in production no check can be relaxed. */
  profile({ settings, policy }, { profile, relaxed }) {
    const text = textOf(profile, "profile");
    if (text !== "development" && text !== "production")
      throw wrongOption("profile", "is neither development nor production");
    settings.profile = text;
    settings.relaxed = relaxed === true && policy.canRelaxChecks;
    return { profile: text, relaxed: settings.relaxed };
  },
};

function textOf(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw wrongOption(name, "is not text");
  return value;
}

function wrongOption(name: string, problem: string): TouchstoneError {
  return new TouchstoneError("usage", `"${name}" ${problem}`, {});
}

/** Runs an operation by its name; undefined for an unknown name. */
export async function operate(hub: RunningHub, name: string, input: Json): Promise<JsonObject | undefined> {
  const allOperations = { ...operations, ...hub.extraOperations };
  const operation = Object.hasOwn(allOperations, name) ? allOperations[name] : undefined;
  return operation?.(hub, isObject(input) ? input : {});
}
