import {
  type Document,
  isObject,
  type Json,
  type Profile,
  type Refusal,
  type Service,
} from "../../../../schemas/index.ts";
import { refusalSentence, refuseInvalid, statusOf } from "../../../packs/reference/service.ts";

/** The document with the fixed result of each method, and the member of the result that contains it. */
const results: Readonly<Record<string, readonly [document: string, member?: string]>> = {
  SendMessage: ["task", "task"],
  GetTask: ["task"],
  ListTasks: ["task-list"],
  CancelTask: ["task"],
  CreateTaskPushNotificationConfig: ["push-config"],
  GetTaskPushNotificationConfig: ["push-config"],
  ListTaskPushNotificationConfigs: ["push-config-list"],
  GetExtendedAgentCard: ["card"],
};

/**
 * An agent that publishes a card, checks the form of requests and answers with fixed results. Over JSON-RPC the method selects the form.
 * It stores no tasks, and ignores versions and credentials.
 */
export const service: Service = {
  protocol: "a2a",
  media: ["application/json", "application/a2a+json"],
  routes(app, { protocol: { profile }, intake, judge }) {
    const calls = profile.documents.filter(({ name, endpoint }) => name.startsWith("rpc.") && endpoint !== undefined);
    app.post(
      "/",
      intake({
        judge({ value, bytes }) {
          const calledMethod = calls.find(({ when }) => when?.["/method"]?.includes(methodIn(value)));
          const { breaches, advice } = judge(calledMethod ?? (calls[0] as Document), value, bytes);
          return { refusal: refuseInvalid(breaches, calledMethod === undefined ? -32601 : -32602), advice };
        },
        accepted: (value) =>
          Response.json({ jsonrpc: "2.0", id: idIn(value), result: resultOf(profile, methodIn(value)) }),
        refused: (refusal, value = null) => Response.json({ jsonrpc: "2.0", id: idIn(value), error: errorOf(refusal) }),
      }),
    );
    app.get("/.well-known/agent-card.json", () => Response.json(cardOf(profile)));
    const sendDocument = profile.documents.find(({ name }) => name === "rest.send-message.request") as Document;
    app.post(
      "/message:send",
      intake({
        judge({ value, bytes }) {
          const { breaches, advice } = judge(sendDocument, value, bytes);
          return { refusal: refuseInvalid(breaches), advice };
        },
        accepted: () => Response.json(resultOf(profile, "SendMessage")),
        refused(refusal) {
          const status = statusOf(refusal, 400);
          const error = { code: status, status: "INVALID_ARGUMENT", message: refusalSentence(refusal), details: [] };
          return Response.json({ error }, { status });
        },
      }),
    );
  },
};

/** Makes a sample card that offers all features. The suite sends requests for a feature only if the card offers it. */
function cardOf({ documents }: Profile): Json {
  const [sample] = documents.find(({ name }) => name === "card")?.samples ?? [];
  const card = isObject(sample) ? sample : {};
  const capabilities = isObject(card.capabilities) ? card.capabilities : {};
  return { ...card, capabilities: { ...capabilities, pushNotifications: true, extendedAgentCard: true } };
}

function methodIn(value: Json): Json {
  return isObject(value) && value.method !== undefined ? value.method : null;
}

/** Returns the id of a request, if it is valid in an answer; otherwise null. */
function idIn(value: Json): Json {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function errorOf(refusal: Refusal): Json {
  const code = refusal.kind === "unreadable" ? -32700 : (refusal.code ?? -32600);
  return { code, message: refusalSentence(refusal) };
}

/** Returns a sample of the result of a method; an empty object for a method without a result. */
function resultOf({ documents }: Profile, method: Json): Json {
  const [name, member] = results[String(method)] ?? [];
  const sample = documents.find((document) => document.name === name)?.samples?.at(-1);
  if (sample === undefined) return {};
  return member === undefined ? sample : { [member]: sample };
}
