import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import type { CallName } from "../calls.ts";
import { idFor } from "../recipes.ts";
import { answerWell, type ClientVisit, errorAnswer, overEachBinding, taskIn, tell } from "./story.ts";
import { type AgentStub, objectIn, type SeenCall } from "./stub.ts";

/** Operations that every client can carry out if the agent offers them. */
const basicOperations: readonly CallName[] = ["SendMessage", "GetTask", "ListTasks", "CancelTask"];

/** Makes the client carry out the basic operations, and a stream if it supports streams. */
async function tellAll(visit: ClientVisit, stub: AgentStub, order: Parameters<typeof tell>[3] = {}): Promise<void> {
  const listing = { contextId: "ctx-1", pageSize: 10, includeArtifacts: true };
  for (const operation of basicOperations)
    await tell(visit.context, stub, operation, operation === "ListTasks" ? { params: listing, ...order } : order);
  if (visit.context.has("stream")) await tell(visit.context, stub, "SendStreamingMessage", order);
}

function describeCall({ method, operation, target }: SeenCall): string {
  return `${operation ?? "a request"} (${method} ${quote(target)})`;
}

async function namesVersion(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await tellAll(visit, stub);
  for (const call of stub.calls) {
    const version = call.headers["a2a-version"] ?? call.query["A2A-Version"];
    visit.expect(
      "A2A-VER-001",
      version === "1.0",
      `${describeCall(call)} has the version ${version ?? "(none)"}, not 1.0`,
    );
  }
}

async function repeatsTenant(visit: ClientVisit): Promise<void> {
  for (const tenant of ["north", "t é/1", undefined]) {
    const stub = await visit.stub(tenant === undefined ? {} : { tenant });
    await tellAll(visit, stub);
    for (const call of stub.calls) {
      const isRight = tenant === undefined ? call.tenants.length === 0 : call.tenants.includes(tenant);
      const expectedWords = tenant === undefined ? "no tenant" : `the tenant "${tenant}"`;
      const actualWords =
        call.tenants.length === 0 ? "none" : call.tenants.map((tenantName) => `"${tenantName}"`).join(" and ");
      const why = `the interface has ${expectedWords}, and ${describeCall(call)} names ${actualWords}`;
      visit.expect("A2A-TEN-001", isRight, why);
    }
  }
}

async function postsJson(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await tellAll(visit, stub);
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
  await identifiesCalls(visit);
  const agentWithOtherId = await visit.stub({
    answer: ({ id }) => ({
      text: JSON.stringify({
        jsonrpc: "2.0",
        id: `other-${JSON.stringify(id ?? null)}`,
        result: { task: taskIn("COMPLETED") },
      }),
    }),
  });
  const { error, brief } = await tell(visit.context, agentWithOtherId, "SendMessage");
  visit.expect("A2A-RPC-012", error !== undefined, `an answer with another id is accepted: ${brief}`, "SHOULD");
}

/** Checks that simultaneous calls have different ids. */
async function identifiesCalls(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const releases: (() => void)[] = [];
  const stub = await visit.stub({
    async answer(call, card) {
      await new Promise<void>((done) => {
        releases.push(done);
        if (releases.length === 3) for (const release of releases) release();
        else void context.wait(1500).then(done, done);
      });
      return answerWell(call, card);
    },
  });
  await Promise.all([1, 2, 3].map(() => tell(context, stub, "SendMessage")));
  const ids = stub.calls.map(({ id }) => JSON.stringify(id ?? null));
  const repeatedId = ids.find((id, index) => ids.indexOf(id) < index);
  const why = `the id ${repeatedId} occurs in more than one of ${ids.length} simultaneous calls`;
  // Only a SHOULD, because hooks may create a new client for each operation.
  visit.expect("A2A-RPC-012", repeatedId === undefined, why, "SHOULD");
}

/** Characters with a meaning in paths or queries: they must be encoded. */
const reservedText = "a/b c%d?e#f:é";

async function encodesValues(visit: ClientVisit): Promise<void> {
  for (const tail of ["", "/"]) {
    const stub = await visit.stub({ tail });
    await tellAll(visit, stub);
    for (const call of stub.calls) {
      const addressWords = tail === "" ? "" : ", whose address ends with a slash";
      visit.expect(
        "A2A-REST-010",
        !call.isDoubled && call.operation !== undefined,
        `${describeCall(call)} goes to no route of the interface${addressWords}`,
      );
    }
    for (const call of stub.calls.filter(({ text }) => text !== "")) expectMediaType(visit, call);
  }
  await encodesEach(visit);
}

function expectMediaType(visit: ClientVisit, call: SeenCall): void {
  const type = call.headers["content-type"] ?? "";
  const level = /^application\/json\s*(?:;|$)/i.test(type) ? "SHOULD" : "MUST";
  const isRight = /^application\/a2a\+json\s*(?:;|$)/i.test(type);
  visit.expect("A2A-REST-010", isRight, `the body of ${describeCall(call)} is sent as "${type}"`, level);
}

