import {
  type AboutState,
  type AnswerBreach,
  type Endpoint,
  type Observation,
  observationIn,
  type Posted,
  type Protocol,
  type Question,
  type TargetAnswer,
  TargetFailure,
  type Unanswered,
  type UntestedRule,
  unavailable,
} from "../../../schemas/index.ts";
import { anonymous, askedBy } from "../../http/identity.ts";
import type { Request, Response } from "../../http/send.ts";
import { hiddenIn } from "../../results/heard.ts";
import { type Absence, absenceOf } from "./absent.ts";
import { type Ahead, aheadOf } from "./ahead.ts";
import { clashIn, refusal } from "./answer.ts";
import { closerOf } from "./closing.ts";
import type { Intrusion } from "./credentials.ts";
import { exchangeOf } from "./exchange.ts";
import type { Read } from "./exchanged.ts";
import { fittingsOf } from "./fitting.ts";
import { isSame } from "./fresh-text.ts";
import { type Learned, learn, type SessionOptions } from "./learned.ts";
import { PatientPool } from "./patient.ts";
import { firstStages, laterStages, readBy, taken } from "./reading.ts";
import type { Requests } from "./requests.ts";
import { nowhere, type Way, waysOf, whyNowhere } from "./route.ts";
import { signerFor } from "./signer.ts";

/** A message on its way: what was sent, and what came back. */
interface Sent {
  request: Request;
  response: Response;
  posted: Posted;
  /** What is tried without the right credentials. */
  intrusion: Intrusion | undefined;
}

/** One protocol asked of one server, from its opening on. */
export class HttpSession {
  readonly #options: SessionOptions;
  readonly #learned: Learned;
  readonly #ahead: Ahead;
  readonly #absence: Absence;
  readonly #close: ReturnType<typeof closerOf>;
  /** Whether credentials of any kind are sent. */
  readonly #isShown: boolean;
  /** Whether a message was taken: then the credentials are right. */
  #hasTaken = false;

  private constructor(options: SessionOptions, learned: Learned) {
    const { address, own, endpoints, now, clock } = options;
    const { protocol, requests, line } = learned;
    this.#options = options;
    this.#learned = learned;
    this.#ahead = aheadOf(now, clock);
    this.#absence = absenceOf(protocol.profile.http, address, endpoints);
    const { pool, hurried: ask } = line;
    const ways = { pool, origin: address.origin, headers: requests.headers, pathTo: requests.pathTo, ask };
    this.#close = closerOf(protocol.profile.http.closing, ways);
    this.#isShown = Object.keys(anonymous(own)).length < Object.keys(own).length;
  }

