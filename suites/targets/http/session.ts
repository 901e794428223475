import { randomUUID } from "node:crypto";
import {
  type AboutState,
  type AnswerBreach,
  declinedOf,
  type Observation,
  observationIn,
  type PreparedMessage,
  type Protocol,
  type Question,
  type Skip,
  type TargetAnswer,
  TargetFailure,
  type Unanswered,
  type UntestedRule,
  unavailableOf,
} from "../../../schemas/index.ts";
import { questionFrom, withoutCredentials } from "../../base/http/identity.ts";
import type { Request } from "../../base/http/send.ts";
import { hideInCause } from "../../results/reason-text.ts";
import { type Absence, absenceOf } from "./absence.ts";
import { findClash, readRefusal } from "./answer.ts";
import { type ServerClock, serverClockOf } from "./clock-lead.ts";
import { closerOf } from "./closing.ts";
import type { Intrusion } from "./credentials.ts";
import { exchangeOf } from "./exchange.ts";
import { isSame } from "./fresh-text.ts";
import type { Read } from "./http-exchange.ts";
import { type SkipFinder, skipFinderFor } from "./intake.ts";
import { keysOf } from "./keys.ts";
import { type HttpSessionOptions, type Learned, learnFacts, skipFeature } from "./learned-facts.ts";
import { fittingsOf } from "./member-fittings.ts";
import { PatientPool } from "./patient-pool.ts";
import { firstStages, laterStages, readBy, readExchange } from "./reading.ts";
import { mayStream, type Requests } from "./requests.ts";
import type { KeyedRequest } from "./reuse.ts";
import { type DocumentRoute, noRoute, routesOf, skipUnreachable } from "./route.ts";
import { signerFor } from "./signer.ts";

/** An exchange: the request and its answer. */
interface SentExchange {
  request: Request;
  exchange: Read;
  posted: PreparedMessage;
  /** The requests without the correct credentials. */
  intrusion: Intrusion | undefined;
  /** Creates the request with a different body and renewed fresh values. */
  keyed: KeyedRequest;
}

