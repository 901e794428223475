import { setTimeout as sleep } from "node:timers/promises";
import {
  type Evidence,
  type HttpReply,
  type JsonObject,
  type ScenarioContext,
  type ScenarioFinding,
  type Setting,
  type Skip,
  TargetFailure,
} from "../../../schemas/index.ts";
import { headersFrom } from "../../base/http/headers.ts";
import { headerForCredential, withCredential, withoutCredentials } from "../../base/http/identity.ts";
import { whileLimited } from "../../base/http/rate-limit.ts";
import { createRedactor, type Redactor } from "../../base/http/redact.ts";
import { send } from "../../base/http/send.ts";
import { watchLoop } from "../../base/process/loop-watch.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { type AccessGate, createAccessGate } from "./access.ts";
import { type PartyRoute, routeTo } from "./address.ts";
import { sharedBound } from "./bounds.ts";
import { putClock } from "./clock.ts";
import { closeAll, closingSignal } from "./closing.ts";
import { attemptSuffix } from "./draw.ts";
import { bodyOf, describeBreakdown, isSound, replyOf, type SentRequest } from "./exchange.ts";
import { heldUpSkip } from "./held-up.ts";
import { settleHook } from "./hook-deadline.ts";
import { hookFrom, timeFrom } from "./hooks.ts";
import { hookDeclines, hookMissing, unmetNeeds } from "./needs.ts";
import { isWorthShowing, type MessageNotes, notesOf } from "./notes.ts";
import type { OpenContext, PlayOptions } from "./open-context.ts";
import { mustNotLimitLonger, onceNotBusy, requestedWait } from "./pace.ts";
import { type RecentExchanges, seenOf } from "./recent-exchanges.ts";
import { type Restarts, restartsOf } from "./restarts.ts";

/** The names of the suite in exchanges between the parties. */
const suiteNames: ReadonlySet<string> = new Set(["touchstone", "suite"]);

/** Creates the context of one scenario, which collects its findings. */
export function contextFor(options: PlayOptions): OpenContext {
  return ScenarioPlay.open(options);
}

/** One play of a scenario. Its functions are own members, because scenarios may destructure it. */
class ScenarioPlay implements ScenarioContext {
  readonly setting: Setting;
  readonly signal: AbortSignal;
  readonly agents: ScenarioContext["agents"];

  readonly #options: PlayOptions;
  readonly #party: string;
  readonly #timeScale: number;
  /** Extends the scenario's time by these milliseconds. */
  readonly #extend: (milliseconds: number) => void;
  readonly #gate: AccessGate;
  readonly #senders: Record<"a" | "b" | "nobody", { headers: Record<string, string>; agent?: string }>;
  readonly #hide: Redactor;
  readonly #recent: RecentExchanges;
  readonly #notes: MessageNotes;
  readonly #restarts: Restarts;
  readonly #loop = watchLoop();
  readonly #findings: ScenarioFinding[] = [];
  /** The functions to call when the scenario ends. */
  readonly #closers: (() => Promise<void> | void)[] = [];
  /** Answers of the hook `secret`, kept because a hook may mint a new secret for each request. */
  readonly #secrets = new Map<string, JsonObject>();
  /** Whether the parties exchanged more than requests and answers, so that a trace is worth showing. */
  #isRecorded = false;
  #hasHeard = false;
  /** The failure of a hook that never answered. */
  #hung: TargetFailure | undefined;
  #freshCount = 0;
  /** The milliseconds by which the target's clock is ahead of the local clock, according to its answers. */
  #skew = Number.NEGATIVE_INFINITY;

