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
  given?: JsonObject;
  error?: JsonObject;
  /** A short description. */
  brief: string;
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
  if (isObject(answer.error)) return { error: answer.error, brief };
  if (answer[member] !== undefined && answer[member] !== null) return { given: answer, brief };
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

/** An agent that answers rightly. */
export function goodAgent(context: ScenarioContext): Promise<Stub> {
  return stubAgent(context, (seen) => answerWell(context, seen));
}

export async function answerWell(context: ScenarioContext, seen: SeenRequest): Promise<StubReply> {
  return { body: await answerTo(context, seen, { payload: await doneTask(context) }) };
}

/**
 * Whether a requester reports a refusal, as an answer or as an error with its code and text. Undefined if it does not report a
 * correct refusal either.
 */
export async function believesRefusal(
  context: ScenarioContext,
  make: (seen: SeenRequest, payload: JsonObject) => Promise<JsonObject> | JsonObject,
): Promise<{ isTold: boolean; brief: string } | undefined> {
  const told = async (answer: typeof make): Promise<{ isTold: boolean; brief: string }> => {
    const error = { code: 1002, message: `Not possible: ${context.fresh("no")}.` };
    const stub = await stubAgent(context, async (seen) => ({ body: await answer(seen, { error }) }));
    const { given, error: failure, brief } = await sendFrom(context, cardFor([endpointOver(stub)]));
    const isNamed = JSON.stringify(given ?? failure ?? null).includes(error.message);
    return { isTold: isNamed && (given !== undefined || failure?.code === error.code), brief };
  };
  const right = await told((seen, payload) => answerTo(context, seen, { payload }));
  return right.isTold ? told(make) : undefined;
}

/** Whether a requester accepts one answer. Throws a TargetFailure if it refuses a right answer, because then nothing can be shown. */
export async function mustAccept(
  context: ScenarioContext,
  make: (seen: SeenRequest) => Promise<JsonObject> | JsonObject,
): Promise<{ isTaken: boolean; brief: string }> {
  const right = await goodAgent(context);
  const first = await sendFrom(context, cardFor([endpointOver(right)]));
  if (first.given === undefined)
    throw new TargetFailure("errored", "hook", `the requester does not accept a right answer: ${first.brief}`);
  const stub = await stubAgent(context, async (seen) => ({ body: await make(seen) }));
  const { given, brief } = await sendFrom(context, cardFor([endpointOver(stub)]));
  if (stub.seen.length === 0)
    throw new TargetFailure("errored", "hook", `the requester has not sent anything: ${brief}`);
  return { isTaken: given !== undefined, brief };
}
