import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { type CallResult, describeAnswer, isError, isInvalid, isServerFault } from "./calls.ts";
import { listIn, requestCard } from "./party.ts";
import {
  blockingOptions,
  makeFinishedTask,
  makeMessage,
  openTask,
  recipeMessage,
  taskIn,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown } from "./visit.ts";

async function checkInputMedia(visit: InterfaceVisit): Promise<void> {
  const { party, context } = visit;
  const skills = listIn(party.card.skills).filter(isObject);
  const modes = [party.card.defaultInputModes, ...skills.map(({ inputModes }) => inputModes)]
    .flatMap(listIn)
    .map(String);
  if (modes.some((mode) => mode.includes("*"))) throw notShown("its card allows a wildcard of media types");
  const parts = [{ raw: "AA==", mediaType: "application/x-suite-none" }];
  const answer = await visit.call("SendMessage", { message: makeMessage(context, { parts }) }, blockingOptions(visit));
  const why = `a part of application/x-suite-none, which no input mode allows, is answered with ${describeAnswer(answer)}`;
  const isTolerable = answer.error === undefined || (answer.reply.status < 500 && !isServerFault(answer));
  visit.expect("A2A-PART-006", isError(answer, "ContentTypeNotSupported"), why, isTolerable ? "SHOULD" : "MUST");
}

async function checkOutputMedia(visit: InterfaceVisit): Promise<void> {
  const configuration = { acceptedOutputModes: ["text/plain"] };
  const answer = await visit.call(
    "SendMessage",
    { message: recipeMessage(visit.context, "finishing"), configuration },
    blockingOptions(visit),
  );
  if (!isObject(answer.result))
    throw notShown(`a message with accepted output modes is answered with ${describeAnswer(answer)}`);
  const { task, message } = answer.result;
  const artifacts = isObject(task) ? listIn(task.artifacts).filter(isObject) : [];
  const parts = [...artifacts, ...(isObject(message) ? [message] : [])]
    .flatMap((holder) => listIn(holder.parts))
    .filter(isObject);
  const unacceptedPart = parts.find(
    (part) => typeof part.text !== "string" && !String(part.mediaType).startsWith("text/plain"),
  );
  visit.expect(
    "A2A-PART-007",
    unacceptedPart === undefined,
    `only text/plain is accepted, but the output has ${JSON.stringify(unacceptedPart)?.slice(0, 120)}`,
  );
}

