import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { ClientCall, ClientPolicy, ClientRequest } from "./client.ts";
import { correctClient } from "./policy.ts";

/** A client that breaks one rule. */
export type BrokenClient = MistakenParty & Partial<HookNeeds> & { policy: Partial<ClientPolicy> };

interface HookNeeds {
  /** The hooks that the mistake needs. */
  withHooks: readonly string[];
}

function breaks(rule: string, mistakes: Mistakes<Partial<ClientPolicy>, HookNeeds>): BrokenClient[] {
  return variantsOf("policy", rule, mistakes);
}

type CallTest = (call: ClientCall) => boolean;

/** For mistakes that appear only in streams. The client requests a stream only through its hook. */
const inStreams: HookNeeds = { withHooks: ["stream"] };

const isStreaming: CallTest = ({ order }) => /Stream|Subscribe/.test(order.operation);
const isRest: CallTest = ({ endpoint }) => endpoint.binding === "HTTP+JSON";
const anyCall: CallTest = () => true;

/** Changes the requests of some calls. */
function changeRequests(
  appliesTo: CallTest,
  change: (request: ClientRequest, call: ClientCall) => ClientRequest,
): Partial<ClientPolicy> {
  return { changeRequest: (request, call) => (appliesTo(call) ? change(request, call) : request) };
}

/** Changes the headers of some calls; undefined removes a header. */
function changeHeaders(
  appliesTo: CallTest,
  change: (call: ClientCall) => Record<string, string | undefined>,
): Partial<ClientPolicy> {
  return changeRequests(appliesTo, (request, call) => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries({ ...request.headers, ...change(call) }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    ),
  }));
}

/** Splits a stream at line breaks, and treats each line with data as an event. */
function splitLines(dataOf: (line: string) => string | undefined): ClientPolicy["splitEvents"] {
  return (handleData) => {
    let remainder = "";
    return (text) => {
      const lines = `${remainder}${text}`.split("\n");
      remainder = lines.pop() ?? "";
      for (const line of lines) {
        const data = dataOf(line);
        if (data !== undefined) handleData(data);
      }
    };
  };
}

/** Whether a value has a member that the specification does not define. */
function hasUnknownMember(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasUnknownMember);
  return (
    isObject(value) &&
    Object.entries(value).some(([name, member]) => name.startsWith("x") || hasUnknownMember(member as Json))
  );
}

/** Removes the tenant from a request. */
function removeTenant(request: ClientRequest, { endpoint: { binding, tenant = "" } }: ClientCall): ClientRequest {
  if (binding === "HTTP+JSON") return { ...request, url: request.url.replace(`/${encodeURIComponent(tenant)}/`, "/") };
  const body = request.body as JsonObject;
  const { tenant: _, ...params } = body.params as JsonObject;
  return { ...request, body: { ...body, params } };
}

