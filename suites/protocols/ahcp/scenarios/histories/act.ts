import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { cancel, idOf, isRefused, isTaken, outcomeOf, post, read, resolve } from "../steps.ts";
import type { Input, Output } from "./model.ts";

/** An ask that several parties use at once, and its owner. */
export interface Shared {
  as: "a" | "b";
  /** The submitted message, without the title. */
  message: JsonObject;
  title: string;
}

/** Carries out an operation. Returns undefined if the answer does not show whether it was carried out: too many requests, no permission, a failure of the server. */
export async function act(context: ScenarioContext, shared: Shared, input: Input): Promise<Output | undefined> {
  const { as, message } = shared;
  switch (input.do) {
    case "submit":
      return takeOutput(await post(context, { ...message, title: titleOf(shared, input.variant) }, as));
    case "read":
      return showReply(await read(context, input.id, as), shared);
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

function titleOf({ title }: Shared, variant: number): string {
  return `${title} ${variant}`;
}

async function settleMessage(context: ScenarioContext, id: string, given: JsonObject): Promise<Output> {
  return { is: (await resolve(context, id, given)).applied ? "applied" : "refused" };
}

function takeOutput(reply: HttpReply): Output | undefined {
  const id = idOf(reply);
  if (isTaken(reply) && id !== undefined && isObject(reply.json))
    return { is: "taken", id, status: textOf(reply.json.status) };
  return isRefused(reply, 409, "idempotency_conflict") ? { is: "conflict" } : undefined;
}

function showReply({ status: code, json }: HttpReply, { title }: Shared): Output | undefined {
  if (code === 404) return { is: "absent" };
  if (code !== 200 || !isObject(json)) return undefined;
  const { envelope, inner } = outcomeOf(json);
  const told = textOf(json.title);
  const variant = told.startsWith(`${title} `) ? Number(told.slice(title.length + 1)) : Number.NaN;
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
  const told = textOf(status ?? body.resolution);
  if (code === 200 && told === "cancelled") return { is: "cancelled" };
  if (code === 200 && told === "expired") return { is: "told", status: told };
  if (code === 404) return { is: "absent" };
  if (code === 409) return told === "" ? { is: "refused" } : { is: "told", status: told };
  return code >= 400 && code < 500 && ![401, 403, 410, 429].includes(code) ? { is: "refused" } : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