async function checkMalformedParts(visit: InterfaceVisit): Promise<void> {
  const malformedParts: [string, Json][] = [
    ["with both text and data", { text: "a", data: 1 }],
    ["whose text is 5", { text: 5 }],
    ["whose raw is not base64", { raw: "***" }],
    ["without content", {}],
  ];
  for (const [name, part] of malformedParts) {
    const answer = await visit.call(
      "SendMessage",
      { message: makeMessage(visit.context, { parts: [part] }) },
      blockingOptions(visit),
    );
    const isEmpty = isObject(part) && Object.keys(part).length === 0;
    const why = `a part ${name} is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-PART-008", isInvalid(answer), why, isEmpty && answer.error === undefined ? "SHOULD" : "MUST");
  }
}

async function checkRequiredMembers(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const incompleteRequests: [string, JsonObject, "MUST" | "SHOULD"][] = [
    ["no message", {}, "MUST"],
    ["a message without parts", { message: makeMessage(context, { parts: undefined }) }, "MUST"],
    ["a message with an empty list of parts", { message: makeMessage(context, { parts: [] }) }, "MUST"],
    ["a message that is a string", { message: "x" }, "MUST"],
    ["a message without messageId", { message: makeMessage(context, { messageId: undefined }) }, "SHOULD"],
    ["a message without role", { message: makeMessage(context, { role: undefined }) }, "SHOULD"],
  ];
  for (const [name, params, level] of incompleteRequests) {
    const answer = await visit.call("SendMessage", params, blockingOptions(visit));
    const why = `a request with ${name} is answered with ${describeAnswer(answer)}`;
    visit.expect(
      "A2A-MSG-005",
      isInvalid(answer),
      why,
      answer.error === undefined || level === "MUST" ? level : "MUST",
    );
  }
}

async function checkUnknownMembers(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const send = (message: JsonObject, params: JsonObject = {}): Promise<CallResult> =>
    visit.call("SendMessage", { message, ...params }, blockingOptions(visit));
  const plainAnswer = await send(recipeMessage(context, "finishing"));
  if (plainAnswer.error !== undefined) throw notShown(`the usual request is refused: ${describeAnswer(plainAnswer)}`);
  const usualMessage = recipeMessage(context, "finishing");
  const parts = listIn(usualMessage.parts).map((part) => ({ ...(part as JsonObject), xNew: 1 }));
  const extendedAnswers: [string, CallResult][] = [
    ["of the request", await send(recipeMessage(context, "finishing"), { xNew: 1 })],
    ["of the message", await send(recipeMessage(context, "finishing", { xNew: 1 }))],
    ["of a part", await send({ ...usualMessage, parts })],
    ["of the configuration", await send(recipeMessage(context, "finishing"), { configuration: { xNew: 1 } })],
  ];
  for (const [name, answer] of extendedAnswers) {
    const level = isServerFault(answer) ? "MUST" : "SHOULD";
    visit.expect(
      "A2A-JSON-010",
      answer.error === undefined,
      `an unknown member ${name} is answered with ${describeAnswer(answer)}`,
      level,
    );
    const hasSameKind =
      answer.error !== undefined || (taskIn(answer) === undefined) === (taskIn(plainAnswer) === undefined);
    visit.expect(
      "A2A-JSON-010",
      hasSameKind,
      `an unknown member ${name} changes the kind of answer: ${describeAnswer(answer)}`,
      "MUST",
    );
  }
}

async function checkRepeatedMessage(visit: InterfaceVisit): Promise<void> {
  const message = recipeMessage(visit.context, "finishing");
  const firstAnswer = await visit.call("SendMessage", { message }, blockingOptions(visit));
  if (firstAnswer.error !== undefined) throw notShown(`the usual request is refused: ${describeAnswer(firstAnswer)}`);
  const secondAnswer = await visit.call("SendMessage", { message }, blockingOptions(visit));
  visit.expect(
    "A2A-MSG-006",
    !isServerFault(secondAnswer),
    `a message that is sent twice is answered with ${describeAnswer(secondAnswer)}`,
    "MUST",
  );
}

async function checkReferences(visit: InterfaceVisit): Promise<void> {
  const task = await makeFinishedTask(visit);
  const { contextId } = task;
  const contextMembers = typeof contextId === "string" ? { contextId } : {};
  const answer = await visit.call(
    "SendMessage",
    { message: recipeMessage(visit.context, "finishing", { ...contextMembers, referenceTaskIds: [task.id as Json] }) },
    blockingOptions(visit),
  );
  visit.expect(
    "A2A-MSG-007",
    answer.error === undefined,
    `a message that refers to a task is answered with ${describeAnswer(answer)}`,
  );
  const unknownReference = { referenceTaskIds: [unknownId(visit.context)] };
  const unknownAnswer = await visit.call(
    "SendMessage",
    { message: recipeMessage(visit.context, "finishing", unknownReference) },
    blockingOptions(visit),
  );
  visit.expect(
    "A2A-MSG-007",
    !isServerFault(unknownAnswer),
    `a message that refers to an unknown task is answered with ${describeAnswer(unknownAnswer)}`,
    "MUST",
  );
}

/** Lists request bodies that a server may accept or refuse, but must survive. */
function hostileBodies(visit: InterfaceVisit): [string, string][] {
  const body = (message: JsonObject): string => {
    const params = { message };
    return JSON.stringify(
      visit.endpoint.binding === "JSONRPC" ? { jsonrpc: "2.0", id: "h-1", method: "SendMessage", params } : params,
    );
  };
  const plain = body(makeMessage(visit.context));
  const textMember = '"text":"Hello"';
  const deepMetadata = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  return [
    ["the same member twice", plain.replace('"role":', '"role":"ROLE_AGENT","role":')],
    ["10,000 levels of metadata", plain.replace('"role":', `"metadata":${deepMetadata},"role":`)],
    ["a text of 300 kB", plain.replace(textMember, `"text":"${"x".repeat(300_000)}"`)],
    ["a lone surrogate", plain.replace(textMember, '"text":"\\ud800"')],
    ["NaN", plain.replace(textMember, '"data":NaN')],
    ["a byte order mark", `\ufeff${plain}`],
    ["trailing characters", `${plain}x`],
  ];
}

async function checkHostileBodies(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const isListed = (await visit.call("ListTasks", { pageSize: 1 })).error === undefined;
  for (const [name, text] of hostileBodies(visit)) {
    const answer = await visit.call("SendMessage", {}, { body: text, ...blockingOptions(visit) });
    const hasErrorBody = isObject(answer.error?.body);
    const why = `a body with ${name} is answered with HTTP ${answer.reply.status}: ${answer.reply.text.slice(0, 120)}`;
    visit.expect("A2A-JSON-012", !isServerFault(answer), why, hasErrorBody ? "SHOULD" : "MUST");
  }
  const card = await requestCard(context);
  visit.expect(
    "A2A-JSON-012",
    card.status === 200,
    `after hostile bodies the card is answered with HTTP ${card.status}`,
  );
  const laterAnswer = await visit.call("SendMessage", { message: makeMessage(context) }, blockingOptions(visit));
  visit.expect(
    "A2A-JSON-012",
    laterAnswer.error === undefined,
    `after hostile bodies a message is answered with ${describeAnswer(laterAnswer)}`,
  );
  const listAnswer = await visit.call("ListTasks", { pageSize: 100 });
  const isListBroken = isListed && isServerFault(listAnswer);
  visit.expect(
    "A2A-JSON-012",
    !isListBroken,
    `after hostile bodies a list of tasks is answered with ${describeAnswer(listAnswer)}`,
  );
}

async function checkLenientValues(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const lenientRequests: [string, JsonObject, JsonObject][] = [
    ["the role as a number", { message: makeMessage(context, { role: 1 }) }, {}],
    ["a name with an underscore", { message: makeMessage(context, { messageId: undefined, message_id: "x" }) }, {}],
    ["a number in quotes", { message: makeMessage(context) }, { historyLength: "5" }],
  ];
  for (const [name, params, configuration] of lenientRequests) {
    const answer = await visit.call("SendMessage", { ...params, configuration }, blockingOptions(visit));
    visit.expect(
      "A2A-JSON-013",
      !isServerFault(answer),
      `a request with ${name} is answered with ${describeAnswer(answer)}`,
      "MUST",
    );
  }
}

/** Checks the ids of the agent's messages in several tasks. */
async function checkMessageIds(visit: InterfaceVisit): Promise<void> {
  const tasks: JsonObject[] = [];
  for (const name of ["finishing", "finishing", "asking", "failing"] as const)
    tasks.push(await openTask(visit, name).catch(() => ({})));
  const replies = [
    await visit.call("SendMessage", { message: recipeMessage(visit.context, "replying") }, blockingOptions(visit)),
  ];
  for (const answer of replies)
    if (isObject(answer.result) && isObject(answer.result.message)) checkReply(visit, answer.result.message);
  const contentById = new Map<string, string>();
  for (const task of tasks)
    for (const message of messagesIn(task)) {
      const { messageId, taskId } = message;
      const namesOwnTask = taskId === undefined || taskId === "" || taskId === task.id;
      visit.expect("A2A-MSG-003", namesOwnTask, `a message of the task ${task.id} names the task ${taskId}`, "MUST");
      const content = JSON.stringify(message.parts);
      const earlierContent = contentById.get(String(messageId));
      const isSame = earlierContent === undefined || earlierContent === `${task.id} ${content}`;
      visit.expect("A2A-MSG-004", isSame, `two messages have the id ${messageId}`);
      contentById.set(String(messageId), `${task.id} ${content}`);
    }
  if (contentById.size < 2) throw notShown("the agent sent fewer than two messages of its own");
}

function checkReply(visit: InterfaceVisit, { contextId }: JsonObject): void {
  const hasContext = typeof contextId === "string" && contextId !== "";
  visit.expect("A2A-MSG-003", hasContext, "a message in reply names no context", "SHOULD");
}

/** Lists the agent's messages in a task. */
function messagesIn(task: JsonObject): JsonObject[] {
  const statusMessage = isObject(task.status) ? task.status.message : undefined;
  const taskMessages = [...listIn(task.history), ...(statusMessage === undefined ? [] : [statusMessage])].filter(
    isObject,
  );
  return taskMessages.filter(({ role }) => role === "ROLE_AGENT");
}

export const messageScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "parts-media",
    says: "a part with a media type that the card does not allow is refused",
    rules: ["A2A-PART-006"],
    play: checkInputMedia,
  }),
  atEachInterface({
    name: "parts-output",
    says: "the output has only media types that the client accepts",
    rules: ["A2A-PART-007"],
    play: checkOutputMedia,
  }),
  atEachInterface({
    name: "parts-malformed",
    says: "a malformed part is refused",
    rules: ["A2A-PART-008"],
    play: checkMalformedParts,
  }),
  atEachInterface({
    name: "message-incomplete",
    says: "a message without its required members is refused",
    rules: ["A2A-MSG-005"],
    play: checkRequiredMembers,
  }),
  atEachInterface({
    name: "message-members",
    says: "unknown members are ignored",
    rules: ["A2A-JSON-010"],
    play: checkUnknownMembers,
  }),
  atEachInterface({
    name: "message-twice",
    says: "a repeated message does not cause a server fault",
    rules: ["A2A-MSG-006"],
    play: checkRepeatedMessage,
  }),
  atEachInterface({
    name: "message-references",
    says: "a message may refer to other tasks",
    rules: ["A2A-MSG-007"],
    play: checkReferences,
  }),
  atEachInterface({
    name: "message-lenient",
    says: "values in a lenient spelling do not cause a server fault",
    rules: ["A2A-JSON-013"],
    play: checkLenientValues,
  }),
  atEachInterface({
    name: "message-names",
    says: "the agent's messages have unique ids, and name their task and context",
    rules: ["A2A-MSG-003", "A2A-MSG-004"],
    play: checkMessageIds,
  }),
];

/** These bodies may corrupt the agent's state, so these scenarios are played last. */
export const hostileScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "hostile-texts",
    says: "hostile bodies are answered, and do not break the agent",
    rules: ["A2A-JSON-012"],
    withinMs: 120_000,
    play: checkHostileBodies,
  }),
];
