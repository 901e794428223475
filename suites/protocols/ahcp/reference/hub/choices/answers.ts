import { randomBytes } from "node:crypto";
import { isObject } from "../../../../../../schemas/index.ts";
import { fault } from "../reply.ts";
import { type HubChoice, serveAround } from "./choice.ts";

/** Members that the hub itself adds to messages. */
const hubMembers = ["id", "status", "response", "resolution_id"];

/** The choices about answers. */
export const answers: readonly HubChoice[] = [
  {
    name: "talkative-errors",
    kind: "freedom",
    freedoms: ["further-members-of-errors"],
    says: "adds members to its errors",
    changes: (reply) => {
      if (!isObject(reply.body) || !isObject(reply.body.error)) return reply;
      const error = { ...reply.body.error, details: [] };
      return { ...reply, body: { ...reply.body, error, request_id: "req_1" } };
    },
  },
  {
    name: "conflicts-alone",
    kind: "freedom",
    freedoms: ["cancel-conflict"],
    says: "answers a late cancellation with the outcome, without an error object",
    changes: (reply, { route }) => {
      if (route !== "cancel" || !isObject(reply.body)) return reply;
      const { error, request_id, ...outcome } = reply.body;
      return error === undefined ? reply : { ...reply, body: outcome };
    },
  },
  {
    name: "cancels-of-others-409",
    kind: "freedom",
    freedoms: ["cancel-of-others"],
    says: "refuses to cancel a task or a notify with 409",
    changes: (reply, { route, entry }) => {
      const isWithdrawnTask = route === "refusal" && entry !== undefined && entry.message.type !== "ask";
      if (!isWithdrawnTask || reply.status !== 400 || !isObject(reply.body)) return reply;
      const error = { code: "already_terminal", message: "only an ask can be cancelled" };
      return { ...reply, status: 409, body: { ...reply.body, error } };
    },
  },
  {
    name: "schema-faults-422",
    kind: "freedom",
    freedoms: ["status-of-schema-faults"],
    says: "answers 422 to messages that break the schema, except in their version, which earns a warning",
    changes: (reply, { refusal }) => {
      if (refusal?.kind !== "invalid" || refusal.code !== undefined || !isObject(reply.body)) return reply;
      if (refusal.reasons.some(({ at = "" }) => at === "" || at === "/ahcp_version")) return reply;
      return {
        ...reply,
        status: 422,
        body: { ...reply.body, error: { code: "invalid_field", message: "the message cannot be accepted" } },
      };
    },
  },
  {
    name: "strangers-403",
    kind: "freedom",
    freedoms: ["strange-reader"],
    says: "answers 403 to reads of other agents' messages, which earns a warning",
    changes: (reply, { isStranger, seeking, entry }) => {
      if (isStranger !== true || seeking !== "maySee" || entry?.deleted !== false) return reply;
      return fault("not_authorized", "this message belongs to another agent");
    },
  },
  {
    name: "deleted-410-for-all",
    kind: "freedom",
    freedoms: ["deleted-for-strangers"],
    says: "reveals to other agents that a message has been deleted, which earns a warning",
    changes: (reply, { isStranger, seeking, entry }) => {
      if (isStranger !== true || seeking !== "maySee" || entry?.deleted !== true) return reply;
      return fault("gone", "the message has been deleted");
    },
  },
  {
    name: "late-cancels-200",
    kind: "freedom",
    freedoms: ["late-cancel"],
    says: "reports the expiry to a late cancellation with 200, which earns a warning",
    changes: (reply, { route }) => {
      if (route !== "cancel" || reply.status !== 409 || !isObject(reply.body)) return reply;
      const { id = null, status = null, resolution = null } = reply.body;
      return status === "expired" ? { status: 200, body: { id, status, resolution } } : reply;
    },
  },
  {
    name: "cancels-of-deleted-404",
    kind: "freedom",
    freedoms: ["cancel-of-deleted"],
    says: "answers 404 to the cancellation of a deleted message",
    changes: (reply, { seeking, entry, isStranger }) => {
      if (seeking !== "mayCancel" || isStranger === true || entry?.deleted !== true) return reply;
      return fault("not_found", "this message does not exist");
    },
  },
  {
    name: "cancels-without-body",
    kind: "freedom",
    freedoms: ["cancel-body"],
    says: "refuses a cancellation with a body, which earns a warning",
    policy: () => ({ readsCancelBody: false }),
  },
  {
    name: "closed-discovery",
    kind: "freedom",
    freedoms: ["closed-discovery"],
    says: "shows its discovery document only to agents, which earns a warning",
    policy: () => ({ isDiscoveryOpen: false }),
  },
  {
    name: "wrong-methods-404",
    kind: "freedom",
    freedoms: ["wrong-methods"],
    says: "answers unknown methods with 404",
    around: (handler) =>
      serveAround(handler, async (request) => {
        const answer = await handler(request);
        if (answer.status !== 405) return answer;
        return Response.json({ error: { code: "not_found", message: "nothing is here" } }, { status: 404 });
      }),
  },
  {
    name: "review-addresses",
    kind: "freedom",
    freedoms: ["review-address"],
    says: "adds a review URL to its acknowledgments",
    changes: (reply, { route }) => {
      if (route !== "submit" || !isObject(reply.body)) return reply;
      return { ...reply, body: { ...reply.body, review_url: `${reply.body.poll_url}/review` } };
    },
  },
  {
    name: "echoes-everything",
    kind: "freedom",
    freedoms: ["echo"],
    says: "also shows unknown members of a message",
    policy: () => ({
      shownMembers: (message) =>
        Object.fromEntries(Object.entries(message).filter(([name]) => !hubMembers.includes(name))),
    }),
  },
  {
    name: "bare-discovery",
    kind: "freedom",
    factor: "discovery",
    freedoms: ["fields-of-discovery", "unpublished-limits"],
    says: "publishes only its version, small sizes, and the callbacks that it does not support",
    changes: (reply, { route }) => {
      const { body } = reply;
      if (route !== "capability" || !isObject(body)) return reply;
      const schemes = body.callback_auth_schemes;
      const isPublished = (name: string): boolean => {
        if (name.startsWith("max_")) return body.max_context_parts === 1;
        if (/^(callback_auth_schemes|signature_algs)$/.test(name))
          return Array.isArray(schemes) && !schemes.includes("hmac");
        return name === "ahcp_version";
      };
      return { ...reply, body: Object.fromEntries(Object.entries(body).filter(([name]) => isPublished(name))) };
    },
  },
  {
    name: "depth-alone",
    kind: "freedom",
    factor: "discovery",
    freedoms: ["fields-of-discovery", "unpublished-limits"],
    says: "publishes the depth of its inbox, but not its rate of requests",
    changes: (reply, { route }) => {
      if (route !== "capability" || !isObject(reply.body) || !isObject(reply.body.rate_limit)) return reply;
      const { inbox_depth = null } = reply.body.rate_limit;
      return { ...reply, body: { ...reply.body, rate_limit: { inbox_depth } } };
    },
  },
  {
    name: "ignores-since",
    kind: "freedom",
    freedoms: ["since"],
    says: "ignores since",
    moots: ["breaks-AHCP-GET-009-empty", "breaks-AHCP-GET-009", "breaks-AHCP-RES-007-touched"],
    policy: () => ({ isUnchanged: () => false }),
  },
  {
    name: "answers-waits-at-once",
    kind: "freedom",
    freedoms: ["long-poll"],
    says: "answers every read at once, which earns a warning",
    moots: ["breaks-AHCP-GET-008"],
    policy: () => ({ secondsToWait: () => 0 }),
  },
  {
    name: "odd-ids",
    kind: "freedom",
    freedoms: ["form-of-ids"],
    says: "uses ids of arbitrary characters",
    policy: () => ({ idFor: () => `m ü:~+${randomBytes(12).toString("base64url")}(1)` }),
  },
  {
    name: "dated-retry-after",
    kind: "freedom",
    freedoms: ["retry-after"],
    says: "gives Retry-After as a date",
    changes: (reply, { hub }) => {
      const seconds = reply.headers?.["retry-after"];
      if (seconds === undefined) return reply;
      const date = new Date(hub.clock.now() + Number(seconds) * 1000 + 999).toUTCString();
      return { ...reply, headers: { ...reply.headers, "retry-after": date } };
    },
  },
  {
    name: "keeps-for-years",
    kind: "freedom",
    freedoms: ["retention"],
    says: "keeps ended messages for years",
    policy: () => ({ retention: () => 3650 }),
  },
];
