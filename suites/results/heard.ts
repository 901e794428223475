import type { Answer, Cause, HttpExchange, Result, Sent } from "../../schemas/index.ts";
import type { Hider } from "../secrets/index.ts";
import { bounded, mostItems } from "../text/bounded.ts";

/** Characters of a sentence that says why, which may tell a whole story. */
const mostWhy = 10_000;
/** Of a body, an address, a header. */
const mostPart = 5000;

/**
 * A result as it is reported: what others have said in it is bounded and without secrets. What it is about comes from the vector, and stays
 * as it is. Every result passes here, whoever made it.
 */
export function heard(result: Result, hide: Hider): Result {
  const { why, cause, stage, answer, exchanges, trace } = result;
  if (
    why === undefined &&
    stage === undefined &&
    answer === undefined &&
    exchanges === undefined &&
    trace === undefined
  )
    return result;
  return {
    ...result,
    ...(why === undefined ? {} : { why: hide.text(bounded(why, mostWhy)) }),
    ...(cause === undefined ? {} : { cause: hiddenIn(cause, hide) }),
    ...(stage === undefined ? {} : { stage: hide.text(bounded(stage)) }),
    ...(answer === undefined ? {} : { answer: hide.value(answered(answer)) }),
    ...(exchanges === undefined ? {} : { exchanges: exchanges.map((each) => hide.value(exchanged(each))) }),
    ...(trace === undefined ? {} : { trace: trace.slice(-mostItems).map((each) => hide.value(sent(each))) }),
  };
}

/** Texts in a cause that a target may have said. What is said of the vector itself, and words of a closed list, stay as they are. */
const heardIn = ["reason", "said", "advice", "doubt", "code", "agent"] as const;

/** A cause, without secrets and bounded. */
export function hiddenIn(cause: Cause, hide: Hider): Cause {
  const texts = cause as Partial<Record<(typeof heardIn)[number], string>>;
  const heard = heardIn.filter((name) => texts[name] !== undefined);
  if (heard.length === 0) return cause;
  const hidden = heard.map((name) => [name, hide.text(bounded(texts[name] as string, mostWhy))] as const);
  return { ...cause, ...Object.fromEntries(hidden) } as Cause;
}

function answered({ verdict, reasons, codeless, exchange }: Answer): Answer {
  const said = {
    verdict,
    reasons: reasons.slice(0, mostItems),
    ...(codeless === undefined ? {} : { codeless }),
  };
  return exchange === undefined ? said : { ...said, exchange: exchanged(exchange) };
}

function sent({ from, to, text, decisive }: Sent): Sent {
  return { from: bounded(from), to: bounded(to), text: bounded(text, mostPart), ...marked(decisive) };
}

type Parts = Pick<HttpExchange["request"], "headers" | "body">;

function marked(decisive: true | undefined): { decisive?: true } {
  return decisive === undefined ? {} : { decisive };
}

function exchanged({ request, response, incoming, as, decisive }: HttpExchange): HttpExchange {
  const { method, url, ...sent } = request;
  return {
    request: { method: bounded(method), url: bounded(url, mostPart), ...parts(sent) },
    ...(response === undefined ? {} : { response: { status: response.status, ...parts(response) } }),
    ...(incoming === undefined ? {} : { incoming }),
    ...(as === undefined ? {} : { as: bounded(as) }),
    ...marked(decisive),
  };
}

function parts({ headers, body }: Parts): Parts {
  const some = Object.entries(headers).slice(0, mostItems);
  return {
    headers: Object.fromEntries(some.map(([name, value]) => [bounded(name), bounded(value, mostPart)])),
    body: bounded(body, mostPart),
  };
}