const requestVariants: readonly BrokenClient[] = [
  ...breaks("A2A-VER-001", {
    "": ["does not name the version", changeHeaders(anyCall, () => ({ "a2a-version": undefined }))],
    streams: [
      "does not name the version when it requests a stream",
      changeHeaders(isStreaming, () => ({ "a2a-version": undefined })),
      inStreams,
    ],
    library: [
      "names its own version instead of the protocol's",
      changeHeaders(anyCall, () => ({ "a2a-version": "1.0.0" })),
    ],
  }),
  ...breaks("A2A-TEN-001", {
    "": ["leaves out the tenant", changeRequests(({ endpoint }) => endpoint.tenant !== undefined, removeTenant)],
    streams: [
      "leaves out the tenant when it requests a stream",
      changeRequests((call) => isStreaming(call) && call.endpoint.tenant !== undefined, removeTenant),
      inStreams,
    ],
  }),
  ...breaks("A2A-RPC-012", {
    "": [
      "posts JSON as text",
      changeHeaders(
        (call) => !isRest(call),
        () => ({ "content-type": "text/plain" }),
      ),
    ],
    ids: ["uses one id for all calls", { createId: () => "1" }],
    answers: ["accepts the answer to another call", { isAnswerTo: () => true }],
  }),
  ...breaks("A2A-REST-010", {
    "": ["does not encode values", { encode: (value) => encodeURI(value).replace(/%25/g, "%") }],
    slash: [
      "appends its route after a slash at the end of an address",
      changeRequests(isRest, (request, { endpoint: { url } }) => ({
        ...request,
        url: url.endsWith("/") ? request.url.replace(url, `${url}/`) : request.url,
      })),
    ],
    media: ["posts JSON as text over HTTP+JSON", changeHeaders(isRest, () => ({ "content-type": "text/plain" }))],
    json: [
      "posts application/json over HTTP+JSON",
      changeHeaders(
        (call) => isRest(call) && /Send|Cancel|Create/.test(call.order.operation),
        () => ({ "content-type": "application/json" }),
      ),
    ],
  }),
  ...breaks("A2A-REST-003", {
    client: [
      "writes a name of a query in snake_case",
      changeRequests(isRest, (request) => ({ ...request, url: request.url.replace("pageSize=", "page_size=") })),
    ],
    capital: [
      "writes a boolean of a query with a capital letter",
      changeRequests(isRest, (request) => ({ ...request, url: request.url.replace("=true", "=True") })),
    ],
  }),
  ...breaks("A2A-AUTH-011", {
    "": [
      "sends no credential when it requests a stream",
      changeHeaders(isStreaming, () => ({ authorization: undefined, "x-touchstone-key": undefined })),
      inStreams,
    ],
    header: [
      "sends every API key in a header",
      changeRequests(anyCall, (request, { order: { credentials } }) => {
        const [secret] = Object.values(credentials);
        if (secret === undefined || !request.url.includes(secret)) return request;
        const url = request.url.replace(/[?&]touchstone_key=[^&]*/, "");
        return { ...request, url, headers: { ...request.headers, touchstone_key: secret } };
      }),
    ],
    place: [
      "sends every credential as a bearer token",
      changeHeaders(anyCall, ({ order: { credentials } }) => {
        const [secret] = Object.values(credentials);
        return secret === undefined ? {} : { authorization: `Bearer ${secret}`, "x-touchstone-key": undefined };
      }),
    ],
  }),
  ...breaks("A2A-EXT-008", {
    "": [
      "names its extensions only on messages",
      changeHeaders(
        ({ order }) => order.operation !== "SendMessage",
        () => ({ "a2a-extensions": undefined }),
      ),
    ],
    silent: [
      "reads the refusal of an agent that requires an extension as an empty result",
      { callsWithoutExtension: true, reportsMissingExtension: false },
    ],
  }),
];

