import type { Json, JsonObject } from "../../../../../../../schemas/index.ts";
import { noon } from "../../hub.fixture.ts";
import type { RunningHub } from "../../hub.ts";
import { operations } from "../../operator.ts";
import { outcomes } from "./outcomes.fixture.ts";
import { pushes } from "./pushes.fixture.ts";
import { reads } from "./reads.fixture.ts";
import { submits } from "./submits.fixture.ts";
import type { Call, Told } from "./tools.fixture.ts";

/** A hub, and its web handler. */
export interface House {
  hub: RunningHub;
  handler(request: Request): Promise<Response>;
}

/** A report of behaviour, including some that scenarios cannot see: two hubs that differ there have different reports. Ids are replaced by their order. */
export async function storyOf({ hub, handler }: House): Promise<string> {
  const lines: string[] = [];
  const tell = (what: string, ...all: unknown[]): void => void lines.push(`${what}: ${JSON.stringify(all)}`);
  const call: Call = async (method, path, as = "a", body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (as === "a") headers.authorization = "Bearer token-of-a";
    if (as === "b") headers["x-api-key"] = "key-of-b";
    const url = path.startsWith("http") ? path : `http://127.0.0.1${path}`;
    const answer = await handler(new Request(url, { method, headers, ...(body === undefined ? {} : { body: text }) }));
    const read = await answer.text();
    const { headers: said } = answer;
    const type = said.get("content-type");
    return { status: answer.status, type, retry: said.get("retry-after"), body: read === "" ? null : JSON.parse(read) };
  };
  const operate = async (name: string, given: JsonObject = {}): Promise<JsonObject> =>
    (await operations[name]?.(hub, given)) ?? {};
  const resolve = (id: string, resolution: string, more: JsonObject = {}): Promise<JsonObject> =>
    operate("resolve", { id, actor: "human:tester", resolution, ...more });
  const submit = (body: Json, as?: string): Promise<Told> => call("POST", "/v1/messages", as, body);
  const read = (id: string, query = "", as?: string): Promise<Told> => call("GET", `/v1/messages/${id}${query}`, as);
  const cancel = (id: string, as?: string): Promise<Told> => call("POST", `/v1/messages/${id}/cancel`, as, {});
  const taken = async (body: Json, as?: string): Promise<string> => String((await submit(body, as)).body?.id);
  const clock = (given: JsonObject): Promise<JsonObject> => operate("clock", given);
  const by = (id: string, run = "run-1"): JsonObject => ({ agent: { id, run_id: run, runtime: "cli" } });
  const tools = { hub, tell, call, operate, resolve, submit, read, cancel, taken, clock, by };

  for (const chapter of chapters) {
    await clock({ at: noon, stopped: true });
    hub.submits.clear();
    await chapter(tools);
  }
  const seen = new Map<string, string>();
  const told = lines.join("\n").replace(/:\d{4,5}\//g, ":port/");
  return told.replace(/\b(?:msg|res|jti|key)[_-][\w-]{8,}|\b(?:res_|key-)\d+/g, (id) => {
    const name = seen.get(id) ?? `${id.slice(0, 3)}#${seen.size}${id.length < 12 ? "" : ` of ${id.length}`}`;
    seen.set(id, name);
    return name;
  });
}

const chapters = [submits, outcomes, reads, pushes];
