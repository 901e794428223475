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
  /** Null: the request has none. */
  body: string | Uint8Array | null;
  /** Bytes of its answer that are read; 1 MiB without. */
  most?: number;
  /** Its answer may be endless: only its first part is read. */
  isStream?: boolean;
}

export interface Response<Headers = Record<string, string>> {
  status: number;
  headers: Headers;
  body: string;
  /** The rest of the stream was not read. */
  isPartial?: true;
  /** Its bytes are not UTF-8: some of them are replaced in the text. */
  isGarbled?: true;
}

/** Bytes of an answer that are read; more says nothing about a document. */
const longestBody = 1024 * 1024;
/** Milliseconds after its headers for reading a stream. */
const streaming = 300;
/** Media types of answers that are streams of items. */
const streamType =
  /^(text\/event-stream|application\/(x-)?(jsonl|ndjson|jsonlines|json-lines|json-seq|geo\+json-seq)|application\/[\w.-]+\+json-seq|multipart\/mixed)\b/i;

/** Whether answers of a media type are streams of items. */
export function isStreamType(type: string): boolean {
  return streamType.test(type.trim());
}

/** One request and its whole answer. Throws a TargetFailure for anything but an answer; its text is as the server sent it. */
export async function send(pool: Pool, request: Request, signal: AbortSignal): Promise<Response<IncomingHttpHeaders>> {
  const maxAttempts = isLong(request) ? maxRetries : 1;
  const opened = openedBy(pool);
  const awaitAnswer = async (): Promise<Response<IncomingHttpHeaders>> => {
    for (let [retries, fresh] = [0, 0]; ; retries++) {
      const before = opened.count;
      let isAlone = opened.underWay === 0;
      opened.underWay += 1;
      try {
        return await attempt(pool, request, signal);
      } catch (failed) {
        isAlone &&= opened.underWay === 1;
        if (!mayBeLost(failed as TargetFailure) || signal.aborted) throw failed;
        // Each connection that was kept may have been closed meanwhile. A new one was not, if it is not that of another request.
        if ((isAlone && opened.count > before) || retries === 0) fresh += 1;
        if (fresh > maxAttempts || retries === maxRetries) throw failed;
      } finally {
        opened.underWay -= 1;
      }
    }
  };
  let answer = await awaitAnswer();
  for (let retries = 0; isToRest(answer) && retries < maxRetries; retries++) {
    const before = opened.count;
    answer = await awaitAnswer().catch(() => answer);
    // Several connections may be left so; a new one is not.
    if (opened.count > before) break;
  }
  return answer;
}

interface OpenedResponse {
  /** Connections that the pool has opened since this was first wanted. */
  count: number;
  /** Requests without an answer so far. */
  underWay: number;
}

const known = new WeakMap<Pool, OpenedResponse>();

function openedBy(pool: Pool): OpenedResponse {
  const opened = known.get(pool) ?? { count: 0, underWay: 0 };
  if (known.has(pool)) return opened;
  known.set(pool, opened);
  pool.on("connect", () => {
    opened.count += 1;
  });
  return opened;
}

/** Bytes of a body that are surely on their way at once. */
const atOnce = 64 * 1024;
/** A server that refuses a long body unread, and closes, may break the connection before its answer is read. */
const maxRetries = 8;

function isLong({ body }: Request): boolean {
  return body !== null && Buffer.byteLength(body) > atOnce;
}

/** Whether an answer may have been lost as a connection was closed, idle ones just as a request left too: that says nothing about the request. Twice does. */
function mayBeLost({ stage, cause }: TargetFailure): boolean {
  return wasClosed(cause) && (stage === "answer" || codeOf(cause) === "EPIPE");
}

/**
 * Whether an answer may be to the rest of an earlier request: the server left its body unread and read it as the next request, which it
 * calls malformed or an unknown method, and it closes the connection (RFC 9112, 9.3).
 */
function isToRest({ status, headers }: Response<IncomingHttpHeaders>): boolean {
  const isClosed = /\bclose\b/i.test(headers.connection ?? "");
  return [400, 501].includes(status) && isClosed && !/json/i.test(headers["content-type"] ?? "");
}

/** Without undici's streams, which cost more than all the rest. */
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
    const { most = longestBody, isStream = false, ...asked } = request;
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
    // Deadlines are the signal's: undici's own timers are coarse.
    pool.dispatch(
      { ...asked, method: request.method as Dispatcher.HttpMethod, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(its) {
          controller = its;
          // It stood in line for a connection meanwhile.
          if (signal.aborted) its.abort(signal.reason);
        },
        onResponseStart(_, code, its) {
          // Before the answer itself there may be others, 100 to 199, that only announce it.
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
            const whole = isUtf8(body) ? {} : { isGarbled: true as const };
            resolve({ status, headers, body: body.toString("utf8"), ...whole });
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

/** A body without its codings, if it is within the usual limit. */
function decompress(body: Buffer, headers: IncomingHttpHeaders, most: number): Buffer {
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return body;
  const named = String(encoding).toLowerCase();
  const applied = named.split(",").map((each) => each.trim());
  // One coding is enough; undoing several would cost much.
  if (applied.length > 2) throw new Error(`it is sent with ${applied.length} content codings, at most 2 are read`);
  return applied.reduceRight((left, coding) => {
    if (coding === "" || coding === "identity" || left.length === 0) return left;
    const undo = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
    if (undo === undefined) throw new Error(`the content coding ${quote(coding)} is not supported`);
    return undo(left, { maxOutputLength: most });
  }, body);
}

/** Whether the other side closed a connection that there was. */
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
    const what = stage === "read" ? "the answer did not end in time" : "no answer in time";
    return new TargetFailure("timed-out", stage, what, { cause: error });
  }
  const code = codeOf(error);
  const message = quote(error instanceof Error ? error.message : String(error));
  if (connecting.includes(code) || /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new TargetFailure("errored", "connect", `no connection: ${message}${remedy(code)}`, {
      cause: error,
      because: { kind: "no-connection", ...(code === "" ? {} : { code }) },
    });
  }
  const what = wasClosed(error) ? "the server closed the connection" : "the answer is not HTTP";
  return new TargetFailure("errored", stage, `${what}${stage === "read" ? " within its answer" : ""}: ${message}`, {
    cause: error,
  });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
