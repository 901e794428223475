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

/** An agent's connection to one hub: its mailbox and current session. */
interface Attendance {
  hub: string;
  agent: string;
  secret: string;
  senders: SenderPolicy;
  ending: AbortController;
  session: string | undefined;
}

/** Starts an agent with a mailbox, controlled by hooks. `timeScale` multiplies its pauses. */
export function mailAgentEnvironment(policy: MailAgentPolicy, timeScale = 1): Environment {
  const agent = new MailAgent({ ...policy, pauseMs: policy.pauseMs * timeScale });
  const hooks: Record<string, Hook> = {
    attend: (input) => agent.attend(input),
    write: (input) => agent.write(input),
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
  private readonly seenIdentities = new Set<string>();
  private readonly nonces = new Set<string>();
  private latestCreatedAt = 0;
  private attendance: Attendance | undefined;

  constructor(policy: MailAgentPolicy) {
    this.policy = policy;
  }

  leave(): void {
    this.attendance?.ending.abort();
    this.attendance = undefined;
  }

  attend({ hub, agent, key, senders }: JsonObject): JsonObject {
    this.leave();
    this.failures = [];
    this.attendance = {
      hub: String(hub),
      agent: String(agent),
      secret: isObject(key) ? String(key.secret) : "",
      senders: senderPolicyOf(senders),
      ending: new AbortController(),
      session: undefined,
    };
    this.runSessions(this.attendance).catch(() => {});
    return {};
  }

  /** Registers and drains one session after another, until the agent leaves the hub or the operator stops it. */
  private async runSessions(attendance: Attendance): Promise<void> {
    const { signal } = attendance.ending;
    while (!signal.aborted) {
      const { body } = await request(attendance, "POST", "/v1/sessions", {});
      attendance.session = isObject(body.session) ? String(body.session.id) : undefined;
      const { inbound } = (await request(attendance, "GET", "/.well-known/ma2h")).body;
      const stream = isObject(inbound) ? inbound.stream_url : undefined;
      if (typeof stream === "string") await this.readStream(attendance, stream);
      else if (this.isStopped(await this.drainToEnd(attendance))) return;
      await sleep(this.policy.pauseMs, undefined, { signal });
    }
  }

  /** Reads a stream of the session to its end. */
  private async readStream(attendance: Attendance, address: string): Promise<void> {
    const { session, ending } = attendance;
    const { body } = await fetch(`${address}?session=${session}`, { signal: ending.signal });
    if (body === null) return;
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const entry = jsonObjectOf(/^data: (.*)$/m.exec(event)?.[1] ?? "");
        if (entry !== undefined) await this.receive(attendance, entry);
      }
    }
  }

  /** Drains the session until it ends, and returns the body of the last answer, a refusal. */
  private async drainToEnd(attendance: Attendance): Promise<JsonObject> {
    for (;;) {
      const { status, body } = await request(attendance, "GET", `/v1/inbox?session=${attendance.session}&wait=5`);
      if (status === 410 || status === 404) return body;
      const messages = Array.isArray(body.messages) ? body.messages : [];
      for (const message of messages.filter(isObject)) await this.receive(attendance, message);
      await sleep(10, undefined, { signal: attendance.ending.signal });
    }
  }

  private isStopped({ error }: JsonObject): boolean {
    if (!isObject(error) || error.code !== "session_closed_by_operator") return false;
    this.fail("the operator has stopped this agent");
    return !this.policy.returnsAfterStop;
  }

  private fail(failure: string): void {
    if (this.policy.reportsFailures) this.failures.push(failure);
  }

  /** Acts on an entry of the mailbox, if it is valid and its sender is trusted, and acknowledges it. */
  private async receive(attendance: Attendance, element: JsonObject): Promise<void> {
    const entry = this.verifyEntry(attendance, element);
    if (entry === undefined) return;
    const { payload, key, kind } = entry;
    const isAskOrTask = kind === "message" && payload.type !== "notify";
    if (this.policy.isMalformed(entry) || this.policy.rejectsByUnsigned(payload)) return;
    if (isAskOrTask && !this.policy.trustsSender(payload, attendance.senders)) return;
    const query = this.policy.acknowledgesInSession ? `?session=${attendance.session}` : "";
    const ids = [this.policy.acknowledgedKey(entry)];
    const acknowledge = (): Promise<HubAnswer> => request(attendance, "POST", `/v1/inbox/ack${query}`, { ids });
    if (this.policy.acknowledgesFirst) await acknowledge();
    if (kind === "response") this.act("drained", key, { ...outcomeOf(payload) });
    else if (kind !== "receipt" && !this.policy.isStale(payload, this.latestCreatedAt)) {
      this.latestCreatedAt = Math.max(this.latestCreatedAt, Date.parse(String(payload.created_at)));
      this.act("drained", key, { id: key, content: this.policy.actionInput(payload) });
    }
    if (!this.policy.acknowledgesFirst) await acknowledge();
  }

  private act(channel: "drained" | "read", key: string, action: JsonObject): void {
    const identity = this.policy.identityOf(key, channel);
    if (identity !== undefined && this.seenIdentities.has(identity)) return;
    if (identity !== undefined) this.seenIdentities.add(identity);
    this.actions.push(action);
  }

  /** The entry in a mailbox element, if its signature is valid for this agent or session, recent, and not a replay. */
  private verifyEntry(attendance: Attendance, element: JsonObject): ReceivedEntry | undefined {
    const kind = kinds.find(({ member }) => isObject(element[member]));
    const payload = kind && (element[kind.member] as JsonObject);
    if (kind === undefined || payload === undefined) return undefined;
    const header = parseHeader(String(element.signature).replace(/^MA2H-Signature: /, ""), true);
    if (header === undefined || this.nonces.has(header.jti) || !isInWindow(header.t, Date.now() / 1000))
      return undefined;
    const ownAddress = addressOf({ agent: attendance.agent, session: attendance.session });
    const isForThisAgent =
      kind.member === "response" ||
      kind.member === "receipt" ||
      [ownAddress, `agent:${attendance.agent}`].includes(String(payload.to));
    const signedText = entryContext(kind.member, payload, header, ownAddress);
    if (!isForThisAgent || !isSignedBy(signedText, header.v1, { alg: "hmac-sha256", secret: attendance.secret }))
      return undefined;
    this.nonces.add(header.jti);
    return { kind: kind.member, payload, key: String(payload[kind.key]) };
  }

  /** Writes to another agent, and reads the outcome. */
  async write({ to, type }: JsonObject): Promise<JsonObject> {
    const { attendance, policy } = this;
    if (attendance === undefined) return { failed: true };
    const { body: capabilities } = await request(attendance, "GET", "/.well-known/ma2h");
    const { inter_agent: interAgent } = capabilities;
    const isOffered = isObject(interAgent) && interAgent.enabled === true;
    if (policy.checksOffer && !isOffered) return { failed: policy.reportsFailures };
    const { session } = attendance;
    const sessionMember = session !== undefined && policy.namesSession ? { session } : {};
    const message: JsonObject = {
      ma2h_version: "0.5",
      type: type ?? "ask",
      title: "May I?",
      agent: { id: attendance.agent, run_id: "run", runtime: "other", ...sessionMember },
      idempotency_key: randomUUID(),
      created_at: new Date().toISOString(),
      to: to ?? "",
      request: { mode: "confirm" },
    };
    let answer: HubAnswer = { status: 0, body: {} };
    for (let tries = 0; tries < policy.maxTries && answer.status !== 202; tries++)
      answer = await request(attendance, "POST", "/v1/messages", message);
    const { status, body } = answer;
    if (status !== 202) return { failed: policy.reportsFailures };
    const path = `/v1/messages/${encodeURIComponent(String(body.id))}`;
    if (!isObject(body.destination)) {
      if (policy.withdrawsMisrouted) await request(attendance, "POST", `${path}/cancel`, {});
      return { failed: policy.requiresDestination };
    }
    this.readOutcome(attendance, path).catch(() => {});
    return { failed: false };
  }

  private async readOutcome(attendance: Attendance, path: string): Promise<void> {
    for (;;) {
      const { body } = await request(attendance, "GET", path);
      const { response } = body;
      if (isObject(response)) return this.act("read", String(response.resolution_id), outcomeOf(response));
      await sleep(50, undefined, { signal: attendance.ending.signal });
    }
  }
}

function senderPolicyOf(senders: Json | undefined): SenderPolicy {
  if (senders === "any") return "any";
  return Array.isArray(senders) ? senders.map(String) : undefined;
}

function outcomeOf({ in_reply_to = "", resolution_id = "" }: JsonObject): JsonObject {
  return { in_reply_to, resolution_id };
}

async function request(
  { hub, ending }: Attendance,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<HubAnswer> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(`${hub}${path}`, { method, signal: ending.signal, ...content });
  const json = (await answer.json()) as Json;
  return { status: answer.status, body: isObject(json) ? json : {} };
}
