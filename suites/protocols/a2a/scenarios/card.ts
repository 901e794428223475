import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { type CallResult, describeAnswer, isError, isInvalid, isUnrouted, nameError } from "./calls.ts";
import { cardPath, formerVersion, listIn, partyOf, requestCard } from "./party.ts";
import { makeMessage, openTask, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, openStream, visitOf } from "./visit.ts";

async function checkCard(context: ScenarioContext): Promise<void> {
  const path = cardPath(context);
  const reply = await requestCard(context);
  const { json, headers, status } = reply;
  const isCard = isObject(json) && typeof json.name === "string" && listIn(json.supportedInterfaces).length > 0;
  const olderVersion = formerVersion(json);
  const cardDescription =
    olderVersion === undefined
      ? "no agent card"
      : `an agent card of version ${olderVersion}: it has no supportedInterfaces, so the rules of 1.0 are not tested`;
  context.expect("A2A-CARD-001", status === 200 && isCard, `GET ${path} returns HTTP ${status} and ${cardDescription}`);
  const mediaType = headers["content-type"] ?? "";
  const isJson = /^application\/(?:a2a\+)?json\s*(?:;|$)/i.test(mediaType);
  context.expect("A2A-CARD-018", isJson, `the card has the media type "${mediaType}"`, "SHOULD");
  const cacheControl = headers["cache-control"] ?? "";
  context.expect(
    "A2A-CARD-017",
    /\bmax-age=\d/i.test(cacheControl),
    `Cache-Control of the card is "${cacheControl}"`,
    reply,
  );
  const { etag } = headers;
  context.expect("A2A-CARD-017", etag !== undefined, "the card has no ETag", reply);
  if (etag === undefined) return;
  const secondReply = await requestCard(context, { "if-none-match": etag });
  const why = `the card is sent again with HTTP ${secondReply.status} instead of 304, although its ETag is known`;
  context.expect("A2A-CARD-017", secondReply.status === 304, why, secondReply);
}

/** Checks that each declared interface answers a request in its own binding. */
async function checkEndpoints(context: ScenarioContext): Promise<void> {
  const party = await partyOf(context);
  for (const endpoint of party.declaredEndpoints) {
    const answer = await visitOf(context, party, endpoint).call("GetTask", { id: unknownId(context) });
    const isOpen = party.endpoints.includes(endpoint);
    const why = `${endpoint.binding}: the declared interface answers a request for an unknown task with ${describeAnswer(answer)}`;
    context.expect("A2A-CARD-005", isOpen, why);
  }
}

/** Checks that the offered capabilities work. */
async function checkCapabilities(visit: InterfaceVisit): Promise<void> {
  const { party, context } = visit;
  const id = unknownId(context);
  if (party.hasStreaming) {
    const stream = await openStream(visit, "SubscribeToTask", { id });
    const isRefused = stream.answer !== undefined && isMissingOperation(stream.answer);
    visit.expect(
      "A2A-CARD-006",
      !isRefused,
      `streams are offered, but subscribing returns ${describeStreamAnswer(stream)}`,
    );
    stream.cut();
  }
  if (party.hasPushes) {
    const answer = await visit.call("ListTaskPushNotificationConfigs", { taskId: id });
    const isRefused = isMissingOperation(answer) || isError(answer, "PushNotificationNotSupported");
    const why = `push notifications are offered, but listing configurations of an unknown task returns ${describeAnswer(answer)}`;
    visit.expect("A2A-CARD-006", !isRefused, why);
  }
  if (party.hasExtendedCard) {
    const answer = await visit.call("GetExtendedAgentCard", {});
    visit.expect(
      "A2A-CARD-006",
      !isMissingOperation(answer),
      `an extended card is offered, but requesting it returns ${describeAnswer(answer)}`,
    );
  }
  if (!party.hasStreaming && !party.hasPushes && !party.hasExtendedCard)
    throw notShown("its card offers none of the capabilities");
}

/** Whether an answer reports a missing operation. */
function isMissingOperation(answer: CallResult): boolean {
  return isUnrouted(answer) || isError(answer, "UnsupportedOperation");
}

function describeStreamAnswer({ answer, status }: Awaited<ReturnType<typeof openStream>>): string {
  return answer === undefined ? `HTTP ${status}` : describeAnswer(answer);
}

