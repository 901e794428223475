import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import { messageOf } from "../parties.ts";
import {
  answerTo,
  cardFor,
  doneTask,
  endpointOver,
  type SeenRequest,
  type Stub,
  type StubReply,
  stubAgent,
} from "./stub.ts";

/** A requester's report on its request: a result, or the reason why there is none. */
export interface RequestOutcome {
  result?: JsonObject;
  error?: JsonObject;
  /** A short description. */
  summary: string;
}

/** Calls a hook of the requester, which must answer with one of two members. */
export async function askRequester(
  context: ScenarioContext,
  hook: "send" | "stream" | "discover" | "find" | "mail",
  member: string,
  parameters: JsonObject,
): Promise<RequestOutcome> {
  const answer = await context.hook(hook, parameters);
  const brief = quote(JSON.stringify(answer));
  if (isObject(answer.error)) return { error: answer.error, summary: brief };
  if (answer[member] !== undefined && answer[member] !== null) return { result: answer, summary: brief };
  const forms = `{"${member}": …} or {"error": {"code", "message"}}`;
  throw new TargetFailure("errored", "hook", `the hook "${hook}" answers neither ${forms}: ${brief}`);
}

/** Makes the requester send something to the agent of a card. */
export function sendFrom(
  context: ScenarioContext,
  card: JsonObject,
  payload: JsonObject = messageOf(context),
): Promise<RequestOutcome> {
  return askRequester(context, "send", "response", { card, method: "message/send", payload });
}

/** Starts an agent that answers correctly. */
export function rightAgent(context: ScenarioContext): Promise<Stub> {
  return stubAgent(context, (seenRequest) => answerRight(context, seenRequest));
}

export async function answerRight(context: ScenarioContext, seenRequest: SeenRequest): Promise<StubReply> {
  return { body: await answerTo(context, seenRequest, { payload: await doneTask(context) }) };
}

/**
 * Whether a requester reports a refusal, as an answer or as an error with its code and message. Undefined if it does not even
 * report a valid refusal.
 */
export async function reportsRefusal(
  context: ScenarioContext,
  make: (seenRequest: SeenRequest, payload: JsonObject) => Promise<JsonObject> | JsonObject,
): Promise<{ isReported: boolean; summary: string } | undefined> {
  const reportOf = async (answer: typeof make): Promise<{ isReported: boolean; summary: string }> => {
    const error = { code: 1002, message: `Not possible: ${context.fresh("no")}.` };
    const stub = await stubAgent(context, async (seenRequest) => ({ body: await answer(seenRequest, { error }) }));
    const { result, error: failure, summary } = await sendFrom(context, cardFor([endpointOver(stub)]));
    const isNamed = JSON.stringify(result ?? failure ?? null).includes(error.message);
    return { isReported: isNamed && (result !== undefined || failure?.code === error.code), summary };
  };
  const validReport = await reportOf((seenRequest, payload) => answerTo(context, seenRequest, { payload }));
  return validReport.isReported ? reportOf(make) : undefined;
}

/** Whether a requester accepts an answer. Throws a TargetFailure if it refuses even a valid one, because then a refusal shows nothing. */
export async function isAnswerAccepted(
  context: ScenarioContext,
  make: (seenRequest: SeenRequest) => Promise<JsonObject> | JsonObject,
): Promise<{ isAccepted: boolean; summary: string }> {
  const validStub = await rightAgent(context);
  const first = await sendFrom(context, cardFor([endpointOver(validStub)]));
  if (first.result === undefined)
    throw new TargetFailure("errored", "hook", `the requester does not accept a valid answer: ${first.summary}`);
  const stub = await stubAgent(context, async (seenRequest) => ({ body: await make(seenRequest) }));
  const { result, summary } = await sendFrom(context, cardFor([endpointOver(stub)]));
  if (stub.seen.length === 0)
    throw new TargetFailure("errored", "hook", `the requester has not sent anything: ${summary}`);
  return { isAccepted: result !== undefined, summary };
}
