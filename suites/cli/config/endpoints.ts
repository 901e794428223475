import {
  type Document,
  documentLine,
  type Protocol,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { probe } from "./probe.ts";

type ProbedServer = Extract<TargetConfig, { kind: "http" }>;

/** Finds a path on the server for each document of a user's pack that has none yet. It tries likely paths: a path counts if it accepts valid messages and refuses invalid ones. Throws a target error if no path is found for any document. */
export async function findEndpoints(
  protocol: Protocol,
  target: TargetConfig,
  signal?: AbortSignal,
): Promise<TargetConfig> {
  if (target.kind !== "http" || protocol.foreign !== true) return target;
  const entries = protocol.profile.documents.filter(({ role, standalone }) => role === "entry" && standalone);
  let server = target;
  const documentsWithoutPath = entries.filter(
    ({ name, endpoint, unsent }) => endpoint === undefined && unsent === undefined && !target.endpoints?.[name],
  );
  for (const document of documentsWithoutPath) server = (await findPath(protocol, document, server, signal)) ?? server;
  const isReached = ({ name, endpoint }: Document): boolean => endpoint !== undefined || !!server.endpoints?.[name];
  const [firstDocument] = entries;
  if (firstDocument === undefined || signal?.aborted === true || entries.some(isReached)) return server;
  const profileLine = documentLine(protocol, firstDocument.name);
  throw new TouchstoneError(
    "target",
    `no path was found where the server accepts valid and refuses invalid messages of ${firstDocument.name}`,
    {
      where: target.url,
      hint: `name it with --endpoint ${firstDocument.name}=/path, or add "endpoint": "/path" in ${profileLine}; tried were ${pathsFor(firstDocument.name).join(", ")}`,
    },
  );
}

async function findPath(
  protocol: Protocol,
  document: Document,
  server: ProbedServer,
  signal: AbortSignal | undefined,
): Promise<ProbedServer | undefined> {
  const { origin, pathname } = new URL(server.url);
  const urlItself = pathname === "/" ? [] : [{ url: origin, path: pathname.replace(/(?<=.)\/$/, "") }];
  for (const { url, path } of [...urlItself, ...pathsFor(document.name).map((path) => ({ url: server.url, path }))]) {
    const candidate: ProbedServer = { ...server, url, endpoints: { ...server.endpoints, [document.name]: path } };
    const { conforms, sampleCount, failure } = await probe(protocol, candidate, { signal, only: document.name });
    if (failure !== undefined || signal?.aborted === true) return undefined;
    // A path that accepts everything, or refuses everything, passes half of the samples.
    if (conforms > sampleCount / 2) return candidate;
  }
  return undefined;
}

function pathsFor(name: string): string[] {
  const names = name.endsWith("s") ? [name] : [name, `${name}s`];
  return ["/", ...["", "/api", "/v1"].flatMap((folder) => names.map((documentName) => `${folder}/${documentName}`))];
}
