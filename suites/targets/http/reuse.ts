import {
  type AnswerBreach,
  brokenRule,
  type Document,
  type Endpoint,
  equal,
  type Json,
  type Protocol,
  type Question,
  type UntestedRule,
} from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";

/** Checks whether a server refuses the key of an earlier request with a different body, if its description says that it does. */
export interface ReuseCheck {
  /** Returns the breach after an accepted request. Only the first request of an operation is tried, and its result applies to all. */
  after(accepted: KeyedRequest): Promise<AnswerBreach | undefined>;
  /** Returns the rules without a verdict. */
  untested(): UntestedRule[];
}

/** An accepted request with a body. */
export interface KeyedRequest {
  question: Question;
  route: Endpoint;
  signal: AbortSignal;
  /** Creates a request with this body and renewed fresh values, which depend on a number from 1. */
  request(data: Json, number: number): Request;
}

interface ReuseFinding {
  breach?: AnswerBreach;
  untested?: string;
}

type AskRequest = (request: Request, signal: AbortSignal) => Promise<Response>;

/** The maximum number of bodies that are tried until the server accepts one. */
const maxBodies = 4;
const maxDraws = 24;

/** Creates the check, which sends its requests once per operation. Undefined if no operation describes the treatment of a repeated key. */
export function reuseCheck(protocol: Protocol, ask: AskRequest): ReuseCheck | undefined {
  const { documents } = protocol.profile;
  if (!documents.some(({ endpoint }) => endpoint?.described?.reuse !== undefined)) return undefined;
  const operations = new Map<string, Promise<ReuseFinding>>();
  const notes = new Map<string, string>();
  return {
    async after({ question, route, signal, request }) {
      const { reuse } = route.described ?? {};
      if (reuse === undefined || route.carries !== undefined || question.data === undefined) return undefined;
      const { rule, header, statuses } = reuse;
      const ownData = question.data;
      const findBreach = async (): Promise<ReuseFinding> => {
        const operation = `${route.method} ${route.path}`;
        const send = (keyedRequest: Request): Promise<Response | undefined> =>
          ask(keyedRequest, signal).catch(() => undefined);
        let number = 0;
        const nextRequest = (data: Json): Request => request(data, ++number);
        for (const otherBody of await otherBodiesOf(protocol, question.document, ownData)) {
          const firstRequest = nextRequest(otherBody);
          const key = firstRequest.headers[header];
          if (key === undefined || !isSuccess(await send(firstRequest))) continue;
          const secondRequest = nextRequest(ownData);
          const response = await send({ ...secondRequest, headers: { ...secondRequest.headers, [header]: key } });
          if (response === undefined || response.status >= 500) break;
          if (!isSuccess(response)) return {};
          const problem = `${operation} with the key of another body is answered with HTTP ${response.status}`;
          const sentence = `${problem}, and the document has HTTP ${statuses.join(" or ")} for that (tried once, and counted for each accepted request of the operation)`;
          return { breach: brokenRule(rule, sentence, "SHOULD") };
        }
        return {
          untested: `no two different bodies of ${operation} were accepted, so that no key could be used twice`,
        };
      };
      const knownOperation = operations.get(rule) ?? findBreach();
      operations.set(rule, knownOperation);
      const { breach, untested } = await knownOperation;
      if (untested !== undefined) notes.set(rule, untested);
      return breach;
    },
    untested: () => [...notes].map(([rule, why]) => ({ rule, why })),
  };
}

function isSuccess(response: Response | undefined): response is Response {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Returns valid bodies other than this one, beginning with those in the description. */
async function otherBodiesOf(protocol: Protocol, { schema, samples = [] }: Document, ownData: Json): Promise<Json[]> {
  const { compileModel, isValid, randomFrom, samplerFor } = await import("../../../generators/index.ts");
  const model = await compileModel(protocol.schemas, schema);
  const sampler = samplerFor(model);
  const random = randomFrom(1);
  const otherBodies: Json[] = [];
  const addIfNew = (candidate: Json): void => {
    if (isValid(model, candidate) && ![ownData, ...otherBodies].some((known) => equal(known, candidate)))
      otherBodies.push(candidate);
  };
  for (const sample of samples) addIfNew(sample);
  for (let draw = 0; draw < maxDraws && otherBodies.length < maxBodies; draw += 1) addIfNew(sampler.next(random));
  return otherBodies.slice(0, maxBodies);
}