const choiceVariants: readonly BrokenClient[] = [
  ...breaks("A2A-CARD-019", {
    "": [
      "calls the last interface that it supports",
      { chooseEndpoints: (endpoints) => [...correctClient.chooseEndpoints(endpoints)].reverse() },
    ],
    binding: [
      "prefers JSON-RPC regardless of the card",
      {
        chooseEndpoints: (endpoints) =>
          [...correctClient.chooseEndpoints(endpoints)].sort(
            (first, second) => Number(second.binding === "JSONRPC") - Number(first.binding === "JSONRPC"),
          ),
      },
    ],
    unknown: [
      "gives up at an interface with an unknown binding",
      {
        chooseEndpoints: (endpoints) =>
          /^(?:JSONRPC|HTTP\+JSON)$/.test(endpoints[0]?.binding ?? "") ? correctClient.chooseEndpoints(endpoints) : [],
      },
    ],
  }),
  ...breaks("A2A-CARD-020", { "": ["tries only one interface", { triesNextInterface: false }] }),
  ...breaks("A2A-VER-008", {
    "": [
      "ignores the version of an interface",
      {
        chooseEndpoints: (endpoints) =>
          correctClient.chooseEndpoints(endpoints.map((endpoint) => ({ ...endpoint, version: "1.0" }))),
      },
    ],
    none: [
      "calls an interface of another version if there is no other",
      {
        chooseEndpoints(endpoints) {
          const supportedEndpoints = correctClient.chooseEndpoints(endpoints);
          return supportedEndpoints.length > 0
            ? supportedEndpoints
            : correctClient.chooseEndpoints(endpoints.map((endpoint) => ({ ...endpoint, version: "1.0" })));
        },
      },
    ],
  }),
  ...breaks("A2A-CARD-023", {
    "": ["ignores the capabilities of an agent", { checksCapability: () => false }],
    pushes: [
      "registers webhooks with an agent that offers none",
      { checksCapability: (capability) => capability !== "pushNotifications" },
    ],
  }),
  ...breaks("A2A-SIG-006", {
    "": [
      "ignores signatures by unknown keys",
      {
        usesCard: ({ name, version, skills }, isVerified) =>
          isVerified || (name === "Stub" && version === "1.0.0" && (skills as Json[]).length === 1),
      },
    ],
    order: [
      "verifies a card as served",
      {
        usesCard: (card, isVerified) =>
          isVerified && Object.keys(card).indexOf("name") < Object.keys(card).indexOf("skills"),
      },
    ],
  }),
  ...breaks("A2A-SIG-008", { "": ["does not verify signatures", { usesCard: () => true }] }),
];

const readingVariants: readonly BrokenClient[] = [
  ...breaks("A2A-JSON-011", {
    "": ["refuses results with unknown members", { acceptsResult: (result) => !hasUnknownMember(result) }],
  }),
  ...breaks("A2A-STREAM-017", {
    "": [
      "ignores data without a space after the colon",
      {
        splitEvents(handleData) {
          const read = correctClient.splitEvents(handleData);
          return (text) => read(text.replace(/^data:(?! )/gm, "none:"));
        },
      },
    ],
    lines: [
      "reads each line of data as an event",
      { splitEvents: splitLines((line) => /^data: ?(.*?)\r?$/.exec(line)?.[1]) },
    ],
    crlf: [
      "ignores events with lines that end in CRLF",
      {
        splitEvents(handleData) {
          const read = correctClient.splitEvents(handleData);
          return (text) => read(text.replaceAll("\r", "?"));
        },
      },
    ],
    comments: [
      "ignores a stream that begins with a comment",
      {
        splitEvents(handleData) {
          const read = correctClient.splitEvents(handleData);
          let firstCharacter: string | undefined;
          return (text) => {
            firstCharacter ??= text.slice(0, 1);
            if (firstCharacter !== ":") read(text);
          };
        },
      },
    ],
    characters: [
      "breaks characters between two pieces",
      { createDecoder: () => (piece) => new TextDecoder().decode(piece) },
    ],
  }),
  ...breaks("A2A-STREAM-018", {
    "": [
      "reads an error instead of a stream as an empty stream",
      { noticesFailure: (failure) => failure !== "instead" },
    ],
    within: ["ignores errors in a stream", { noticesFailure: (failure) => failure !== "within" }],
    cut: ["treats a broken stream as complete", { noticesFailure: (failure) => failure !== "cut" }],
  }),
  ...breaks("A2A-ERR-009", {
    "": [
      "reports all errors in the same way",
      { reportFailure: ({ message }) => ({ name: "AgentError", message: message ?? "" }) },
    ],
    page: [
      "reads a web page as an empty result",
      { reportFailure: (facts) => (facts.name === "HttpError" ? undefined : facts) },
    ],
    unknown: [
      "reads an unknown error as an empty result",
      { reportFailure: (facts) => (facts.name === "UnknownError" ? undefined : facts) },
    ],
  }),
  ...breaks("A2A-AUTH-010", {
    "": ["does not follow a task that waits for a credential", { followOperation: undefined }],
  }),
];

/** Clients that break one rule each. */
export const brokenClients: readonly BrokenClient[] = [...requestVariants, ...choiceVariants, ...readingVariants];
