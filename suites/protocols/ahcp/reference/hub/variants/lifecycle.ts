import { isObject } from "../../../../../../schemas/index.ts";
import { deliver, pushTarget } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import type { Entry } from "../store.ts";
import { bodies, type HubVariant, inner, replies, without } from "./variant.ts";

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Entries that were read before. */
const read = new WeakSet<Entry>();

/** How a message ends, and what must not end it. */
export const lifecycleVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ASK-007",
    says: "takes any answer to a confirm without options",
    policy: { checksAnswer: ({ mode, options }) => mode !== "confirm" || options !== undefined },
  },
  {
    rule: "AHCP-ASK-008",
    says: "takes any answer to a select",
    policy: { checksAnswer: ({ mode }) => mode !== "select" },
  },
  {
    rule: "AHCP-ASK-008",
    name: "confirm",
    says: "lets a confirm with options of its own be approved",
    policy: {
      checksAnswer: ({ mode, options }, { value }) =>
        mode !== "confirm" || options === undefined || (value !== "approve" && value !== "deny"),
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "normalised",
    says: "normalises options before it compares them",
    policy: {
      checksAnswer({ options }, { resolution, value }) {
        const isOffered = (text: string): boolean =>
          Array.isArray(options) && options.some((each) => isObject(each) && each.value === text.normalize("NFC"));
        return resolution !== "answered" || typeof value !== "string" || !isOffered(value);
      },
    },
  },
  {
    rule: "AHCP-ASK-009",
    says: "takes any answer to an input",
    policy: { checksAnswer: ({ mode }) => mode !== "input" },
  },
  {
    rule: "AHCP-ASK-009",
    name: "text",
    says: "takes a text for a number in a form, as web pages send it",
    policy: {
      checksAnswer: ({ mode }, { value }) =>
        mode !== "input" || typeof inner({ value: value ?? null }, "value").count !== "string",
    },
  },
  {
    rule: "AHCP-ASK-015",
    says: "lets an ask be answered that does not permit it",
    policy: { permits: (message, resolution) => resolution === "answered" || right.permits(message, resolution) },
  },
  {
    rule: "AHCP-ASK-015",
    name: "input",
    says: "lets a form be filled in that does not permit it",
    policy: {
      permits: (message, resolution) =>
        right.permits(message, resolution) || (resolution === "answered" && inner(message, "request").mode === "input"),
    },
  },
  {
    rule: "AHCP-ASK-016",
    name: "confirm",
    says: "lets a confirm be declined that does not permit it",
    policy: {
      permits: (message, resolution) =>
        right.permits(message, resolution) ||
        (resolution === "declined" && inner(message, "request").mode === "confirm"),
    },
  },
  {
    rule: "AHCP-ASK-016",
    says: "lets an ask be declined that does not permit it",
    policy: { permits: (message, resolution) => resolution === "declined" || right.permits(message, resolution) },
  },
  {
    rule: "AHCP-ASK-017",
    says: "calls an ask ignored",
    policy: { endings: (type) => [...right.endings(type), ...(type === "ask" ? ["ignored"] : [])] },
  },
  {
    rule: "AHCP-TSK-004",
    says: "applies a default to a task",
    policy: {
      fallback: (message) => right.fallback(message) ?? inner(message, "action").default_on_expire,
    },
  },
  {
    rule: "AHCP-TSK-005",
    says: "lets a task be answered",
    policy: { endings: (type) => [...right.endings(type), ...(type === "task" ? ["answered", "declined"] : [])] },
  },
  {
    rule: "AHCP-TSK-005",
    name: "cancelled",
    says: "lets a resolver cancel a task",
    policy: { endings: (type) => [...right.endings(type), ...(type === "task" ? ["cancelled"] : [])] },
  },
  {
    rule: "AHCP-LIF-001",
    says: "lets a resolver declare a message expired",
    policy: { endings: (type) => (type === "notify" ? [] : [...right.endings(type), "expired"]) },
  },
  {
    rule: "AHCP-LIF-002",
    says: "lets a resolver decline what is answered",
    policy: {
      mayEndAgain: ({ status }, { resolution }) => status === "answered" && resolution === "declined",
    },
  },
  {
    rule: "AHCP-LIF-003",
    says: "looks at the status some time before it changes it",
    policy: { gap: (act) => (act === "submit" ? undefined : pause(15)) },
  },
  {
    rule: "AHCP-LIF-004",
    says: "lets a resolution that comes just before the deadline overwrite the default",
    policy: {
      gap(act, hub, entry) {
        const deadline = entry === undefined ? undefined : hub.policy.deadline(entry.message, entry.acceptedAt);
        const left = (deadline ?? Number.POSITIVE_INFINITY) - hub.clock.now();
        return act === "resolve" && left < 500 ? pause(left + 30) : undefined;
      },
    },
  },
  {
    rule: "AHCP-LIF-005",
    says: "makes no Response of a cancellation",
    policy: { envelope: (envelope) => (envelope.resolution === "cancelled" ? undefined : envelope) },
  },
  {
    rule: "AHCP-LIF-006",
    says: "pushes a second outcome that it refused",
    policy: {
      afterRefusal(entry, outcome, hub) {
        if (entry.envelope === undefined) return;
        const envelope = envelopeOf(hub, entry, outcome, hub.clock.now());
        deliver(hub, { ...entry, envelope, attempts: 0 });
      },
    },
  },
  {
    rule: "AHCP-LIF-007",
    says: "lets a notify with a callback be answered",
    policy: {
      endings: (type) => (type === "notify" ? ["answered", "declined"] : right.endings(type)),
      mayEndAgain: ({ status, message }) => status === "delivered" && message.callback !== undefined,
      checksAnswer: (request) => Object.keys(request).length > 0,
      callbackOf: (entry) => (entry.message.type === "notify" ? inner(entry.message, "callback") : pushTarget(entry)),
    },
  },
  {
    rule: "AHCP-LIF-008",
    says: "calls a notify open once it has been read",
    policy: bodies("read", (body, { entry }) => {
      if (entry === undefined || body.type !== "notify") return body;
      const status = read.has(entry) ? "open" : "delivered";
      read.add(entry);
      return { ...body, status };
    }),
  },
  {
    rule: "AHCP-CAN-001",
    says: "confirms a cancellation without saying how it ended",
    policy: replies("cancel", (reply, { entry }) =>
      entry?.status === "cancelled" ? { status: 200, body: { ok: true } } : reply,
    ),
  },
  { rule: "AHCP-CAN-002", says: "lets anyone cancel", policy: { mayCancel: () => true } },
  {
    rule: "AHCP-CAN-002",
    name: "ended",
    says: "tells anyone who cancels it how an ask has ended",
    policy: {
      mayCancel: (principal, entry) => right.mayCancel(principal, entry, undefined as never) || entry.status !== "open",
    },
  },
  {
    rule: "AHCP-CAN-002",
    name: "kinds",
    says: "tells anyone who cancels it that a message is no ask",
    policy: {
      mayCancel: (principal, { agent, message }) => principal === agent || message.type !== "ask",
    },
  },
  {
    rule: "AHCP-CAN-003",
    says: "does not name the outcome that a cancellation came too late for",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "cancelled" ? body : without(body, "status", "resolution"),
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired",
    says: "does not name an expiry that a cancellation came too late for",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "expired" ? without(body, "id", "status", "resolution") : body,
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired-status",
    says: "says that an ask was cancelled that had expired",
    policy: bodies("cancel", (body, { entry }) =>
      entry?.status === "expired" ? { ...body, status: "cancelled" } : body,
    ),
  },
  {
    rule: "AHCP-CAN-003",
    name: "expired-unknown",
    says: "calls an ask unknown that is cancelled once it has expired",
    policy: replies("cancel", (_, { entry }) =>
      entry?.status === "expired" ? fault("not_found", "there is no such message") : undefined,
    ),
  },
  {
    rule: "AHCP-CAN-004",
    says: "cancels again what is cancelled",
    policy: {
      mayEndAgain: ({ status }, { resolution }) => status === "cancelled" && resolution === "cancelled",
    },
  },
  {
    rule: "AHCP-CAN-005",
    says: "lets a task be cancelled",
    policy: { canCancel: ({ message }) => message.type !== "notify" },
  },
  {
    rule: "AHCP-CAN-006",
    says: "calls the cancellation of an unknown message malformed",
    policy: replies("refusal", (reply, { seeking, isStranger }) =>
      reply.status === 404 && seeking === "mayCancel" && isStranger !== true
        ? fault("validation_error", "there is nothing to cancel")
        : reply,
    ),
  },
  {
    rule: "AHCP-CAN-007",
    says: "looks at the status some time before it cancels",
    policy: { gap: (act) => (act === "cancel" ? pause(15) : undefined) },
  },
  {
    rule: "AHCP-CAN-008",
    says: "does not push a cancellation",
    policy: { callbackOf: (entry) => (entry.status === "cancelled" ? undefined : pushTarget(entry)) },
  },
];