async function encodesEach(visit: ClientVisit): Promise<void> {
  const encodedCalls: [CallName, JsonObject, keyof JsonObject & string][] = [
    ["GetTask", { id: reservedText }, "id"],
    ["CancelTask", { id: reservedText }, "id"],
    ["ListTasks", { contextId: "c&d=e%f#é" }, "contextId"],
  ];
  for (const [operation, params, name] of encodedCalls) {
    const stub = await visit.stub();
    await tell(visit.context, stub, operation, { params });
    const [call] = stub.calls;
    if (call === undefined) continue;
    const isRight = call.operation === operation && call.params[name] === params[name];
    const why = `${operation} with the ${name} ${quote(String(params[name]))} is sent as ${call.method} ${quote(call.target)}`;
    visit.expect("A2A-REST-010", isRight, why);
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

async function showsCredentials(visit: ClientVisit): Promise<void> {
  let isShown = false;
  for (const [name, [scheme, find]] of Object.entries(schemes)) {
    const secret = idFor(visit.context, "secret");
    const stub = await visit.stub({
      card: (card) => ({
        ...card,
        securitySchemes: { [name]: scheme },
        securityRequirements: [{ schemes: { [name]: { list: [] } } }],
      }),
    });
    await tellAll(visit, stub, { credentials: { [name]: secret } });
    const isAnywhere = ({ headers, target, text }: SeenCall): boolean =>
      JSON.stringify([headers, target, text]).includes(secret);
    if (!stub.calls.some(isAnywhere)) continue;
    isShown = true;
    for (const call of stub.calls) {
      const why = `the card asks for the scheme ${JSON.stringify(scheme)}, and ${describeCall(call)} has no credential in its place`;
      visit.expect("A2A-AUTH-011", find(call) === secret, why);
    }
  }
  if (!isShown)
    throw new TargetSkip(
      "no request has a credential: the client sends none, or its hooks do not pass `credentials` on",
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
    .map((release) => release.trim());
}

async function namesExtensions(visit: ClientVisit): Promise<void> {
  const requiringAgent = await visit.stub({
    card: requireExtension(unknownExtension),
    answer: (call, card) =>
      extensionsOf(call).includes(unknownExtension)
        ? answerWell(call, card)
        : errorAnswer(call, "ExtensionSupportRequired"),
  });
  const { error, brief } = await tell(visit.context, requiringAgent, "SendMessage");
  const claimingCall = requiringAgent.calls.find((call) => extensionsOf(call).includes(unknownExtension));
  const why = `the agent requires an extension that the client lacks, and it reports ${brief}`;
  visit.expect("A2A-EXT-008", error !== undefined || claimingCall !== undefined, why);
  const stub = await visit.stub({ card: requireExtension(knownExtension) });
  await tellAll(visit, stub, { extensions: [knownExtension] });
  if (!stub.calls.some((call) => extensionsOf(call).includes(knownExtension)))
    throw new TargetSkip(
      "no request names the extension: the client names none, or its hooks do not pass `extensions` on",
    );
  for (const call of stub.calls)
    visit.expect(
      "A2A-EXT-008",
      extensionsOf(call).includes(knownExtension),
      `${describeCall(call)} does not name the extension that is used`,
    );
}

/** Checks queries against their schemas here, because recordings do not contain queries. */
async function writesQueries(visit: ClientVisit): Promise<void> {
  const stub = await visit.stub();
  await tellAll(visit, stub);
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

export const requests: readonly Scenario[] = [
  overEachBinding({
    name: "client-version",
    says: "every request names the version 1.0",
    rules: ["A2A-VER-001"],
    play: namesVersion,
  }),
  overEachBinding({
    name: "client-tenant",
    says: "every request repeats the tenant of the interface",
    rules: ["A2A-TEN-001"],
    play: repeatsTenant,
  }),
  overEachBinding({
    name: "client-json-rpc",
    waits: 6000,
    says: "requests are posted as JSON, each with an id of its own while it is open",
    rules: ["A2A-RPC-012"],
    binding: "JSONRPC",
    play: postsJson,
  }),
  overEachBinding({
    name: "client-http",
    says: "values are encoded, and routes are joined with one slash",
    rules: ["A2A-REST-010"],
    binding: "HTTP+JSON",
    play: encodesValues,
  }),
  overEachBinding({
    name: "client-queries",
    says: "queries have the names and values of the specification",
    rules: ["A2A-REST-003"],
    binding: "HTTP+JSON",
    play: writesQueries,
  }),
  overEachBinding({
    name: "client-credentials",
    says: "every request has the credential that the card requires, in its place",
    rules: ["A2A-AUTH-011"],
    play: showsCredentials,
  }),
  overEachBinding({
    name: "client-extensions",
    says: "extensions in use are named on every request, and a missing required one is reported",
    rules: ["A2A-EXT-008"],
    play: namesExtensions,
  }),
];
