import { type AnswerBreach, brokenRule, type Endpoint, type UntestedRule } from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";
import type { AnswerJudge } from "./answer-judge.ts";
import { resourceStatuses } from "./described-answers.ts";
import {
  type CredentialOption,
  formatCredentialPlace,
  type GivenCredentials,
  maxParts,
  unauthorizedRequests,
  valueIn,
  withOneChoice,
} from "./unauthorized-requests.ts";

/** Checks whether a server that demands credentials in its description accepts requests without them, or refuses in an undescribed way. */
export interface CredentialCheck {
  /** The requests without the right credentials that accompany a request; undefined if the description of its operation does not demand any. */
  of(authorized: Authorized): Intrusion | undefined;
  /** Whether any of the credentials that the description of an operation names are given. */
  areGiven(route: Endpoint): boolean;
  /** The rules without a finding, because the answers showed nothing about credentials. */
  untested(): UntestedRule[];
}

/** A request with the right credentials. */
export interface Authorized {
  route: Endpoint;
  request: Request;
  signal: AbortSignal;
  /** The request with other values for members that may be sent only once, numbered from 1. */
  another(number: number): Request;
}

/** The requests without the right credentials that accompany a request, before and after it. */
export interface Intrusion {
  /** Sends these requests before a deletion, since a deleted resource cannot be deleted again. */
  before(): Promise<void>;
  /** The fault, given the answer to the request; undefined if there is none, if no credentials were given, or if the request itself was refused. */
  after(real: Response): Promise<AnswerBreach | undefined>;
}

interface CredentialSources extends GivenCredentials {
  ask(request: Request, signal: AbortSignal): Promise<Response>;
  judge: AnswerJudge;
}

/** The findings about an operation. */
interface OperationFacts {
  /** The finding, or the running search. */
  found?: Promise<AnswerBreach | undefined>;
  /** The first success with the right credentials. */
  real?: Response;
  tries: number;
  /** Whether the time of a vector was over before all requests were sent, and how often that happened. */
  isLate: boolean;
  late: number;
  /** Whether a request without the right credentials was accepted. */
  isOpen: boolean;
  /** Why it is unknown whether some choices of credentials are accepted; undefined before they are tried. */
  choices?: Map<string, string>;
  /** The variants of wrong credentials that were refused, and the variants with an indecisive answer, each with a description of that answer. */
  refused: Set<string>;
  mute: Map<string, string>;
}

/** The maximum number of requests without the right credentials that follow one request. */
const maxProbes = 8 + maxParts;

/** The maximum number of accepted requests that are repeated without the right credentials, as long as the answers show nothing. */
const maxTries = 3;
/** The maximum number of attempts that are not counted because their vector ran out of time. */
const maxLate = 6;

/** Repeats accepted requests without the right credentials, for each operation until the answers show something. */
export function credentialCheck(sources: CredentialSources): CredentialCheck {
  const operations = new Map<string, OperationFacts>();
  return {
    of(authorized) {
      const { security } = authorized.route.described ?? {};
      if (security === undefined) return undefined;
      const facts = operations.get(security.rule) ?? noFacts();
      operations.set(security.rule, facts);
      return intrusionOf({ sources, security, facts }, authorized);
    },
    areGiven: ({ described }) =>
      described?.security?.places.some((place) => valueIn(place, sources.own, sources.search) !== undefined) === true,
    untested: () =>
      [...operations].flatMap(([rule, { isOpen, mute, choices = new Map<string, string>() }]) => {
        const [why] = [...(isOpen ? [] : mute.values()), ...choices.values()];
        return why === undefined ? [] : [{ rule, why }];
      }),
  };
}

/** The known facts of an operation, and the means to find more. */
interface OperationProbe {
  sources: CredentialSources;
  security: Security;
  facts: OperationFacts;
}

function noFacts(): OperationFacts {
  return { tries: 0, isLate: false, late: 0, isOpen: false, refused: new Set(), mute: new Map() };
}

