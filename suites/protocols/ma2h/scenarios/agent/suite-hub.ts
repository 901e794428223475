import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isObject,
  type Json,
  type JsonObject,
  jsonObjectOf,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { gatherChunks } from "../../../../base/process/chunks.ts";
import { formatHeader, type Stamp, signatureOf } from "../../../ahcp/rules/signature.ts";
import { type EntryKind, kinds } from "../../rules/kinds.ts";
import { addressOf, entryContext } from "../../rules/signed-entry.ts";

/** An entry that the suite puts into the mailbox of an agent. */
export interface SuiteEntry {
  kind: EntryKind["member"];
  payload: JsonObject;
  /** Members that are added after the signature was made. */
  unsigned?: JsonObject;
}

/** A request from the agent. */
export interface AgentMailRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: JsonObject;
  /** The time of arrival, in milliseconds of a monotonic clock. */
  at: number;
}

/** The status and code with which the suite's hub refuses a request. */
export interface SuiteRefusal {
  status: number;
  code: string;
}

/** The ways in which the suite's hub can differ from a usual hub. */
export interface SuiteHubSettings {
  /** Whether it offers messages between agents. */
  offersMail?: boolean;
  /** Whether it delivers entries by a stream instead of drains. */
  streams?: boolean;
  /** Whether it names the destination of an addressed message. */
  namesDestination?: boolean;
  /** The refusal of a drain, given the number of earlier drains. */
  refusesDrain?(before: number): SuiteRefusal | undefined;
  /** The refusal of a message. */
  refusesMessage?: SuiteRefusal;
  /** Called before an acknowledgment of these keys is answered. */
  acknowledged?(keys: readonly string[]): Promise<void>;
}

/** A hub played by the suite for an agent. */
export interface MailSuiteHub {
  url: string;
  agent: string;
  key: { alg: "hmac-sha256"; secret: string };
  requests: readonly AgentMailRequest[];
  /** The session that the agent registered last. */
  session(): string | undefined;
  put(entry: SuiteEntry): void;
  /** Ends a message of the agent. */
  end(id: string, response: JsonObject): void;
}

/** Milliseconds for which a delivered entry is hidden, and a drain waits for entries. */
const [hiddenMs, heldMs] = [300, 100];
export const streamPath = "/v1/inbox/stream";
const mailboxes = { enabled: true, max_batch: 32, signature_algs: ["hmac-sha256"], session_param: true };

/** The members of the capability document that a stream needs. */
function streamLeg(url: string): JsonObject {
  return {
    inbound: { ...mailboxes, stream_url: `${url}${streamPath}`, stream_max_hold_seconds: 30 },
    presence: { enabled: true, freshness_seconds: 90 },
  };
}

/** The maximum number of bytes that are read from a request. */
const maxBytes = 1024 * 1024;

/** An entry in the mailbox, with the time from which it can be claimed. */
interface Waiting extends SuiteEntry {
  hiddenUntil: number;
}

/** Plays a hub until the scenario is over. */
export async function startMailHub(context: ScenarioContext, settings: SuiteHubSettings = {}): Promise<MailSuiteHub> {
  const hub = new PlayedHub(context, settings);
  await hub.listen();
  return hub;
}

class PlayedHub implements MailSuiteHub {
  readonly agent = "touchstone-agent";
  readonly key = { alg: "hmac-sha256", secret: "the key of the suite's hub" } as const;
  readonly requests: AgentMailRequest[] = [];
  url = "";
  private readonly context: ScenarioContext;
  private readonly settings: SuiteHubSettings;
  private waiting: Waiting[] = [];
  private readonly outcomes = new Map<string, JsonObject>();
  private sessions = 0;
  private drains = 0;
  private messages = 0;

  constructor(context: ScenarioContext, settings: SuiteHubSettings) {
    this.context = context;
    this.settings = settings;
  }

  session(): string | undefined {
    return this.sessions === 0 ? undefined : `sess_${this.sessions}`;
  }

  put(entry: SuiteEntry): void {
    this.waiting.push({ ...entry, hiddenUntil: 0 });
  }

