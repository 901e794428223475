import {
  type Document,
  type Endpoint,
  type Protocol,
  type Question,
  type Target,
  TargetFailure,
  unavailableOf,
} from "../../schemas/index.ts";
import { referenceName } from "../base/text/reference-name.ts";
import { defaultConcurrency } from "./at-once.ts";
import { httpTarget } from "./http.ts";
import { openBatcher, type QuestionBatcher } from "./lines.ts";

/** Starts the reference service of a protocol on an ephemeral loopback port. */
export type StartReference = (protocol: Protocol, options: { variant?: string }) => Promise<StartedReference>;

interface StartedReference {
  url: string;
  /** The path at which the service judges many documents per request. */
  lines?: string;
  close(): Promise<void>;
}

/** Creates a target for the package's reference implementation, or a broken variant of it, over loopback HTTP. */
export function referenceTarget(variant?: string, start: StartReference = startBuiltIn): Target {
  let service: StartedReference | undefined;
  let client: Target | undefined;
  let directClient: Target | undefined;
  let lines: QuestionBatcher | undefined;
  /** Documents without an endpoint in the protocol go to an endpoint of the reference. */
  const clientFor = (question: Question): Target | undefined =>
    client?.skips(question) === undefined ? client : directClient;
  return {
    kind: "reference",
    name: referenceName(variant),
    claims: undefined,
    concurrency: defaultConcurrency.reference,
    async open(protocol) {
      service = await start(protocol, variant === undefined ? {} : { variant });
      const { documents } = protocol.profile;
      client = httpTarget({
        url: service.url,
        endpoints: endpointsByName(
          documents.filter(({ endpoint }) => endpoint === undefined || protocol.foreign === true),
        ),
      });
      directClient = httpTarget({ url: service.url, endpoints: endpointsByName(documents) });
      try {
        await client.open(protocol);
        await directClient.open(protocol);
        if (service.lines !== undefined) lines = await openBatcher(service.url, service.lines);
      } catch (error) {
        await service.close();
        throw error;
      }
    },
    skips: (question) => clientFor(question)?.skips(question),
    async check(question, signal) {
      const questionClient = clientFor(question);
      if (lines !== undefined && (questionClient === directClient || isJudgedOnly(question.document)))
        return lines.ask(question, signal);
      if (questionClient === undefined)
        return unavailableOf(new TargetFailure("errored", "send", "the reference is not open"));
      return questionClient.check(question, signal);
    },
    async close() {
      const running = service;
      service = undefined;
      await client?.close();
      await directClient?.close();
      await lines?.close();
      await running?.close();
    },
  };
}

/** Whether a server only judges the document: it has no endpoint in the protocol, or an endpoint with its own statuses. */
function isJudgedOnly({ endpoint }: Document): boolean {
  return endpoint === undefined || endpoint.accepted !== undefined || endpoint.rejected !== undefined;
}

/** Returns the reference's own endpoint for each document: it accepts every document by name, in addition to the protocol's endpoints. */
function endpointsByName(documents: readonly Document[]): Record<string, Endpoint> {
  return Object.fromEntries(
    documents.map(({ name }) => [
      name,
      { method: "POST", path: `/documents/${encodeURIComponent(name)}`, accepted: [200], rejected: [422, 400] },
    ]),
  );
}

const startBuiltIn: StartReference = async (protocol, options) => {
  const { startReference } = await import("../packs/reference/index.ts");
  const { referenceOf } = await import("../packs/pack/load.ts");
  const served = await startReference(await referenceOf(protocol), options);
  // A variant gets a request for each message, so that reports can show each message and answer.
  return { ...served, ...(options.variant === undefined ? { lines: "/documents" } : {}) };
};
