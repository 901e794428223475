import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { removeAt, setAt } from "../../../../../packs/reference/changes.ts";
import { knownExtension } from "../card.ts";
import { extensionsIn } from "../checks.ts";
import {
  type BrokenA2aAgent,
  breaks,
  changeResults,
  isGetting,
  isOperation,
  isStreaming,
  isSubscribing,
  overBinding,
  refuseCalls,
  replaceError,
  skipCheck,
} from "./variant.ts";

const isExtendedCard = isOperation("GetExtendedAgentCard");
const isPushOperation = isOperation(
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
);

/** A card that requires the known extension. */
const requireExtension = setAt("/capabilities/extensions", [{ uri: knownExtension, required: true }]);

const requestedVersion = (headers: Readonly<Record<string, string>>): string => headers["a2a-version"] ?? "";

export const cardVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-CARD-001", {
    "": ["serves something other than its card", { changeCard: (card) => removeAt("/supportedInterfaces")(card) }],
    former: [
      "serves a card of version 0.3",
      { changeCard: (card) => setAt("/protocolVersion", "0.3.0")(removeAt("/supportedInterfaces")(card)) },
    ],
  }),
  ...breaks("A2A-CARD-005", {
    "": [
      "declares an interface that does not exist",
      {
        changeCard: (card) => {
          const interfaces = card.supportedInterfaces as Json[];
          const [firstInterface] = interfaces;
          const url = isObject(firstInterface) ? String(firstInterface.url) : "";
          return {
            ...card,
            supportedInterfaces: [
              ...interfaces,
              { url: `${url}/other`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
            ],
          };
        },
      },
    ],
  }),
  ...breaks("A2A-CARD-006", {
    "": ["offers an extended card that it does not have", refuseCalls("UnsupportedOperation", isExtendedCard)],
  }),
  ...breaks("A2A-CARD-014", {
    "": [
      "returns an extended card that it does not offer",
      {
        ...skipCheck("capability", isExtendedCard),
        changeCard: (card, kind) => (kind === "public" ? setAt("/capabilities/extendedAgentCard", false)(card) : card),
      },
    ],
  }),
  ...breaks("A2A-CARD-015", {
    "": ["answers a request for its extended card with an empty object", changeResults(isExtendedCard, () => ({}))],
  }),
  ...breaks("A2A-CARD-016", {
    "": ["serves its extended card to unauthenticated callers", skipCheck("credential", isExtendedCard)],
  }),
  ...breaks("A2A-CARD-017", {
    "": ["serves its card without an ETag", { cardHeaders: ({ etag: _, ...headers }) => headers }],
    "max-age": [
      "does not say how long its card may be cached",
      { cardHeaders: ({ "cache-control": _, ...headers }) => headers },
    ],
  }),
  ...breaks("A2A-CARD-018", {
    "": ["serves its card as a web page", { cardHeaders: (headers) => ({ ...headers, "content-type": "text/html" }) }],
  }),
  ...breaks("A2A-STREAM-014", {
    "": [
      "serves streams that it does not offer",
      {
        ...skipCheck("capability", (call) => isStreaming(call) || isSubscribing(call)),
        changeCard: setAt("/capabilities/streaming", false),
      },
    ],
  }),
  ...breaks("A2A-PUSH-002", {
    "": [
      "accepts webhook configurations without offering push notifications",
      { ...skipCheck("capability", isPushOperation), changeCard: setAt("/capabilities/pushNotifications", false) },
    ],
    "other-error": [
      "reports missing push notifications only as an unsupported operation",
      {
        ...replaceError("PushNotificationNotSupported", "UnsupportedOperation"),
        changeCard: setAt("/capabilities/pushNotifications", false),
      },
    ],
  }),
  ...breaks("A2A-VER-002", {
    "": ["serves any version", skipCheck("version", ({ headers }) => /^\d+\.\d+$/.test(requestedVersion(headers)))],
    "rest-alone": [
      "serves any version over HTTP+JSON",
      skipCheck(
        "version",
        overBinding("HTTP+JSON", ({ headers }) => /^\d+\.\d+$/.test(requestedVersion(headers))),
      ),
    ],
  }),
  ...breaks("A2A-VER-003", {
    "": [
      "treats an empty version as the newest version",
      skipCheck("version", ({ headers }) => headers["a2a-version"] === ""),
    ],
    absent: [
      "treats a missing version as the newest version",
      skipCheck("version", ({ headers }) => headers["a2a-version"] === undefined),
    ],
  }),
  ...breaks("A2A-VER-004", {
    "": [
      "compares versions as strings",
      refuseCalls("VersionNotSupported", ({ headers }) => requestedVersion(headers) === "1.0.1"),
    ],
    words: [
      "accepts a word as a version",
      skipCheck("version", ({ headers }) => /^[a-z]/.test(requestedVersion(headers))),
    ],
  }),
  ...breaks("A2A-VER-006", {
    "": [
      "marks tasks with their kind, as 0.3 does",
      changeResults(isGetting, (result) => ({ kind: "task", ...result })),
    ],
  }),
  ...breaks("A2A-VER-007", { "": ["does not read the version in the query", { readsVersionInQuery: false }] }),
  ...breaks("A2A-VER-009", {
    "": [
      "ignores headers with upper-case names",
      refuseCalls("VersionNotSupported", ({ headerNames }) => headerNames.includes("A2A-VERSION")),
    ],
    small: [
      "ignores headers with lower-case names",
      refuseCalls("VersionNotSupported", ({ headerNames }) => headerNames.includes("a2a-version")),
    ],
  }),
  ...breaks("A2A-EXT-002", {
    "": [
      "serves a message without the extension that it requires",
      { ...skipCheck("extensions", (call) => extensionsIn(call).length === 0), changeCard: requireExtension },
    ],
    streams: [
      "serves a stream without the extension that it requires",
      {
        ...skipCheck("extensions", (call) => isStreaming(call) && extensionsIn(call).length === 0),
        changeCard: requireExtension,
      },
    ],
  }),
  ...breaks("A2A-EXT-003", {
    "": [
      "refuses a request that names an unknown extension",
      refuseCalls("ExtensionSupportRequired", (call) => extensionsIn(call).some((uri) => uri !== knownExtension)),
    ],
  }),
  ...breaks("A2A-EXT-004", {
    "": [
      "accepts another version of the extension that it requires",
      {
        ...skipCheck("extensions", (call) => extensionsIn(call).some((uri) => uri.endsWith("/v999"))),
        changeCard: requireExtension,
      },
    ],
  }),
  ...breaks("A2A-EXT-005", {
    "": [
      "reads only the first extension of the header",
      {
        ...refuseCalls("ExtensionSupportRequired", (call) => extensionsIn(call).indexOf(knownExtension) > 0),
        changeCard: requireExtension,
      },
    ],
  }),
  ...breaks("A2A-EXT-006", {
    "": [
      "claims to use all extensions in a request",
      {
        changeAnswer: (answer, { headers }) => {
          const requestedExtensions = headers["a2a-extensions"];
          return requestedExtensions === undefined
            ? answer
            : { ...answer, headers: { ...answer.headers, "a2a-extensions": requestedExtensions } };
        },
      },
    ],
  }),
];
