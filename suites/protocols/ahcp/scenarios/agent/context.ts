import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Action,
  type AgentContextOptions,
  type AgentSetting,
  type Cause,
  type Hook,
  type HttpExchange,
  hookAnswer,
  isObject,
  type JsonObject,
  type Level,
  missingNeeds,
  type ScenarioFinding,
  type SigningKey,
  TargetFailure,
  TargetSkip,
  type Violation,
} from "../../../../../schemas/index.ts";
import { headersFrom } from "../../../../base/http/headers.ts";
import { send } from "../../../../base/http/send.ts";
import { hookFrom } from "../../../../running/scenarios/hooks.ts";
import { type FirstReply, type SuiteHub, startSuiteHub } from "./hub.ts";
import { type PushStamp, signatureHeader } from "./push.ts";
import type { AgentContext, DeliveryResult, Push } from "./scenario.ts";

/** The milliseconds to wait for the agent's answer to a push. */
const patienceMs = 10_000;
/** After its answer, an agent has this many milliseconds to act. */
const pauseAfterMs = 100;

/** Creates the context of one scenario against an agent, and the list of its findings. */
export function agentContextFor(options: AgentContextOptions): {
  context: AgentContext;
  findings: ScenarioFinding[];
  /** Closes all servers of the scenario. */
  end(): Promise<void>;
} {
  const encounter = new AgentEncounter(options);
  return { context: encounter, findings: encounter.findings, end: () => encounter.end() };
}

/** One scenario against an agent: sends pushes to it, starts hubs for its submits, and collects the findings. */
class AgentEncounter implements AgentContext {
  readonly findings: ScenarioFinding[] = [];
  readonly key: SigningKey;
  readonly url: string;
  readonly #options: AgentContextOptions;
  readonly #timeScale: number;
  readonly #exchanges: HttpExchange[] = [];
  /** The hubs that this scenario has started. */
  readonly #hubs: SuiteHub[] = [];
  #freshCount = 0;

  constructor(options: AgentContextOptions) {
    const { url, key, timeScale = 1 } = options.setting;
    this.key = key;
    this.url = url;
    this.#options = options;
    this.#timeScale = timeScale;
  }

