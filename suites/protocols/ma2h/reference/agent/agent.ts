import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Environment,
  type Hook,
  isObject,
  type Json,
  type JsonObject,
  jsonObjectOf,
} from "../../../../../schemas/index.ts";
import { parseHeader } from "../../../ahcp/rules/header.ts";
import { isInWindow, isSignedBy } from "../../../ahcp/rules/signature.ts";
import { kinds } from "../../rules/kinds.ts";
import { addressOf, entryContext } from "../../rules/signed-entry.ts";
import type { MailAgentPolicy, ReceivedEntry, SenderPolicy } from "./policy.ts";

/** The mailbox of an agent, and its policy. */
interface Attendance {
  hub: string;
  agent: string;
  secret: string;
  senders: SenderPolicy;
  ending: AbortController;
  session: string | undefined;
}

/** Starts an agent with a mailbox, which gets its orders by hooks; `timeScale` multiplies its pauses. */
export function mailAgentEnvironment(policy: MailAgentPolicy, timeScale = 1): Environment {
  const agent = new MailAgent({ ...policy, pause: policy.pause * timeScale });
  const hooks: Record<string, Hook> = {
    attend: (given) => agent.attend(given),
    write: (given) => agent.write(given),
    acted: () => ({ actions: agent.actions as Json[] }),
    failures: () => ({ failures: agent.failures }),
  };
  return { setting: { side: "agent", hooks }, close: async () => agent.leave() };
}

interface HubAnswer {
  status: number;
  body: JsonObject;
}

class MailAgent {
  readonly actions: JsonObject[] = [];
  failures: string[] = [];
  private readonly policy: MailAgentPolicy;
  private readonly seen = new Set<string>();
  private readonly nonces = new Set<string>();
  private latest = 0;
  private now: Attendance | undefined;

  constructor(policy: MailAgentPolicy) {
    this.policy = policy;
  }

  leave(): void {
    this.now?.ending.abort();
    this.now = undefined;
  }

  attend({ hub, agent, key, senders }: JsonObject): JsonObject {
    this.leave();
    this.failures = [];
    this.now = {
      hub: String(hub),
      agent: String(agent),
      secret: isObject(key) ? String(key.secret) : "",
      senders: senders === "any" ? "any" : Array.isArray(senders) ? senders.map(String) : undefined,
      ending: new AbortController(),
      session: undefined,
    };
    this.work(this.now).catch(() => {});
    return {};
  }

  /** Registers a session and drains it, and again once it has ended, until the hub is left or its operator says stop. */
  private async work(at: Attendance): Promise<void> {
    const { signal } = at.ending;
    while (!signal.aborted) {
      const { body } = await ask(at, "POST", "/v1/sessions", {});
      at.session = isObject(body.session) ? String(body.session.id) : undefined;
      const { inbound } = (await ask(at, "GET", "/.well-known/ma2h")).body;
      const stream = isObject(inbound) ? inbound.stream_url : undefined;
      if (typeof stream === "string") await this.readStream(at, stream);
      else if (this.isStopped(await this.drainToEnd(at))) return;
      await sleep(this.policy.pause, undefined, { signal });
    }
  }

