import {
  type AnswerCondition,
  declinedOf,
  type Endpoint,
  isObject,
  type Json,
  jsonOf,
  type Observation,
  type Reason,
  rememberedAt,
} from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { skipByStatus } from "../../base/text/skips.ts";
import { reasonsFrom } from "../reasons.ts";
import {
  conditionsOf,
  hasOwnCode,
  lessSpecific,
  meetsCondition,
  readAcceptance,
  readRefusal,
  unjudgedCode,
  unusableAnswer,
} from "./answer.ts";
import { unrelatedAnswer } from "./described-answers.ts";
import { lastEvent } from "./events.ts";
import type { Read, ServerExchange } from "./http-exchange.ts";
import { readRedirect } from "./redirects.ts";
import { isAccess, refusedAccess } from "./refused-access.ts";
import { statusAdvice } from "./statuses.ts";
import { readUndecided } from "./undecided-answers.ts";

/** A stage of reading an answer. `decides` describes its decision in a sentence. */
export interface ReadingStage {
  name: string;
  decides: string;
  /** Whether the stage revises what earlier stages have decided; other stages run only if nothing is decided yet. */
  revises?: true;
  /** Returns the decision; undefined if the stage does not apply. */
  read(exchange: Read, soFar: Observation | undefined): Observation | undefined;
}

/** What these stages decide says nothing about the message, so no further request is sent for it. */
export const firstStages: readonly ReadingStage[] = [
  {
    name: "remembered",
    decides:
      "The profile lists the code as a clash of a member that was sent unchanged: the server knows the value already.",
    read: ({ clash }) => (clash === undefined ? undefined : rememberedAt(clash)),
  },
  {
    name: "access",
    decides: "401 and 403 are about the sender, unless the profile lists them as answers to a document.",
    read: ({ response, route, http, body, asker }) =>
      asker !== undefined && isAccess(response, body, route, http) ? refusedAccess(response, asker) : undefined,
  },
];

export const laterStages: readonly ReadingStage[] = [
  {
    name: "circumstances",
    decides:
      "Under an OpenAPI or AsyncAPI document, 404, 409 and similar statuses are refusals because of the server's data, and 401 and 403 because of the sender.",
    read: unrelatedAnswer,
  },
  {
    name: "refusal",
    decides:
      "An answer with a status and a body listed under `rejected` of the profile or the endpoint is a refusal, unless an entry of `accepted` is more specific.",
    read: (read) => (meetsAny(read, read.refuses) ? readRefusal(read) : undefined),
  },
  {
    name: "denial",
    decides: '`"valid": false` with a success is a refusal.',
    read: (read) =>
      read.denied !== undefined && read.response.status < 300 ? readRefusal({ ...read, isSealed: false }) : undefined,
  },
  {
    name: "affirmation",
    decides: '`"valid": true` with a success is an acceptance.',
    read: (read) => (isAffirmation(read) && read.response.status < 300 ? readAcceptance(read) : undefined),
  },
  {
    name: "documented redirect",
    decides:
      "A redirect that the description lists accepts a valid message, says nothing of an invalid one, and refuses if its address has `error` (RFC 6749, 4.1.2.1).",
    read: readRedirect,
  },
  {
    name: "undecided",
    decides:
      "Under an OpenAPI or AsyncAPI document, 207 accepts a valid message and says nothing of an invalid one; a success whose body reports an error says nothing if the document lists no status of errors, and 5xx for a text nested 500 levels or deeper also says nothing.",
    read: readUndecided,
  },
  {
    name: "acceptance",
    decides:
      "An answer with a status and a body listed under `accepted` of the profile or the endpoint is an acceptance.",
    read: (read) => (meetsAny(read, read.accepts) ? readAcceptance(read) : undefined),
  },
  {
    name: "own words",
    decides: "A 4xx with a code listed under `unjudged` of the profile means what the profile says of that code.",
    read: (read) =>
      isWithin(read, 400, 500) && unjudgedCode(read.body, read.http, read.isSealed) !== undefined
        ? readRefusal(read)
        : undefined,
  },
  {
    name: "neither",
    decides: "A status that the profile lists, with a body that it does not list, is not a usable answer.",
    read: (read) =>
      [...read.accepts, ...conditionsOf(read.route.rejected, read.http.rejected)].some(({ status }) =>
        status.includes(read.response.status),
      )
        ? unusableAnswer(read, "its body is neither that of an acceptance nor that of a refusal")
        : undefined,
  },
  {
    name: "redirect",
    decides: "3xx is not a usable answer: redirects are not followed.",
    read: (read) =>
      isWithin(read, 300, 400)
        ? unusableAnswer(
            read,
            `redirects are not followed: give the address itself (${quote(read.response.headers.location ?? "nowhere")})`,
          )
        : undefined,
  },
  {
    name: "failure",
    decides: "1xx and 5xx are not usable answers.",
    read: (read) => (isWithin(read, 200, 500) ? undefined : unusableAnswer(read, "the server failed")),
  },
  {
    name: "success",
    decides: "Every other 2xx is an acceptance.",
    read: (read) => (read.response.status < 300 ? readAcceptance(read) : undefined),
  },
  {
    name: "way",
    decides: "401, 404, 405, 415 and others about the form of the request are not usable answers.",
    read(exchange) {
      const { status } = exchange.response;
      const hint = status === 404 ? (exchange.absent ?? "nothing is there") : statusAdvice[status];
      return hint === undefined ? undefined : unusableAnswer(exchange, hint);
    },
  },
  {
    name: "state",
    decides: "409, 410 and 412 without a code of the protocol are about the server's state.",
    read({ response: { status }, text, denied, body, http }) {
      if (!stateStatuses.has(status) || denied !== undefined || hasOwnCode(body, http)) return undefined;
      return { kind: "about-state", status, ...skipByStatus(status, aboutState, text) };
    },
  },
  { name: "other", decides: "Every other 4xx is a refusal.", read: readRefusal },
  {
    name: "broken",
    decides: "An answer that says nothing of the message still counts if it breaks a MUST about answers.",
    revises: true,
    read: ({ breach }, soFar) =>
      breach !== undefined && (breach.level ?? "MUST") === "MUST" && soFar?.verdict === undefined
        ? { kind: "broken", breach, why: breach.message, cause: { kind: "answer-broken" } }
        : undefined,
  },
  {
    name: "ignorable",
    decides: "An accepted message says nothing if a receiver may ignore its fault.",
    revises: true,
    read: ({ ignorable }, soFar) =>
      ignorable !== undefined && soFar?.verdict === "accepted"
        ? declinedOf(ignorable, { kind: "ignorable" })
        : undefined,
  },
  {
    name: "unread",
    decides: "415 for a message in YAML means that the server does not read YAML.",
    revises: true,
    read: ({ question, response }, soFar) =>
      question.yaml === true && response.status === 415 && soFar?.verdict === undefined && soFar?.kind === "unavailable"
        ? declinedOf("the message is YAML, and the server does not read it (HTTP 415)", {
            kind: "not-read",
            format: "yaml",
          })
        : undefined,
  },
  {
    name: "size",
    decides: "413 for a message over a limit that the server publishes says nothing of the message.",
    revises: true,
    read: ({ response, limit }) =>
      limit !== undefined && response.status === 413 ? declinedOf(limit, { kind: "limit" }) : undefined,
  },
];

