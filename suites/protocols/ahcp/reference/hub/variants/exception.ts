import type { JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import type { Entry, Store } from "../store.ts";
import { instant } from "../time.ts";
import { signed } from "./signature.ts";
import { type HubVariant, inner, replies, without } from "./variant.ts";

/** Pushes also where pull was asked for, once a message ended so. */
function pushing(ending: string): HubVariant["policy"] {
  return {
    callbackOf(entry, hub) {
      const callback = inner(blockOf(entry.message), "callback");
      const isOne = entry.status === ending && typeof callback.url === "string";
      return isOne ? callback : right.callbackOf(entry, hub);
    },
  };
}

/** Signs another body than the one that is sent. */
function signing(change: (body: JsonObject) => JsonObject): HubVariant["policy"] {
  return signed((_headers, { ahcpSignature, body, url, stamp, key }) =>
    ahcpSignature.sign(change(body), url, stamp, key),
  );
}

/** Outcomes since a hub was started: one at a time has this variant. */
let counted: { store: Store | undefined; outcomes: number } = { store: undefined, outcomes: 0 };

/** What goes wrong at edges alone: an instant, an empty text, a spelling that few use. */
export const exceptionVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-EXP-001",
    name: "instant",
    says: "takes a deadline that is this very instant",
    policy: { isAhead: (deadline, now) => (instant(deadline) ?? 0) >= now },
  },
  {
    rule: "AHCP-EXP-002",
    name: "small-letters",
    says: "never lets a deadline pass that is written in small letters",
    policy: {
      deadline: (message, acceptedAt) =>
        String(message.expires_at).endsWith("z") ? undefined : right.deadline(message, acceptedAt),
    },
  },
  {
    rule: "AHCP-VER-003",
    name: "decimal",
    says: "reads versions as decimal numbers, and 0.10 as before 0.3",
    policy: { pushes: (version) => Number(version) >= 0.3 },
  },
  {
    rule: "AHCP-ASK-008",
    name: "empty",
    says: "takes an option without a letter for no answer",
    policy: { checksAnswer: (_, outcome) => isThere(outcome, outcome.value !== "") },
  },
  {
    rule: "AHCP-ASK-009",
    name: "empty",
    says: "takes an empty form for no answer",
    policy: { checksAnswer: (_, outcome) => isThere(outcome, JSON.stringify(outcome.value) !== "{}") },
  },
  {
    rule: "AHCP-ERR-003",
    name: "media-type",
    says: "breaks down over a body of another media type",
    policy: replies("refusal", (reply) => (reply.status === 415 ? { ...reply, status: 500 } : reply)),
  },
  { rule: "AHCP-CBK-007", name: "cancelled", says: "pushes every cancellation", policy: pushing("cancelled") },
  { rule: "AHCP-CBK-007", name: "expired", says: "pushes every expiry", policy: pushing("expired") },
  {
    rule: "AHCP-GET-003",
    name: "sensitive",
    says: "does not show the body of a sensitive message",
    policy: {
      echo: (message, entry) =>
        message.sensitive === true ? without(right.echo(message, entry), "body") : right.echo(message, entry),
    },
  },
  {
    rule: "AHCP-GET-005",
    name: "beginning",
    says: "takes the beginning of an id for the id",
    policy: replies("refusal", (reply, { asked, hub, seeking }) => {
      const entries = [...hub.store.entries.values()];
      const entry = asked === "" ? undefined : entries.find(({ id }) => asked !== undefined && id.startsWith(asked));
      if (entry === undefined || reply.status !== 404 || seeking !== "maySee") return reply;
      return { status: 200, body: { ...right.echo(entry.message, entry), id: entry.id, status: entry.status } };
    }),
  },
  {
    rule: "AHCP-GET-008",
    name: "fraction",
    says: "breaks down over a wait of one second and a half",
    policy: {
      patience(asked, text) {
        if (text?.includes(".") === true) throw new Error(`wait is no integer: ${text}`);
        return asked;
      },
    },
  },
  {
    rule: "AHCP-GET-009",
    name: "no-time",
    says: "breaks down over a since that is no time",
    policy: {
      isUnchanged(entry, since) {
        if (since === undefined) throw new Error("since is no time");
        return right.isUnchanged(entry, since);
      },
    },
  },
  {
    rule: "AHCP-GET-012",
    name: "sensitive",
    says: "pushes the answer to a sensitive ask without its comment",
    policy: {
      pushed: (envelope, { entry }) =>
        entry.message.sensitive === true
          ? { ...envelope, response: without(inner(envelope, "response"), "comment") }
          : envelope,
    },
  },
  {
    rule: "AHCP-SIG-004",
    name: "nulls",
    says: "signs the state without what is null in it",
    policy: signing((body) => {
      const state = Object.entries(inner(body, "state")).filter(([, value]) => value !== null);
      return body.state === undefined ? body : { ...body, state: Object.fromEntries(state) };
    }),
  },
  {
    rule: "AHCP-SIG-004",
    name: "empty-comment",
    says: "signs an outcome without its comment where that is empty",
    policy: signing((body) => {
      const response = inner(body, "response");
      return response.comment === "" ? { ...body, response: without(response, "comment") } : body;
    }),
  },
  {
    rule: "AHCP-SIG-007",
    name: "checklist",
    says: "signs the outcome of a task without its checklist",
    policy: signing((body) =>
      body.response === undefined ? body : { ...body, response: without(inner(body, "response"), "checklist") },
    ),
  },
  {
    rule: "AHCP-DUR-006",
    name: "unread",
    says: "notices after a restart that a deadline has passed only when somebody reads",
    policy: { watchesAgain: false },
  },
  {
    rule: "AHCP-DLV-002",
    name: "refused",
    says: "pushes nothing more to a URL that has refused an outcome",
    policy: {
      callbackOf(entry, hub) {
        const url = (each: Entry) => inner(blockOf(each.message), "callback").url;
        const others = [...hub.store.entries.values()].filter((each) => each.push === "refused" && each !== entry);
        return others.some((each) => url(each) === url(entry)) ? undefined : right.callbackOf(entry, hub);
      },
    },
  },
  {
    rule: "AHCP-RSP-015",
    name: "restart",
    says: "counts its outcomes from when it was started",
    policy: {
      idFor(message, hub) {
        if (counted.store !== hub.store) counted = { store: hub.store, outcomes: 0 };
        return right.idFor(message, hub);
      },
      envelope(envelope) {
        counted.outcomes += 1;
        return { ...envelope, resolution_id: `res_${String(counted.outcomes).padStart(8, "0")}` };
      },
    },
  },
  {
    rule: "AHCP-DUR-001",
    name: "permissions",
    says: "keeps in memory only what a resolver of an ask is permitted to do",
    policy: {
      records(happening) {
        if (happening.event !== "accepted" || happening.message.type !== "ask") return happening;
        const { message } = happening;
        return { ...happening, message: { ...message, request: without(inner(message, "request"), "permissions") } };
      },
    },
  },
];

/** An answer is looked at, without its value where that is taken for none. */
function isThere(outcome: { value?: unknown }, isValue: boolean): true {
  if (!isValue) delete outcome.value;
  return true;
}
