import { setTimeout as sleep } from "node:timers/promises";
import {
  type Evidence,
  type HttpReply,
  type JsonObject,
  type Protocol,
  type ScenarioContext,
  type ScenarioFinding,
  type Setting,
  TargetFailure,
} from "../../../schemas/index.ts";
import { headersFrom } from "../../base/http/headers.ts";
import { anonymous, headerOf, identified } from "../../base/http/identity.ts";
import { whileLimited } from "../../base/http/rate-limit.ts";
import { redactor } from "../../base/http/redact.ts";
import { send } from "../../base/http/send.ts";
import { hider, secretsIn } from "../../base/secrets/index.ts";
import { type Gate, gate } from "./access.ts";
import { reached, type Way } from "./address.ts";
import { sharedBound } from "./bounds.ts";
import { put } from "./clock.ts";
import { closeAll } from "./closing.ts";
import { againAt } from "./draw.ts";
import { breakdown, isSound, type Request, replyOf } from "./exchange.ts";
import { settled } from "./hook-deadline.ts";
import { hookFrom, timeFrom } from "./hooks.ts";
import { hookDeclines, hookMissing, unmet } from "./needs.ts";
import { isTold, notesOf, type Takes } from "./notes.ts";
import { mustBeWaited, onceNotBusy, waitAsked } from "./pace.ts";
import type { Receiver } from "./receiver/receiver.ts";
import { seenOf } from "./recent-exchanges.ts";
import { restartsOf } from "./restarts.ts";

/** What the suite is called in what goes between the parties. */
const ourselves: ReadonlySet<string> = new Set(["touchstone", "suite"]);

export interface ContextOptions {
  protocol: Protocol;
  setting: Setting;
  /** Absent for a party without an address. */
  way?: Way | undefined;
  seed: number;
  /** Which try it is, from 0: further ones send ids of their own. */
  attempt?: number;
  /** Name of the scenario. */
  name: string;
  signal: AbortSignal;
  /** Starts the receiver of callbacks, or gives the one that there is. */
  receiver(): Promise<Receiver>;
  /** Whom the target has let in so far; absent: nobody is known to be. */
  known?: Gate;
  /** Gives the scenario so many milliseconds more: those that the target took to answer, or asked to wait. */
  extend?: (milliseconds: number) => void;
  takes?: Takes | undefined;
  /** Told of each wait that was not ended early, in milliseconds before they are scaled. */
  waited?: ((milliseconds: number) => void) | undefined;
}

export interface OpenContext {
  context: ScenarioContext;
  findings: ScenarioFinding[];
  /** Whether the target has answered anything. */
  heard: () => boolean;
  /** What went last between the parties, to show with a scenario that ended early. */
  last(): Pick<ScenarioFinding, "exchanges" | "trace">;
  /** What to say of a hook that had not answered when the time was up. */
  hung: () => TargetFailure | undefined;
  /** Closes what the scenario has opened. Never throws. */
  close(): Promise<void>;
}

