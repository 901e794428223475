import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { cancel, idOf, isAccepted, isRefused, outcomeOf, post, read, resolve } from "../steps.ts";
import type { Input, Output } from "./model.ts";

/** An ask that several parties use at once, and its owner. */
export interface SharedAsk {
  as: "a" | "b";
  /** The submitted message, without the title. */
  message: JsonObject;
  title: string;
}

/** Carries out an operation. Returns undefined if the answer does not show whether it was carried out: too many requests, no permission, a failure of the server. */
export async function act(context: ScenarioContext, sharedAsk: SharedAsk, input: Input): Promise<Output | undefined> {
  const { as, message } = sharedAsk;
  switch (input.do) {
    case "submit":
      return submitOutput(await post(context, { ...message, title: titleOf(sharedAsk, input.variant) }, as));
    case "read":
      return readOutput(await read(context, input.id, as), sharedAsk);
    case "cancel":
      return withdrawnOutput(await cancel(context, input.id, as));
    case "answer":
      return settleMessage(context, input.id, { resolution: "answered", value: input.value });
    case "decline":
      return settleMessage(context, input.id, { resolution: "declined" });
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

async function settleMessage(context: ScenarioContext, id: string, ending: JsonObject): Promise<Output> {
  return { is: (await resolve(context, id, ending)).applied ? "applied" : "refused" };
}

function submitOutput(reply: HttpReply): Output | undefined {
  const id = idOf(reply);
  if (isAccepted(reply) && id !== undefined && isObject(reply.json))
    return { is: "taken", id, status: textOf(reply.json.status) };
  return isRefused(reply, 409, "idempotency_conflict") ? { is: "conflict" } : undefined;
}

function readOutput({ status: code, json }: HttpReply, { title }: SharedAsk): Output | undefined {
  if (code === 404) return { is: "absent" };
  if (code !== 200 || !isObject(json)) return undefined;
  const { envelope, inner } = outcomeOf(json);
  const status = textOf(json.title);
  const variant = status.startsWith(`${title} `) ? Number(status.slice(title.length + 1)) : Number.NaN;
  const base = { is: "shown", id: textOf(json.id), variant, status: textOf(json.status) } as const;
  if (base.status === "open") return base;
  const { resolution_id: outcome } = envelope;
  return {
    ...base,
    ...(typeof outcome === "string" ? { outcome } : {}),
    ...(base.status === "answered" && typeof inner.value === "string" ? { value: inner.value } : {}),
  };
}

/** A refusal names the status in its body, in the error or in its details. */
function withdrawnOutput({ status: code, json }: HttpReply): Output | undefined {
  const body = isObject(json) ? json : {};
  const error = isObject(body.error) ? body.error : {};
  const details = isObject(error.details) ? error.details : {};
  const status = [body, error, details].map((each) => each.status).find((each) => typeof each === "string");
  const statusNamed = textOf(status ?? body.resolution);
  if (code === 200 && statusNamed === "cancelled") return { is: "cancelled" };
  if (code === 200 && statusNamed === "expired") return { is: "told", status: statusNamed };
  if (code === 404) return { is: "absent" };
  if (code === 409) return statusNamed === "" ? { is: "refused" } : { is: "told", status: statusNamed };
  return code >= 400 && code < 500 && ![401, 403, 410, 429].includes(code) ? { is: "refused" } : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
