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
import { exceededLimit, minimumSize } from "../../../base/http/size-limit.ts";

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
  const startedAt = performance.now();
  await readPublished(context).catch(() => undefined);
  return (performance.now() - startedAt) / (context.setting.timeScale ?? 1);
}

/** The capability document of each setting's hub; it may require smaller messages. */
const knownLimits = new WeakMap<Setting, JsonObject>();
/** The size of the largest accepted message, in bytes. */
const largestAcceptedSizes = new WeakMap<Setting, number>();

/** The same, requested once: an empty object for a hub that publishes nothing. */
export async function publishedOnce(context: ScenarioContext): Promise<JsonObject> {
  const knownDocument = knownLimits.get(context.setting);
  if (knownDocument !== undefined) return knownDocument;
  const { status, json } = await discover(context, "a");
  const document = status === 200 && isObject(json) ? json : {};
  knownLimits.set(context.setting, document);
  return document;
}

/** The published maximum of open messages. */
export async function depthOf(context: ScenarioContext): Promise<number> {
  const { rate_limit: limits } = await publishedOnce(context);
  return isObject(limits) && typeof limits.inbox_depth === "number" ? limits.inbox_depth : Number.POSITIVE_INFINITY;
}

/** Throws a TargetSkip for a message that the hub refuses and that exceeds a published limit: for its size, as it says. */
export async function skipIfTooLarge(
  context: ScenarioContext,
  message: string,
  { status, text: refusal }: HttpReply,
): Promise<void> {
  const { setting } = context;
  const largestAccepted = largestAcceptedSizes.get(setting) ?? 0;
  if (status < 300) largestAcceptedSizes.set(setting, Math.max(largestAccepted, minimumSize(message)));
  if (status !== 413 && status !== 422) return;
  const limits = protocolNamed("ahcp").profile.http.limits as PublishedLimits;
  const excess = exceededLimit(limits, await publishedOnce(context), {
    message,
    refusal,
    acceptedSize: largestAccepted,
  });
  if (excess !== undefined) throw new TargetSkip(`a message of this scenario is ${excess}`);
}

/** The message without the parts and the body that exceed the hub's published limits. */
export async function fitMessage(context: ScenarioContext, message: JsonObject): Promise<JsonObject> {
  const { max_context_parts: maxParts, max_part_bytes: part, max_body_bytes: length } = await publishedOnce(context);
  const { context: parts, body, ...otherMembers } = message;
  const fits = (bytes: number, limit: unknown): boolean => typeof limit !== "number" || bytes <= limit;
  const small = Array.isArray(parts) ? parts.filter((each) => fits(Buffer.byteLength(JSON.stringify(each)), part)) : [];
  const fittingParts = typeof maxParts === "number" ? small.slice(0, maxParts) : small;
  const isKept = fittingParts.length > 0 || (Array.isArray(parts) && parts.length === 0);
  return {
    ...otherMembers,
    ...(typeof body === "string" && fits(Buffer.byteLength(body), length) ? { body } : {}),
    ...(isKept ? { context: fittingParts } : {}),
  };
}
