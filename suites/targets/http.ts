import type { Pool } from "undici";
import {
  type Answer,
  type Doors,
  type Endpoint,
  type Post,
  type Posted,
  type Protocol,
  type Question,
  type Signer,
  type Target,
  type TargetAnswer,
  type TargetBreach,
  TargetFailure,
  TargetMemory,
  TargetSkip,
  TargetState,
} from "../../schemas/index.ts";
import { addressOf, probe } from "../http/address.ts";
import { headersFrom } from "../http/headers.ts";
import { anonymous, askedBy } from "../http/identity.ts";
import { oneEach, redactor } from "../http/redact.ts";
import { type Request, type Response, send } from "../http/send.ts";
import { hiddenIn } from "../results/heard.ts";
import { hider, secretsIn } from "../secrets/index.ts";
import { neverAsked } from "../text/skips.ts";
import { atOnce } from "./at-once.ts";
import { type Absence, absenceOf } from "./http/absent.ts";
import { refusedAccess } from "./http/access.ts";
import { type Ahead, aheadOf } from "./http/ahead.ts";
import { answerFrom, clashIn, isAccess, refusalFrom, unreadYaml } from "./http/answer.ts";
import type { AnswerJudge } from "./http/answered.ts";
import { bodyOf } from "./http/body.ts";
import { closerOf } from "./http/closing.ts";
import { givenNames, withGiven } from "./http/cookies.ts";
import { type CredentialCheck, credentialCheck } from "./http/credentials.ts";
import { refuseUnrelated } from "./http/described.ts";
import { doorsOf } from "./http/doors.ts";
import { exchangeOf } from "./http/exchange.ts";
import { fittingsOf } from "./http/fitting.ts";
import type { Fitting } from "./http/fresh.ts";
import { isSame } from "./http/fresh-text.ts";
import { mistaken } from "./http/intake.ts";
import { letterOf } from "./http/letter.ts";
import { type Limits, limitsOf } from "./http/limits.ts";
import { addressed, unwritable, withQuery } from "./http/parameters.ts";
import { checkEndpoints, type Endpoints, misplacedText, nowhere, type Way, waysOf, whyNowhere } from "./http/route.ts";
import { signerFor } from "./http/signer.ts";
import { lineOf, pause, waitOf } from "./http/wait.ts";

export interface HttpOptions {
  url: string;
  /** Sent with every request and never shown. */
  headers?: Readonly<Record<string, string>>;
  endpoints?: Endpoints;
  /** Whose the credential is: the sender of messages. */
  agent?: string;
  /** By what messages name the server as their recipient. */
  identity?: string;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** The server's own time in milliseconds since the epoch, where there is a way to ask for it. */
  clock?: () => Promise<number>;
}

