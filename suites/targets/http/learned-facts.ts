import type {
  AnswerCondition,
  Endpoint,
  Json,
  Protocol,
  ReceiverConnection,
  Signer,
  Skip,
} from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import { headersFrom } from "../../base/http/headers.ts";
import type { Redactor } from "../../base/http/redact.ts";
import type { Hider } from "../../base/secrets/index.ts";
import { documentsOf, skipUnoffered } from "../../base/text/offered-features.ts";
import type { AnswerJudge } from "./answer-judge.ts";
import { type CredentialCheck, credentialCheck } from "./credentials.ts";
import type { Fitting } from "./fresh-values.ts";
import type { Keys } from "./keys.ts";
import { limitsOf, type ServerLimits } from "./limits.ts";
import { type NamedAnswerJudge, namedAnswerJudge } from "./named-answers.ts";
import type { PatientPool } from "./patient-pool.ts";
import { receiverConnection } from "./receiver-connection.ts";
import { Requests } from "./requests.ts";
import { type ReuseCheck, reuseCheck } from "./reuse.ts";
import type { DocumentRoute, Endpoints } from "./route.ts";

/** The options of a session. */
export interface HttpSessionOptions {
  address: Address;
  /** The user's own headers, with those of the address. */
  own: Readonly<Record<string, string>>;
  endpoints: Endpoints;
  agent: string | undefined;
  identity: string | undefined;
  /** Names of headers and parameters that are configured as keys. */
  keys: readonly string[];
  /** Answers that refuse, in addition to those of the protocol. */
  refusedWhen: readonly AnswerCondition[];
  now: () => number;
  clock: (() => Promise<number>) | undefined;
  hidden: Hider;
  hide: Redactor;
}

/** Facts about a server that are learned before the first message. */
export interface Learned {
  protocol: Protocol;
  requests: Requests;
  line: PatientPool;
  answers: AnswerJudge | undefined;
  named: NamedAnswerJudge | undefined;
  credentials: CredentialCheck | undefined;
  reuse: ReuseCheck | undefined;
  limits: ServerLimits;
  /** Rules that do not bind the server, according to its published documents. */
  unbound: ReadonlyMap<string, Skip>;
  ways: ReadonlyMap<string, DocumentRoute>;
}

/** The state before anything is learned about a server. */
export interface Ready extends Pick<Learned, "line" | "ways"> {
  signer: Signer | undefined;
  fittings: ReadonlyMap<string, Fitting>;
  keys: Keys | undefined;
}

/** Learns the identity of a server, and its limits. */
export async function learnFacts(
  protocol: Protocol,
  options: HttpSessionOptions,
  { line, ways, signer, fittings, keys }: Ready,
): Promise<Learned> {
  const { address, own, identity } = options;
  const { profile } = protocol;
  const requests = new Requests(address, headersFrom(profile.http.headers, own), { signer, fittings, keys });
  let answers: AnswerJudge | undefined;
  let credentials: CredentialCheck | undefined;
  let reuse: ReuseCheck | undefined;
  if (profile.documents.some(({ endpoint }) => endpoint?.described !== undefined)) {
    const { answerJudge } = await import("./answer-judge.ts");
    answers = answerJudge(protocol);
    await answers.ready?.();
    reuse = reuseCheck(protocol, line.ask);
    const { search } = address;
    credentials = credentialCheck({
      own,
      profile: profile.http.headers ?? {},
      search,
      ask: line.ask,
      judge: answers,
    });
  }
  const connectReceiver = (path?: string, ask = line.ask): ReceiverConnection =>
    receiverConnection((request) => ask(request, AbortSignal.timeout(10_000)), requests.headers, requests.pathTo, path);
  // A receiver with its own identity is asked at the intake of the protocol's messages.
  const intake = profile.documents.find(({ name }) => isIntake(ways.get(name)?.route));
  if (signer?.meet !== undefined && intake !== undefined)
    requests.post = await signer.meet(connectReceiver(ways.get(intake.name)?.route?.path), identity);
  // Limits are read without waiting, since other requests may be waiting already.
  const limits = await limitsOf(profile, connectReceiver().read, connectReceiver(undefined, line.hurried).read);
  line.room = limits.room;
  const unbound = await unboundRules(protocol, connectReceiver().read);
  const named = namedAnswerJudge(protocol);
  return { protocol, requests, line, answers, named, credentials, reuse, limits, unbound, ways };
}

/** The rules that do not bind a server according to the documents that it publishes about itself, with the reason. Reads only documents on which a rule depends. */
export async function unboundRules(
  { rules, profile: { http } }: Protocol,
  read: ReceiverConnection["read"],
): Promise<ReadonlyMap<string, Skip>> {
  const published = new Map<string, Json | undefined>();
  for (const name of new Set(rules.flatMap(documentsOf))) {
    const path = http.publishes?.[name];
    published.set(name, path === undefined ? undefined : await read(path));
  }
  const skips = rules.flatMap((rule) => {
    const skip = skipUnoffered(rule, published);
    return skip === undefined ? [] : [[rule.id, skip] as const];
  });
  return new Map(skips);
}

/** Whether the protocol's messages arrive there, rather than documents to be checked. */
function isIntake(route: Endpoint | undefined): boolean {
  return route?.method === "POST" && route.accepted === undefined;
}
