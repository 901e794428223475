import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher, Pool } from "undici";
import { quote } from "../show.ts";
import { TargetFailure } from "../target.ts";

export interface Request {
  method: "GET" | "POST" | "PUT";
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

export interface Response<Headers = Record<string, string>> {
  status: number;
  headers: Headers;
  body: string;
}

/** Bytes of an answer that are read; more says nothing about a document. */
const longestBody = 1024 * 1024;

/** One request and its whole answer. Throws a TargetFailure for anything but an answer; its text is as the server sent it. */
export async function send(pool: Pool, request: Request, signal: AbortSignal): Promise<Response<IncomingHttpHeaders>> {
  const answer = await attempt(pool, request, signal);
  return { status: answer.statusCode, headers: answer.headers, body: await read(answer, signal) };
}

async function attempt(pool: Pool, request: Request, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  // Deadlines are the signal's: undici's own timers are coarse.
  const options = { ...request, signal, headersTimeout: 0, bodyTimeout: 0 };
  try {
    return await pool.request(options);
  } catch (first) {
    if (!wasClosed(first) || signal.aborted) throw failure(first, "answer", signal);
    // A server may close an idle connection just as a request leaves: that says nothing about the request. Twice does.
    return await pool.request(options).catch((second: unknown) => {
      throw failure(second, "answer", signal);
    });
  }
}

function read({ body }: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= longestBody) return;
      reject(new TargetFailure("errored", "read", "the answer's body is larger than 1 MiB"));
      body.destroy();
    });
    body.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    body.on("error", (error) => reject(failure(error, "read", signal)));
  });
}

function wasClosed(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));
}

const connecting = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

function failure(error: unknown, stage: "answer" | "read", signal: AbortSignal): TargetFailure {
  if (signal.aborted) {
    const what = stage === "read" ? "the answer did not end in time" : "no answer in time";
    return new TargetFailure("timed-out", stage, what, { cause: error });
  }
  const code = codeOf(error);
  const message = quote(error instanceof Error ? error.message : String(error));
  if (connecting.includes(code) || /CERT|TLS|SSL|SELF_SIGNED/.test(code)) {
    return new TargetFailure("errored", "connect", `no connection: ${message}`, { cause: error });
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
