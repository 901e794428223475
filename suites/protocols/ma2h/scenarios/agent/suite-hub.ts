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
  /** The time of arrival by a monotonic clock, in milliseconds. */
  at: number;
}

/** The status and code with which the suite's hub refuses a request. */
export interface SuiteRefusal {
  status: number;
  code: string;
}

/** The differences of the suite's hub from a usual hub. */
export interface SuiteHubSettings {
  /** Whether the hub offers messages between agents; true by default. */
  offersMail?: boolean;
  /** Whether the hub delivers entries by a stream instead of drains. */
  streams?: boolean;
  /** Whether the hub names the destination of an addressed message; true by default. */
  namesDestination?: boolean;
  /** Returns the refusal of a drain; undefined if the hub answers it. */
  refusesDrain?(earlierDrains: number): SuiteRefusal | undefined;
  /** The refusal of every message. */
  refusesMessage?: SuiteRefusal;
  /** Called before the hub answers an acknowledgment. */
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
  /** Sets the outcome of a message of the agent. */
  end(id: string, response: JsonObject): void;
}

/** How long a delivered entry is hidden. */
const hiddenMs = 300;

/** How long a drain waits for entries. */
const drainWaitMs = 100;

export const streamPath = "/v1/inbox/stream";
const mailboxSettings = { enabled: true, max_batch: 32, signature_algs: ["hmac-sha256"], session_param: true };

/** The members of the capability document that announce the stream. */
function streamCapabilities(url: string): JsonObject {
  return {
    inbound: { ...mailboxSettings, stream_url: `${url}${streamPath}`, stream_max_hold_seconds: 30 },
    presence: { enabled: true, freshness_seconds: 90 },
  };
}

/** The lease of a session. */
const leaseSeconds = 600;

/** The maximum number of bytes that the hub keeps of a request. */
const maxBytes = 1024 * 1024;

/** An entry in the mailbox, with the time after which it can be claimed. */
interface WaitingEntry extends SuiteEntry {
  hiddenUntil: number;
}

/** Starts a hub that is closed at the end of the scenario. */
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
  private waiting: WaitingEntry[] = [];
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
    const mailRequest: AgentMailRequest = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      body: jsonObjectOf(text) ?? {},
      at: performance.now(),
    };
    this.requests.push(mailRequest);
    const isMessage = mailRequest.method === "POST" && pathname === "/v1/messages";
    this.context.record({
      from: "target",
      to: "touchstone",
      head: `${mailRequest.method} ${request.url}`,
      text: isMessage ? text : "",
    });
    if (this.settings.streams === true && pathname === streamPath) return this.stream(mailRequest, response);
    const { status, body } = await this.answer(mailRequest);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  private async answer(request: AgentMailRequest): Promise<{ status: number; body: Json }> {
    const { method, path, body } = request;
    const { settings } = this;
    if (path === "/.well-known/ma2h") return { status: 200, body: this.published() };
    if (path === "/v1/sessions" && method === "POST") return { status: 201, body: { session: this.register() } };
    if (path.startsWith("/v1/sessions/")) return { status: 200, body: { session: {} } };
    if (path === "/v1/inbox") return this.drain(request);
    if (path === "/v1/inbox/ack") {
      const keys = Array.isArray(body.ids) ? body.ids.map(String) : [];
      await settings.acknowledged?.(keys);
      this.waiting = this.waiting.filter((entry) => !keys.includes(keyOf(entry)));
      return { status: 200, body: { acked: keys.length } };
    }
    if (path === "/v1/messages" && method === "POST") return this.submit(body);
    const [, id = "", operation] = /^\/v1\/messages\/([^/]+)(\/\w+)?$/.exec(path) ?? [];
    if (operation !== undefined) return { status: 200, body: { id, status: "cancelled" } };
    const response = this.outcomes.get(id);
    const outcome = response === undefined ? {} : { response };
    return { status: 200, body: { id, status: String(response?.resolution ?? "open"), ...outcome } };
  }

  private published(): JsonObject {
    const interAgent = { enabled: true, entry_kinds: ["message", "response", "receipt"], sender_allowlists: true };
    return {
      ma2h_version: "0.5",
      ack: { enabled: true, signature_algs: ["hmac-sha256"] },
      inbound: mailboxSettings,
      sessions: { enabled: true },
      ...(this.settings.streams === true ? streamCapabilities(this.url) : {}),
      ...(this.settings.offersMail === false ? {} : { inter_agent: interAgent }),
    };
  }

  private register(): JsonObject {
    this.sessions += 1;
    const now = Date.now();
    return {
      id: `sess_${this.sessions}`,
      agent_id: this.agent,
      state: "active",
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + leaseSeconds * 1000).toISOString(),
      ttl_seconds: leaseSeconds,
    };
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

  /** Claims the entries that the session may read now, and hides them for a while. */
  private claim(session: string | undefined): WaitingEntry[] {
    const now = performance.now();
    const claimable = this.waiting.filter(({ kind, hiddenUntil }) => {
      const isReadable = session !== undefined || kind === "directive";
      return isReadable && hiddenUntil <= now;
    });
    for (const entry of claimable) entry.hiddenUntil = now + hiddenMs;
    return claimable;
  }

  private async drain({ query }: AgentMailRequest): Promise<{ status: number; body: Json }> {
    const refusal = this.settings.refusesDrain?.(this.drains++);
    if (refusal !== undefined) return refuse(refusal);
    const session = query.get("session") ?? undefined;
    const claim = (): WaitingEntry[] => (this.settings.streams === true ? [] : this.claim(session));
    const deadline = performance.now() + drainWaitMs;
    let claimed = claim();
    while (claimed.length === 0 && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 10));
      claimed = claim();
    }
    return { status: 200, body: { messages: claimed.map((entry) => this.sign(entry, session)) } };
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
    const isAddressed = to !== undefined && namesDestination;
    const notifyStatus = isAddressed ? "queued" : "delivered";
    const status = type === "notify" ? notifyStatus : "open";
    const destination = isAddressed ? { destination: { state: "unknown" } } : {};
    return { status: 202, body: { id, status, poll_url: `${this.url}/v1/messages/${id}`, ...destination } };
  }
}

function refuse({ status, code }: SuiteRefusal): { status: number; body: Json } {
  return { status, body: { error: { code, message: "refused by the hub of the suite" } } };
}

/** The key that names an entry in an acknowledgment. */
export function keyOf({ kind, payload }: SuiteEntry): string {
  const { key = "id" } = kinds.find(({ member }) => member === kind) ?? {};
  return String(isObject(payload) ? payload[key] : "");
}
