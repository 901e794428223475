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
  /** The maximum bytes of its answer to read; 1 MiB by default. */
  most?: number;
  /** Whether its answer may be endless, so that only the first part is read. */
  isStream?: boolean;
}

export interface Response<Headers = Record<string, string>> {
  status: number;
  headers: Headers;
  body: string;
  /** Set if the rest of the stream was not read. */
  isPartial?: true;
  /** Set if its bytes are not UTF-8: some of them are replaced in the text. */
  isGarbled?: true;
}

/** The maximum bytes of an answer that are read; a document needs no more. */
const longestBody = 1024 * 1024;
/** Milliseconds for reading a stream, counted from its headers. */
const streaming = 300;
/** Media types of answers that are streams of items. */
const streamType =
  /^(text\/event-stream|application\/(x-)?(jsonl|ndjson|jsonlines|json-lines|json-seq|geo\+json-seq)|application\/[\w.-]+\+json-seq|multipart\/mixed)\b/i;

/** Whether answers of a media type are streams of items. */
export function isStreamType(type: string): boolean {
  return streamType.test(type.trim());
}

/** Sends one request and reads its whole answer. Throws a TargetFailure if there is no HTTP answer; the text is as the server sent it. */
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
        // Each reused connection may have been closed meanwhile; a new one was not, unless it belongs to another request.
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

/** The traffic of a pool, by which a lost answer is recognized. */
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
const atOnce = 64 * 1024;
/** A server that refuses a long body unread and closes the connection may break it before its answer is read. */
const maxRetries = 8;

function isLong({ body }: Request): boolean {
  return body !== null && Buffer.byteLength(body) > atOnce;
}

/** Whether an answer may have been lost because the server closed an idle connection just as a request was sent: that says nothing about the request, unless it happens twice. */
function mayBeLost({ stage, cause }: TargetFailure): boolean {
  return wasClosed(cause) && (stage === "answer" || codeOf(cause) === "EPIPE");
}

/** Whether an answer may be to the rest of an earlier request. The server left that body unread, read it as the next request, calls it malformed or an unknown method, and closes the connection (RFC 9112, 9.3). */
function mayAnswerLeftoverBody({ status, headers }: Response<IncomingHttpHeaders>): boolean {
  const isClosed = /\bclose\b/i.test(headers.connection ?? "");
  return [400, 501].includes(status) && isClosed && !/json/i.test(headers["content-type"] ?? "");
}

/** Does without undici's streams, which cost more than everything else. */
function attempt(pool: Pool, request: Request, signal: AbortSignal): Promise<Response<IncomingHttpHeaders>> {
  return new Promise((resolve, reject) => {
    const bytes = gatherChunks();
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let controller: Dispatcher.DispatchController | undefined;
    const fail = (cause: unknown): void => {
      leave();
      reject(cause instanceof TargetFailure ? cause : failure(cause, status === 0 ? "answer" : "read", signal));
    };
    const stopLate = (): void => {
      fail(signal.reason);
      controller?.abort(signal.reason);
    };
    let leave = (): void => {};
    if (signal.aborted) return fail(signal.reason);
    const { most = longestBody, isStream = false, ...wireRequest } = request;
    let timer: NodeJS.Timeout | undefined;
    const unwatched = whenAborted(signal, stopLate);
    leave = () => {
      clearTimeout(timer);
      unwatched();
    };
    const isEndless = (): boolean => isStream && status < 300 && isStreamType(String(headers["content-type"] ?? ""));
    /** The answer is the part received so far. */
    const cut = (): void => {
      leave();
      const isPlain = headers["content-encoding"] === undefined;
      resolve({ status, headers, body: isPlain ? bytes.bytes().toString("utf8") : "", isPartial: true });
      controller?.abort(new Error("enough was read"));
    };
    // The signal enforces deadlines: undici's own timers are coarse.
    pool.dispatch(
      { ...wireRequest, method: request.method as Dispatcher.HttpMethod, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(its) {
          controller = its;
          // The request may have been aborted while it waited for a connection.
          if (signal.aborted) its.abort(signal.reason);
        },
        onResponseStart(_, code, its) {
          // The final answer may be preceded by interim ones, 100 to 199.
          if (code < 200) return;
          status = code;
          headers = its;
          if (isEndless()) timer = setTimeout(cut, streaming);
        },
        onResponseData(its, chunk) {
          bytes.add(chunk);
          if (bytes.size <= most) return;
          if (isEndless()) return cut();
          const tooLarge = new TargetFailure(
            "errored",
            "read",
            `the answer's body is larger than ${most / 2 ** 20} MiB`,
          );
          fail(tooLarge);
          its.abort(tooLarge);
        },
        onResponseEnd() {
          leave();
          try {
            const body = decompress(bytes.bytes(), headers, most);
            const garbledMark = isUtf8(body) ? {} : { isGarbled: true as const };
            resolve({ status, headers, body: body.toString("utf8"), ...garbledMark });
          } catch (cause) {
            fail(new TargetFailure("errored", "read", `the answer's body cannot be read: ${(cause as Error).message}`));
          }
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

const codings: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes a body, if the result is within the usual limit. */
function decompress(body: Buffer, headers: IncomingHttpHeaders, most: number): Buffer {
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return body;
  const codingNames = String(encoding).toLowerCase();
  const applied = codingNames.split(",").map((each) => each.trim());
  // More than two codings would be slow to undo.
  if (applied.length > 2) throw new Error(`it is sent with ${applied.length} content codings, at most 2 are read`);
  return applied.reduceRight((left, coding) => {
    if (coding === "" || coding === "identity" || left.length === 0) return left;
    const undo = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
    if (undo === undefined) throw new Error(`the content coding ${quote(coding)} is not supported`);
    return undo(left, { maxOutputLength: most });
  }, body);
}

/** Whether the other side closed an established connection. */
export function wasClosed(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));
}

const connecting = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

/** The remedy for a certificate that no known authority has signed. */
function remedy(code: string): string {
  const isUnknown = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code);
  return isUnknown ? "; set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority" : "";
}

function failure(error: unknown, stage: "answer" | "read", signal: AbortSignal): TargetFailure {
  if (signal.aborted) {
    const problem = stage === "read" ? "the answer did not end in time" : "no answer in time";
    return new TargetFailure("timed-out", stage, problem, { cause: error });
  }
  const code = codeOf(error);
  const message = quote(error instanceof Error ? error.message : String(error));
  if (connecting.includes(code) || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new TargetFailure("errored", "connect", `no connection: ${message}${remedy(code)}`, {
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