function intrusionOf(probe: OperationProbe, authorized: Authorized): Intrusion {
  const { sources, security, facts } = probe;
  const { route, request } = authorized;
  const deletes = route.method === "DELETE";
  const isTestable = unauthorizedRequests(request, security.places, sources, security.choices).length > 0;
  let openHows: Set<string> | undefined;
  const search = (real?: Response): Promise<AnswerBreach | undefined> => {
    facts.tries += 1;
    const earlier = facts.found;
    const oddHows = new Set<string>();
    openHows = oddHows;
    facts.isLate = false;
    facts.found = findOpening(probe, authorized, { odd: oddHows, real }).then(async (opening) => {
      // This shows nothing about the server, and the next vector has its own time.
      if (facts.isLate && facts.late < maxLate) {
        facts.late += 1;
        facts.tries -= 1;
      }
      if (
        real !== undefined &&
        !facts.isOpen &&
        [...oddHows].some((how) => facts.mute.has(how)) &&
        (await isAcceptedAgain(sources, authorized))
      )
        markRefused(facts, oddHows);
      const refused =
        real === undefined || opening?.level === "MUST" || facts.choices !== undefined
          ? undefined
          : await judgeChoices(probe, authorized);
      return opening ?? refused ?? earlier;
    });
    return facts.found;
  };
  return {
    async before() {
      const isFirst = deletes && facts.tries === 0;
      if (isFirst || (deletes && (await facts.found) === undefined && facts.mute.size > 0)) await search();
    },
    async after(real) {
      if (deletes && !isSuccess(real)) return openHows === undefined ? undefined : facts.found;
      if (!isSuccess(real)) return undefined;
      facts.real ??= real;
      if (!isTestable)
        facts.mute.set(
          "",
          `${route.method} ${route.path} is accepted, and none of the credentials that the document demands were given`,
        );
      if (deletes) markRefused(facts, openHows ?? []);
      else if (facts.found === undefined) return search(real);
      const found = await facts.found;
      const isOpen = found === undefined && facts.mute.size > 0 && !authorized.signal.aborted;
      const isAgain = !deletes && isOpen && facts.tries < maxTries;
      return isAgain ? search(real) : found;
    },
  };
}

/** Sends the request with each variant of wrong credentials, and returns the breach that the answers show. `odd` collects the variants with an answer that counts as a refusal if the request itself is accepted next; `real` is the answer to the request if it was accepted before. */
async function findOpening(
  { sources, security, facts }: OperationProbe,
  { route, request, signal, another }: Authorized,
  { odd, real }: { odd: Set<string>; real: Response | undefined },
): Promise<AnswerBreach | undefined> {
  const { rule, places, choices } = security;
  let refusal: AnswerBreach | undefined;
  const probes = unauthorizedRequests(request, places, sources, choices).filter(({ how }) => !facts.refused.has(how));
  for (const [index, { how, isNear }] of probes.entries()) {
    const probe = unauthorizedRequests(another(index + 1), places, sources, choices).find(
      (candidate) => candidate.how === how,
    );
    const response = probe && (await sources.ask(probe.request, signal).catch(() => undefined));
    const operation = `${route.method} ${route.path} ${how}`;
    if (response === undefined && signal.aborted) facts.isLate = true;
    const what =
      response === undefined ? `${operation} gets no answer` : `${operation} is answered with HTTP ${response.status}`;
    if (response !== undefined && (await isAcceptedAnswer(sources, response, { route, real: facts.real }))) {
      facts.isOpen = true;
      return brokenRule(rule, `${what}, and the document demands ${demandOf(security)}${countedNote}`);
    }
    if (isRefusal(response, route, real)) markRefused(facts, [how]);
    else if (!facts.refused.has(how)) facts.mute.set(how, what);
    if (isOther(response, facts.real)) odd.add(how);
    const wrong = response?.status === 401 && !isNear ? await sources.judge.breach(response, route) : undefined;
    if (wrong?.level === "MUST") refusal ??= { ...wrong, message: `${what}: ${wrong.message}` };
  }
  return refusal;
}