  /** Connects, and learns what is to be known beforehand: who the server is, and how much it takes. */
  static async open(protocol: Protocol, options: SessionOptions): Promise<HttpSession> {
    const { address, endpoints, now } = options;
    const { profile } = protocol;
    const ways = waysOf(protocol, endpoints);
    // What those of the package want fresh fits their schemas.
    const fittings = protocol.foreign === true ? await fittingsOf(protocol, now()) : new Map();
    const signer = await signerFor(protocol);
    const { Pool } = await import("undici");
    const line = new PatientPool(new Pool(address.origin, { pipelining: 1 }), now, profile.http.later);
    try {
      const learned = await learn(protocol, options, { line, ways, signer, fittings });
      return new HttpSession(options, learned);
    } catch (failure) {
      await line.pool.destroy();
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
    return this.#learned.line.isHeld();
  }

  wayOf({ name }: Question["document"]): Way {
    return this.#learned.ways.get(name) ?? nowhere;
  }

  untested(): UntestedRule[] {
    return this.#learned.credentials?.untested() ?? [];
  }

  async close(): Promise<void> {
    await this.#learned.line.pool.destroy();
  }

  /** What the server makes of a question. Throws a TouchstoneError where it lets nobody in. */
  async check(asked: Question, signal: AbortSignal): Promise<Observation> {
    try {
      return this.#hidden(await this.#observed(asked, signal));
    } catch (failure) {
      const observation = observationIn(failure);
      if (observation !== undefined) return this.#hidden(observation);
      if (failure instanceof Error) failure.message = this.#options.hidden.text(failure.message);
      throw failure;
    }
  }

  async #observed(asked: Question, signal: AbortSignal): Promise<Observation> {
    const { protocol, answers, credentials, limits } = this.#learned;
    const { http, sender } = protocol.profile;
    const { route, isWrapped } = this.wayOf(asked.document);
    if (route === undefined) return unavailable(new TargetFailure("errored", "send", whyNowhere(asked.document).why));
    const question = askedBy(this.#options.agent, asked, sender);
    const sent = await this.#sent(question, route, isWrapped, signal);
    const { response, posted, intrusion } = sent;
    await this.#close?.(response);
    const { agent } = this.#options;
    const asker =
      sender === undefined ? undefined : { question, agent, sender, isShown: this.#isShown, hasTaken: this.#hasTaken };
    const exchange = taken({
      question,
      route,
      http,
      response,
      isSealed: posted.isRight,
      ignorable: posted.ignorable,
      asker,
    });
    exchange.clash = clashIn(exchange.body, question, http, (at) => isSame(question, posted.body, at));
    const first = readBy(firstStages, exchange);
    if (first !== undefined) return first;
    const open = await intrusion?.after(response);
    const wrong = await answers?.breach(response, route);
    exchange.breach = wrong?.level === "MUST" ? wrong : (open ?? wrong);
    exchange.limit = await limits.over(posted.body, response);
    exchange.absent = response.status === 404 ? this.#absence.of(route.path) : undefined;
    exchange.elsewhere = this.#absence.elsewhere;
    exchange.areGiven = credentials?.areGiven(route);
    return this.#told(exchange, sent, readBy(laterStages, exchange) as Observation);
  }

  /** Sends a message as the server wants it: with times of its clock, and again once that is known. */
  async #sent(question: Question, route: Endpoint, isWrapped: boolean, signal: AbortSignal): Promise<Sent> {
    const { requests, line, credentials } = this.#learned;
    const known = this.#ahead.time();
    let time = typeof known === "number" ? known : await known;
    let posted = requests.written(question, route, isWrapped, time);
    let request = requests.requestFor(question, route, posted.body);
    // Whatever the vector keeps as it is, another message is taken beside it.
    const other = (number: number): Question => ({ ...question, keep: [], seed: question.seed + number });
    const another = (number: number): Request["body"] =>
      requests.requestFor(question, route, requests.written(other(number), route, isWrapped, time).body).body;
    const intrusion = credentials?.of({ route, request, signal, another });
    await intrusion?.before();
    let response = await line.ask(request, signal);
    if (this.#ahead.isMistaken(time, question, response)) {
      time = await this.#ahead.time();
      posted = requests.written({ ...question, seed: question.seed + 1 }, route, isWrapped, time);
      request = requests.requestFor(question, route, posted.body);
      response = await line.ask(request, signal);
    }
    return { request, response, posted, intrusion };
  }

  /** An observation with what a report shows of it. */
  async #told(exchange: Read, sent: Sent, observation: Observation): Promise<Observation> {
    const { response, route } = exchange;
    if (observation.verdict === "accepted" || isIgnorable(observation)) this.#hasTaken = true;
    if (observation.verdict !== undefined) return this.#answered(exchange, sent, observation, exchange.breach);
    if (observation.kind !== "about-state") return observation;
    const meant = refusal({ ...exchange, isSealed: false });
    if (meant.verdict === undefined) return observation;
    // If it is its way to refuse, the status has to be among those that are named.
    const breach = await this.#learned.answers?.breach(response, route, true);
    const state: AboutState = { ...observation, refusal: this.#answered(exchange, sent, meant, breach) };
    return state;
  }

  #answered({ limit }: Read, sent: Sent, answer: TargetAnswer, breach: AnswerBreach | undefined): TargetAnswer {
    const { address, hidden, hide } = this.#options;
    return {
      ...answer,
      ...(limit === undefined ? {} : { over: limit }),
      // Asked for only where a report shows it.
      get exchange() {
        return exchangeOf(address, sent.request, sent.response, hide);
      },
      ...(breach === undefined ? {} : { breach: { ...breach, message: hidden.text(breach.message) } }),
    };
  }

  #hidden(observation: Observation): Observation {
    if (observation.verdict !== undefined) return observation;
    const { hidden } = this.#options;
    const { why, cause } = observation;
    const told: Unanswered = { ...observation, why: hidden.text(why), cause: hiddenIn(cause, hidden) };
    if (told.kind === "broken") told.breach = { ...told.breach, message: hidden.text(told.breach.message) };
    return told;
  }
}

/** Whether a message was accepted that may be ignored. */
function isIgnorable(observation: Observation): boolean {
  return observation.verdict === undefined && observation.cause.kind === "ignorable";
}