/** A run of one protocol against one server. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #learned: Learned;
  readonly #serverClock: ServerClock;
  readonly #absence: Absence;
  readonly #close: ReturnType<typeof closerOf>;
  /** Finds the reason why a message is not sent to an intake of several documents. */
  readonly findSkip: SkipFinder;
  /** Whether credentials of any kind are sent. */
  readonly #isShown: boolean;
  /** Whether a message was accepted, so that the credentials must be correct. */
  #hasAccepted = false;

  private constructor(options: HttpSessionOptions, learned: Learned, findSkip: SkipFinder) {
    this.findSkip = findSkip;
    const { address, ownHeaders, endpoints, now, clock } = options;
    const { protocol, requests, patientPool } = learned;
    this.#options = options;
    this.#learned = learned;
    this.#serverClock = serverClockOf(now, clock);
    this.#absence = absenceOf(protocol.profile.http, address, endpoints);
    const { pool, sendNow: ask } = patientPool;
    const access = { pool, origin: address.origin, headers: requests.headers, pathTo: requests.pathTo, ask };
    this.#close = closerOf(protocol.profile.http.closing, access);
    this.#isShown = Object.keys(withoutCredentials(ownHeaders)).length < Object.keys(ownHeaders).length;
  }

  /** Connects to the server, and reads its identity and limits. */
  static async open(protocol: Protocol, options: HttpSessionOptions): Promise<HttpSession> {
    const { address, endpoints, now } = options;
    const { profile } = protocol;
    const routes = routesOf(protocol, endpoints);
    // For the built-in protocols, generated fresh values are known to match the schemas.
    const fittings = protocol.foreign === true ? await fittingsOf(protocol, now()) : new Map();
    const signer = await signerFor(protocol);
    const { Pool } = await import("undici");
    const keys = protocol.foreign === true ? await keysOf(protocol, options.keys, randomUUID()) : undefined;
    const patientPool = new PatientPool(new Pool(address.origin, { pipelining: 1 }), now, profile.http.later);
    try {
      const learned = await learnFacts(protocol, options, { patientPool, routes, signer, fittings, keys });
      return new HttpSession(options, learned, await skipFinderFor(protocol, routes.values()));
    } catch (failure) {
      await patientPool.pool.destroy();
      throw failure;
    }
  }

  get perMinute(): number | undefined {
    return this.#learned.limits.perMinute;
  }

  get requests(): Requests {
    return this.#learned.requests;
  }

  isHeld(): boolean {
    return this.#learned.patientPool.isHeld();
  }

  routeFor({ name }: Question["document"]): DocumentRoute {
    return this.#learned.routes.get(name) ?? noRoute;
  }

  /** Returns the reason why a rule does not bind the server, according to its published documents. */
  offers(rule: string): Skip | undefined {
    return this.#learned.unbound.get(rule);
  }

  /** Returns the reason not to send a message, according to the server's published documents. */
  needs(question: Question): Skip | undefined {
    return skipFeature(this.#learned.unoffered, question);
  }

  untested(): UntestedRule[] {
    const { credentials, reuse } = this.#learned;
    return [...(credentials?.untested() ?? []), ...(reuse?.untested() ?? [])];
  }

  async close(): Promise<void> {
    await this.#learned.patientPool.pool.destroy();
  }

  /** Asks the server a question. Rejects with a TouchstoneError if the server refuses every credential. */
  check(originalQuestion: Question, signal: AbortSignal): Promise<Observation> {
    return this.#send(originalQuestion, signal)
      .then((sent) => (sent === undefined ? notSent(originalQuestion) : this.#read(sent)))
      .catch((failure: unknown) => {
        const observation = observationIn(failure);
        const { route } = this.routeFor(originalQuestion.document);
        if (
          observation?.kind === "unavailable" &&
          route !== undefined &&
          mayStream(route) &&
          observation.outcome === "timed-out"
        )
          return declinedOf(unbegun, { kind: "timed-out" });
        if (observation !== undefined) return this.#redact(observation);
        if (failure instanceof Error) failure.message = this.#options.hider.text(failure.message);
        throw failure;
      });
  }

  /** Reads an answer; synchronously if no further request is needed. */
  #read(sent: SentExchange): Observation | Promise<Observation> {
    const { answers, named, limits } = this.#learned;
    const isAtOnce = [this.#close, answers, named, limits.over].every((each) => each === undefined);
    return isAtOnce ? (this.#readFirst(sent) ?? this.#conclude(sent)) : this.#readLater(sent);
  }

  async #readLater(sent: SentExchange): Promise<Observation> {
    const { answers, named, limits, reuse } = this.#learned;
    const { exchange, posted, intrusion, keyed } = sent;
    const { response, route } = exchange;
    await this.#close?.(response);
    const firstObservation = this.#readFirst(sent);
    if (firstObservation !== undefined) return firstObservation;
    const accessBreach = await intrusion?.after(response);
    const verdict = named && readBy(laterStages, exchange)?.verdict;
    const answerBreach =
      verdict === undefined
        ? await answers?.breach(response, route)
        : await named?.({ exchange, sent: posted.body, verdict });
    const isTaken = response.status >= 200 && response.status < 300;
    const reuseBreach = isTaken ? await reuse?.after(keyed) : undefined;
    exchange.breach = answerBreach?.level === "MUST" ? answerBreach : (accessBreach ?? answerBreach ?? reuseBreach);
    exchange.limit = await limits.over?.(posted.body, response);
    return this.#conclude(sent);
  }

  /** Reads an answer as far as possible without a further request to the server. */
  #readFirst({ exchange, posted }: SentExchange): Observation | undefined {
    const { protocol } = this.#learned;
    const { question } = exchange;
    exchange.clash = findClash(exchange.body, question, protocol.profile.http, (at) =>
      isSame(question, posted.body, at),
    );
    const first = readBy(firstStages, exchange);
    return first === undefined || first.verdict !== undefined ? first : this.#redact(first);
  }

  /** Sends a message with times of the server's clock, and sends it again if the answer shows that this clock was misjudged. */
  async #send(asked: Question, signal: AbortSignal): Promise<SentExchange | undefined> {
    const { protocol, requests, patientPool, credentials } = this.#learned;
    const { route, isWrapped } = this.routeFor(asked.document);
    if (route === undefined) return undefined;
    const { http, sender } = protocol.profile;
    const { agent, refusedWhen } = this.#options;
    const question = questionFrom(agent, asked, sender);
    const knownTime = this.#serverClock.time();
    let time = typeof knownTime === "number" ? knownTime : await knownTime;
    let posted = requests.written(question, route, isWrapped, time);
    let request = requests.requestFor(question, route, posted.body);
    // These further requests have fresh values even for members that the vector keeps.
    const withOtherSeed = (number: number): Question => ({ ...question, keep: [], seed: question.seed + number });
    const requestWithOtherSeed = (number: number, otherQuestion = withOtherSeed(number)): Request =>
      requests.requestFor(question, route, requests.written(otherQuestion, route, isWrapped, time).body, number);
    const intrusion = credentials?.of({ route, request, signal, another: requestWithOtherSeed });
    const keyed: KeyedRequest = {
      question,
      route,
      signal,
      request: (data, number) =>
        requestWithOtherSeed(keyNumber + number, { ...withOtherSeed(keyNumber + number), data }),
    };
    if (intrusion !== undefined) await intrusion.before();
    let response = await patientPool.ask(request, signal);
    if (this.#serverClock.isMistaken(time, question, response)) {
      time = await this.#serverClock.time();
      posted = requests.written({ ...question, seed: question.seed + 1 }, route, isWrapped, time);
      request = requests.requestFor(question, route, posted.body);
      response = await patientPool.ask(request, signal);
    }
    const isShown = this.#isShown;
    const asker = sender === undefined ? undefined : { question, agent, sender, isShown, hasTaken: this.#hasAccepted };
    const { isRight: isSealed, ignorable } = posted;
    const exchange = readExchange({ question, route, http, response, asker, isSealed, ignorable, refusedWhen });
    return { request, exchange, posted, intrusion, keyed };
  }

  /** Completes the observation with all stages, and with the exchange for the report. */
  #conclude(sent: SentExchange): Observation | Promise<Observation> {
    const { exchange } = sent;
    const { response, route } = exchange;
    exchange.absent = response.status === 404 ? this.#absence.adviceFor(route.path) : undefined;
    exchange.elsewhere = this.#absence.elsewhere;
    exchange.areGiven = this.#learned.credentials?.areGiven(route);
    const observation = readBy(laterStages, exchange) as Observation;
    if (observation.verdict === "accepted" || isIgnorable(observation)) this.#hasAccepted = true;
    if (observation.verdict !== undefined) return this.#toAnswer(sent, observation, exchange.breach);
    if (observation.kind !== "about-state" || observation.unless !== undefined) return this.#redact(observation);
    return this.#withRefusal(sent, observation);
  }

  /** Adds to an answer about state how it reads as a refusal, in case the server refuses in this way. */
  async #withRefusal(sent: SentExchange, observation: AboutState): Promise<AboutState> {
    const { exchange } = sent;
    const { response, route } = exchange;
    const refusalMeaning = readRefusal({ ...exchange, isSealed: false });
    const safeObservation = this.#redact(observation);
    if (refusalMeaning.verdict === undefined) return safeObservation;
    // As a refusal, the status must be listed in the document.
    const breach = await this.#learned.answers?.breach(response, route, true);
    return { ...safeObservation, refusal: this.#toAnswer(sent, refusalMeaning, breach) };
  }

  #toAnswer(
    { request, exchange: { limit, response } }: SentExchange,
    answer: TargetAnswer,
    breach: AnswerBreach | undefined,
  ): TargetAnswer {
    const { address, hider, redactor } = this.#options;
    return {
      ...answer,
      ...(limit === undefined ? {} : { over: limit }),
      // Computed only for a report.
      get exchange() {
        return exchangeOf(address, request, response, redactor);
      },
      ...(breach === undefined ? {} : { breach: { ...breach, message: hider.text(breach.message) } }),
    };
  }

  #redact<T extends Unanswered>(observation: T): T {
    const { hider } = this.#options;
    const { why, cause } = observation;
    const safe: T = { ...observation, why: hider.text(why), cause: hideInCause(cause, hider) };
    if (safe.kind === "broken") safe.breach = { ...safe.breach, message: hider.text(safe.breach.message) };
    return safe;
  }
}

/** The number from which requests about keys are counted, so that their fresh values differ from the values in requests about credentials. */
const keyNumber = 1000;

const unbegun =
  "no part of the stream came in time, perhaps because nothing happens: whether it was accepted is unknown";

function notSent({ document }: Question): Observation {
  return unavailableOf(new TargetFailure("errored", "send", skipUnreachable(document).why));
}

/** Whether the server accepted a message that it may ignore. */
function isIgnorable(observation: Observation): boolean {
  return observation.verdict === undefined && observation.cause.kind === "ignorable";
}