  static open(options: PlayOptions): OpenContext {
    const play = new ScenarioPlay(options);
    return {
      context: play,
      findings: play.#findings,
      heard: () => play.#hasHeard,
      last: () => ({ exchanges: play.#recent.all(), ...play.#traced() }),
      hung: () => play.#hung,
      heldUp: (waitedMs) => play.#heldUp(waitedMs),
      close: () => play.#close(),
    };
  }

  constructor(options: PlayOptions) {
    const { protocol, setting, signal, gate = createAccessGate(), extend = () => {}, takes = {} } = options;
    const { headers: givenHeaders = {}, credentials = {}, timeScale = 1 } = setting;
    this.#options = options;
    this.setting = setting;
    this.signal = signal;
    this.#party = setting.side ?? "target";
    this.#timeScale = timeScale;
    this.#extend = extend;
    this.#gate = gate;
    this.#senders = {
      a: credentials.a === undefined ? { headers: givenHeaders } : withCredential(givenHeaders, credentials.a),
      b: {
        headers: {
          ...withoutCredentials(givenHeaders),
          ...(credentials.b === undefined ? {} : headerForCredential(credentials.b)),
        },
      },
      nobody: { headers: withoutCredentials(givenHeaders) },
    };
    this.agents = {
      a: this.#senders.a.agent ?? "touchstone-a",
      ...(credentials.b === undefined ? {} : { b: credentials.b.agent }),
    };
    this.#hide = createRedactor({}, createHider(secretsIn(setting)));
    this.#recent = seenOf(this.#hide, protocol.profile.http.signature);
    this.#notes = notesOf(this.#hide, takes);
    this.#restarts = restartsOf(setting);
  }

  readonly send: ScenarioContext["send"] = async (options) => {
    const { as = "a", headers: ownHeaders = {}, waitMs = 0, isHurried = false, name = "touchstone" } = options;
    const request = this.#requestOf(options);
    const [head, text] = [`${options.method} ${options.path}`, request.body];
    const requestNote = this.#notes.keep({ from: name, to: this.#party, head, text }, { as: request.as });
    const recordReply = this.#recent.ask(request, this.#reached().url);
    let reply = await this.#answerTo(request, waitMs);
    for (let tries = 0; !isHurried; tries++) {
      if ((await this.later(reply, tries)) === 0) break;
      reply = await this.#answerTo(request, waitMs);
    }
    recordReply(reply);
    if (!isSound(reply) && !(await this.#isUp()))
      throw new TargetFailure("errored", "answer", describeBreakdown(reply));
    const date = Date.parse(reply.headers.date ?? "");
    // Transport and rounding to seconds make the clock seem slow, so the largest observation is the best.
    if (Number.isFinite(date)) this.#skew = Math.max(this.#skew, date - Date.now());
    this.#notes.keep(
      { from: this.#party, to: name, head: `HTTP ${reply.status}`, text: reply.text },
      { of: reply, answers: requestNote },
    );
    const { profile } = this.#options.protocol;
    if (!isHurried) mustNotLimitLonger(reply, profile.http.later, sharedBound(this.setting, "busy"));
    const isExpected = options.isForbidden === true && reply.status === 403;
    if (as !== "nobody" && Object.keys(ownHeaders).length === 0 && !isExpected)
      this.#gate.pass(reply, { as, agent: this.agents[as], body: options.body, sender: profile.sender });
    return reply;
  };

  readonly stream: ScenarioContext["stream"] = async (options) => {
    this.#reached();
    return (await import("./way/event-stream.ts")).openStream(this, { ...options, takesLines: true });
  };

  readonly socket: ScenarioContext["socket"] = async ({ path, headers, as }) => {
    const url = `${this.#reached().url.replace(/^http/, "ws").replace(/\/$/, "")}${path}`;
    return (await import("./way/websocket.ts")).dialChannel(this, url, { ...this.#senders[as].headers, ...headers });
  };

  readonly start: ScenarioContext["start"] = async () => (await import("./way/command.ts")).startCommand(this);

  readonly later: ScenarioContext["later"] = async (answer, tries) => {
    const { later } = this.#options.protocol.profile.http;
    const wait = requestedWait(answer, tries, later, sharedBound(this.setting, "busy"));
    if (wait === undefined) return 0;
    // A rate limiter may use the target's clock or its own.
    if (tries === 0 && this.has("clock")) await this.pass(wait);
    else {
      this.#extend(wait);
      await whileLimited(answer, () => sleep(wait, undefined, { signal: this.signal }));
    }
    return wait;
  };

  readonly fetch: ScenarioContext["fetch"] = async (text) => {
    const { origin, pathname, search } = new URL(text);
    const { url, prefix } = this.#reached();
    const path = `${pathname}${search}`;
    if (origin !== new URL(url).origin || (prefix !== "" && !path.startsWith(`${prefix}/`))) return undefined;
    return this.send({ method: "GET", path: path.slice(prefix.length) });
  };

  readonly hook: ScenarioContext["hook"] = async (need, parameters) => {
    const config = this.setting.hooks?.[need];
    if (config === undefined) throw hookMissing(need);
    const secretKey = need === "secret" ? JSON.stringify(parameters) : undefined;
    const knownSecret = secretKey === undefined ? undefined : this.#secrets.get(secretKey);
    if (knownSecret !== undefined) return knownSecret;
    this.#isRecorded ||= isWorthShowing(need, parameters);
    const { signal } = this;
    const call = (): Promise<JsonObject> =>
      this.#notes.call(need, parameters, async () => hookFrom(need, config)(parameters));
    const noteHanging = (failure: TargetFailure): void => {
      this.#hung = failure;
    };
    const ask = async (): Promise<JsonObject> => {
      const answer = await settleHook(need, this.#restarts.over(call, signal), signal, noteHanging);
      if (typeof answer.skipped === "string") throw hookDeclines(need, answer.skipped);
      return answer;
    };
    if (need === "restart")
      return this.#restarts.restart(ask, { url: this.#options.way?.url, isUp: () => this.#isUp(), signal });
    const answer = await ask();
    if (secretKey !== undefined) this.#secrets.set(secretKey, answer);
    return answer;
  };

  readonly violations: ScenarioContext["violations"] = async (document, instance) => {
    // Loading the validator is slow, and few scenarios need it.
    const { validate } = await import("../../packs/validate/validate.ts");
    return validate(this.#options.protocol, document, instance);
  };

  readonly callback: ScenarioContext["callback"] = async (reactions, tail) => {
    const { callback } = await this.#options.receiver();
    const newCallback = callback(this.fresh("callback"), reactions, tail, (arrival) => {
      const { method, target, body } = arrival;
      const arrivalNote = {
        from: this.#party,
        to: "touchstone",
        head: `${method} ${target}`,
        text: body.toString("utf8"),
      };
      this.#notes.keep(arrivalNote, { of: arrival });
    });
    this.#recent.watch(newCallback);
    return newCallback;
  };

  readonly come: ScenarioContext["come"] = async (callback, count, milliseconds) => {
    this.signal.throwIfAborted();
    const hasCome = await callback.come(count, milliseconds * this.#timeScale);
    if (!hasCome) this.#options.onWait?.(milliseconds);
    return hasCome;
  };

  readonly has: ScenarioContext["has"] = (need) => unmetNeeds([need], this.setting).length === 0;

  readonly expect: ScenarioContext["expect"] = (rule, holds, why, ...details) => {
    if (holds) return this.#addFinding(this.#restarts.conforms(rule));
    const level = details.find((detail) => typeof detail === "string");
    const evidence = details.filter((each) => typeof each === "object");
    this.#addFinding({ rule, outcome: "violates", why, ...(level === undefined ? {} : { level }) }, evidence);
  };

  readonly note: ScenarioContext["note"] = (rule, why) => this.#addFinding({ rule, outcome: "disputed", why });

  readonly skip: ScenarioContext["skip"] = (rule, why, cause) =>
    this.#addFinding({ rule, outcome: "skipped", why, ...(cause === undefined ? {} : { cause }) });

  readonly fresh: ScenarioContext["fresh"] = (prefix) => {
    const { seed, attempt = 0, name } = this.#options;
    this.#freshCount += 1;
    return `${prefix}-${seed.toString(36)}${attempt === 0 ? "" : attemptSuffix(attempt)}-${name}-${this.#freshCount}`;
  };

  /** Lets time pass for the target. Without a hook, this time is never shortened, because the target uses the real clock. */
  readonly pass: ScenarioContext["pass"] = async (milliseconds) => {
    if (this.has("clock")) await putClock(this, milliseconds);
    else await this.#sleep(milliseconds, Math.max(1, this.#timeScale));
  };

  readonly wait: ScenarioContext["wait"] = (milliseconds) => this.#sleep(milliseconds, this.#timeScale);

  readonly now: ScenarioContext["now"] = async () => {
    if (this.has("clock")) return timeFrom(await this.hook("clock", {}));
    if (!Number.isFinite(this.#skew) && this.#options.way !== undefined)
      await this.send({ method: "GET", path: "/", as: "nobody" });
    return Date.now() + (Number.isFinite(this.#skew) ? this.#skew : 0);
  };

  readonly closing: ScenarioContext["closing"] = (close) => void this.#closers.push(close);

  readonly record: ScenarioContext["record"] = (message) => {
    this.#hasHeard ||= !suiteNames.has(message.from);
    this.#isRecorded = true;
    const isTheirs = message.from === this.#party || message.from === "target" || suiteNames.has(message.to);
    this.#notes.keep(message, isTheirs ? { of: "theirs" } : {});
  };

  #reached(): PartyRoute {
    return routeTo(this.#options.way);
  }

  #requestOf({
    method,
    path,
    body,
    bytes,
    as = "a",
    headers = {},
  }: Parameters<ScenarioContext["send"]>[0]): SentRequest {
    const agent = as === "nobody" ? as : this.agents[as];
    return {
      method,
      path: `${this.#reached().prefix}${path}`,
      headers: headersFrom(this.#senders[as].headers, headers),
      ...bodyOf(body, bytes),
      as: this.setting.credentials?.a === undefined ? undefined : agent,
    };
  }

  async #answerTo(request: SentRequest, waitMs: number): Promise<HttpReply> {
    const { setting } = this;
    const signal = closingSignal() ?? this.signal;
    const sendOnce = async (): Promise<HttpReply> => {
      const combinedSignal = AbortSignal.any([
        signal,
        AbortSignal.timeout((sharedBound(setting, "answer") + waitMs) * Math.max(1, this.#timeScale)),
      ]);
      const askedAt = performance.now();
      const wireRequest = { ...request, method: request.method as "GET", body: request.bytes ?? request.body };
      const answer = await this.#restarts.over(
        () => send(this.#reached().pool, wireRequest, combinedSignal),
        combinedSignal,
      );
      this.#hasHeard = true;
      // A slow target that answers has the full time for each request.
      this.#extend(performance.now() - askedAt);
      return replyOf(request, answer, this.#reached().url, this.#hide);
    };
    return onceNotBusy(sendOnce, this.#extend, signal, sharedBound(setting, "busy"));
  }

  /** Whether the server still works. A server that fails one request is at fault; a server that fails every request has broken down, which is not evidence about any rule. Any refusal shows that it works. */
  async #isUp(): Promise<boolean> {
    const request = { method: "GET", path: `${this.#reached().prefix}/`, headers: headersFrom({}), body: "" };
    const reply = await this.#answerTo(request, 0);
    return isSound(reply) || (reply.status >= 400 && reply.status < 500);
  }

  async #sleep(milliseconds: number, scale: number): Promise<void> {
    this.#options.onWait?.(milliseconds);
    await sleep(milliseconds * scale, undefined, { signal: this.signal });
  }

  #heldUp(waitedMs?: number): Skip | undefined {
    if (this.#options.isTrial === true) return undefined;
    return heldUpSkip(this.#loop.longestDelay(), this.setting, waitedMs);
  }

  #addFinding(original: ScenarioFinding, evidence: readonly Evidence[] = []): void {
    this.#recent.update();
    const skip = original.outcome === "violates" ? this.#heldUp() : undefined;
    const finding: ScenarioFinding =
      skip === undefined ? original : { rule: original.rule, outcome: "skipped", ...skip };
    const isShown = finding.outcome !== "conforms";
    const exchanges = (): Pick<ScenarioFinding, "exchanges" | "trace"> => ({
      exchanges: this.#recent.answered(evidence),
      ...this.#traced({ evidence }),
    });
    this.#findings.push(isShown ? { ...finding, ...exchanges() } : finding);
    this.#options.onFinding?.(finding);
  }

  #traced(finding?: { evidence: readonly Evidence[] }): Pick<ScenarioFinding, "trace"> {
    return this.#isRecorded ? { trace: this.#notes.last(finding) } : {};
  }

  async #close(): Promise<void> {
    const { takes } = this.#options;
    await closeAll(this.#closers);
    this.#loop.stop();
    takes?.hidden?.end();
    takes?.bare?.end();
  }
}
