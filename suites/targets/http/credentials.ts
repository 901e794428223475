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
  /** The findings about the operation of a request; undefined if its description demands no credentials. */
  of(asked: Authorized): Intrusion | undefined;
  /** Whether any credentials are given of the kinds that the description of an operation names. */
  areGiven(route: Endpoint): boolean;
  /** The rules that stay without a finding: the answers said nothing about credentials. */
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
  /** For a deletion: a deleted resource cannot be deleted again. */
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
  /** Whether a request was accepted. */
  isOpen: boolean;
  /** Why choices of credentials were not shown to be accepted; undefined before they are tried. */
  choices?: Map<string, string>;
  /** The credentials of requests that were refused for them, and the requests with an indecisive answer, with that answer. */
  refused: Set<string>;
  mute: Map<string, string>;
}

/** The maximum number of requests without the right credentials that follow one request. */
const maxProbes = 8 + maxParts;

/** The maximum number of accepted requests that are sent again, as long as nothing is shown. */
const maxTries = 3;
/** The maximum number of attempts that are not counted because they end with the time of their vector. */
const maxLate = 6;

/** Sends requests about credentials once per operation, until they show something: accepted requests, without the right credentials. */
export function credentialCheck(given: CredentialSources): CredentialCheck {
  const operations = new Map<string, OperationFacts>();
  return {
    of(asked) {
      const { security } = asked.route.described ?? {};
      if (security === undefined) return undefined;
      const known = operations.get(security.rule) ?? noFacts();
      operations.set(security.rule, known);
      return intrusionOf({ given, security, known }, asked);
    },
    areGiven: ({ described }) =>
      described?.security?.places.some((place) => valueIn(place, given.own, given.search) !== undefined) === true,
    untested: () =>
      [...operations].flatMap(([rule, { isOpen, mute, choices = new Map<string, string>() }]) => {
        const [why] = [...(isOpen ? [] : mute.values()), ...choices.values()];
        return why === undefined ? [] : [{ rule, why }];
      }),
  };
}

/** The known facts of an operation, and the means to find more. */
interface OperationProbe {
  given: CredentialSources;
  security: Security;
  known: OperationFacts;
}

function noFacts(): OperationFacts {
  return { tries: 0, isLate: false, late: 0, isOpen: false, refused: new Set(), mute: new Map() };
}

function intrusionOf(probe: OperationProbe, asked: Authorized): Intrusion {
  const { given, security, known } = probe;
  const { route, request } = asked;
  const deletes = route.method === "DELETE";
  const isTestable = unauthorizedRequests(request, security.places, given, security.choices).length > 0;
  let open: Set<string> | undefined;
  const look = (real?: Response): Promise<AnswerBreach | undefined> => {
    known.tries += 1;
    const earlier = known.found;
    const odd = new Set<string>();
    open = odd;
    known.isLate = false;
    known.found = findOpening(probe, asked, { odd, real }).then(async (found) => {
      // This shows nothing about the server, and the next vector has its own time.
      if (known.isLate && known.late < maxLate) {
        known.late += 1;
        known.tries -= 1;
      }
      if (
        real !== undefined &&
        !known.isOpen &&
        [...odd].some((how) => known.mute.has(how)) &&
        (await isTakenAgain(given, asked))
      )
        settle(known, odd);
      const refused =
        real === undefined || found?.level === "MUST" || known.choices !== undefined
          ? undefined
          : await judgeChoices(probe, asked);
      return found ?? refused ?? earlier;
    });
    return known.found;
  };
  return {
    async before() {
      const isFirst = deletes && known.tries === 0;
      if (isFirst || (deletes && (await known.found) === undefined && known.mute.size > 0)) await look();
    },
    async after(real) {
      if (deletes && !isSuccess(real)) return open === undefined ? undefined : known.found;
      if (!isSuccess(real)) return undefined;
      known.real ??= real;
      if (!isTestable)
        known.mute.set(
          "",
          `${route.method} ${route.path} is accepted, and none of the credentials that the document demands were given`,
        );
      if (deletes) settle(known, open ?? []);
      else if (known.found === undefined) return look(real);
      const found = await known.found;
      const isOpen = found === undefined && known.mute.size > 0 && !asked.signal.aborted;
      const isAgain = !deletes && isOpen && known.tries < maxTries;
      return isAgain ? look(real) : found;
    },
  };
}

