/** A server for the two methods over a published library. */
export interface RpcParty {
  library: string;
  /** The option with which the library is used; absent for its defaults. */
  option?: string;
  /** An injected mistake; absent if the server is correct. */
  mistake?: string;
}

/** The libraries to install in a temporary folder. This repository does not depend on them. */
export const libraries: readonly string[] = ["json-rpc-2.0@1.8.1", "jayson@5.0.0", "@metamask/json-rpc-engine@10.5.0"];

/** The breaches of each library, or of a library with an option: by rule, by location in a message schema, or `text` for malformed bodies. */
const libraryBreaches: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "json-rpc-2.0": { "/properties/id/type": "accepts an id of any type" },
  "jayson its own HTTP": {
    "/type": "accepts a message that is JSON within a JSON string",
    text: "accepts bytes that are not UTF-8",
    "BOX-PARSE-001": "answers broken JSON with HTTP 400 and a sentence",
  },
  "@metamask/json-rpc-engine": {
    "/properties/id/type": "accepts an id of any type",
    "/properties/jsonrpc/const": "does not check jsonrpc",
    "/required/0": "does not check jsonrpc",
    "/required/1": "answers a message without an id that has one more member",
    text: "does not check jsonrpc",
    "BOX-BATCH-002": "answers an empty batch with a list",
    "BOX-ANSWER-001": "leaves the message out of an error object",
  },
  "@metamask/json-rpc-engine notificationHandler": {
    "/required/2": "treats a request without a method as a notification",
    "/properties/method/const": "treats a request without a method as a notification",
  },
  "@metamask/json-rpc-engine no handler": {
    "BOX-BATCH-001": "answers notifications",
    "BOX-NOTIFY-001": "answers notifications",
  },
};

/** The breaches of JSON-RPC 2.0 that a library itself makes, by violated rule or assertion. */
export function breachesOf({ library, option }: RpcParty): Readonly<Record<string, string>> {
  return { ...libraryBreaches[library], ...libraryBreaches[`${library} ${option}`] };
}

const correctParties: readonly RpcParty[] = [
  { library: "json-rpc-2.0" },
  { library: "json-rpc-2.0", option: "mapErrorToJSONRPCErrorResponse" },
  { library: "json-rpc-2.0", option: "HTTP 202" },
  { library: "jayson" },
  { library: "jayson", option: "useContext" },
  { library: "jayson", option: "its own HTTP" },
  { library: "@metamask/json-rpc-engine", option: "notificationHandler" },
  { library: "@metamask/json-rpc-engine", option: "no handler" },
];

/** Each mistake, in the methods or in the messages around the library, with the library that has it. */
const injectedMistakes: readonly (readonly [mistake: string, library: string])[] = [
  ["any-length", "json-rpc-2.0"],
  ["more-members", "@metamask/json-rpc-engine"],
  ["no-result", "json-rpc-2.0"],
  ["number-for-text", "jayson"],
  ["zero-count", "json-rpc-2.0"],
  ["other-params", "@metamask/json-rpc-engine"],
  ["other-id", "json-rpc-2.0"],
  ["both-members", "jayson"],
  ["no-version", "json-rpc-2.0"],
  ["any-version", "json-rpc-2.0"],
  ["text-code", "jayson"],
  ["no-batch", "json-rpc-2.0"],
  ["any-method", "json-rpc-2.0"],
  ["answers-notifications", "json-rpc-2.0"],
  ["text-type", "json-rpc-2.0"],
];

export const parties: readonly RpcParty[] = [
  ...correctParties,
  ...injectedMistakes.map(([mistake, library]) => ({
    library,
    mistake,
    ...(library === "@metamask/json-rpc-engine" ? { option: "notificationHandler" } : {}),
  })),
];
