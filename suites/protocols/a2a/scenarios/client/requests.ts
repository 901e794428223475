import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import type { CallName } from "../calls.ts";
import { idFor } from "../recipes.ts";
import { answerCorrectly, type ClientVisit, errorAnswer, makeTask, overEachBinding, runOperation } from "./story.ts";
import { type AgentStub, objectIn, type SeenCall } from "./stub.ts";

/** Operations that every client can carry out if the agent offers them. */
const basicOperations: readonly CallName[] = ["SendMessage", "GetTask", "ListTasks", "CancelTask"];

/** Makes the client carry out the basic operations, and a stream if it supports streams. */
async function runBasicOperations(
  visit: ClientVisit,
  stub: AgentStub,
  order: Parameters<typeof runOperation>[3] = {},
): Promise<void> {
  const listParams = { contextId: "ctx-1", pageSize: 10, includeArtifacts: true };
  for (const operation of basicOperations)
    await runOperation(
      visit.context,
      stub,
      operation,
      operation === "ListTasks" ? { params: listParams, ...order } : order,
    );
  if (visit.context.has("stream")) await runOperation(visit.context, stub, "SendStreamingMessage", order);
}

function describeCall({ method, operation, target }: SeenCall): string {
  return `${operation ?? "a request"} (${method} ${quote(target)})`;
}

async function checkVersion(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await runBasicOperations(visit, stub);
  for (const call of stub.calls) {
    const version = call.headers["a2a-version"] ?? call.query["A2A-Version"];
    visit.expect(
      "A2A-VER-001",
      version === "1.0",
      `${describeCall(call)} has the version ${version ?? "(none)"}, not 1.0`,
    );
  }
}

async function checkTenant(visit: ClientVisit): Promise<void> {
  for (const tenant of ["north", "t é/1", undefined]) {
    const stub = await visit.stub(tenant === undefined ? {} : { tenant });
    await runBasicOperations(visit, stub);
    for (const call of stub.calls) {
      const hasExpectedTenant = tenant === undefined ? call.tenants.length === 0 : call.tenants.includes(tenant);
      const expectedTenant = tenant === undefined ? "no tenant" : `the tenant "${tenant}"`;
      const namedTenants =
        call.tenants.length === 0 ? "none" : call.tenants.map((tenantName) => `"${tenantName}"`).join(" and ");
      const why = `the interface has ${expectedTenant}, and ${describeCall(call)} names ${namedTenants}`;
      visit.expect("A2A-TEN-001", hasExpectedTenant, why);
    }
  }
}

async function checkJsonRequests(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await runBasicOperations(visit, stub);
  for (const call of stub.calls) {
    const type = call.headers["content-type"] ?? "";
    const isJson = call.method === "POST" && /^application\/json\s*(?:;|$)/i.test(type);
    visit.expect("A2A-RPC-012", isJson, `${describeCall(call)} is sent as "${type}"`);
    visit.expect(
      "A2A-RPC-012",
      objectIn(call.text) !== undefined,
      `the body of ${describeCall(call)} is not a JSON object`,
    );
  }
  await checkCallIds(visit);
  const agentWithOtherId = await visit.stub({
    answer: ({ id }) => ({
      text: JSON.stringify({
        jsonrpc: "2.0",
        id: `other-${JSON.stringify(id ?? null)}`,
        result: { task: makeTask("COMPLETED") },
      }),
    }),
  });
  const { error, brief } = await runOperation(visit.context, agentWithOtherId, "SendMessage");
  visit.expect("A2A-RPC-012", error !== undefined, `an answer with a different id is accepted: ${brief}`, "SHOULD");
}

/** Checks that simultaneous calls have different ids. */
async function checkCallIds(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const releases: (() => void)[] = [];
  const stub = await visit.stub({
    async answer(call, card) {
      await new Promise<void>((resolve) => {
        releases.push(resolve);
        if (releases.length === 3) for (const release of releases) release();
        else void context.wait(1500).then(resolve, resolve);
      });
      return answerCorrectly(call, card);
    },
  });
  await Promise.all([1, 2, 3].map(() => runOperation(context, stub, "SendMessage")));
  const ids = stub.calls.map(({ id }) => JSON.stringify(id ?? null));
  const repeatedId = ids.find((id, index) => ids.indexOf(id) < index);
  const why = `the id ${repeatedId} occurs in more than one of ${ids.length} simultaneous calls`;
  // Only a SHOULD, because hooks may create a new client for each operation.
  visit.expect("A2A-RPC-012", repeatedId === undefined, why, "SHOULD");
}