/** What one scenario is played with, and the findings that it leaves. */
export function contextFor(options: ContextOptions): OpenContext {
  const {
    protocol,
    setting,
    way,
    seed,
    attempt = 0,
    name,
    signal,
    receiver,
    known = gate(),
    extend = () => {},
    takes = {},
    waited = () => {},
  } = options;
  const { headers: given = {}, credentials = {}, hooks = {}, timeScale = 1 } = setting;
  const shown = {
    a: credentials.a === undefined ? { headers: given } : identified(given, credentials.a),
    b: { headers: { ...anonymous(given), ...(credentials.b === undefined ? {} : headerOf(credentials.b)) } },
    nobody: { headers: anonymous(given) },
  };
  const hide = redactor({}, hider(secretsIn(setting)));
  const findings: ScenarioFinding[] = [];
  const seen = seenOf(hide, protocol.profile.http.signature);
  const notes = notesOf(hide, takes);
  let isRecorded = false;
  const open: (() => Promise<void> | void)[] = [];
  let drawn = 0;
  let skew = Number.NEGATIVE_INFINITY;
  /** What the target resolves was reported once, and may be minted anew each time that it is asked for. */
  const secrets = new Map<string, JsonObject>();
  // Where all went by requests and answers, and no hook did anything, these say it all.
  const traced = (found?: { evidence: readonly Evidence[] }): Pick<ScenarioFinding, "trace"> =>
    isRecorded ? { trace: notes.last(found) } : {};
  const found = (finding: ScenarioFinding, evidence: readonly Evidence[] = []): void => {
    seen.update();
    const isShown = finding.outcome !== "conforms";
    findings.push(isShown ? { ...finding, exchanges: seen.answered(evidence), ...traced({ evidence }) } : finding);
  };

  const restarting = restartsOf(setting);
  let heard = false;
  let hung: TargetFailure | undefined;
  const answerTo = (request: Request, waitMs: number): Promise<HttpReply> => {
    const once = async (): Promise<HttpReply> => {
      const both = AbortSignal.any([
        signal,
        AbortSignal.timeout((sharedBound(setting, "answer") + waitMs) * Math.max(1, timeScale)),
      ]);
      const asked = performance.now();
      const sent = { ...request, method: request.method as "GET" };
      const answer = await restarting.over(() => send(reached(way).pool, sent, both), both);
      heard = true;
      // A target that is slow, and answers, has its time for each request.
      extend(performance.now() - asked);
      return replyOf(request, answer, reached(way).url, hide);
    };
    return onceNotBusy(once, extend, signal, sharedBound(setting, "busy"));
  };
  /**
   * A server that fails over one request is answerable for that; one that fails over any has broken down, and says nothing. A refusal, however
   * it is written, says that it works.
   */
  const isUp = async (): Promise<boolean> => {
    const request = { method: "GET", path: `${reached(way).prefix}/`, headers: headersFrom({}), body: "" };
    const reply = await answerTo(request, 0);
    return isSound(reply) || (reply.status >= 400 && reply.status < 500);
  };

  const party = setting.side ?? "target";
  const several = (agent?: string): string | undefined => (credentials.a === undefined ? undefined : agent);
  /** What passes for the target is never shortened: it goes by the clock that there is. */
  const waits = async (milliseconds: number, scale: number): Promise<void> => {
    waited(milliseconds);
    await sleep(milliseconds * scale, undefined, { signal });
  };

  const context: ScenarioContext = {
    async send(asked) {
      const { method, path, body, as = "a", headers: own = {}, waitMs = 0, isHurried = false } = asked;
      const { name = "touchstone" } = asked;
      const headers = headersFrom(shown[as].headers, own);
      const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
      const agent = as === "nobody" ? as : context.agents[as];
      const request = { method, path: `${reached(way).prefix}${path}`, headers, body: text, as: several(agent) };
      const sent = notes.keep({ from: name, to: party, head: `${method} ${path}`, text }, { as: request.as });
      const answered = seen.ask(request, reached(way).url);
      let reply = await answerTo(request, waitMs);
      for (let tries = 0; !isHurried; tries++) {
        if ((await context.later(reply, tries)) === 0) break;
        reply = await answerTo(request, waitMs);
      }
      answered(reply);
      if (!isSound(reply) && !(await isUp())) throw new TargetFailure("errored", "answer", breakdown(reply));
      const date = Date.parse(reply.headers.date ?? "");
      // What was on its way, and the rest of the second, make it seem slow: the best that was seen is nearest.
      if (Number.isFinite(date)) skew = Math.max(skew, date - Date.now());
      notes.keep(
        { from: party, to: name, head: `HTTP ${reply.status}`, text: reply.text },
        { of: reply, answers: sent },
      );
      if (!isHurried) mustBeWaited(reply, protocol.profile.http.later, sharedBound(setting, "busy"));
      if (as !== "nobody" && Object.keys(own).length === 0)
        known.pass(reply, { as, agent: context.agents[as], body, sender: protocol.profile.sender });
      return reply;
    },
    async stream(asked) {
      reached(way);
      return (await import("./way/event-stream.ts")).openStream(context, { ...asked, takesLines: true });
    },
    async later(answer, tries) {
      const wait = waitAsked(answer, tries, protocol.profile.http.later, sharedBound(setting, "busy"));
      if (wait === undefined) return 0;
      // A limiter may go by the target's clock, or by one of its own.
      if (tries === 0 && context.has("clock")) await context.pass(wait);
      else {
        extend(wait);
        await whileLimited(answer, () => sleep(wait, undefined, { signal }));
      }
      return wait;
    },
    async fetch(text) {
      const { origin, pathname, search } = new URL(text);
      const { url, prefix } = reached(way);
      const path = `${pathname}${search}`;
      if (origin !== new URL(url).origin || (prefix !== "" && !path.startsWith(`${prefix}/`))) return undefined;
      return context.send({ method: "GET", path: path.slice(prefix.length) });
    },
    async hook(need, parameters) {
      const config = hooks[need];
      if (config === undefined) throw hookMissing(need);
      const once = need === "secret" ? JSON.stringify(parameters) : undefined;
      const told = once === undefined ? undefined : secrets.get(once);
      if (told !== undefined) return told;
      isRecorded ||= isTold(need, parameters);
      const called = (): Promise<JsonObject> =>
        notes.call(need, parameters, async () => hookFrom(need, config)(parameters));
      const hangs = (failure: TargetFailure): void => {
        hung = failure;
      };
      const asked = async (): Promise<JsonObject> => {
        const answer = await settled(need, restarting.over(called, signal), signal, hangs);
        if (typeof answer.skipped === "string") throw hookDeclines(need, answer.skipped);
        return answer;
      };
      if (need === "restart") return restarting.restart(asked, { url: way?.url, isUp, signal });
      const answer = await asked();
      if (once !== undefined) secrets.set(once, answer);
      return answer;
    },
    async violations(document, instance) {
      // It takes its time to make, and few stories need it.
      const { validate } = await import("../../packs/validate/validate.ts");
      return validate(protocol, document, instance);
    },
    async callback(reactions, tail) {
      const { callback } = await receiver();
      const added = callback(context.fresh("callback"), reactions, tail, (arrival) => {
        const { method, target, body } = arrival;
        const sent = { from: party, to: "touchstone", head: `${method} ${target}`, text: body.toString("utf8") };
        notes.keep(sent, { of: arrival });
      });
      seen.watch(added);
      return added;
    },
    async come(callback, count, milliseconds) {
      signal.throwIfAborted();
      const hasCome = await callback.come(count, milliseconds * timeScale);
      if (!hasCome) waited(milliseconds);
      return hasCome;
    },
    has: (need) => unmet([need], setting).length === 0,
    expect(rule, holds, why, ...more) {
      if (holds) return found(restarting.conforms(rule));
      const level = more.find((each) => typeof each === "string");
      const evidence = more.filter((each) => typeof each === "object");
      found({ rule, outcome: "violates", why, ...(level === undefined ? {} : { level }) }, evidence);
    },
    note: (rule, why) => found({ rule, outcome: "disputed", why }),
    skip: (rule, why, cause) => found({ rule, outcome: "skipped", why, ...(cause === undefined ? {} : { cause }) }),
    fresh(text) {
      drawn += 1;
      return `${text}-${seed.toString(36)}${attempt === 0 ? "" : againAt(attempt)}-${name}-${drawn}`;
    },
    async pass(milliseconds) {
      if (context.has("clock")) await put(context, milliseconds);
      else await waits(milliseconds, Math.max(1, timeScale));
    },
    wait: (milliseconds) => waits(milliseconds, timeScale),
    async now() {
      if (!context.has("clock")) {
        if (!Number.isFinite(skew) && way !== undefined) await context.send({ method: "GET", path: "/", as: "nobody" });
        return Date.now() + (Number.isFinite(skew) ? skew : 0);
      }
      return timeFrom(await context.hook("clock", {}));
    },
    agents: {
      a: ("agent" in shown.a ? shown.a.agent : undefined) ?? "touchstone-a",
      ...(credentials.b === undefined ? {} : { b: credentials.b.agent }),
    },
    setting,
    signal,
    closing: (close) => void open.push(close),
    record(sent) {
      heard ||= !ourselves.has(sent.from);
      isRecorded = true;
      const isTheirs = sent.from === party || sent.from === "target" || ourselves.has(sent.to);
      notes.keep(sent, isTheirs ? { of: "theirs" } : {});
    },
  };
  const close = async (): Promise<void> => {
    await closeAll(open);
    takes.hidden?.end();
    takes.bare?.end();
  };
  const last: OpenContext["last"] = () => ({ exchanges: seen.all(), ...traced() });
  return { context, findings, heard: () => heard, last, hung: () => hung, close };
}