/** `odd` collects refusals for credentials if the request itself is accepted next; `real` is the answer if it was accepted before. */
async function findOpening(
  { given, security, known }: OperationProbe,
  { route, request, signal, another }: Authorized,
  { odd, real }: { odd: Set<string>; real: Response | undefined },
): Promise<AnswerBreach | undefined> {
  const { rule, places, choices } = security;
  let refusal: AnswerBreach | undefined;
  const asked = unauthorizedRequests(request, places, given, choices).filter(({ how }) => !known.refused.has(how));
  for (const [index, { how, isNear }] of asked.entries()) {
    const each = unauthorizedRequests(another(index + 1), places, given, choices).find((one) => one.how === how);
    const response = each && (await given.ask(each.request, signal).catch(() => undefined));
    const operation = `${route.method} ${route.path} ${how}`;
    if (response === undefined && signal.aborted) known.isLate = true;
    const what =
      response === undefined ? `${operation} gets no answer` : `${operation} is answered with HTTP ${response.status}`;
    if (response !== undefined && (await isLetIn(given, response, { route, real: known.real }))) {
      known.isOpen = true;
      return brokenRule(rule, `${what}, and the document demands ${demandOf(security)}${once}`);
    }
    if (isRefusal(response, route, real)) settle(known, [how]);
    else if (!known.refused.has(how)) known.mute.set(how, what);
    if (isOther(response, known.real)) odd.add(how);
    const wrong = response?.status === 401 && !isNear ? await given.judge.breach(response, route) : undefined;
    if (wrong?.level === "MUST") refusal ??= { ...wrong, message: `${what}: ${wrong.message}` };
  }
  return refusal;
}

/** Checks that each choice of credentials alone is accepted: a refusal may also be for a wrong value, so it only gives a warning. */
async function judgeChoices(
  { given, security: { rule, places, choices }, known }: OperationProbe,
  { request, route, signal, another }: Authorized,
): Promise<AnswerBreach | undefined> {
  known.choices = new Map();
  let found: AnswerBreach | undefined;
  const withThisAlone = (each: Request): CredentialOption[] => withOneChoice(each, places, given, choices);
  for (const [index, { how, request: own }] of withThisAlone(request).entries()) {
    const operation = `${route.method} ${route.path} ${how}`;
    const isTried = own !== undefined && route.method !== "DELETE";
    const its = isTried
      ? withThisAlone(another(maxProbes + 2 + index)).find((credentialOption) => credentialOption.how === how)?.request
      : undefined;
    const response = its && (await given.ask(its, signal).catch(() => undefined));
    if (response !== undefined && isSuccess(response)) continue;
    if (response !== undefined && denied.has(response.status))
      found ??= brokenRule(
        rule,
        `${operation} is answered with HTTP ${response.status}, and the document lets that do${once}`,
        "SHOULD",
      );
    else
      known.choices.set(
        how,
        its === undefined
          ? `${operation} is not tried${own === undefined ? ": it was not given" : ""}`
          : `${operation} gets ${response === undefined ? "no answer" : `HTTP ${response.status}`}`,
      );
  }
  return found;
}

async function isLetIn(
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

/** Whether the request is accepted again with the right credentials: then the others were refused for theirs. */
function isTakenAgain(given: CredentialSources, { signal, another }: Authorized): Promise<boolean> {
  return given.ask(another(maxProbes + 1), signal).then(isSuccess, () => false);
}

function settle({ refused, mute }: OperationFacts, hows: Iterable<string>): void {
  for (const how of hows) {
    refused.add(how);
    mute.delete(how);
  }
}

const denied: ReadonlySet<number> = new Set([401, 403, 407]);

/** Whether an answer refuses because of the credentials. If the same request was accepted before, with `real`, any refusal counts that does not concern the server's current data, which a request that only reads does not change. */
function isRefusal(response: Response | undefined, { method }: Endpoint, real: Response | undefined): boolean {
  if (response !== undefined && denied.has(response.status)) return true;
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
const once = " (tried once, and counted for each accepted request of the operation)";

type Security = NonNullable<NonNullable<Endpoint["described"]>["security"]>;

/** The demand: each choice, with all its schemes. */
function demandOf({ places, choices = places.map((place) => [place]) }: Security): string {
  return choices.map((choice) => choice.map(formatCredentialPlace).join(" and ")).join(" or ");
}

function typeOf({ headers }: Response): string | undefined {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
}