/** A value with characters that must be encoded in paths or queries. */
const reservedText = "a/b c%d?e#f:é";

async function checkEncoding(visit: ClientVisit): Promise<void> {
  for (const tail of ["", "/"]) {
    const stub = await visit.stub({ tail });
    await runBasicOperations(visit, stub);
    for (const call of stub.calls) {
      const addressNote = tail === "" ? "" : ", whose address ends with a slash";
      visit.expect(
        "A2A-REST-010",
        !call.hasDoubledSlash && call.operation !== undefined,
        `${describeCall(call)} goes to no route of the interface${addressNote}`,
      );
    }
    for (const call of stub.calls.filter(({ text }) => text !== "")) expectMediaType(visit, call);
  }
  await checkReservedCharacters(visit);
}

function expectMediaType(visit: ClientVisit, call: SeenCall): void {
  const type = call.headers["content-type"] ?? "";
  const level = /^application\/json\s*(?:;|$)/i.test(type) ? "SHOULD" : "MUST";
  const isA2aJson = /^application\/a2a\+json\s*(?:;|$)/i.test(type);
  visit.expect("A2A-REST-010", isA2aJson, `the body of ${describeCall(call)} is sent as "${type}"`, level);
}

async function checkReservedCharacters(visit: ClientVisit): Promise<void> {
  const encodedCalls: [CallName, JsonObject, keyof JsonObject & string][] = [
    ["GetTask", { id: reservedText }, "id"],
    ["CancelTask", { id: reservedText }, "id"],
    ["ListTasks", { contextId: "c&d=e%f#é" }, "contextId"],
  ];
  for (const [operation, params, name] of encodedCalls) {
    const stub = await visit.stub();
    await runOperation(visit.context, stub, operation, { params });
    const [call] = stub.calls;
    if (call === undefined) continue;
    const isDecodable = call.operation === operation && call.params[name] === params[name];
    const why = `${operation} with the ${name} ${quote(String(params[name]))} is sent as ${call.method} ${quote(call.target)}`;
    visit.expect("A2A-REST-010", isDecodable, why);
  }
}

/** Security schemes of a card, each with a function that reads its credential from a request. */
const schemes: Readonly<Record<string, [scheme: JsonObject, find: (call: SeenCall) => string | undefined]>> = {
  bearer: [
    { httpAuthSecurityScheme: { scheme: "Bearer" } },
    ({ headers }) => /^Bearer (.*)$/i.exec(headers.authorization ?? "")?.[1],
  ],
  key: [
    { apiKeySecurityScheme: { location: "header", name: "X-Touchstone-Key" } },
    ({ headers }) => headers["x-touchstone-key"]?.toString(),
  ],
  "key-in-query": [
    { apiKeySecurityScheme: { location: "query", name: "touchstone_key" } },
    ({ target }) => new URL(target, "http://agent.example").searchParams.get("touchstone_key") ?? undefined,
  ],
  "key-in-cookie": [
    { apiKeySecurityScheme: { location: "cookie", name: "touchstone_key" } },
    ({ headers }) => /(?:^|;\s*)touchstone_key="?([^;"]*)/.exec(headers.cookie ?? "")?.[1],
  ],
};

async function checkCredentials(visit: ClientVisit): Promise<void> {
  let isSent = false;
  for (const [name, [scheme, readCredential]] of Object.entries(schemes)) {
    const secret = idFor(visit.context, "secret");
    const stub = await visit.stub({
      card: (card) => ({
        ...card,
        securitySchemes: { [name]: scheme },
        securityRequirements: [{ schemes: { [name]: { list: [] } } }],
      }),
    });
    await runBasicOperations(visit, stub, { credentials: { [name]: secret } });
    const containsSecret = ({ headers, target, text }: SeenCall): boolean =>
      JSON.stringify([headers, target, text]).includes(secret);
    if (!stub.calls.some(containsSecret)) continue;
    isSent = true;
    for (const call of stub.calls) {
      const why = `the card asks for the scheme ${JSON.stringify(scheme)}, and ${describeCall(call)} does not send it as the scheme requires`;
      visit.expect("A2A-AUTH-011", readCredential(call) === secret, why);
    }
  }
  if (!isSent)
    throw new TargetSkip(
      "no request has a credential: the client sends none, or its hooks do not pass on `credentials`",
    );
}

