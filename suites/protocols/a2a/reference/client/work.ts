import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, request as send } from "undici";
import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { isSignedBy, payloadsOf } from "../../rules/signature.ts";
import { interrupted, terminal } from "../agent/tasks.ts";
import { readItems, resultIn } from "./answers.ts";
import {
  type Client,
  type ClientCall,
  ClientFailure,
  type ClientInterface,
  type ClientOrder,
  Unreachable,
} from "./client.ts";
import { requestOf } from "./requests.ts";

/** The milliseconds to wait for an answer, and to follow a task. */
const [patience, longest] = [30_000, 10_000];

/** Carries out an operation without a stream. Throws a failure. */
export async function callAgent(client: Client, order: ClientOrder): Promise<Json> {
  return overEndpoints(client, order, async (call) => {
    const answer = await sendCall(client, call);
    const text = await answer.body.text();
    const isLacking = missingExtension(call.card, order) !== undefined && !client.policy.mindsExtensions;
    return isLacking ? {} : resultIn(client, call, answer.statusCode, text);
  });
}

/** Reads the stream of an operation into a list. Throws a failure. */
export async function streamAgent(client: Client, order: ClientOrder, into: Json[]): Promise<void> {
  await overEndpoints(client, order, async (call) => readItems(client, call, await sendCall(client, call), into));
}

/** Sends a message, and follows its task until it is over. Throws a failure. */
export async function followTask(client: Client, order: ClientOrder): Promise<Json> {
  const { follows } = client.policy;
  const sent = await callAgent(client, order);
  let task = isObject(sent) && isObject(sent.task) ? sent.task : {};
  const limit = performance.now() + longest;
  while (!terminal.includes(stateOf(task)) && performance.now() < limit) {
    if (follows === undefined && interrupted.includes(stateOf(task))) break;
    await sleep(30, undefined, { signal: client.ending.signal });
    const next = { ...order, params: { id: task.id as Json } };
    if (follows === "SubscribeToTask") {
      const items: Json[] = [];
      await streamAgent(client, { ...next, operation: follows }, items);
      task = items.map(taskOf).findLast((each) => stateOf(each) !== "") ?? task;
    } else {
      const read = await callAgent(client, { ...next, operation: "GetTask" });
      task = isObject(read) ? read : task;
    }
  }
  return task;
}

function taskOf(item: Json): JsonObject {
  if (!isObject(item)) return {};
  const { task, statusUpdate } = item;
  return isObject(task) ? task : isObject(statusUpdate) ? { ...statusUpdate, id: statusUpdate.taskId as Json } : {};
}

function stateOf({ status }: JsonObject): string {
  return isObject(status) ? String(status.state) : "";
}

async function overEndpoints<T>(
  client: Client,
  order: ClientOrder,
  attempt: (call: ClientCall) => Promise<T>,
): Promise<T> {
  const { policy } = client;
  const card = await readCard(client, order);
  checkCapability(client, order, card);
  const endpoints = policy.endpoints(endpointsIn(card));
  let unreachable = new ClientFailure("NoInterface", "the card lacks an interface that this client speaks");
  for (const endpoint of endpoints) {
    client.count += 1;
    const call = { order, endpoint: endpoint as ClientCall["endpoint"], card, id: policy.id(client.count) };
    try {
      return await attempt(call);
    } catch (error) {
      if (!(error instanceof Unreachable) || !policy.fallsBack) throw error;
      unreachable = error;
    }
  }
  throw unreachable;
}

async function readCard(client: Client, { url, keys, extensions }: ClientOrder): Promise<JsonObject> {
  const { policy, ending } = client;
  const place = new URL("/.well-known/agent-card.json", url);
  const answer = await send(place, { signal: ending.signal }).catch((error: Error) => {
    throw new ClientFailure("NoCard", `no card at ${place}: ${error.message}`);
  });
  const card = jsonOf(await answer.body.text());
  if (answer.statusCode !== 200 || !isObject(card)) throw new ClientFailure("NoCard", `no card at ${place}`);
  const signatures = Array.isArray(card.signatures) ? card.signatures.filter(isObject) : [];
  const payloads = payloadsOf(card).map(({ payload }) => payload);
  const holds = signatures.some((signature) => payloads.some((payload) => isSignedBy(signature, payload, keys)));
  if (signatures.length > 0 && keys.length > 0 && !policy.uses(card, holds))
    throw new ClientFailure("UntrustedCard", "no signature of the card verifies");
  const missing = missingExtension(card, { extensions });
  if (missing !== undefined && !policy.callsAnyway)
    throw new ClientFailure("ExtensionMissing", `the agent requires the extension ${missing}`);
  return card;
}

/** An extension that the agent requires and the client does not use. */
function missingExtension(
  { capabilities }: JsonObject,
  { extensions }: Pick<ClientOrder, "extensions">,
): string | undefined {
  const { extensions: all } = isObject(capabilities) ? capabilities : {};
  return (Array.isArray(all) ? all : [])
    .filter(isObject)
    .filter(({ required }) => required === true)
    .map(({ uri }) => String(uri))
    .find((uri) => !extensions.includes(uri));
}

function checkCapability({ policy }: Client, { operation }: ClientOrder, { capabilities }: JsonObject): void {
  const offered = isObject(capabilities) ? capabilities : {};
  const needs: Record<string, RegExp> = {
    streaming: /Stream|Subscribe/,
    pushNotifications: /PushNotification/,
    extendedAgentCard: /Extended/,
  };
  const missing = Object.entries(needs).find(([name, fits]) => fits.test(operation) && offered[name] !== true);
  if (missing !== undefined && policy.looksAt(missing[0]))
    throw new ClientFailure("NotOffered", `the agent does not offer ${missing[0]}`);
}

function endpointsIn({ supportedInterfaces: all }: JsonObject): ClientInterface[] {
  return (Array.isArray(all) ? all : []).filter(isObject).map(({ url, protocolBinding, protocolVersion, tenant }) => ({
    url: String(url),
    binding: String(protocolBinding),
    version: String(protocolVersion),
    tenant: typeof tenant === "string" && tenant !== "" ? tenant : undefined,
  }));
}

async function sendCall({ policy, ending }: Client, call: ClientCall): Promise<Dispatcher.ResponseData> {
  const { method, url, headers, body } = requestOf(policy, call);
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(patience)]);
  return send(url, {
    method: method as "POST",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  }).catch((error: Error) => {
    throw new Unreachable("Unreachable", `no connection to ${url}: ${error.message}`);
  });
}
