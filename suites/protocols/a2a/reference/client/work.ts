import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, request as send } from "undici";
import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { isSignedBy, payloadsOf } from "../../rules/signature.ts";
import { finalStates, interruptedStates } from "../agent/tasks.ts";
import { readItems, resultIn } from "./answers.ts";
import {
  type Client,
  type ClientCall,
  ClientFailure,
  type ClientInterface,
  type ClientOrder,
  Unreachable,
} from "./client.ts";
import { makeRequest } from "./requests.ts";

/** The milliseconds to wait for an answer. */
const answerTimeout = 30_000;

/** The milliseconds to follow a task. */
const followTimeout = 10_000;

/** The milliseconds between two reads of a followed task. */
const readInterval = 30;

/** Carries out an operation that does not stream. Throws a failure. */
export async function callAgent(client: Client, order: ClientOrder): Promise<Json> {
  return tryEndpoints(client, order, async (call) => {
    const answer = await sendCall(client, call);
    const text = await answer.body.text();
    const ignoresMissingExtension =
      missingExtension(call.card, order) !== undefined && !client.policy.reportsMissingExtension;
    return ignoresMissingExtension ? {} : resultIn(client, call, answer.statusCode, text);
  });
}

/** Appends the items of a streaming operation to a list. Throws a failure. */
export async function streamAgent(client: Client, order: ClientOrder, items: Json[]): Promise<void> {
  await tryEndpoints(client, order, async (call) => readItems(client, call, await sendCall(client, call), items));
}

/** Sends a message, and follows its task until it is over. Throws a failure. */
export async function followTask(client: Client, order: ClientOrder): Promise<Json> {
  const { followOperation } = client.policy;
  const result = await callAgent(client, order);
  let task = isObject(result) && isObject(result.task) ? result.task : {};
  const deadline = performance.now() + followTimeout;
  while (!finalStates.includes(stateOf(task)) && performance.now() < deadline) {
    if (followOperation === undefined && interruptedStates.includes(stateOf(task))) break;
    await sleep(readInterval, undefined, { signal: client.ending.signal });
    const readOrder = { ...order, params: { id: task.id as Json } };
    if (followOperation === "SubscribeToTask") {
      const items: Json[] = [];
      await streamAgent(client, { ...readOrder, operation: followOperation }, items);
      task = items.map(taskOf).findLast((itemTask) => stateOf(itemTask) !== "") ?? task;
    } else {
      const readTask = await callAgent(client, { ...readOrder, operation: "GetTask" });
      task = isObject(readTask) ? readTask : task;
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

/** Reads the card, and attempts a call at each chosen interface until one can be reached. */
async function tryEndpoints<T>(
  client: Client,
  order: ClientOrder,
  attempt: (call: ClientCall) => Promise<T>,
): Promise<T> {
  const { policy } = client;
  const card = await readCard(client, order);
  checkCapability(client, order, card);
  const endpoints = policy.chooseEndpoints(endpointsIn(card));
  let unreachable = new ClientFailure("NoInterface", "the card has no interface that this client supports");
  for (const endpoint of endpoints) {
    client.callCount += 1;
    const call = { order, endpoint: endpoint as ClientCall["endpoint"], card, id: policy.createId(client.callCount) };
    try {
      return await attempt(call);
    } catch (error) {
      if (!(error instanceof Unreachable) || !policy.triesNextInterface) throw error;
      unreachable = error;
    }
  }
  throw unreachable;
}

async function readCard(client: Client, { url, keys, extensions }: ClientOrder): Promise<JsonObject> {
  const { policy, ending } = client;
  const cardUrl = new URL("/.well-known/agent-card.json", url);
  const answer = await send(cardUrl, { signal: ending.signal }).catch((error: Error) => {
    throw new ClientFailure("NoCard", `no card at ${cardUrl}: ${error.message}`);
  });
  const card = jsonOf(await answer.body.text());
  if (answer.statusCode !== 200 || !isObject(card)) throw new ClientFailure("NoCard", `no card at ${cardUrl}`);
  const signatures = Array.isArray(card.signatures) ? card.signatures.filter(isObject) : [];
  const payloads = payloadsOf(card).map(({ payload }) => payload);
  const isVerified = signatures.some((signature) => payloads.some((payload) => isSignedBy(signature, payload, keys)));
  if (signatures.length > 0 && keys.length > 0 && !policy.usesCard(card, isVerified))
    throw new ClientFailure("UntrustedCard", "no signature of the card verifies");
  const missingUri = missingExtension(card, { extensions });
  if (missingUri !== undefined && !policy.callsWithoutExtension)
    throw new ClientFailure("ExtensionMissing", `the agent requires the extension ${missingUri}`);
  return card;
}

/** Finds an extension that the agent requires and the client does not use. */
function missingExtension(
  { capabilities }: JsonObject,
  { extensions }: Pick<ClientOrder, "extensions">,
): string | undefined {
  const { extensions: declaredExtensions } = isObject(capabilities) ? capabilities : {};
  return (Array.isArray(declaredExtensions) ? declaredExtensions : [])
    .filter(isObject)
    .filter(({ required }) => required === true)
    .map(({ uri }) => String(uri))
    .find((uri) => !extensions.includes(uri));
}

function checkCapability({ policy }: Client, { operation }: ClientOrder, { capabilities }: JsonObject): void {
  const offeredCapabilities = isObject(capabilities) ? capabilities : {};
  const needs: Record<string, RegExp> = {
    streaming: /Stream|Subscribe/,
    pushNotifications: /PushNotification/,
    extendedAgentCard: /Extended/,
  };
  const missingCapability = Object.entries(needs).find(
    ([name, operations]) => operations.test(operation) && offeredCapabilities[name] !== true,
  );
  if (missingCapability !== undefined && policy.checksCapability(missingCapability[0]))
    throw new ClientFailure("NotOffered", `the agent does not offer ${missingCapability[0]}`);
}

function endpointsIn({ supportedInterfaces: interfaces }: JsonObject): ClientInterface[] {
  return (Array.isArray(interfaces) ? interfaces : [])
    .filter(isObject)
    .map(({ url, protocolBinding, protocolVersion, tenant }) => ({
      url: String(url),
      binding: String(protocolBinding),
      version: String(protocolVersion),
      tenant: typeof tenant === "string" && tenant !== "" ? tenant : undefined,
    }));
}

async function sendCall({ policy, ending }: Client, call: ClientCall): Promise<Dispatcher.ResponseData> {
  const { method, url, headers, body } = makeRequest(policy, call);
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(answerTimeout)]);
  return send(url, {
    method: method as "POST",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  }).catch((error: Error) => {
    throw new Unreachable("Unreachable", `no connection to ${url}: ${error.message}`);
  });
}