const [knownExtension, unknownExtension] = ["notes", "strange"].map(
  (name) => `https://touchstone.example/extensions/${name}/v1`,
) as [string, string];

function requireExtension(uri: string): (card: JsonObject) => JsonObject {
  return (card) => ({
    ...card,
    capabilities: { ...(card.capabilities as JsonObject), extensions: [{ uri, required: true }] },
  });
}

function extensionsOf({ headers }: SeenCall): string[] {
  return String(headers["a2a-extensions"] ?? "")
    .split(",")
    .map((uri) => uri.trim());
}

async function checkExtensions(visit: ClientVisit): Promise<void> {
  const requiringAgent = await visit.stub({
    card: requireExtension(unknownExtension),
    answer: (call, card) =>
      extensionsOf(call).includes(unknownExtension)
        ? answerCorrectly(call, card)
        : errorAnswer(call, "ExtensionSupportRequired"),
  });
  const { error, brief } = await runOperation(visit.context, requiringAgent, "SendMessage");
  const claimingCall = requiringAgent.calls.find((call) => extensionsOf(call).includes(unknownExtension));
  const why = `the agent requires an unsupported extension, but the client reports ${brief}`;
  visit.expect("A2A-EXT-008", error !== undefined || claimingCall !== undefined, why);
  const stub = await visit.stub({ card: requireExtension(knownExtension) });
  await runBasicOperations(visit, stub, { extensions: [knownExtension] });
  if (!stub.calls.some((call) => extensionsOf(call).includes(knownExtension)))
    throw new TargetSkip(
      "no request names the extension: the client names none, or its hooks do not pass on `extensions`",
    );
  for (const call of stub.calls)
    visit.expect(
      "A2A-EXT-008",
      extensionsOf(call).includes(knownExtension),
      `${describeCall(call)} does not name the extension that is used`,
    );
}

/** Checks queries against their schemas here, because recordings do not contain queries. */
async function checkQueries(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await runBasicOperations(visit, stub);
  const documents: Partial<Record<CallName, string>> = {
    ListTasks: "rest.list-tasks.query",
    GetTask: "rest.get-task.query",
  };
  for (const call of stub.calls) {
    const document = call.operation === undefined ? undefined : documents[call.operation];
    if (document === undefined) continue;
    const { "A2A-Version": _, ...query } = call.query;
    const mustViolations = (await visit.context.violations(document, query)).filter(({ level }) => level === "MUST");
    const [first] = mustViolations;
    visit.expect("A2A-REST-003", first === undefined, `${describeCall(call)}: ${first?.at} ${first?.why}`, "MUST");
  }
}

export const requestScenarios: readonly Scenario[] = [
  overEachBinding({
    name: "client-version",
    says: "every request names the version 1.0",
    rules: ["A2A-VER-001"],
    play: checkVersion,
  }),
  overEachBinding({
    name: "client-tenant",
    says: "every request repeats the tenant of the interface",
    rules: ["A2A-TEN-001"],
    play: checkTenant,
  }),
  overEachBinding({
    name: "client-json-rpc",
    waits: 6000,
    says: "requests are posted as JSON, and simultaneous requests have different ids",
    rules: ["A2A-RPC-012"],
    binding: "JSONRPC",
    play: checkJsonRequests,
  }),
  overEachBinding({
    name: "client-http",
    says: "values are encoded, and routes are joined with one slash",
    rules: ["A2A-REST-010"],
    binding: "HTTP+JSON",
    play: checkEncoding,
  }),
  overEachBinding({
    name: "client-queries",
    says: "queries have the specified names and values",
    rules: ["A2A-REST-003"],
    binding: "HTTP+JSON",
    play: checkQueries,
  }),
  overEachBinding({
    name: "client-credentials",
    says: "every request sends the credential as the card requires",
    rules: ["A2A-AUTH-011"],
    play: checkCredentials,
  }),
  overEachBinding({
    name: "client-extensions",
    says: "every request names the extensions in use, and a missing required extension is reported",
    rules: ["A2A-EXT-008"],
    play: checkExtensions,
  }),
];
