import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Dispatcher, Pool } from "undici";
import { type methods, TargetFailure } from "../../../schemas/index.ts";
import { whenAborted } from "../process/abort.ts";
import { gatherChunks } from "../process/chunks.ts";
import { quote } from "../text/show.ts";

export interface Request {
  method: (typeof methods)[number];
  path: string;
  headers: Record<string, string>;
  /** Null if the request has no body. */
  body: string | Uint8Array | null;
  /** The maximum size of the answer in bytes; 1 MiB by default. */
  maxSize?: number;
  /** Whether the answer may be endless, so that only the first part is read. */
  isStream?: boolean;
}

export interface Response<Headers = Record<string, string>> {
  status: number;
  headers: Headers;
  body: string;
  /** Set if the rest of the stream was not read. */
  isPartial?: true;
  /** Set if the bytes of the body are not UTF-8, so that some of them are replaced in the text. */
  isGarbled?: true;
}

/** The maximum size of an answer in bytes, large enough for any document. */
const maxBodySize = 1024 * 1024;
/** How long a stream is read, in milliseconds, counted from its headers. */
const streamReadTime = 300;
/** Media types of answers that are streams of items. */
const streamTypePattern =
  /^(text\/event-stream|application\/(x-)?(jsonl|ndjson|jsonlines|json-lines|json-seq|geo\+json-seq)|application\/[\w.-]+\+json-seq|multipart\/mixed)\b/i;

/** Whether a media type is a stream of items. */
export function isStreamType(type: string): boolean {
  return streamTypePattern.test(type.trim());
}

/** Sends one request and reads its whole answer. Throws a TargetFailure if there is no HTTP answer. */
export async function send(pool: Pool, request: Request, signal: AbortSignal): Promise<Response<IncomingHttpHeaders>> {
  const maxAttempts = isLong(request) ? maxRetries : 1;
  const activity = activityOf(pool);
  const awaitAnswer = async (): Promise<Response<IncomingHttpHeaders>> => {
    for (let [retries, freshConnections] = [0, 0]; ; retries++) {
      const openedBefore = activity.connectionsOpened;
      let isAlone = activity.requestsInFlight === 0;
      activity.requestsInFlight += 1;
      try {
        return await attempt(pool, request, signal);
      } catch (error) {
        isAlone &&= activity.requestsInFlight === 1;
        if (!mayBeLost(error as TargetFailure) || signal.aborted) throw error;
        // Any reused connection may have been closed meanwhile, but not a new one, unless it belongs to a different request.
        if ((isAlone && activity.connectionsOpened > openedBefore) || retries === 0) freshConnections += 1;
        if (freshConnections > maxAttempts || retries === maxRetries) throw error;
      } finally {
        activity.requestsInFlight -= 1;
      }
    }
  };
  let answer = await awaitAnswer();
  for (let retries = 0; mayAnswerLeftoverBody(answer) && retries < maxRetries; retries++) {
    const openedBefore = activity.connectionsOpened;
    answer = await awaitAnswer().catch(() => answer);
    // The server may have closed several reused connections; a new one is not affected.
    if (activity.connectionsOpened > openedBefore) break;
  }
  return answer;
}

/** The traffic of a pool, which shows whether an answer may have been lost. */
interface PoolActivity {
  /** Connections that the pool has opened since it was first watched. */
  connectionsOpened: number;
  /** Requests without an answer so far. */
  requestsInFlight: number;
}

const activityByPool = new WeakMap<Pool, PoolActivity>();

function activityOf(pool: Pool): PoolActivity {
  const activity = activityByPool.get(pool) ?? { connectionsOpened: 0, requestsInFlight: 0 };
  if (activityByPool.has(pool)) return activity;
  activityByPool.set(pool, activity);
  pool.on("connect", () => {
    activity.connectionsOpened += 1;
  });
  return activity;
}

/** The size of a body that is certainly sent in one piece. */
const singleWriteSize = 64 * 1024;
/** A server that refuses a long body unread and closes the connection may break the connection before its answer is read. */
const maxRetries = 8;

function isLong({ body }: Request): boolean {
  return body !== null && Buffer.byteLength(body) > singleWriteSize;
}

/** Whether an answer may have been lost because the server closed an idle connection just as a request was sent. That is not a reaction to the request, unless it happens twice. */
function mayBeLost({ stage, cause }: TargetFailure): boolean {
  return wasClosed(cause) && (stage === "answer" || codeOf(cause) === "EPIPE");
}

/** Whether an answer may belong to the unread body of an earlier request. The server mistakes that body for the next request, calls it malformed or an unknown method, and closes the connection (RFC 9112, 9.3). */
function mayAnswerLeftoverBody({ status, headers }: Response<IncomingHttpHeaders>): boolean {
  const isClosed = /\bclose\b/i.test(headers.connection ?? "");
  return [400, 501].includes(status) && isClosed && !/json/i.test(headers["content-type"] ?? "");
}