  /** Reads a stream of the session to its end. */
  private async readStream(at: Attendance, address: string): Promise<void> {
    const { body } = await fetch(`${address}?session=${at.session}`, { signal: at.ending.signal });
    if (body === null) return;
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const entry = jsonObjectOf(/^data: (.*)$/m.exec(event)?.[1] ?? "");
        if (entry !== undefined) await this.receive(at, entry);
      }
    }
  }

  /** Drains the session until it has ended, and returns the refusal. */
  private async drainToEnd(at: Attendance): Promise<JsonObject> {
    for (;;) {
      const { status, body } = await ask(at, "GET", `/v1/inbox?session=${at.session}&wait=5`);
      if (status === 410 || status === 404) return body;
      const messages = Array.isArray(body.messages) ? body.messages : [];
      for (const message of messages.filter(isObject)) await this.receive(at, message);
      await sleep(10, undefined, { signal: at.ending.signal });
    }
  }

  private isStopped({ error }: JsonObject): boolean {
    if (!isObject(error) || error.code !== "session_closed_by_operator") return false;
    this.fail("the operator has stopped this agent");
    return !this.policy.returnsAfterStop;
  }

  private fail(failure: string): void {
    if (this.policy.reports) this.failures.push(failure);
  }

  private async receive(at: Attendance, element: JsonObject): Promise<void> {
    const entry = this.verified(at, element);
    if (entry === undefined) return;
    const { payload, key, kind } = entry;
    const isRequest = kind === "message" && payload.type !== "notify";
    if (this.policy.isMisshapen(entry) || this.policy.doubts(payload)) return;
    if (isRequest && !this.policy.trusts(payload, at.senders)) return;
    const acknowledge = (): Promise<HubAnswer> =>
      ask(at, "POST", `/v1/inbox/ack${this.policy.acknowledgesInSession ? `?session=${at.session}` : ""}`, {
        ids: [this.policy.names(entry)],
      });
    if (this.policy.acknowledgesFirst) await acknowledge();
    if (kind === "response") this.act("drained", key, { ...outcomeOf(payload) });
    else if (kind !== "receipt" && !this.policy.isStale(payload, this.latest)) {
      this.latest = Math.max(this.latest, Date.parse(String(payload.created_at)));
      this.act("drained", key, { id: key, content: this.policy.uses(payload) });
    }
    if (!this.policy.acknowledgesFirst) await acknowledge();
  }

  private act(way: "drained" | "read", key: string, action: JsonObject): void {
    const same = this.policy.sameness(key, way);
    if (same !== undefined && this.seen.has(same)) return;
    if (same !== undefined) this.seen.add(same);
    this.actions.push(action);
  }

  /** The entry in an element, if it is signed for this agent or its session, just now and for the first time. */
  private verified(at: Attendance, element: JsonObject): ReceivedEntry | undefined {
    const kind = kinds.find(({ member }) => isObject(element[member]));
    const payload = kind && (element[kind.member] as JsonObject);
    if (kind === undefined || payload === undefined) return undefined;
    const header = parseHeader(String(element.signature).replace(/^MA2H-Signature: /, ""), true);
    if (header === undefined || this.nonces.has(header.jti) || !isInWindow(header.t, Date.now() / 1000))
      return undefined;
    const own = addressOf({ agent: at.agent, session: at.session });
    const isOurs =
      kind.member === "response" ||
      kind.member === "receipt" ||
      [own, `agent:${at.agent}`].includes(String(payload.to));
    const signed = entryContext(kind.member, payload, header, own);
    if (!isOurs || !isSignedBy(signed, header.v1, { alg: "hmac-sha256", secret: at.secret })) return undefined;
    this.nonces.add(header.jti);
    return { kind: kind.member, payload, key: String(payload[kind.key]) };
  }

  /** Writes to another agent, and reads the outcome. */
  async write({ to, type }: JsonObject): Promise<JsonObject> {
    const at = this.now;
    if (at === undefined) return { failed: true };
    const { policy } = this;
    const { body: published } = await ask(at, "GET", "/.well-known/ma2h");
    const { inter_agent: between } = published;
    const isOffered = isObject(between) && between.enabled === true;
    if (policy.detects && !isOffered) return { failed: policy.reports };
    const session = at.session !== undefined && policy.namesSession ? { session: at.session } : {};
    const message: JsonObject = {
      ma2h_version: "0.5",
      type: type ?? "ask",
      title: "May I?",
      agent: { id: at.agent, run_id: "run", runtime: "other", ...session },
      idempotency_key: randomUUID(),
      created_at: new Date().toISOString(),
      to: to ?? "",
      request: { mode: "confirm" },
    };
    let answer: HubAnswer = { status: 0, body: {} };
    for (let tries = 0; tries < policy.tries && answer.status !== 202; tries++)
      answer = await ask(at, "POST", "/v1/messages", message);
    const { status, body } = answer;
    if (status !== 202) return { failed: policy.reports };
    const path = `/v1/messages/${encodeURIComponent(String(body.id))}`;
    if (!isObject(body.destination)) {
      if (policy.withdrawsMisrouted) await ask(at, "POST", `${path}/cancel`, {});
      return { failed: policy.wantsDestination };
    }
    this.read(at, path).catch(() => {});
    return { failed: false };
  }

  private async read(at: Attendance, path: string): Promise<void> {
    for (;;) {
      const { body } = await ask(at, "GET", path);
      const { response } = body;
      if (isObject(response)) return this.act("read", String(response.resolution_id), outcomeOf(response));
      await sleep(50, undefined, { signal: at.ending.signal });
    }
  }
}

function outcomeOf({ in_reply_to = "", resolution_id = "" }: JsonObject): JsonObject {
  return { in_reply_to, resolution_id };
}

async function ask({ hub, ending }: Attendance, method: string, path: string, body?: JsonObject): Promise<HubAnswer> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(`${hub}${path}`, { method, signal: ending.signal, ...sent });
  const found = (await answer.json()) as Json;
  return { status: answer.status, body: isObject(found) ? found : {} };
}