  end(id: string, response: JsonObject): void {
    this.outcomes.set(id, response);
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
    const host = this.context.setting.receiver?.host ?? "127.0.0.1";
    await new Promise<void>((done, failed) => {
      server.once("error", failed);
      server.listen(0, host, done);
    });
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`;
    this.context.closing(
      () =>
        new Promise<void>((done) => {
          server.close(() => done());
          server.closeAllConnections();
        }),
    );
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = gatherChunks();
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= maxBytes) bytes.add(chunk);
    }
    const text = bytes.join().toString("utf8");
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    const seen: AgentMailRequest = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      body: jsonObjectOf(text) ?? {},
      at: performance.now(),
    };
    this.requests.push(seen);
    const isMessage = seen.method === "POST" && pathname === "/v1/messages";
    this.context.record({
      from: "target",
      to: "touchstone",
      head: `${seen.method} ${request.url}`,
      text: isMessage ? text : "",
    });
    if (this.settings.streams === true && pathname === streamPath) return this.stream(seen, response);
    const { status, body } = await this.answer(seen);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  private async answer(seen: AgentMailRequest): Promise<{ status: number; body: Json }> {
    const { method, path, body } = seen;
    const { settings } = this;
    if (path === "/.well-known/ma2h") return { status: 200, body: this.published() };
    if (path === "/v1/sessions" && method === "POST") return { status: 201, body: { session: this.register() } };
    if (path.startsWith("/v1/sessions/")) return { status: 200, body: { session: {} } };
    if (path === "/v1/inbox") return this.drain(seen);
    if (path === "/v1/inbox/ack") {
      const keys = Array.isArray(body.ids) ? body.ids.map(String) : [];
      await settings.acknowledged?.(keys);
      this.waiting = this.waiting.filter((entry) => !keys.includes(keyOf(entry)));
      return { status: 200, body: { acked: keys.length } };
    }
    if (path === "/v1/messages" && method === "POST") return this.submit(body);
    const [, id = "", act] = /^\/v1\/messages\/([^/]+)(\/\w+)?$/.exec(path) ?? [];
    if (act !== undefined) return { status: 200, body: { id, status: "cancelled" } };
    const response = this.outcomes.get(id);
    const outcome = response === undefined ? {} : { response };
    return { status: 200, body: { id, status: String(response?.resolution ?? "open"), ...outcome } };
  }

  private published(): JsonObject {
    const mail = { enabled: true, entry_kinds: ["message", "response", "receipt"], sender_allowlists: true };
    return {
      ma2h_version: "0.5",
      ack: { enabled: true, signature_algs: ["hmac-sha256"] },
      inbound: mailboxes,
      sessions: { enabled: true },
      ...(this.settings.streams === true ? streamLeg(this.url) : {}),
      ...(this.settings.offersMail === false ? {} : { inter_agent: mail }),
    };
  }

  private register(): JsonObject {
    this.sessions += 1;
    const now = Date.now();
    const [created_at, expires_at] = [now, now + 600_000].map((time) => new Date(time).toISOString()) as [
      string,
      string,
    ];
    const lease = { created_at, expires_at, ttl_seconds: 600 };
    return { id: `sess_${this.sessions}`, agent_id: this.agent, state: "active", ...lease };
  }

  /** Sends entries as server-sent events until the agent disconnects. */
  private async stream({ query }: AgentMailRequest, response: ServerResponse): Promise<void> {
    const session = query.get("session") ?? undefined;
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": entries\n\n");
    while (!response.destroyed) {
      for (const entry of this.claim(session))
        response.write(`event: entry\ndata: ${JSON.stringify(this.sign(entry, session))}\n\n`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  /** Claims the entries that are due, and hides them for a while. */
  private claim(session: string | undefined): Waiting[] {
    const now = performance.now();
    const due = this.waiting.filter(({ kind, hiddenUntil }) => {
      const isShown = session !== undefined || kind === "directive";
      return isShown && hiddenUntil <= now;
    });
    for (const entry of due) entry.hiddenUntil = now + hiddenMs;
    return due;
  }

  private async drain({ query }: AgentMailRequest): Promise<{ status: number; body: Json }> {
    const refusal = this.settings.refusesDrain?.(this.drains++);
    if (refusal !== undefined) return refuse(refusal);
    const session = query.get("session") ?? undefined;
    const claim = (): Waiting[] => (this.settings.streams === true ? [] : this.claim(session));
    const until = performance.now() + heldMs;
    let found = claim();
    while (found.length === 0 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 10));
      found = claim();
    }
    return { status: 200, body: { messages: found.map((entry) => this.sign(entry, session)) } };
  }

  private sign({ kind, payload, unsigned }: SuiteEntry, session: string | undefined): JsonObject {
    const stamp: Stamp = { t: String(Math.floor(Date.now() / 1000)), jti: randomBytes(12).toString("base64url") };
    const signed = entryContext(kind, payload, stamp, addressOf({ agent: this.agent, session }));
    const signature = `MA2H-Signature: ${formatHeader(stamp, signatureOf(signed, this.key))}`;
    return { [kind]: { ...payload, ...unsigned }, signature };
  }

  private submit({ to, type }: JsonObject): { status: number; body: Json } {
    const { refusesMessage, namesDestination = true } = this.settings;
    if (refusesMessage !== undefined) return refuse(refusesMessage);
    const id = `msg_${++this.messages}`;
    const isMail = to !== undefined && namesDestination;
    const notifyStatus = isMail ? "queued" : "delivered";
    const status = type === "notify" ? notifyStatus : "open";
    const destination = isMail ? { destination: { state: "unknown" } } : {};
    return { status: 202, body: { id, status, poll_url: `${this.url}/v1/messages/${id}`, ...destination } };
  }
}

function refuse({ status, code }: SuiteRefusal): { status: number; body: Json } {
  return { status, body: { error: { code, message: "says the hub of the suite" } } };
}

/** The key that an acknowledgment of an entry names. */
export function keyOf({ kind, payload }: SuiteEntry): string {
  const { key = "id" } = kinds.find(({ member }) => member === kind) ?? {};
  return String(isObject(payload) ? payload[key] : "");
}
