import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { cancel, idOf, isAccepted, isRefused, outcomeOf, post, read, resolve } from "../steps.ts";
import type { Input, Output } from "./model.ts";

/** An ask that several parties use simultaneously. `as` is its submitter. */
export interface SharedAsk {
  as: "a" | "b";
  /** The submitted message, without the title. */
  message: JsonObject;
  title: string;
}

/** Performs an operation. Returns undefined if the answer does not show its effect, for example after 429, 403 or 500. */
export async function performOperation(
  context: ScenarioContext,
  sharedAsk: SharedAsk,
  input: Input,
): Promise<Output | undefined> {
  const { as, message } = sharedAsk;
  switch (input.do) {
    case "submit":
      return submitOutput(await post(context, { ...message, title: titleOf(sharedAsk, input.variant) }, as));
    case "read":
      return readOutput(await read(context, input.id, as), sharedAsk);
    case "cancel":
      return cancelOutput(await cancel(context, input.id, as));
    case "answer":
      return resolveOutput(context, input.id, { resolution: "answered", value: input.value });
    case "decline":
      return resolveOutput(context, input.id, { resolution: "declined" });
    case "restart":
      await context.hook("restart", {});
      return { is: "done" };
    case "deadline":
      return undefined;
  }
}

function titleOf({ title }: SharedAsk, variant: number): string {
  return `${title} ${variant}`;
}

async function resolveOutput(context: ScenarioContext, id: string, ending: JsonObject): Promise<Output> {
  return { is: (await resolve(context, id, ending)).applied ? "applied" : "refused" };
}

function submitOutput(reply: HttpReply): Output | undefined {
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined && isObject(reply.json))
    return { is: "accepted", id, status: stringOrEmpty(reply.json.status) };
  return isRefused(reply, 409, "idempotency_conflict") ? { is: "conflict" } : undefined;
}

function readOutput({ status: code, json }: HttpReply, { title }: SharedAsk): Output | undefined {
  if (code === 404) return { is: "absent" };
  if (code !== 200 || !isObject(json)) return undefined;
  const { envelope, inner } = outcomeOf(json);
  const shownTitle = stringOrEmpty(json.title);
  const variant = shownTitle.startsWith(`${title} `) ? Number(shownTitle.slice(title.length + 1)) : Number.NaN;
  const base = { is: "shown", id: stringOrEmpty(json.id), variant, status: stringOrEmpty(json.status) } as const;
  if (base.status === "open") return base;
  const { resolution_id: resolutionId } = envelope;
  return {
    ...base,
    ...(typeof resolutionId === "string" ? { outcome: resolutionId } : {}),
    ...(base.status === "answered" && typeof inner.value === "string" ? { value: inner.value } : {}),
  };
}

/** The output of a cancellation. A refusal reports the status in its body, in its error, or in the error's details. */
function cancelOutput({ status: code, json }: HttpReply): Output | undefined {
  const body = isObject(json) ? json : {};
  const error = isObject(body.error) ? body.error : {};
  const details = isObject(error.details) ? error.details : {};
  const status = [body, error, details]
    .map((holder) => holder.status)
    .find((candidate) => typeof candidate === "string");
  const reportedStatus = stringOrEmpty(status ?? body.resolution);
  if (code === 200 && reportedStatus === "cancelled") return { is: "cancelled" };
  if (code === 200 && reportedStatus === "expired") return { is: "reported", status: reportedStatus };
  if (code === 404) return { is: "absent" };
  if (code === 409) return reportedStatus === "" ? { is: "refused" } : { is: "reported", status: reportedStatus };
  return code >= 400 && code < 500 && ![401, 403, 410, 429].includes(code) ? { is: "refused" } : undefined;
}

function stringOrEmpty(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