/** All stages, in their order. */
export const readingStages: readonly ReadingStage[] = [...firstStages, ...laterStages];

/** Parses the answer of an exchange. */
export function readExchange(exchange: ServerExchange): Read {
  const { question, route, http, response, isSealed, ignorable, clash, asker } = exchange;
  const { limit, breach, absent, elsewhere, areGiven, refusedWhen = [] } = exchange;
  const text = lastEvent(response) ?? response.body;
  const body = jsonOf(text);
  // All members exist from the start: an object that grows is slow.
  const denied = denialIn(body, route);
  const accepts = conditionsOf(route.accepted, http.accepted);
  const ownRefusals = conditionsOf(route.rejected, http.rejected);
  const refuses = [...refusedWhen, ...lessSpecific(ownRefusals, accepts, response.status, body)];
  return {
    question,
    route,
    http,
    response,
    isSealed,
    ignorable,
    clash,
    asker,
    limit,
    breach,
    absent,
    elsewhere,
    areGiven,
    text,
    body,
    denied,
    accepts,
    refuses,
  };
}

/** Reads an exchange by these stages, in their order. */
export function readBy(stages: readonly ReadingStage[], exchange: Read): Observation | undefined {
  let soFar: Observation | undefined;
  for (const stage of stages)
    if (soFar === undefined || stage.revises === true) soFar = stage.read(exchange, soFar) ?? soFar;
  return soFar;
}

/** Statuses about the state of the server: an earlier document conflicts, or this one is late. */
const stateStatuses = new Set([409, 410, 412]);

const aboutState =
  "it is refused because of the server's data, which says nothing about the document; name members that must be unique under fresh in the profile";

function isWithin({ response: { status } }: Read, least: number, below: number): boolean {
  return status >= least && status < below;
}

function meetsAny({ response, body }: Read, conditions: readonly AnswerCondition[]): boolean {
  return conditions.some((condition) => meetsCondition(condition, response.status, body));
}

/** Returns the reasons of a refusal in the wire format, which an endpoint that only validates may use with any status. Undefined for other bodies: a message may have a member `valid` with a different meaning, and every member of a described interface belongs to that interface. */
function denialIn(body: Json | undefined, { described }: Endpoint): Reason[] | undefined {
  if (described !== undefined || !isObject(body) || body.valid !== false) return undefined;
  const { valid: _, errors, ...otherMembers } = body;
  const isList = Array.isArray(errors);
  if (isList && errors.length > 0) return reasonsFrom(errors);
  return (isList || errors === undefined) && Object.keys(otherMembers).length === 0 ? [] : undefined;
}

function isAffirmation({ body, route: { described } }: Read): boolean {
  return described === undefined && isObject(body) && body.valid === true;
}
