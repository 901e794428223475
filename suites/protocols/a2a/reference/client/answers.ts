import type { Dispatcher } from "undici";
import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { errorInfoType, errors, type TableError } from "../../errors.ts";
import { type Client, type ClientCall, ClientFailure } from "./client.ts";

/** Returns the result in an answer. Throws a failure if the answer reports one or is invalid. */
export function resultIn({ policy }: Client, call: ClientCall, status: number, text: string): Json {
  const value = jsonOf(text);
  const failure = failureIn(call, status, value);
  if (failure !== undefined) throw failure;
  const result = call.endpoint.binding === "JSONRPC" && isObject(value) ? (value.result ?? null) : (value ?? {});
  const id = call.endpoint.binding === "JSONRPC" && isObject(value) ? value.id : call.id;
  if (!policy.isAnswerTo(id, call)) throw new ClientFailure("IdMismatch", "the answer belongs to another call");
  if (!policy.acceptsResult(result)) throw new ClientFailure("InvalidAgentResponse", "the result is not valid");
  return result;
}

function failureIn({ endpoint }: ClientCall, status: number, value: Json | undefined): ClientFailure | undefined {
  const error = isObject(value) && isObject(value.error) ? value.error : undefined;
  if (error !== undefined) return failureOf(endpoint.binding, status, error);
  const isResult = endpoint.binding === "JSONRPC" ? isObject(value) && Object.hasOwn(value, "result") : status < 300;
  return isResult ? undefined : new ClientFailure("HttpError", `HTTP ${status}`, { status });
}

function failureOf(binding: string, status: number, { code, message, data, details }: JsonObject): ClientFailure {
  const errorDetails = [data, details].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isObject);
  const reason = errorDetails.find((detail) => detail["@type"] === errorInfoType)?.reason;
  const namedError = Object.entries<TableError>(errors).find(([, tableError]) =>
    binding === "JSONRPC"
      ? tableError.code === code
      : tableError.reason === reason && (reason !== undefined || tableError.status === status),
  );
  const name = namedError === undefined ? "UnknownError" : `${namedError[0]}Error`;
  return new ClientFailure(name, String(message ?? "no message"), { code: code ?? null, status });
}

/** Appends the items of a stream to a list. Throws a failure that the stream reports. */
export async function readItems(
  client: Client,
  call: ClientCall,
  answer: Dispatcher.ResponseData,
  items: Json[],
): Promise<void> {
  const { policy } = client;
  const isStream = /^text\/event-stream\b/i.test(String(answer.headers["content-type"] ?? ""));
  if (!isStream) {
    const text = await answer.body.text();
    if (policy.noticesFailure("instead")) items.push(resultIn(client, call, answer.statusCode, text));
    return;
  }
  let texts: string[] = [];
  const readText = policy.splitEvents((data) => void texts.push(data));
  const decode = policy.createDecoder();
  try {
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      texts = [];
      readText(decode(piece));
      for (const text of texts) readItem(client, call, text, items);
    }
  } catch (error) {
    if (error instanceof ClientFailure) throw error;
    if (policy.noticesFailure("cut")) throw new ClientFailure("StreamCut", "the stream broke off");
  }
}

function readItem(client: Client, call: ClientCall, text: string, items: Json[]): void {
  const value = jsonOf(text);
  const isError = isObject(value) && isObject(value.error);
  if (isError && !client.policy.noticesFailure("within")) return;
  items.push(resultIn(client, call, isError ? 500 : 200, text));
}
