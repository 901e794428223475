import type {
  AnswerCondition,
  Endpoint,
  Feature,
  Json,
  Protocol,
  Question,
  ReceiverConnection,
  Signer,
  Skip,
} from "../../../schemas/index.ts";
import type { Address } from "../../base/http/address.ts";
import { headersFrom } from "../../base/http/headers.ts";
import type { Redactor } from "../../base/http/redact.ts";
import type { Hider } from "../../base/secrets/index.ts";
import { documentsOf, findUnmetCondition, skipUnoffered } from "../../base/text/offered-features.ts";
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
  ownHeaders: Readonly<Record<string, string>>;
  endpoints: Endpoints;
  agent: string | undefined;
  identity: string | undefined;
  /** Names of headers and parameters that are configured as keys. */
  keys: readonly string[];
  /** Conditions of answers that count as refusals, in addition to the protocol's own. */
  refusedWhen: readonly AnswerCondition[];
  now: () => number;
  clock: (() => Promise<number>) | undefined;
  hider: Hider;
  redactor: Redactor;
}

/** Facts about a server that are learned before the first message. */
export interface Learned {
  protocol: Protocol;
  requests: Requests;
  patientPool: PatientPool;
  answers: AnswerJudge | undefined;
  named: NamedAnswerJudge | undefined;
  credentials: CredentialCheck | undefined;
  reuse: ReuseCheck | undefined;
  limits: ServerLimits;
  /** Rules that do not bind the server, according to its published documents. */
  unbound: ReadonlyMap<string, Skip>;
  /** Features that the server does not offer, according to its published documents. */
  unoffered: readonly UnofferedFeature[];
  routes: ReadonlyMap<string, DocumentRoute>;
}

/** The state before anything is learned about a server. */
export interface Ready extends Pick<Learned, "patientPool" | "routes"> {
  signer: Signer | undefined;
  fittings: ReadonlyMap<string, Fitting>;
  keys: Keys | undefined;
}

/** Learns the identity of a server, and its limits. */
export async function learnFacts(
  protocol: Protocol,
  options: HttpSessionOptions,
  { patientPool, routes, signer, fittings, keys }: Ready,
): Promise<Learned> {
  const { address, ownHeaders: own, identity } = options;
  const { profile } = protocol;
  const requests = new Requests(address, headersFrom(profile.http.headers, own), { signer, fittings, keys });
  let answers: AnswerJudge | undefined;
  let credentials: CredentialCheck | undefined;
  let reuse: ReuseCheck | undefined;
  if (profile.documents.some(({ endpoint }) => endpoint?.described !== undefined)) {
    const { answerJudge } = await import("./answer-judge.ts");
    answers = answerJudge(protocol);
    await answers.ready?.();
    reuse = reuseCheck(protocol, patientPool.ask);
    const { search } = address;
    credentials = credentialCheck({
      own,
      profile: profile.http.headers ?? {},
      search,
      ask: patientPool.ask,
      judge: answers,
    });
  }
  const connectReceiver = (path?: string, ask = patientPool.ask): ReceiverConnection =>
    receiverConnection((request) => ask(request, AbortSignal.timeout(10_000)), requests.headers, requests.pathTo, path);
  // A receiver with an identity of its own gets the messages at the protocol's intake.
  const intake = profile.documents.find(({ name }) => isIntake(routes.get(name)?.route));
  if (signer?.meet !== undefined && intake !== undefined)
    requests.post = await signer.meet(connectReceiver(routes.get(intake.name)?.route?.path), identity);
  // Limits are read without waiting, since other requests may be waiting already.
  const limits = await limitsOf(profile, connectReceiver().read, connectReceiver(undefined, patientPool.sendNow).read);
  patientPool.room = limits.room;
  const published = await readPublished(protocol, connectReceiver().read);
  const unbound = unboundRules(protocol, published);
  const unoffered = unofferedFeatures(protocol, published);
  const named = namedAnswerJudge(protocol);
  return { protocol, requests, patientPool, answers, named, credentials, reuse, limits, unbound, unoffered, routes };
}

/** Reads the documents that a server publishes about itself, by name, if a rule or a feature depends on them. */
export async function readPublished(
  { rules, profile: { http } }: Protocol,
  read: ReceiverConnection["read"],
): Promise<PublishedDocuments> {
  const published = new Map<string, Json | undefined>();
  for (const name of new Set([...rules, ...(http.features ?? [])].flatMap(documentsOf))) {
    const path = http.publishes?.[name];
    published.set(name, path === undefined ? undefined : await read(path));
  }
  return published;
}

type PublishedDocuments = ReadonlyMap<string, Json | undefined>;

/** Finds the rules that do not bind a server according to its published documents, with the reason. */
export function unboundRules({ rules }: Protocol, published: PublishedDocuments): ReadonlyMap<string, Skip> {
  const skips = rules.flatMap((rule) => {
    const skip = skipUnoffered(rule, published);
    return skip === undefined ? [] : [[rule.id, skip] as const];
  });
  return new Map(skips);
}

/** A feature that a server does not offer, and the reason not to send its messages. */
export interface UnofferedFeature {
  feature: Feature;
  skip: Skip;
}

/** Finds the features that a server does not offer. If the server publishes none of the documents on which a feature depends, the feature is unknown, and all its questions are sent. */
export function unofferedFeatures({ profile }: Protocol, published: PublishedDocuments): UnofferedFeature[] {
  return (profile.http.features ?? []).flatMap((feature) => {
    if (documentsOf(feature).every((name) => published.get(name) === undefined)) return [];
    const skip = skipUnoffered(feature, published);
    return skip === undefined ? [] : [{ feature, skip }];
  });
}

/** Returns the reason not to send a message if it needs a feature that the server does not offer. */
export function skipFeature(unoffered: readonly UnofferedFeature[], { document, data }: Question): Skip | undefined {
  const needed = unoffered.find(
    ({ feature: { documents, message } }) =>
      documents.includes(document.name) &&
      (message === undefined || (data !== undefined && findUnmetCondition(message, data, "") === undefined)),
  );
  return needed?.skip;
}

/** Whether the route receives the protocol's messages, rather than documents to be checked. */
function isIntake(route: Endpoint | undefined): boolean {
  return route?.method === "POST" && route.accepted === undefined;
}
