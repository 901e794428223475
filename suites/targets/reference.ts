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
import { atOnce } from "./at-once.ts";
import { httpTarget } from "./http.ts";
import { type LineSplitter, linesTo } from "./lines.ts";

/** Starts the reference service of a protocol on an ephemeral loopback port. */
export type StartReference = (protocol: Protocol, options: { variant?: string }) => Promise<Started>;

interface Started {
  url: string;
  /** The path at which it judges many documents per request. */
  lines?: string;
  close(): Promise<void>;
}

/** The package's reference implementation, or a broken variant of it, over loopback HTTP. */
export function referenceTarget(variant?: string, start: StartReference = builtIn): Target {
  let service: Started | undefined;
  let client: Target | undefined;
  let direct: Target | undefined;
  let lines: LineSplitter | undefined;
  /** A document without an endpoint in the protocol has one of the reference. */
  const askedBy = (question: Question): Target | undefined => (client?.skips(question) === undefined ? client : direct);
  return {
    kind: "reference",
    name: referenceName(variant),
    claims: undefined,
    concurrency: atOnce.reference,
    async open(protocol) {
      service = await start(protocol, variant === undefined ? {} : { variant });
      const { documents } = protocol.profile;
      client = httpTarget({
        url: service.url,
        endpoints: byName(documents.filter(({ endpoint }) => endpoint === undefined || protocol.foreign === true)),
      });
      direct = httpTarget({ url: service.url, endpoints: byName(documents) });
      try {
        await client.open(protocol);
        await direct.open(protocol);
        if (service.lines !== undefined) lines = await linesTo(service.url, service.lines);
      } catch (error) {
        await service.close();
        throw error;
      }
    },
    skips: (question) => askedBy(question)?.skips(question),
    async check(question, signal) {
      const referenceQuestion = askedBy(question);
      if (lines !== undefined && (referenceQuestion === direct || isJudgedOnly(question.document)))
        return lines.ask(question, signal);
      if (referenceQuestion === undefined)
        return unavailableOf(new TargetFailure("errored", "send", "the reference is not open"));
      return referenceQuestion.check(question, signal);
    },
    async close() {
      const running = service;
      service = undefined;
      await client?.close();
      await direct?.close();
      await lines?.close();
      await running?.close();
    },
  };
}

/** Whether a server only judges the document: no protocol has such an endpoint. */
function isJudgedOnly({ endpoint }: Document): boolean {
  return endpoint === undefined || endpoint.accepted !== undefined || endpoint.rejected !== undefined;
}

/** The reference accepts every document by its name, in addition to the protocol's own endpoints. */
function byName(documents: readonly Document[]): Record<string, Endpoint> {
  return Object.fromEntries(
    documents.map(({ name }) => [
      name,
      { method: "POST", path: `/documents/${encodeURIComponent(name)}`, accepted: [200], rejected: [422, 400] },
    ]),
  );
}

const builtIn: StartReference = async (protocol, options) => {
  const { startReference } = await import("../packs/reference/index.ts");
  const { referenceOf } = await import("../packs/pack/load.ts");
  const served = await startReference(await referenceOf(protocol), options);
  // The messages to a variant, and its answers, are shown one by one.
  return { ...served, ...(options.variant === undefined ? { lines: "/documents" } : {}) };
};
