import type { Readable, Writable } from "node:stream";
import {
  type Cause,
  type Hook,
  type HookConfig,
  isObject,
  type Json,
  type JsonObject,
  TargetFailure,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { parseAddress } from "../../base/http/address.ts";
import { headersFrom } from "../../base/http/headers.ts";
import { hintForRefusal } from "../../base/http/refusal-hint.ts";
import { send } from "../../base/http/send.ts";
import { gatherChunks } from "../../base/process/chunks.ts";
import { killGroup, spawnGroup } from "../../base/process/group.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { quote } from "../../base/text/show.ts";
import { fillTemplate, insertParameters } from "../../base/text/template.ts";
import { hideInCause } from "../../results/reason-text.ts";

/** Milliseconds after which a hook has failed. */
const hookTimeoutMs = 30_000;
/** The maximum size of an answer, in bytes. */
const maxAnswerBytes = 1024 * 1024;
/** The maximum number of characters shown of a command's standard error: the last ones, because they usually explain why it ended. */
const maxComplaintLength = 200;
/** The maximum number of characters kept of standard error. It is larger than the number shown, because some may be white space. */
const keptComplaintLength = 4096;

/** Creates a hook that can be called, from a function or from the template of an HTTP request or a command. */
export function hookFrom(name: string, config: Hook | HookConfig): Hook {
  if (typeof config === "function") return config;
  if ("http" in config) return (parameters) => callOverHttp(name, config.http, parameters);
  if ("command" in config) return (parameters) => runCommand(name, config.command, parameters);
  throw new TouchstoneError("usage", `the hook "${name}" is not a function, an HTTP request or a command`, {
    hint: 'write it as { "http": { "url": … } } or { "command": … }',
  });
}

/** Creates an optional hook at the address of a party. If the party does not offer it, the status 404 or 405 becomes a refusal. */
export function hookAt(url: string, name: string): { place: string; call: Hook } {
  const place = `${url.replace(/\/$/, "")}/${name}`;
  return { place, call: (parameters) => callOverHttp(name, { url: place }, parameters, absentStatuses) };
}

/** Reads the answer of the hook `clock` as milliseconds since 1970. */
export function timeFrom({ now }: JsonObject): number {
  const time = typeof now === "string" ? Date.parse(now) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new TargetFailure("errored", "hook", 'the hook "clock" does not tell the time as {"now": RFC 3339}');
}

type HookCall = Extract<HookConfig, { http: unknown }>["http"];

async function callOverHttp(
  name: string,
  call: HookCall,
  parameters: JsonObject,
  refusals: readonly number[] = [],
): Promise<JsonObject> {
  const { method = "POST", url, headers = {}, body } = call;
  const payload = body === undefined ? parameters : fillTemplate(body, parameters);
  const {
    origin,
    prefix,
    search,
    headers: loginHeaders,
  } = parseAddress(insertParameters(url, parameters, encodeURIComponent));
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1 });
  const timeoutSignal = AbortSignal.timeout(hookTimeoutMs);
  try {
    const request = {
      method,
      path: `${prefix === "" ? "/" : prefix}${search}`,
      headers: headersFrom(loginHeaders, headers),
      body: method === "GET" ? "" : JSON.stringify(payload),
    };
    const answer = await send(pool, request, timeoutSignal);
    if (answer.status >= 300 && answer.status < 400)
      throw hookFailure(name, `it answers HTTP ${answer.status}, and redirects are not followed`);
    return interpretAnswer(name, answer.status, answer.body, refusals);
  } catch (error) {
    const hide = createHider(secretsIn(call));
    if (error instanceof TargetFailure && error.stage === "hook")
      throw new TargetFailure(error.outcome, error.stage, hide.text(error.message), {
        because: hideInCause(error.because, hide),
      });
    const because =
      error instanceof TargetFailure && error.because.kind === "no-connection" ? error.because : undefined;
    if (timeoutSignal.aborted) throw hookFailure(name, `it did not answer in ${hookTimeoutMs / 1000} s`);
    throw hookFailure(name, hide.text(error instanceof Error ? error.message : String(error)), because);
  } finally {
    await pool.destroy();
  }
}

