import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { removeAt, setAt } from "../../../../../packs/reference/changes.ts";
import { knownExtension } from "../card.ts";
import { extensionsOf } from "../checks.ts";
import {
  type BrokenA2aAgent,
  breaks,
  by,
  faults,
  getting,
  leaveOut,
  ofOperation,
  refusing,
  results,
  streaming,
  subscribing,
} from "./variant.ts";

const extended = ofOperation("GetExtendedAgentCard");
const pushing = ofOperation(
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
);

/** A card that requires the known extension. */
const requiring = setAt("/capabilities/extensions", [{ uri: knownExtension, required: true }]);

const version = (headers: Readonly<Record<string, string>>): string => headers["a2a-version"] ?? "";

export const cardVariants: readonly BrokenA2aAgent[] = [
  ...breaks("A2A-CARD-001", {
    "": ["serves something other than its card", { card: (card) => removeAt("/supportedInterfaces")(card) }],
    former: [
      "serves a card of version 0.3",
      { card: (card) => setAt("/protocolVersion", "0.3.0")(removeAt("/supportedInterfaces")(card)) },
    ],
  }),
  ...breaks("A2A-CARD-005", {
    "": [
      "declares an interface that does not exist",
      {
        card: (card) => {
          const all = card.supportedInterfaces as Json[];
          const [first] = all;
          const url = isObject(first) ? String(first.url) : "";
          return {
            ...card,
            supportedInterfaces: [...all, { url: `${url}/other`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
          };
        },
      },
    ],
  }),
  ...breaks("A2A-CARD-006", {
    "": ["offers an extended card that it does not have", refusing("UnsupportedOperation", extended)],
  }),
  ...breaks("A2A-CARD-014", {
    "": [
      "returns an extended card that it does not offer",
      {
        ...leaveOut("capability", extended),
        card: (card, kind) => (kind === "public" ? setAt("/capabilities/extendedAgentCard", false)(card) : card),
      },
    ],
  }),
  ...breaks("A2A-CARD-015", {
    "": ["answers a request for its extended card with an empty object", results(extended, () => ({}))],
  }),
  ...breaks("A2A-CARD-016", {
    "": ["gives its extended card to strangers", leaveOut("credential", extended)],
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
        ...leaveOut("capability", (call) => streaming(call) || subscribing(call)),
        card: setAt("/capabilities/streaming", false),
      },
    ],
  }),
  ...breaks("A2A-PUSH-002", {
    "": [
      "has configurations of webhooks that it does not offer",
      { ...leaveOut("capability", pushing), card: setAt("/capabilities/pushNotifications", false) },
    ],
    "other-error": [
      "reports for webhooks that it does not offer only that the operation is unsupported",
      {
        ...faults("PushNotificationNotSupported", "UnsupportedOperation"),
        card: setAt("/capabilities/pushNotifications", false),
      },
    ],
  }),
  ...breaks("A2A-VER-002", {
    "": ["serves any version", leaveOut("version", ({ headers }) => /^\d+\.\d+$/.test(version(headers)))],
    "rest-alone": [
      "serves any version over HTTP+JSON",
      leaveOut(
        "version",
        by("HTTP+JSON", ({ headers }) => /^\d+\.\d+$/.test(version(headers))),
      ),
    ],
  }),
  ...breaks("A2A-VER-003", {
    "": ["treats an empty version as the newest", leaveOut("version", ({ headers }) => headers["a2a-version"] === "")],
    absent: [
      "treats a request without a version as one of the newest",
      leaveOut("version", ({ headers }) => headers["a2a-version"] === undefined),
    ],
  }),
  ...breaks("A2A-VER-004", {
    "": ["compares versions as texts", refusing("VersionNotSupported", ({ headers }) => version(headers) === "1.0.1")],
    words: ["accepts a word as a version", leaveOut("version", ({ headers }) => /^[a-z]/.test(version(headers)))],
  }),
  ...breaks("A2A-VER-006", {
    "": ["marks tasks with their kind, as 0.3 does", results(getting, (result) => ({ kind: "task", ...result }))],
  }),
  ...breaks("A2A-VER-007", { "": ["does not read the version in the query", { readsQuery: false }] }),
  ...breaks("A2A-VER-009", {
    "": [
      "finds no header with an upper-case name",
      refusing("VersionNotSupported", ({ spelled }) => spelled.includes("A2A-VERSION")),
    ],
    small: [
      "finds no header with a lower-case name",
      refusing("VersionNotSupported", ({ spelled }) => spelled.includes("a2a-version")),
    ],
  }),
  ...breaks("A2A-EXT-002", {
    "": [
      "serves a message without the extension that it requires",
      { ...leaveOut("extensions", (call) => extensionsOf(call).length === 0), card: requiring },
    ],
    streams: [
      "serves a stream without the extension that it requires",
      { ...leaveOut("extensions", (call) => streaming(call) && extensionsOf(call).length === 0), card: requiring },
    ],
  }),
  ...breaks("A2A-EXT-003", {
    "": [
      "refuses a request that names an unknown extension",
      refusing("ExtensionSupportRequired", (call) => extensionsOf(call).some((uri) => uri !== knownExtension)),
    ],
  }),
  ...breaks("A2A-EXT-004", {
    "": [
      "accepts another version of the extension that it requires",
      {
        ...leaveOut("extensions", (call) => extensionsOf(call).some((uri) => uri.endsWith("/v999"))),
        card: requiring,
      },
    ],
  }),
  ...breaks("A2A-EXT-005", {
    "": [
      "reads only the first extension of the header",
      {
        ...refusing("ExtensionSupportRequired", (call) => extensionsOf(call).indexOf(knownExtension) > 0),
        card: requiring,
      },
    ],
  }),
  ...breaks("A2A-EXT-006", {
    "": [
      "claims to use all extensions in a request",
      {
        answers: (answer, { headers }) => {
          const named = headers["a2a-extensions"];
          return named === undefined ? answer : { ...answer, headers: { ...answer.headers, "a2a-extensions": named } };
        },
      },
    ],
  }),
];