/** Checks the extended card, which only authenticated callers may read. */
async function checkExtendedCard(visit: InterfaceVisit): Promise<void> {
  const { endpoint, party } = visit;
  const isCardLike = (value: unknown): boolean =>
    isObject(value as never) && typeof (value as { name?: unknown }).name === "string";
  const optionVariants =
    endpoint.binding === "JSONRPC"
      ? [{}, { body: { jsonrpc: "2.0", id: "x-1", method: "GetExtendedAgentCard" } }]
      : [{}];
  for (const callOptions of optionVariants) {
    if ("body" in callOptions && endpoint.tenant !== undefined) continue;
    const answer = await visit.call("GetExtendedAgentCard", {}, callOptions);
    if (isMissingOperation(answer)) throw notShown("the extended card that its card offers is missing");
    const isAllowed = isCardLike(answer.result) || isError(answer, "ExtendedAgentCardNotConfigured");
    visit.expect("A2A-CARD-015", isAllowed, `the extended card is answered with ${describeAnswer(answer)}`);
  }
  if (!isObject(party.card.securitySchemes) || Object.keys(party.card.securitySchemes).length === 0) {
    const why = "an extended card is offered without a security scheme";
    return visit.expect("A2A-CARD-016", false, why, "SHOULD");
  }
  const authenticatedAnswer = await visit.call("GetExtendedAgentCard", {});
  const answer = await visit.call("GetExtendedAgentCard", {}, { as: "nobody" });
  const hasMoreSkills = isCardLike(answer.result) && skillsOf(answer.result) > skillsOf(party.card);
  visit.expect(
    "A2A-CARD-016",
    !hasMoreSkills || skillsOf(authenticatedAnswer.result) === 0,
    "an unauthenticated caller receives the extended card",
  );
  visit.expect(
    "A2A-CARD-016",
    answer.error !== undefined,
    "an unauthenticated request for the extended card is answered",
    "SHOULD",
  );
}

function skillsOf(card: unknown): number {
  return isObject(card as never) ? listIn((card as { skills?: never }).skills).length : 0;
}

export const cardScenarios: readonly Scenario[] = [
  {
    name: "card-served",
    says: "the card is available as JSON, and may be cached",
    rules: ["A2A-CARD-001", "A2A-CARD-017", "A2A-CARD-018"],
    needs: ["url"],
    withinMs: 30_000,
    play: checkCard,
  },
  {
    name: "card-interfaces",
    says: "each interface of the card answers in its binding",
    rules: ["A2A-CARD-005"],
    needs: ["url"],
    withinMs: 30_000,
    play: checkEndpoints,
  },
  atEachInterface({
    name: "card-capabilities",
    says: "the offered capabilities work",
    rules: ["A2A-CARD-006"],
    play: checkCapabilities,
  }),
  atEachInterface({
    name: "card-extended",
    says: "only authenticated callers receive the extended card",
    rules: ["A2A-CARD-015", "A2A-CARD-016"],
    needs: ["credential"],
    when({ hasExtendedCard }) {
      if (!hasExtendedCard) throw notShown("its card offers no extended card");
    },
    play: checkExtendedCard,
  }),
  atEachInterface({
    name: "card-not-extended",
    says: "an extended card that is not offered is not returned",
    rules: ["A2A-CARD-014"],
    when({ hasExtendedCard }) {
      if (hasExtendedCard) throw notShown("its card offers an extended card");
    },
    async play(visit) {
      const answer = await visit.call("GetExtendedAgentCard", {});
      const why = `an extended card is not offered, but requesting it returns ${describeAnswer(answer)}, not ${nameError("UnsupportedOperation")}`;
      visit.expect("A2A-CARD-014", isError(answer, "UnsupportedOperation"), why);
    },
  }),
  atEachInterface({
    name: "streams-not-offered",
    says: "streams that are not offered are refused",
    rules: ["A2A-STREAM-014"],
    when({ hasStreaming }) {
      if (hasStreaming) throw notShown("its card offers streams");
    },
    async play(visit) {
      const task = await openTask(visit, "finishing");
      for (const [operation, params] of [
        ["SendStreamingMessage", { message: makeMessage(visit.context) }],
        ["SubscribeToTask", { id: task.id as Json }],
      ] as ["SendStreamingMessage" | "SubscribeToTask", JsonObject][]) {
        const stream = await openStream(visit, operation, params);
        const isRefused = stream.answer !== undefined && isError(stream.answer, "UnsupportedOperation");
        visit.expect(
          "A2A-STREAM-014",
          isRefused,
          `streams are not offered, but ${operation} returns ${describeStreamAnswer(stream)}`,
        );
      }
    },
  }),
  atEachInterface({
    name: "pushes-not-offered",
    says: "push notifications that are not offered are refused",
    rules: ["A2A-PUSH-002"],
    when({ hasPushes }) {
      if (hasPushes) throw notShown("its card offers push notifications");
    },
    async play(visit) {
      const taskId = unknownId(visit.context);
      for (const [operation, params] of [
        ["CreateTaskPushNotificationConfig", { taskId, url: "https://hooks.example/a" }],
        ["GetTaskPushNotificationConfig", { taskId, id: "c-1" }],
        ["ListTaskPushNotificationConfigs", { taskId }],
        ["DeleteTaskPushNotificationConfig", { taskId, id: "c-1" }],
      ] as const) {
        const answer = await visit.call(operation, params);
        const why = `push notifications are not offered, but ${operation} returns ${describeAnswer(answer)}`;
        visit.expect("A2A-PUSH-002", isError(answer, "PushNotificationNotSupported", "TaskNotFound"), why);
        visit.expect("A2A-PUSH-002", !isError(answer, "TaskNotFound") || isInvalid(answer), why, "SHOULD");
      }
      const configuration = { taskPushNotificationConfig: { url: "https://hooks.example/a" } };
      const answer = await visit.call("SendMessage", { message: makeMessage(visit.context), configuration });
      const why = `push notifications are not offered, but a message with a configuration is answered with ${describeAnswer(answer)}`;
      visit.expect("A2A-PUSH-002", isError(answer, "PushNotificationNotSupported"), why, "SHOULD");
    },
  }),
];