/** Hooks that a target may refuse. For other hooks, the statuses of `hintsByStatus` mean that the hook is misconfigured. */
const refusableHooks = new Set(["resolve", "bind"]);
/** Statuses for an address without a resource. */
export const absentStatuses: readonly number[] = [404, 405];
/** The part of a hook's configuration to check, by the status of its answer. */
const hintsByStatus: Readonly<Record<number, string>> = {
  400: "check its body",
  401: "check its credentials",
  403: "check its credentials",
  404: "check its URL",
  405: "check its URL and method",
  415: "check its headers",
};

/** Interprets an answer. A status 2xx means that the hook was applied, unless the body has `"applied": false`. A status 4xx means that it was refused, and so do the statuses in `refusals`. */
function interpretAnswer(name: string, status: number, text: string, refusals: readonly number[]): JsonObject {
  const body = parseAnswer(text);
  if (status >= 500) throw hookFailure(name, `it answers HTTP ${status}: ${quote(text)}`);
  if (status < 300 && body.applied === false)
    return refusalFrom(body, isFailureStatus(body.status) ? body.status : undefined);
  if (status < 300) return body.applied === true ? body : { ...body, applied: true, isSupposed: true };
  if (refusals.includes(status)) return refusalFrom(body, status);
  const hint = (status === 401 || status === 403 ? hintForRefusal(text) : undefined) ?? hintsByStatus[status];
  if (hint !== undefined && !refusableHooks.has(name) && body.applied !== false && typeof body.skipped !== "string")
    throw hookFailure(name, `it answers HTTP ${status}; ${hint}`);
  return refusalFrom(body, status);
}

/** Returns a refusal with this status. The body may have members `status` and `code` with a different meaning. */
function refusalFrom({ status: _, code: ownCode, ...body }: JsonObject, status: number | undefined): JsonObject {
  const code = [isObject(body.error) ? body.error.code : undefined, ownCode].find(
    (candidate) => typeof candidate === "string",
  );
  return {
    ...body,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    applied: false,
  };
}

function isFailureStatus(status: Json | undefined): status is number {
  return typeof status === "number" && status >= 400 && status < 600;
}

function runCommand(name: string, command: string, parameters: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const child = spawnGroup(command, [], { shell: true, stdio: ["pipe", "pipe", "pipe"] });
    const [stdin, stdout, stderr] = [child.stdin as Writable, child.stdout as Readable, child.stderr as Readable];
    const bytes = gatherChunks();
    let complaint = "";
    let stopReason: string | undefined;
    const stop = (because: string): void => {
      stopReason ??= because;
      killGroup(child);
      stdout.destroy();
      stderr.destroy();
    };
    const timer = setTimeout(() => stop(`no answer within ${hookTimeoutMs / 1000} s`), hookTimeoutMs);
    stdout.on("data", (chunk: Buffer) => {
      bytes.add(chunk);
      if (bytes.size > maxAnswerBytes) stop(`it wrote more than ${maxAnswerBytes / 2 ** 20} MiB`);
    });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = `${complaint}${text}`.slice(-keptComplaintLength);
    });
    child.on("exit", (code) => {
      // A server that the command left behind may keep the stream open.
      if (code === 0) stderr.destroy();
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(hookFailure(name, error.message));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (stopReason !== undefined) reject(hookFailure(name, stopReason));
      else if (code === 0) resolve(parseAnswer(bytes.join().toString("utf8")));
      else
        reject(
          hookFailure(
            name,
            `the command ended with ${signal ?? code}${complaint.trim() === "" ? "" : `: ${quote(truncateStart(complaint.trim()), maxComplaintLength + 1)}`}`,
          ),
        );
    });
    // A program that reads nothing closes the pipe.
    stdin.on("error", () => {});
    stdin.end(JSON.stringify(parameters));
  });
}

/** Returns the end of a string. The ellipsis marks the cut, so that a secret that was cut there is also found. */
function truncateStart(text: string): string {
  return text.length > maxComplaintLength ? `…${text.slice(-maxComplaintLength)}` : text;
}

function parseAnswer(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function hookFailure(name: string, why: string, because: Cause = { kind: "hook-failed" }): TargetFailure {
  return new TargetFailure("errored", "hook", `the hook "${name}" failed: ${why}`, { because });
}
