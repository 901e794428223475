import type { Answer, Cause, HttpExchange, Reason, Result, Sent } from "../../schemas/index.ts";
import type { Hider } from "../base/secrets/index.ts";
import { stageWords } from "../base/secrets/words.ts";
import { boundText, maxItems, maxTextLength } from "../base/text/bounds.ts";

/** The maximum length of an explanation, in characters. */
const maxReasonLength = 10_000;
/** The maximum length of a body, an address or a header, in characters. */
const maxPartLength = 5000;

/** Prepares a result for the report: shortens its texts from outside, and hides secrets in them. Its subject and outcome are not changed, because they come from the vector and from this tool. Every result passes through this function. */
export function boundResult(result: Result, hide: Hider): Result {
  const { why, cause, stage, answer, exchanges, trace } = result;
  if ((cause ?? why ?? stage ?? answer ?? exchanges ?? trace) === undefined) return result;
  // Texts are searched before they are cut, so that no part of a secret remains. They may be endless, so only a bounded part is searched.
  const collectedTexts: string[] = [];
  const collectedNames: string[] = [];
  mapResult(result, {
    text(text, maxLength) {
      collectedTexts.push(boundText(text, searchedLength(maxLength)));
      return text;
    },
    name(name) {
      collectedNames.push(boundText(name, searchedLength(maxTextLength)));
      return name;
    },
  });
  const safeTexts = hide.texts([...collectedTexts, ...collectedNames]);
  let nextText = 0;
  let nextName = collectedTexts.length;
  return mapResult(result, {
    text: (_, maxLength) => boundText(safeTexts[nextText++] as string, maxLength),
    name: () => boundText(safeTexts[nextName++] as string),
  });
}

/** Returns the number of characters to search for secrets: enough beyond the cut to find a secret that crosses it. */
function searchedLength(maxLength: number): number {
  return 4 * maxLength + 4096;
}

/** How to change each text, and each name, from outside. */
interface TextChange {
  text(text: string, maxLength: number): string;
  name(name: string): string;
}

/** Changes every text from outside in a result. Exactly these members of the format may contain such texts. */
function mapResult(result: Result, change: TextChange): Result {
  const { why, cause, stage, answer, exchanges, trace } = result;
  return {
    ...result,
    ...(why === undefined ? {} : { why: change.text(why, maxReasonLength) }),
    ...(cause === undefined ? {} : { cause: mapCause(cause, change) }),
    ...(stage === undefined ? {} : { stage: stageWords.has(stage) ? stage : change.text(stage, maxTextLength) }),
    ...(answer === undefined ? {} : { answer: mapAnswer(answer, change) }),
    ...(exchanges === undefined ? {} : { exchanges: exchanges.map((exchange) => mapExchange(exchange, change)) }),
    ...(trace === undefined ? {} : { trace: trace.slice(-maxItems).map((sent) => mapSent(sent, change)) }),
  };
}

/** The members of a cause that may contain text from a target. Texts about the vector itself, and words of a closed list, are unchanged. */
const membersFromTarget = ["reason", "said", "advice", "doubt", "code", "agent"] as const;

function mapCause(cause: Cause, { text }: TextChange): Cause {
  const texts = cause as Partial<Record<(typeof membersFromTarget)[number], string>>;
  const changedMembers = membersFromTarget.flatMap((name) => {
    const targetText = texts[name];
    return targetText === undefined ? [] : [[name, text(targetText, maxReasonLength)] as const];
  });
  return changedMembers.length === 0 ? cause : ({ ...cause, ...Object.fromEntries(changedMembers) } as Cause);
}

/** Hides secrets in a cause that is not part of a result. */
export function hideInCause(cause: Cause, hide: Hider): Cause {
  return mapCause(cause, {
    text: (text, maxLength) => boundText(hide.text(boundText(text, searchedLength(maxLength))), maxLength),
    name: (name) => name,
  });
}

function mapAnswer({ verdict, reasons, codeless, exchange }: Answer, change: TextChange): Answer {
  const answer = {
    verdict,
    reasons: reasons.slice(0, maxItems).map((original) => mapReason(original, change)),
    ...(codeless === undefined ? {} : { codeless }),
  };
  return exchange === undefined ? answer : { ...answer, exchange: mapExchange(exchange, change) };
}

/** Changes every text of a reason, because all of them come from the target. */
function mapReason(original: Reason, { text }: TextChange): Reason {
  return Object.fromEntries(
    Object.entries(original).map(([changeName, member]) => {
      const changed = text(String(member), maxTextLength);
      return [changeName, changed === String(member) ? member : changed];
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

type MessageParts = Pick<HttpExchange["request"], "headers" | "body">;

function markDecisive(decisive: true | undefined): { decisive?: true } {
  return decisive === undefined ? {} : { decisive };
}

function mapExchange({ request, response, incoming, as, decisive }: HttpExchange, change: TextChange): HttpExchange {
  const { method, url, ...headersAndBody } = request;
  return {
    request: {
      method: boundText(method),
      url: change.text(url, maxPartLength),
      ...mapMessageParts(headersAndBody, change),
    },
    ...(response === undefined ? {} : { response: { status: response.status, ...mapMessageParts(response, change) } }),
    ...(incoming === undefined ? {} : { incoming }),
    ...(as === undefined ? {} : { as: as === "nobody" ? as : change.text(as, maxTextLength) }),
    ...markDecisive(decisive),
  };
}

function mapMessageParts({ headers, body }: MessageParts, { text, name: changeName }: TextChange): MessageParts {
  const boundedEntries = Object.entries(headers).slice(0, maxItems);
  return {
    headers: Object.fromEntries(
      boundedEntries.map(([headerName, value]) => [changeName(headerName), text(value, maxPartLength)]),
    ),
    body: text(body, maxPartLength),
  };
}
