import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Action,
  type AgentContextOptions,
  type AgentSetting,
  type Hook,
  type HttpExchange,
  hookAnswer,
  isObject,
  type JsonObject,
  missingNeeds,
  type ScenarioFinding,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { headersFrom } from "../../../../base/http/headers.ts";
import { send } from "../../../../base/http/send.ts";
import { hookFrom } from "../../../../running/scenarios/hooks.ts";
import { type SuiteHub, startSuiteHub } from "./hub.ts";
import { signatureHeader } from "./push.ts";
import type { AgentContext, Push } from "./scenario.ts";

/** The milliseconds to wait for an answer. */
const patienceMs = 10_000;
/** The milliseconds after its answer in which an agent may act. */
const pauseAfterMs = 100;

/** The context of one scenario with an agent, with its findings. */
export function agentContextFor({ protocol, setting, pool, seed, name, signal }: AgentContextOptions): {
  context: AgentContext;
  findings: ScenarioFinding[];
  /** Closes all servers of the scenario. */
  end(): Promise<void>;
} {
  const { url, key, agent = "touchstone-agent", hooks = {}, timeScale = 1 } = setting;
  const findings: ScenarioFinding[] = [];
  const exchanges: HttpExchange[] = [];
  let freshCount = 0;
  const fresh = (prefix: string): string => `${prefix}_${seed.toString(36)}_${name}_${++freshCount}`;
  const hubs: SuiteHub[] = [];
  const neededHook = (hookName: "submit" | "restart"): Hook => {
    const namedHook = hook(hookName);
    if (namedHook === undefined)
      throw new TargetSkip(`needs the hook "${hookName}", which is not given`, missingNeeds(hookName));
    return namedHook;
  };
  const hook = (hookName: keyof NonNullable<AgentSetting["hooks"]>): Hook | undefined => {
    const config = hooks[hookName];
    return config === undefined ? undefined : hookFrom(hookName, config);
  };
  const noteFinding = (finding: ScenarioFinding): void => {
    const [last, ...earlierExchanges] = exchanges.slice(-4).reverse();
    const lastExchanges: HttpExchange[] =
      last === undefined ? [] : [...earlierExchanges.reverse(), { ...last, decisive: true }];
    findings.push({ ...finding, exchanges: lastExchanges });
  };

  const context: AgentContext = {
    key,
    url,
    async outcome(members = {}, response = {}, agentId = agent) {
      const id = fresh("msg");
      const message = { id, agent: { id: agentId, run_id: "run" } };
      const { state } = (await hook("expect")?.(message)) ?? {};
      return {
        ahcp_version: protocol.version,
        in_reply_to: id,
        resolution_id: fresh("res"),
        agent: message.agent,
        resolution: "answered",
        response: { value: "red", actor: "human:tester", resolved_at: new Date().toISOString(), ...response },
        ...members,
        // An agent that sealed its state accepts no other state as its own.
        ...(isObject(state) ? { state } : {}),
      };
    },
    async deliverPush(push) {
      const { body, text = JSON.stringify(body) } = push;
      const signature = signatureFor(push, setting, context);
      const headers = headersFrom(signature === null ? {} : { "ahcp-signature": signature });
      const { pathname, search } = new URL(url);
      const request = { method: "POST" as const, path: `${pathname}${search}`, headers, body: text };
      const timeout = AbortSignal.timeout(patienceMs * Math.max(1, timeScale));
      const answer = await send(pool, request, AbortSignal.any([signal, timeout]));
      exchanges.push({
        request: { method: "POST", url, headers, body: text },
        response: {
          status: answer.status,
          headers: headersFrom(plainHeaders(answer.headers)),
          body: answer.body.slice(0, 4096),
        },
      });
      return { status: answer.status, actions: await context.actionsOn(body) };
    },
    async actionsOn({ in_reply_to: id, resolution_id: name }) {
      const ask = hook("acted");
      if (ask === undefined) return undefined;
      await new Promise((resolve) => setTimeout(resolve, pauseAfterMs * timeScale));
      const { actions } = await ask({});
      if (!Array.isArray(actions))
        throw new TargetFailure("errored", "hook", 'the hook "acted" does not answer with {"actions": […]}');
      return actions.filter(
        (action): action is Action => isObject(action) && action.in_reply_to === id && action.resolution_id === name,
      );
    },
    async hub(first, members) {
      const submit = neededHook("submit");
      const suiteHub = await startSuiteHub(first, Math.max(1, Math.round(3 * timeScale)), () => fresh("msg"));
      hubs.push(suiteHub);
      const { skipped: skipReason } = await submit({ hub: suiteHub.url, agent, ...members });
      if (typeof skipReason === "string")
        throw new TargetSkip(`the hook "submit" cannot: ${skipReason}`, hookAnswer("submit"));
      return suiteHub;
    },
    async restart() {
      const { skipped: skipReason } = await neededHook("restart")({});
      if (typeof skipReason === "string")
        throw new TargetSkip(`the hook "restart" cannot: ${skipReason}`, hookAnswer("restart"));
    },
    async waitUntil(condition, milliseconds) {
      const end = performance.now() + milliseconds * timeScale;
      while (!condition() && performance.now() < end) await sleep(10, undefined, { signal });
    },
    async violations(message) {
      const { validate } = await import("../../../../packs/validate/validate.ts");
      return validate(protocol, "message", message);
    },
    stamp: (seconds = 0) => ({
      t: String(Math.floor(Date.now() / 1000) + seconds),
      jti: randomBytes(12).toString("base64url"),
    }),
    expect(rule, holds, why, level) {
      if (holds) noteFinding({ rule, outcome: "conforms" });
      else noteFinding({ rule, outcome: "violates", why, ...(level === undefined ? {} : { level }) });
    },
    skip: (rule, why, cause) =>
      noteFinding({ rule, outcome: "skipped", why, ...(cause === undefined ? {} : { cause }) }),
  };
  const end = async (): Promise<void> => {
    await Promise.all(hubs.map((hub) => hub.close()));
  };
  return { context, findings, end };
}

function signatureFor(push: Push, setting: AgentSetting, context: AgentContext): string | null {
  if (push.header !== undefined) return push.header;
  const { body, signed = body, url = setting.url, key = setting.key, stamp = {} } = push;
  return signatureHeader(signed as JsonObject, url, { ...context.stamp(), ...stamp }, key);
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]));
}