/** A live server. Nothing but its address is contacted: no proxy is asked and no redirect followed. */
export function httpTarget(options: HttpOptions): Target {
  const { url, headers: own = {}, endpoints = {}, agent, identity, now = Date.now } = options;
  const address = addressOf(url);
  const secrets = { ...address.headers, ...own };
  const known = secretsIn({ url, headers: secrets });
  const hidden = hider(known);
  const hide = redactor(secrets, hidden);
  let protocol: Protocol | undefined;
  let headers: Record<string, string> = {};
  let pool: Pool | undefined;
  let signer: Signer | undefined;
  let post: Post | undefined;
  let answers: AnswerJudge | undefined;
  let limits: Limits | undefined;
  let close: ReturnType<typeof closerOf>;
  let credentials: CredentialCheck | undefined;
  let ways = new Map<string, Way>();
  let fittings = new Map<string, Fitting>();
  let hasTaken = false;
  let absence: Absence | undefined;
  const line = lineOf();
  const ahead: Ahead = aheadOf(now, options.clock);

  const wayOf = ({ name }: Question["document"]): Way => ways.get(name) ?? nowhere;

  const pathTo = (path: string): string => `${address.prefix}${path}${address.search}`;

  const requestFor = (question: Question, route: Endpoint, body: Posted["body"]): Request => {
    if (route.parameters === undefined && route.type === undefined) {
      const own = question.yaml === true ? { ...headers, "content-type": "application/yaml" } : headers;
      return { method: route.method, path: pathTo(route.path), headers: own, body };
    }
    const { path, query, headers: more } = addressed(route, question.data);
    const { "content-type": type = "", ...others } = headers;
    const hasBody = route.carries === undefined || route.given?.body !== undefined;
    const media = question.yaml === true ? "application/yaml" : (route.type ?? type);
    return {
      method: route.method,
      path: withQuery(pathTo(path), query),
      headers: { ...withGiven(more, others), ...(hasBody ? { "content-type": media } : {}) },
      body: route.carries === undefined ? body : hasBody ? JSON.stringify(route.given?.body) : null,
    };
  };

  /** An endpoint with statuses of its own checks documents, whoever they are for. */
  const postTo = ({ accepted, rejected }: Endpoint): Post | undefined =>
    accepted === undefined && rejected === undefined ? post : undefined;

  const written = (question: Question, route: Endpoint, isWrapped: boolean, time: number): Posted => {
    const to = postTo(route);
    if (to !== undefined) return to.write(letterOf(question, isWrapped, time));
    const fitting = fittings.get(question.document.name);
    return { body: bodyOf(question, isWrapped, time, signer?.sign, fitting), isRight: false };
  };

  const doorsTo = (path?: string, sent = patiently): Doors =>
    doorsOf((request) => sent(request, AbortSignal.timeout(10_000)), headers, pathTo, path);

  /** A receiver of its own identity is met where the protocol's messages come in. */
  const met = async (opened: Protocol): Promise<Post | undefined> => {
    const intake = opened.profile.documents.find(({ name }) => {
      const route = ways.get(name)?.route;
      return route?.method === "POST" && route.accepted === undefined;
    });
    if (signer?.meet === undefined || intake === undefined) return undefined;
    return signer.meet(doorsTo(ways.get(intake.name)?.route?.path), identity);
  };

  const ask = async (request: Request, signal: AbortSignal): Promise<Response> => {
    if (pool === undefined) throw new TargetFailure("errored", "send", "the target is not open");
    const { status, headers, body } = await send(pool, request, signal);
    return { status, headers: oneEach(headers), body };
  };

  const patiently = async (request: Request, signal: AbortSignal): Promise<Response> => {
    if (line.isHeld()) await line.held();
    let leave: (() => void) | undefined;
    let waited = 0;
    try {
      for (let retries = 0; ; retries++) {
        const response = await ask(request, signal);
        const limit = await limits?.room?.mayWait(response, retries, request.body);
        const wait = waitOf(response, retries, now(), protocol?.profile.http.later);
        line.mayWait(response, wait, waited);
        if (wait === undefined) return response;
        waited += wait;
        leave ??= line.join();
        await pause({ ...response, limit }, wait, signal);
      }
    } finally {
      leave?.();
    }
  };

  const discreet = (failure: unknown): never => {
    if (failure instanceof Error) failure.message = hidden.text(failure.message);
    if (failure instanceof TargetFailure || failure instanceof TargetSkip)
      failure.because = failure.because && hiddenIn(failure.because, hidden);
    throw failure;
  };

  const check = async (asked: Question, signal: AbortSignal): Promise<TargetAnswer> => {
    const { route, isWrapped } = wayOf(asked.document);
    if (protocol === undefined) throw new TargetFailure("errored", "send", "the target is not open");
    if (route === undefined) throw new TargetFailure("errored", "send", whyNowhere(asked.document).why);
    const question = askedBy(agent, asked, protocol.profile.sender);
    const told = ahead.time();
    let time = typeof told === "number" ? told : await told;
    let posted = written(question, route, isWrapped, time);
    let request = requestFor(question, route, posted.body);
    // Whatever the vector keeps as it is, another message is taken beside it.
    const other = (number: number): Question => ({ ...question, keep: [], seed: question.seed + number });
    const another = (number: number): Request["body"] =>
      requestFor(question, route, written(other(number), route, isWrapped, time).body).body;
    const intrusion = credentials?.of({ route, request, signal, another });
    await intrusion?.before();
    let response = await patiently(request, signal);
    if (ahead.isMistaken(time, question, response)) {
      time = await ahead.time();
      posted = written({ ...question, seed: question.seed + 1 }, route, isWrapped, time);
      request = requestFor(question, route, posted.body);
      response = await patiently(request, signal);
    }
    await close?.(response);
    const { http, sender } = protocol.profile;
    const clash = clashIn(response, question, http, (at) => isSame(question, posted.body, at));
    if (clash !== undefined) throw new TargetMemory(clash);
    if (sender !== undefined && isAccess(response, route, http)) {
      const isShown = Object.keys(anonymous(secrets)).length < Object.keys(secrets).length;
      throw refusedAccess(response, { question, agent, sender, isShown, hasTaken });
    }
    const open = await intrusion?.after(response);
    const wrong = await answers?.breach(response, route);
    const breach = wrong?.level === "MUST" ? wrong : (open ?? wrong);
    const limit = await limits?.over(posted.body, response);
    if (limit !== undefined && response.status === 413) throw new TargetSkip(limit, { kind: "limit" });
    const answered = (answer: Answer, against: TargetBreach | undefined): TargetAnswer => ({
      ...answer,
      ...(limit === undefined ? {} : { over: limit }),
      // Asked for only where a report shows it.
      get exchange() {
        return exchangeOf(address, request, response, hide);
      },
      ...(against === undefined
        ? {}
        : { breach: { rule: against.rule, level: against.level, message: hidden.text(against.message) } }),
    });
    try {
      const answer = read(response, route, posted.isRight, breach);
      hasTaken ||= answer.verdict === "accepted";
      if (answer.verdict === "accepted" && posted.ignorable !== undefined)
        throw new TargetSkip(posted.ignorable, { kind: "ignorable" });
      return answered(answer, breach);
    } catch (failure) {
      const refusal = failure instanceof TargetState ? refusalFrom(response, route, http) : undefined;
      if (failure instanceof TargetState && refusal !== undefined)
        failure.refusal = answered(refusal, await answers?.breach(response, route, true));
      throw unreadYaml(failure, question, response);
    }
  };

  /** What is wrong with an answer counts also where the answer says nothing about the question. */
  const read = (response: Response, route: Endpoint, isRight: boolean, breach: TargetBreach | undefined) => {
    try {
      const { http } = (protocol as Protocol).profile;
      refuseUnrelated(response, route, http, {
        elsewhere: absence?.elsewhere,
        areGiven: credentials?.areGiven(route),
      });
      return answerFrom(response, route, http, isRight, absence?.of(route.path));
    } catch (failure) {
      throw breach?.level === "MUST" ? breach : failure;
    }
  };

  return {
    kind: "http",
    name: address.shown,
    secrets: known,
    claims: undefined,
    concurrency: atOnce.http,
    isHeld: line.isHeld,
    get perMinute() {
      return limits?.perMinute;
    },
    async open(opened) {
      protocol = opened;
      checkEndpoints(endpoints, opened, address);
      absence = absenceOf(opened.profile.http, address, endpoints);
      ways = waysOf(opened, endpoints);
      headers = headersFrom(opened.profile.http.headers, secrets);
      await probe(address);
      // What those of the package want fresh fits their schemas.
      if (opened.foreign) fittings = await fittingsOf(opened, now());
      signer = await signerFor(opened);
      const { Pool } = await import("undici");
      pool = new Pool(address.origin, { pipelining: 1 });
      if (opened.profile.documents.some(({ endpoint }) => endpoint?.described !== undefined)) {
        const { answerJudge } = await import("./http/answered.ts");
        answers = answerJudge(opened);
        credentials = credentialCheck({
          own: secrets,
          profile: opened.profile.http.headers ?? {},
          search: address.search,
          ask: patiently,
          judge: answers,
        });
      }
      post = await met(opened);
      // Room is asked for while others wait, who go first.
      limits = await limitsOf(opened.profile, doorsTo().read, doorsTo(undefined, ask).read);
      close = closerOf(opened.profile.http.closing, { pool, origin: address.origin, headers, pathTo, ask });
    },
    skips(question) {
      const { document, data } = question;
      const { route, isWrapped } = wayOf(document);
      if (route === undefined) return whyNowhere(document, protocol);
      const misplaced = misplacedText(route, question, isWrapped);
      if (misplaced !== undefined) return neverAsked(misplaced, "text");
      if (route.carries !== undefined && data !== undefined) {
        const why = unwritable(route, data, givenNames(own));
        if (why !== undefined) return why;
      }
      return mistaken(question, wayOf(document)) ?? postTo(route)?.skips(letterOf(question, isWrapped, now()));
    },
    check: (asked, signal) => check(asked, signal).catch(discreet),
    untested: () => credentials?.untested() ?? [],
    async close() {
      const open = pool;
      pool = undefined;
      await open?.destroy();
    },
  };
}
