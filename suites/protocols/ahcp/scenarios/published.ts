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

/** Requests the capability document, by default without a credential. */
export function discover(context: ScenarioContext, as: "a" | "nobody" = "nobody"): Promise<HttpReply> {
  return context.send({ method: "GET", path: "/.well-known/ahcp", as });
}

/** Reads the capability document. Throws a TargetSkip if there is none. */
export async function readPublished(context: ScenarioContext): Promise<JsonObject> {
  const { status, json } = await discover(context, "a");
  if (status === 200 && isObject(json)) return json;
  throw new TargetSkip("the hub publishes no capability document at /.well-known/ahcp");
}

/** Measures one exchange with the hub, in milliseconds before `timeScale` is applied. Shows how busy the machine is. */
export async function timeExchange(context: ScenarioContext): Promise<number> {
  const startedAt = performance.now();
  await readPublished(context).catch(() => undefined);
  return (performance.now() - startedAt) / (context.setting.timeScale ?? 1);
}

/** The capability documents, by setting. */
const knownDocuments = new WeakMap<Setting, JsonObject>();
/** The size of the largest message that each hub has accepted, in bytes. */
const largestAcceptedSizes = new WeakMap<Setting, number>();

/** The capability document, requested only once. Empty if the hub publishes none. */
export async function cachedCapability(context: ScenarioContext): Promise<JsonObject> {
  const knownDocument = knownDocuments.get(context.setting);
  if (knownDocument !== undefined) return knownDocument;
  const { status, json } = await discover(context, "a");
  const document = status === 200 && isObject(json) ? json : {};
  knownDocuments.set(context.setting, document);
  return document;
}

/** The published maximum number of open messages; infinite if there is none. */
export async function publishedInboxDepth(context: ScenarioContext): Promise<number> {
  const { rate_limit: limits } = await cachedCapability(context);
  return isObject(limits) && typeof limits.inbox_depth === "number" ? limits.inbox_depth : Number.POSITIVE_INFINITY;
}

/** Throws a TargetSkip if the hub has refused a message that exceeds a published limit. Remembers the size of accepted messages. */
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
  const excess = exceededLimit(limits, await cachedCapability(context), {
    message,
    refusal,
    acceptedSize: largestAccepted,
  });
  if (excess !== undefined) throw new TargetSkip(`a message of this scenario is ${excess}`);
}

/** The message without the parts and the body that exceed the published limits. */
export async function fitMessage(context: ScenarioContext, message: JsonObject): Promise<JsonObject> {
  const {
    max_context_parts: maxParts,
    max_part_bytes: maxPartBytes,
    max_body_bytes: maxBodyBytes,
  } = await cachedCapability(context);
  const { context: parts, body, ...otherMembers } = message;
  const fits = (bytes: number, limit: unknown): boolean => typeof limit !== "number" || bytes <= limit;
  const smallParts = Array.isArray(parts)
    ? parts.filter((part) => fits(Buffer.byteLength(JSON.stringify(part)), maxPartBytes))
    : [];
  const fittingParts = typeof maxParts === "number" ? smallParts.slice(0, maxParts) : smallParts;
  const hasContext = fittingParts.length > 0 || (Array.isArray(parts) && parts.length === 0);
  return {
    ...otherMembers,
    ...(typeof body === "string" && fits(Buffer.byteLength(body), maxBodyBytes) ? { body } : {}),
    ...(hasContext ? { context: fittingParts } : {}),
  };
}
