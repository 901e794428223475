import {
  type HttpReply,
  isObject,
  type JsonObject,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";

/** The headers that authenticate the person of the account. */
export async function personHeaders(context: ScenarioContext): Promise<Record<string, string>> {
  const { headers } = await context.hook("person", {});
  return isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {};
}

/** Sends a request as the person of the account. */
export async function askAsPerson(context: ScenarioContext, method: string, path: string): Promise<HttpReply> {
  return context.send({ method, path, as: "nobody", headers: await personHeaders(context) });
}

/** The published seconds for which an agent counts as online. Throws a TargetSkip if the hub does not publish presence. */
export async function publishedFreshness(context: ScenarioContext): Promise<number> {
  const { presence } = await readPublished(context);
  const seconds = isObject(presence) && presence.enabled === true ? presence.freshness_seconds : undefined;
  if (typeof seconds !== "number") throw new TargetSkip("the hub does not offer presence");
  return seconds;
}

/** The presence of an agent, as the person of its account reads it. */
export async function presenceOf(context: ScenarioContext, agent: string): Promise<JsonObject> {
  const { json } = await askAsPerson(context, "GET", `/v1/agents/${encodeURIComponent(agent)}/presence`);
  return isObject(json) ? json : {};
}

/** An accepted directive. */
export interface WrittenDirective {
  id: string;
}

/** Writes a directive as the person of the account, with the hook. */
export async function sendDirective(
  context: ScenarioContext,
  directive: JsonObject,
): Promise<WrittenDirective | { refused: JsonObject }> {
  const { id, refused } = await context.hook("direct", directive);
  if (typeof id === "string") return { id };
  return { refused: isObject(refused) ? refused : {} };
}

/** Writes a directive, and returns its id. Throws a TargetSkip if it is refused. */
export async function requireDirective(context: ScenarioContext, directive: JsonObject): Promise<string> {
  const answer = await sendDirective(context, directive);
  if ("refused" in answer) throw new TargetSkip("the hub refuses a directive that is needed");
  return answer.id;
}