/** Checks that each choice of credentials alone is accepted: a refusal may also be for a wrong value, so it only gives a warning. */
async function judgeChoices(
  { sources, security: { rule, places, choices }, facts }: OperationProbe,
  { request, route, signal, another }: Authorized,
): Promise<AnswerBreach | undefined> {
  facts.choices = new Map();
  let found: AnswerBreach | undefined;
  const withThisAlone = (each: Request): CredentialOption[] => withOneChoice(each, places, sources, choices);
  for (const [index, { how, request: plainRequest }] of withThisAlone(request).entries()) {
    const operation = `${route.method} ${route.path} ${how}`;
    const isTried = plainRequest !== undefined && route.method !== "DELETE";
    const freshRequest = isTried
      ? withThisAlone(another(maxProbes + 2 + index)).find((credentialOption) => credentialOption.how === how)?.request
      : undefined;
    const response = freshRequest && (await sources.ask(freshRequest, signal).catch(() => undefined));
    if (response !== undefined && isSuccess(response)) continue;
    if (response !== undefined && deniedStatuses.has(response.status))
      found ??= brokenRule(
        rule,
        `${operation} is answered with HTTP ${response.status}, and the document lets that do${countedNote}`,
        "SHOULD",
      );
    else
      facts.choices.set(
        how,
        freshRequest === undefined
          ? `${operation} is not tried${plainRequest === undefined ? ": it was not given" : ""}`
          : `${operation} gets ${response === undefined ? "no answer" : `HTTP ${response.status}`}`,
      );
  }
  return found;
}

async function isAcceptedAnswer(
  given: CredentialSources,
  response: Response,
  { route, real }: { route: Endpoint; real: Response | undefined },
): Promise<boolean> {
  if (!isSuccess(response)) return false;
  if (real !== undefined && (real.status !== response.status || typeOf(real) !== typeOf(response))) return false;
  // A login page, or an error in a body, is not an answer to the request.
  const [its, right] = await Promise.all([response, real].map((each) => each && given.judge.breach(each, route)));
  return its?.rule === right?.rule;
}

/** Whether the request is accepted again with the right credentials: if so, the others were refused for their credentials. */
function isAcceptedAgain(given: CredentialSources, { signal, another }: Authorized): Promise<boolean> {
  return given.ask(another(maxProbes + 1), signal).then(isSuccess, () => false);
}

function markRefused({ refused, mute }: OperationFacts, hows: Iterable<string>): void {
  for (const how of hows) {
    refused.add(how);
    mute.delete(how);
  }
}

const deniedStatuses: ReadonlySet<number> = new Set([401, 403, 407]);

/** Whether an answer refuses because of the credentials. If the same request was accepted before, with `real`, every refusal counts, except for statuses about the server's current data if the request may have changed that data. */
function isRefusal(response: Response | undefined, { method }: Endpoint, real: Response | undefined): boolean {
  if (response !== undefined && deniedStatuses.has(response.status)) return true;
  if (response === undefined || real === undefined || !isOther(response, real)) return false;
  return ["GET", "HEAD", "OPTIONS"].includes(method) || !resourceStatuses.has(response.status);
}

/** Whether an answer differs from the one with the right credentials, and is not about the load of the server. */
function isOther(response: Response | undefined, real: Response | undefined): boolean {
  if (response === undefined || response.status >= 500 || response.status === 429) return false;
  return !isSuccess(response) || (real !== undefined && typeOf(response) !== typeOf(real));
}

function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300;
}

/** All vectors of the operation get the result, so that it does not depend on which one came first. */
const countedNote = " (tried once, and counted for each accepted request of the operation)";

type Security = NonNullable<NonNullable<Endpoint["described"]>["security"]>;

/** Describes the credentials that the document demands: each choice, with all its schemes. */
function demandOf({ places, choices = places.map((place) => [place]) }: Security): string {
  return choices.map((choice) => choice.map(formatCredentialPlace).join(" and ")).join(" or ");
}

function typeOf({ headers }: Response): string | undefined {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
}