/** Sends the request once. Calls `dispatch`, because the streams of undici would take more time than everything else. */
function attempt(pool: Pool, request: Request, signal: AbortSignal): Promise<Response<IncomingHttpHeaders>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      const { reason } = signal;
      reject(reason instanceof TargetFailure ? reason : targetFailure(reason, "answer", signal));
      return;
    }
    const { maxSize: _, isStream: __, ...wireRequest } = request;
    // The signal enforces deadlines: undici's own timers are coarse.
    pool.dispatch(
      { ...wireRequest, method: request.method as Dispatcher.HttpMethod, headersTimeout: 0, bodyTimeout: 0 },
      new AnswerHandler(request, signal, { resolve, reject }),
    );
  });
}

/** The functions that settle a promise. */
interface Settler<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Collects the answer to one request. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #maxSize: number;
  readonly #isStream: boolean;
  readonly #signal: AbortSignal;
  readonly #settler: Settler<Response<IncomingHttpHeaders>>;
  readonly #stopWatching: () => void;
  readonly #bytes = gatherChunks();
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { maxSize = maxBodySize, isStream = false }: Request,
    signal: AbortSignal,
    settler: Settler<Response<IncomingHttpHeaders>>,
  ) {
    this.#maxSize = maxSize;
    this.#isStream = isStream;
    this.#signal = signal;
    this.#settler = settler;
    this.#stopWatching = whenAborted(signal, () => {
      this.#fail(signal.reason);
      this.#controller?.abort(signal.reason);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request may have been aborted while it waited for a connection.
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // The final answer may be preceded by interim ones, 100 to 199.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#isEndless()) this.#timer = setTimeout(() => this.#endEarly(), streamReadTime);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes.add(chunk);
    if (this.#bytes.size <= this.#maxSize) return;
    if (this.#isEndless()) {
      this.#endEarly();
      return;
    }
    const problem = `the answer's body is larger than ${this.#maxSize / 2 ** 20} MiB`;
    const tooLarge = new TargetFailure("errored", "read", problem);
    this.#fail(tooLarge);
    controller.abort(tooLarge);
  }

  onResponseEnd(): void {
    this.#cleanUp();
    try {
      const body = decompress(this.#bytes.join(), this.#headers, this.#maxSize);
      const garbledMark = isUtf8(body) ? {} : { isGarbled: true as const };
      this.#settler.resolve({
        status: this.#status,
        headers: this.#headers,
        body: body.toString("utf8"),
        ...garbledMark,
      });
    } catch (cause) {
      const problem = `the answer's body cannot be read: ${(cause as Error).message}`;
      this.#fail(new TargetFailure("errored", "read", problem));
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #isEndless(): boolean {
    return this.#isStream && this.#status < 300 && isStreamType(String(this.#headers["content-type"] ?? ""));
  }

  /** Ends with the part of the answer received so far. */
  #endEarly(): void {
    this.#cleanUp();
    const isUncompressed = this.#headers["content-encoding"] === undefined;
    this.#settler.resolve({
      status: this.#status,
      headers: this.#headers,
      body: isUncompressed ? this.#bytes.join().toString("utf8") : "",
      isPartial: true,
    });
    this.#controller?.abort(new Error("enough was read"));
  }

  #fail(cause: unknown): void {
    this.#cleanUp();
    const stage = this.#status === 0 ? "answer" : "read";
    this.#settler.reject(cause instanceof TargetFailure ? cause : targetFailure(cause, stage, this.#signal));
  }

  #cleanUp(): void {
    clearTimeout(this.#timer);
    this.#stopWatching();
  }
}

const codings: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes a body. Throws if a coding is not supported, or if the result is larger than `maxSize`. */
function decompress(body: Buffer, headers: IncomingHttpHeaders, maxSize: number): Buffer {
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return body;
  const codingNames = String(encoding).toLowerCase();
  const appliedCodings = codingNames.split(",").map((name) => name.trim());
  // Many nested codings would be slow to decode.
  if (appliedCodings.length > 2)
    throw new Error(`it is sent with ${appliedCodings.length} content codings, at most 2 are read`);
  return appliedCodings.reduceRight((encoded, coding) => {
    if (coding === "" || coding === "identity" || encoded.length === 0) return encoded;
    const decode = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
    if (decode === undefined) throw new Error(`the content coding ${quote(coding)} is not supported`);
    return decode(encoded, { maxOutputLength: maxSize });
  }, body);
}

/** Whether the other side closed an established connection. */
export function wasClosed(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));
}

const connectionErrorCodes = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** Suggests a remedy for a certificate that no known authority has signed. */
function certificateRemedy(code: string): string {
  const isUnknownAuthority = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code);
  return isUnknownAuthority ? "; set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority" : "";
}

function targetFailure(error: unknown, stage: "answer" | "read", signal: AbortSignal): TargetFailure {
  if (signal.aborted) {
    const problem = stage === "read" ? "the answer did not end in time" : "no answer in time";
    return new TargetFailure("timed-out", stage, problem, { cause: error });
  }
  const code = codeOf(error);
  const message = quote(error instanceof Error ? error.message : String(error));
  if (connectionErrorCodes.includes(code) || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new TargetFailure("errored", "connect", `no connection: ${message}${certificateRemedy(code)}`, {
      cause: error,
      because: { kind: "no-connection", ...(code === "" ? {} : { code }) },
    });
  }
  const problem = wasClosed(error) ? "the server closed the connection" : "the answer is not HTTP";
  return new TargetFailure("errored", stage, `${problem}${stage === "read" ? " within its answer" : ""}: ${message}`, {
    cause: error,
  });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
