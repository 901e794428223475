import type { Answer, Cause, HttpExchange, Reason, Result, Sent } from "../../schemas/index.ts";
import type { Hider } from "../base/secrets/index.ts";
import { stageWords } from "../base/secrets/words.ts";
import { boundText, maxItems, maxTextLength } from "../base/text/bounds.ts";

/** The maximum characters of an explanation, which may be long. */
const maxReasonLength = 10_000;
/** The maximum characters of a body, an address, or a header. */
const maxPartLength = 5000;

/** Prepares a result for the report: foreign texts in it are shortened and secrets hidden. Its subject comes from the vector and its outcome from us, so no secret changes them. Every result from any source passes through here. */
export function boundResult(result: Result, hide: Hider): Result {
  const { why, cause, stage, answer, exchanges, trace } = result;
  if ((cause ?? why ?? stage ?? answer ?? exchanges ?? trace) === undefined) return result;
  // The text is searched before it is cut, so that no part of a secret remains; it may be endless.
  const collected: string[] = [];
  const names: string[] = [];
  mapResult(result, {
    text(text, most) {
      collected.push(boundText(text, roomFor(most)));
      return text;
    },
    name(name) {
      names.push(boundText(name, roomFor(maxTextLength)));
      return name;
    },
  });
  const shown = hide.texts([...collected, ...names]);
  let next = 0;
  let nextName = collected.length;
  return mapResult(result, {
    text: (_, most) => boundText(shown[next++] as string, most),
    name: () => boundText(shown[nextName++] as string),
  });
}

function roomFor(most: number): number {
  return 4 * most + 4096;
}

/** The change for each foreign text, and for each name. */
interface TextChange {
  text(text: string, most: number): string;
  name(name: string): string;
}

/** Changes every foreign text in a result: exactly these members of the format are foreign. */
function mapResult(result: Result, change: TextChange): Result {
  const { why, cause, stage, answer, exchanges, trace } = result;
  return {
    ...result,
    ...(why === undefined ? {} : { why: change.text(why, maxReasonLength) }),
    ...(cause === undefined ? {} : { cause: causeOf(cause, change) }),
    ...(stage === undefined ? {} : { stage: stageWords.has(stage) ? stage : change.text(stage, maxTextLength) }),
    ...(answer === undefined ? {} : { answer: mapAnswer(answer, change) }),
    ...(exchanges === undefined ? {} : { exchanges: exchanges.map((exchange) => mapExchange(exchange, change)) }),
    ...(trace === undefined ? {} : { trace: trace.slice(-maxItems).map((sent) => mapSent(sent, change)) }),
  };
}

/** The texts in a cause that may come from a target. Texts about the vector itself, and words of a closed list, are unchanged. */
const heardIn = ["reason", "said", "advice", "doubt", "code", "agent"] as const;

function causeOf(cause: Cause, { text }: TextChange): Cause {
  const texts = cause as Partial<Record<(typeof heardIn)[number], string>>;
  const hiddenMembers = heardIn.flatMap((name) => {
    const said = texts[name];
    return said === undefined ? [] : [[name, text(said, maxReasonLength)] as const];
  });
  return hiddenMembers.length === 0 ? cause : ({ ...cause, ...Object.fromEntries(hiddenMembers) } as Cause);
}

/** Hides secrets in a cause on its own. */
export function hideInCause(cause: Cause, hide: Hider): Cause {
  return causeOf(cause, {
    text: (text, most) => boundText(hide.text(boundText(text, roomFor(most))), most),
    name: (name) => name,
  });
}

function mapAnswer({ verdict, reasons, codeless, exchange }: Answer, change: TextChange): Answer {
  const said = {
    verdict,
    reasons: reasons.slice(0, maxItems).map((each) => reason(each, change)),
    ...(codeless === undefined ? {} : { codeless }),
  };
  return exchange === undefined ? said : { ...said, exchange: mapExchange(exchange, change) };
}

/** Every text in a reason is the target's own. */
function reason(original: Reason, { text }: TextChange): Reason {
  return Object.fromEntries(
    Object.entries(original).map(([name, each]) => {
      const shown = text(String(each), maxTextLength);
      return [name, shown === String(each) ? each : shown];
    }),
  );
}

function mapSent({ from, to, text, decisive }: Sent, change: TextChange): Sent {
  return {
    from: boundText(from),
    to: boundText(to),
    text: change.text(text, maxPartLength),
    ...markDecisive(decisive),
  };
}

type ReasonParts = Pick<HttpExchange["request"], "headers" | "body">;

function markDecisive(decisive: true | undefined): { decisive?: true } {
  return decisive === undefined ? {} : { decisive };
}

function mapExchange({ request, response, incoming, as, decisive }: HttpExchange, change: TextChange): HttpExchange {
  const { method, url, ...sent } = request;
  return {
    request: { method: boundText(method), url: change.text(url, maxPartLength), ...parts(sent, change) },
    ...(response === undefined ? {} : { response: { status: response.status, ...parts(response, change) } }),
    ...(incoming === undefined ? {} : { incoming }),
    ...(as === undefined ? {} : { as: as === "nobody" ? as : change.text(as, maxTextLength) }),
    ...markDecisive(decisive),
  };
}

function parts({ headers, body }: ReasonParts, { text, name }: TextChange): ReasonParts {
  const boundedEntries = Object.entries(headers).slice(0, maxItems);
  return {
    headers: Object.fromEntries(boundedEntries.map(([each, value]) => [name(each), text(value, maxPartLength)])),
    body: text(body, maxPartLength),
  };
}
