import {
  type HttpReply,
  isObject,
  type JsonObject,
  type PublishedLimits,
  protocolNamed,
  type ScenarioContext,
  type Setting,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { leastBytes, overLimit } from "../../../base/http/size-limit.ts";

/** The capability document of a hub, as any caller gets it. */
export function discover(context: ScenarioContext, as: "a" | "nobody" = "nobody"): Promise<HttpReply> {
  return context.send({ method: "GET", path: "/.well-known/ahcp", as });
}

/** The capability document. Throws a TargetSkip if there is none. */
export async function readPublished(context: ScenarioContext): Promise<JsonObject> {
  const { status, json } = await discover(context, "a");
  if (status === 200 && isObject(json)) return json;
  throw new TargetSkip("the hub publishes nothing of itself at /.well-known/ahcp");
}

/** The milliseconds of one exchange with the hub, before `timeScale` multiplies them: on a busy machine a push that is due by its clock needs some of these. */
export async function timeExchange(context: ScenarioContext): Promise<number> {
  const begun = performance.now();
  await readPublished(context).catch(() => undefined);
  return (performance.now() - begun) / (context.setting.timeScale ?? 1);
}

/** The capability document of each setting's hub; it may require smaller messages. */
const knownLimits = new WeakMap<Setting, JsonObject>();
/** The size of the largest accepted message, in bytes. */
const largest = new WeakMap<Setting, number>();

/** The same, requested once: an empty object for a hub that publishes nothing. */
export async function publishedOnce(context: ScenarioContext): Promise<JsonObject> {
  const there = knownLimits.get(context.setting);
  if (there !== undefined) return there;
  const { status, json } = await discover(context, "a");
  const found = status === 200 && isObject(json) ? json : {};
  knownLimits.set(context.setting, found);
  return found;
}

/** The published maximum of open messages. */
export async function depthOf(context: ScenarioContext): Promise<number> {
  const { rate_limit: limits } = await publishedOnce(context);
  return isObject(limits) && typeof limits.inbox_depth === "number" ? limits.inbox_depth : Number.POSITIVE_INFINITY;
}

/** Throws a TargetSkip for a message that the hub refuses and that exceeds a published limit: for its size, as it says. */
export async function mustFit(
  context: ScenarioContext,
  message: string,
  { status, text: refusal }: HttpReply,
): Promise<void> {
  const { setting } = context;
  const taken = largest.get(setting) ?? 0;
  if (status < 300) largest.set(setting, Math.max(taken, leastBytes(message)));
  if (status !== 413 && status !== 422) return;
  const limits = protocolNamed("ahcp").profile.http.limits as PublishedLimits;
  const over = overLimit(limits, await publishedOnce(context), { message, refusal, taken });
  if (over !== undefined) throw new TargetSkip(`a message of this scenario is ${over}`);
}

/** The message without the parts and the body that exceed the hub's published limits. */
export async function fitMessage(context: ScenarioContext, message: JsonObject): Promise<JsonObject> {
  const { max_context_parts: most, max_part_bytes: part, max_body_bytes: length } = await publishedOnce(context);
  const { context: parts, body, ...rest } = message;
  const fits = (bytes: number, limit: unknown): boolean => typeof limit !== "number" || bytes <= limit;
  const small = Array.isArray(parts) ? parts.filter((each) => fits(Buffer.byteLength(JSON.stringify(each)), part)) : [];
  const kept = typeof most === "number" ? small.slice(0, most) : small;
  const isKept = kept.length > 0 || (Array.isArray(parts) && parts.length === 0);
  return {
    ...rest,
    ...(typeof body === "string" && fits(Buffer.byteLength(body), length) ? { body } : {}),
    ...(isKept ? { context: kept } : {}),
  };
}
