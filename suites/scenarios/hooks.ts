import { spawn } from "node:child_process";
import {
  type Hook,
  type HookConfig,
  isObject,
  type Json,
  type JsonObject,
  TargetFailure,
  TouchstoneError,
} from "../../schemas/index.ts";
import { quote } from "../text/show.ts";
import { filled, woven } from "../text/template.ts";

/** Milliseconds after which a hook has failed. */
const patience = 30_000;
/** Bytes of an answer that are read. */
const longest = 1024 * 1024;

/** A hook that can be called: a function as it is, an HTTP request or a command made from its template. */
export function hookFrom(name: string, config: Hook | HookConfig): Hook {
  if (typeof config === "function") return config;
  if ("http" in config) return (parameters) => overHttp(name, config.http, parameters);
  if ("command" in config) return (parameters) => byCommand(name, config.command, parameters);
  throw new TouchstoneError("usage", `the hook "${name}" is no function, HTTP request or command`, {
    hint: 'write it as { "http": { "url": … } } or { "command": … }',
  });
}

/** The time that the hook `clock` tells, in milliseconds since 1970. */
export function timeFrom({ now }: JsonObject): number {
  const time = typeof now === "string" ? Date.parse(now) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new TargetFailure("errored", "hook", 'the hook "clock" does not tell the time as {"now": RFC 3339}');
}

type Call = Extract<HookConfig, { http: unknown }>["http"];

async function overHttp(name: string, call: Call, parameters: JsonObject): Promise<JsonObject> {
  const { method = "POST", url, headers = {}, body } = call;
  const sent = body === undefined ? parameters : filled(body, parameters);
  try {
    const answer = await fetch(woven(url, parameters, encodeURIComponent), {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "GET" ? {} : { body: JSON.stringify(sent) }),
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
    const text = (await answer.text()).slice(0, longest);
    return told(name, answer.status, text);
  } catch (error) {
    if (error instanceof TargetFailure) throw error;
    throw failed(name, error instanceof Error ? error.message : String(error));
  }
}

/** The answer's own words win; otherwise a 2xx says that it was done, as far as a status can tell, and a 4xx that it was refused. */
function told(name: string, status: number, text: string): JsonObject {
  const body = parsed(text);
  if (status >= 500) throw failed(name, `it answers HTTP ${status}: ${quote(text)}`);
  if (status < 300) return typeof body.applied === "boolean" ? body : { ...body, applied: true, isSupposed: true };
  const { error } = body;
  const code = isObject(error) && typeof error.code === "string" ? { code: error.code } : {};
  return { status, ...code, ...body, applied: false };
}

function byCommand(name: string, command: string, parameters: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "ignore"], timeout: patience });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (text.length < longest) text += chunk.toString("utf8");
    });
    child.on("error", (error) => reject(failed(name, error.message)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(parsed(text));
      else reject(failed(name, `the command ended with ${signal ?? code}`));
    });
    // One that reads nothing closes the pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(parameters));
  });
}

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function failed(name: string, why: string): TargetFailure {
  return new TargetFailure("errored", "hook", `the hook "${name}" failed: ${why}`);
}