  async outcome(members: JsonObject = {}, response: JsonObject = {}, agentId = this.#agent()): Promise<JsonObject> {
    const id = this.#fresh("msg");
    const message = { id, agent: { id: agentId, run_id: "run" } };
    const { state } = (await this.#hook("expect")?.(message)) ?? {};
    return {
      ahcp_version: this.#options.protocol.version,
      in_reply_to: id,
      resolution_id: this.#fresh("res"),
      agent: message.agent,
      resolution: "answered",
      response: { value: "red", actor: "human:tester", resolved_at: new Date().toISOString(), ...response },
      ...members,
      // An agent that seals its state accepts only the state that it made.
      ...(isObject(state) ? { state } : {}),
    };
  }

  async deliverPush(push: Push): Promise<DeliveryResult> {
    const { body, text = JSON.stringify(body) } = push;
    const signature = this.#signatureFor(push);
    const headers = headersFrom(signature === null ? {} : { "ahcp-signature": signature });
    const { pathname, search } = new URL(this.url);
    const request = { method: "POST" as const, path: `${pathname}${search}`, headers, body: text };
    const timeout = AbortSignal.timeout(patienceMs * Math.max(1, this.#timeScale));
    const answer = await send(this.#options.pool, request, AbortSignal.any([this.#options.signal, timeout]));
    this.#exchanges.push({
      request: { method: "POST", url: this.url, headers, body: text },
      response: {
        status: answer.status,
        headers: headersFrom(plainHeaders(answer.headers)),
        body: answer.body.slice(0, 4096),
      },
    });
    return { status: answer.status, actions: await this.actionsOn(body) };
  }

  async actionsOn({
    in_reply_to: messageId,
    resolution_id: resolutionId,
  }: JsonObject): Promise<readonly Action[] | undefined> {
    const actedHook = this.#hook("acted");
    if (actedHook === undefined) return undefined;
    await new Promise((resolve) => setTimeout(resolve, pauseAfterMs * this.#timeScale));
    const { actions } = await actedHook({});
    if (!Array.isArray(actions))
      throw new TargetFailure("errored", "hook", 'the hook "acted" does not answer with {"actions": […]}');
    return actions.filter(
      (action): action is Action =>
        isObject(action) && action.in_reply_to === messageId && action.resolution_id === resolutionId,
    );
  }

  async hub(first: FirstReply, members?: { push: true }): Promise<SuiteHub> {
    const submit = this.#neededHook("submit");
    const retryAfter = Math.max(1, Math.round(3 * this.#timeScale));
    const hub = await startSuiteHub(first, retryAfter, () => this.#fresh("msg"));
    this.#hubs.push(hub);
    throwIfSkipped("submit", await submit({ hub: hub.url, agent: this.#agent(), ...members }));
    return hub;
  }

  async restart(): Promise<void> {
    throwIfSkipped("restart", await this.#neededHook("restart")({}));
  }

  async waitUntil(condition: () => boolean, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds * this.#timeScale;
    while (!condition() && performance.now() < end) await sleep(10, undefined, { signal: this.#options.signal });
  }

  async violations(message: JsonObject): Promise<readonly Violation[]> {
    const { validate } = await import("../../../../packs/validate/validate.ts");
    return validate(this.#options.protocol, "message", message);
  }

  stamp(seconds = 0): PushStamp {
    return { t: String(Math.floor(Date.now() / 1000) + seconds), jti: randomBytes(12).toString("base64url") };
  }

  expect(rule: string, holds: boolean, why: string, level?: Level): void {
    if (holds) this.#noteFinding({ rule, outcome: "conforms" });
    else this.#noteFinding({ rule, outcome: "violates", why, ...(level === undefined ? {} : { level }) });
  }

  skip(rule: string, why: string, cause?: Cause): void {
    this.#noteFinding({ rule, outcome: "skipped", why, ...(cause === undefined ? {} : { cause }) });
  }

  async end(): Promise<void> {
    await Promise.all(this.#hubs.map((hub) => hub.close()));
  }

  #agent(): string {
    return this.#options.setting.agent ?? "touchstone-agent";
  }

  #fresh(prefix: string): string {
    const { seed, name } = this.#options;
    return `${prefix}_${seed.toString(36)}_${name}_${++this.#freshCount}`;
  }

  #hook(name: keyof NonNullable<AgentSetting["hooks"]>): Hook | undefined {
    const config = this.#options.setting.hooks?.[name];
    return config === undefined ? undefined : hookFrom(name, config);
  }

  #neededHook(name: "submit" | "restart"): Hook {
    const hook = this.#hook(name);
    if (hook === undefined) throw new TargetSkip(`needs the hook "${name}", which is not given`, missingNeeds(name));
    return hook;
  }

  /** The signature header of a push; null for none. */
  #signatureFor(push: Push): string | null {
    if (push.header !== undefined) return push.header;
    const { body, signed = body, url = this.url, key = this.key, stamp = {} } = push;
    return signatureHeader(signed, url, { ...this.stamp(), ...stamp }, key);
  }

  /** Adds a finding with the last four exchanges, and marks the last one as decisive. */
  #noteFinding(finding: ScenarioFinding): void {
    const [last, ...earlierExchanges] = this.#exchanges.slice(-4).reverse();
    const lastExchanges: HttpExchange[] =
      last === undefined ? [] : [...earlierExchanges.reverse(), { ...last, decisive: true }];
    this.findings.push({ ...finding, exchanges: lastExchanges });
  }
}

/** Skips the scenario if the hook answers that it cannot do this. */
function throwIfSkipped(hook: "submit" | "restart", { skipped: reason }: JsonObject): void {
  if (typeof reason === "string") throw new TargetSkip(`the hook "${hook}" cannot: ${reason}`, hookAnswer(hook));
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]));
}
