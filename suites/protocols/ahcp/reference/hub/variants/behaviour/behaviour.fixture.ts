import type { Json, JsonObject } from "../../../../../../../schemas/index.ts";
import { noon } from "../../hub.fixture.ts";
import type { RunningHub } from "../../hub.ts";
import { operations } from "../../operator.ts";
import { reportOutcomes } from "./outcomes.fixture.ts";
import { reportPushes } from "./pushes.fixture.ts";
import { reportReads } from "./reads.fixture.ts";
import { reportSubmissions } from "./submissions.fixture.ts";
import type { Call, CallAnswer } from "./tools.fixture.ts";

/** A hub and its web handler. */
export interface HubUnderTest {
  hub: RunningHub;
  handler(request: Request): Promise<Response>;
}

/**
 * Reports how a hub answers fixed requests, including behaviour that scenarios cannot see. Hubs that behave differently
 * have different reports. Ids are replaced by their order of appearance.
 */
export async function behaviourOf({ hub, handler }: HubUnderTest): Promise<string> {
  const lines: string[] = [];
  const report = (label: string, ...answers: unknown[]): void =>
    void lines.push(`${label}: ${JSON.stringify(answers)}`);
  const call: Call = async (method, path, as = "a", body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (as === "a") headers.authorization = "Bearer token-of-a";
    if (as === "b") headers["x-api-key"] = "key-of-b";
    const url = path.startsWith("http") ? path : `http://127.0.0.1${path}`;
    const answer = await handler(new Request(url, { method, headers, ...(body === undefined ? {} : { body: text }) }));
    const read = await answer.text();
    const { headers: answerHeaders } = answer;
    const type = answerHeaders.get("content-type");
    return {
      status: answer.status,
      type,
      retry: answerHeaders.get("retry-after"),
      body: read === "" ? null : JSON.parse(read),
    };
  };
  const operate = async (name: string, input: JsonObject = {}): Promise<JsonObject> =>
    (await operations[name]?.(hub, input)) ?? {};
  const resolve = (id: string, resolution: string, members: JsonObject = {}): Promise<JsonObject> =>
    operate("resolve", { id, actor: "human:tester", resolution, ...members });
  const submit = (body: Json, as?: string): Promise<CallAnswer> => call("POST", "/v1/messages", as, body);
  const read = (id: string, query = "", as?: string): Promise<CallAnswer> =>
    call("GET", `/v1/messages/${id}${query}`, as);
  const cancel = (id: string, as?: string): Promise<CallAnswer> => call("POST", `/v1/messages/${id}/cancel`, as, {});
  const accept = async (body: Json, as?: string): Promise<string> => String((await submit(body, as)).body?.id);
  const clock = (input: JsonObject): Promise<JsonObject> => operate("clock", input);
  const by = (id: string, run = "run-1"): JsonObject => ({ agent: { id, run_id: run, runtime: "cli" } });
  const tools = { hub, report, call, operate, resolve, submit, read, cancel, accept, clock, by };

  for (const part of parts) {
    await clock({ at: noon, stopped: true });
    hub.submits.clear();
    await part(tools);
  }
  const namesById = new Map<string, string>();
  const text = lines.join("\n").replace(/:\d{4,5}\//g, ":port/");
  return text.replace(/\b(?:msg|res|jti|key)[_-][\w-]{8,}|\b(?:res_|key-)\d+/g, (id) => {
    const name = namesById.get(id) ?? `${id.slice(0, 3)}#${namesById.size}${id.length < 12 ? "" : ` of ${id.length}`}`;
    namesById.set(id, name);
    return name;
  });
}

const parts = [reportSubmissions, reportOutcomes, reportReads, reportPushes];
