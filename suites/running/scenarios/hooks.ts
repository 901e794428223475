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
const patience = 30_000;
/** The maximum bytes of an answer that are read. */
const longest = 1024 * 1024;
/** The maximum characters shown of a command's standard error: the last ones say why it ended. */
const maxComplaintLength = 200;
/** The characters that are kept for that; some may be white space. */
const heardComplaint = 4096;

/** A hook that can be called: a given function, or an HTTP request or a command made from its template. */
export function hookFrom(name: string, config: Hook | HookConfig): Hook {
  if (typeof config === "function") return config;
  if ("http" in config) return (parameters) => overHttp(name, config.http, parameters);
  if ("command" in config) return (parameters) => byCommand(name, config.command, parameters);
  throw new TouchstoneError("usage", `the hook "${name}" is not a function, an HTTP request or a command`, {
    hint: 'write it as { "http": { "url": … } } or { "command": … }',
  });
}

/** A hook at the address of a party, which need not offer it: then its status becomes a refusal. */
export function hookAt(url: string, name: string): { place: string; call: Hook } {
  const place = `${url.replace(/\/$/, "")}/${name}`;
  return { place, call: (parameters) => overHttp(name, { url: place }, parameters, absentStatuses) };
}

/** The time of the hook `clock`, in milliseconds since 1970. */
export function timeFrom({ now }: JsonObject): number {
  const time = typeof now === "string" ? Date.parse(now) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new TargetFailure("errored", "hook", 'the hook "clock" does not tell the time as {"now": RFC 3339}');
}

type HookCall = Extract<HookConfig, { http: unknown }>["http"];

async function overHttp(
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
    headers: login,
  } = parseAddress(insertParameters(url, parameters, encodeURIComponent));
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1 });
  const limit = AbortSignal.timeout(patience);
  try {
    const request = {
      method,
      path: `${prefix === "" ? "/" : prefix}${search}`,
      headers: headersFrom(login, headers),
      body: method === "GET" ? "" : JSON.stringify(payload),
    };
    const answer = await send(pool, request, limit);
    if (answer.status >= 300 && answer.status < 400)
      throw hookFailure(name, `it answers HTTP ${answer.status}, and redirects are not followed`);
    return tellRefusal(name, answer.status, answer.body, refusals);
  } catch (error) {
    const hide = createHider(secretsIn(call));
    if (error instanceof TargetFailure && error.stage === "hook")
      throw new TargetFailure(error.outcome, error.stage, hide.text(error.message), {
        because: hideInCause(error.because, hide),
      });
    const because =
      error instanceof TargetFailure && error.because.kind === "no-connection" ? error.because : undefined;
    if (limit.aborted) throw hookFailure(name, `it did not answer in ${patience / 1000} s`);
    throw hookFailure(name, hide.text(error instanceof Error ? error.message : String(error)), because);
  } finally {
    await pool.destroy();
  }
}

/** Hooks that say something about the target when they refuse. For any other hook, an answer with these statuses is the hook's own fault. */
const mayRefuse = new Set(["resolve", "bind"]);
/** Statuses for an address without a resource. */
export const absentStatuses: readonly number[] = [404, 405];
const notDone: Readonly<Record<number, string>> = {
  400: "check its body",
  401: "check its credentials",
  403: "check its credentials",
  404: "check its URL",
  405: "check its URL and method",
  415: "check its headers",
};

/** Interprets an answer: 2xx means that the hook was applied, unless the body says otherwise, and 4xx that it was refused; `refusals` are further statuses for a refusal. */
function tellRefusal(name: string, status: number, text: string, refusals: readonly number[]): JsonObject {
  const body = parseAnswer(text);
  if (status >= 500) throw hookFailure(name, `it answers HTTP ${status}: ${quote(text)}`);
  if (status < 300 && body.applied === false) return refusal(body, isFailure(body.status) ? body.status : undefined);
  if (status < 300) return body.applied === true ? body : { ...body, applied: true, isSupposed: true };
  if (refusals.includes(status)) return refusal(body, status);
  const hint = (status === 401 || status === 403 ? hintForRefusal(text) : undefined) ?? notDone[status];
  if (hint !== undefined && !mayRefuse.has(name) && body.applied !== false && typeof body.skipped !== "string")
    throw hookFailure(name, `it answers HTTP ${status}; ${hint}`);
  return refusal(body, status);
}

/** The refusal with its status: a body may have members `status` and `code` with another meaning. */
function refusal({ status: _, code: ownCode, ...body }: JsonObject, status: number | undefined): JsonObject {
  const code = [isObject(body.error) ? body.error.code : undefined, ownCode].find((each) => typeof each === "string");
  return {
    ...body,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    applied: false,
  };
}

function isFailure(status: Json | undefined): status is number {
  return typeof status === "number" && status >= 400 && status < 600;
}

function byCommand(name: string, command: string, parameters: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const child = spawnGroup(command, [], { shell: true, stdio: ["pipe", "pipe", "pipe"] });
    const [stdin, stdout, stderr] = [child.stdin as Writable, child.stdout as Readable, child.stderr as Readable];
    const bytes = gatherChunks();
    let complaint = "";
    let why: string | undefined;
    const end = (because: string): void => {
      why ??= because;
      killGroup(child);
      stdout.destroy();
      stderr.destroy();
    };
    const timer = setTimeout(() => end(`no answer within ${patience / 1000} s`), patience);
    stdout.on("data", (chunk: Buffer) => {
      bytes.add(chunk);
      if (bytes.size > longest) end(`it wrote more than ${longest / 2 ** 20} MiB`);
    });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = `${complaint}${text}`.slice(-heardComplaint);
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
      if (why !== undefined) reject(hookFailure(name, why));
      else if (code === 0) resolve(parseAnswer(bytes.join().toString("utf8")));
      else
        reject(
          hookFailure(
            name,
            `the command ended with ${signal ?? code}${complaint.trim() === "" ? "" : `: ${quote(lastOf(complaint.trim()), maxComplaintLength + 1)}`}`,
          ),
        );
    });
    // A program that reads nothing closes the pipe.
    stdin.on("error", () => {});
    stdin.end(JSON.stringify(parameters));
  });
}

/** The end of a text, marked as cut: the cut may be within a secret, which is searched for there. */
function lastOf(text: string): string {
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
