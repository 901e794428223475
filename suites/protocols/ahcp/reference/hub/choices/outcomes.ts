import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import type { HubChoice } from "./choice.ts";

/** Changes the inner `response` of every Response. */
function changeResponse(
  change: (inner: JsonObject, envelope: JsonObject) => JsonObject,
): NonNullable<HubChoice["policy"]> {
  return (base) => ({
    envelope(response, entry, hub) {
      const envelope = base.envelope(response, entry, hub);
      if (envelope === undefined || !isObject(envelope.response)) return envelope;
      return { ...envelope, response: change(envelope.response, envelope) };
    },
  });
}

const rewriteTimes = (rewrite: (text: string) => string): NonNullable<HubChoice["policy"]> =>
  changeResponse((inner) => ({ ...inner, resolved_at: rewrite(String(inner.resolved_at)) }));

/** Choices about how messages end, and how the hub reports it. */
export const outcomes: readonly HubChoice[] = [
  {
    name: "sweeps",
    kind: "freedom",
    factor: "visibility-of-expiry",
    freedoms: ["visibility-of-expiry"],
    says: "ends overdue messages some real time after their deadline",
    // The variant overwrites an applied default, but no default has been applied yet.
    moots: ["breaks-AHCP-LIF-004"],
    policy: () => ({ sweepDelay: 600, grace: (act) => (act === "read" ? Number.POSITIVE_INFINITY : 0) }),
  },
  {
    name: "notices-late",
    kind: "freedom",
    factor: "visibility-of-expiry",
    freedoms: ["visibility-of-expiry"],
    says: "shows an expiry three seconds of its clock after the deadline",
    // The variant overwrites an applied default, but no default has been applied yet.
    moots: ["breaks-AHCP-LIF-004"],
    policy: () => ({ grace: (act) => (act === "read" || act === "sweep" ? 3000 : 0) }),
  },
  {
    name: "dated-when-noticed",
    kind: "freedom",
    freedoms: ["time-of-expiry"],
    says: "reports the time when it notices an expiry, not the deadline",
    policy: () => ({ expiredAt: (_deadline, now) => now }),
  },
  {
    name: "whole-seconds",
    kind: "freedom",
    factor: "spelling-of-times",
    freedoms: ["spelling-of-times"],
    says: "reports times in whole seconds",
    // The only mistake of the variant is to push times without a fraction.
    moots: ["breaks-AHCP-GET-012"],
    policy: rewriteTimes((text) => text.replace(/\.\d+(?=Z$|[+-])/, "")),
  },
  {
    name: "times-with-offset",
    kind: "freedom",
    factor: "spelling-of-times",
    freedoms: ["spelling-of-times"],
    says: "reports times with an offset",
    policy: rewriteTimes((text) => text.replace(/Z$/, "+00:00")),
  },
  {
    name: "own-name-for-expiry",
    kind: "freedom",
    freedoms: ["name-of-expiry"],
    says: "uses its own actor for expiries without a default",
    policy: changeResponse((inner) =>
      inner.actor === "system:expiry" ? { ...inner, actor: "system:the-clock" } : inner,
    ),
  },
  {
    name: "says-what-is-false",
    kind: "freedom",
    freedoms: ["false-members"],
    says: "sends defaulted and edited even when they are false",
    policy: (base) => ({
      envelope(response, entry, hub) {
        const envelope = base.envelope(response, entry, hub);
        if (envelope === undefined) return envelope;
        const { defaulted = false, response: inner } = envelope;
        const isAnswer = isObject(inner) && inner.value !== undefined;
        return { ...envelope, defaulted, ...(isAnswer ? { response: { ...inner, edited: false } } : {}) };
      },
    }),
  },
  {
    name: "version-of-the-message",
    kind: "freedom",
    freedoms: ["version-of-response"],
    says: "repeats the version of a message in its Response",
    policy: (base) => ({
      envelope(response, entry, hub) {
        const envelope = base.envelope(response, entry, hub);
        return envelope && { ...envelope, ahcp_version: entry.message.ahcp_version as Json };
      },
    }),
  },
  {
    name: "bare-task-outcomes",
    kind: "freedom",
    freedoms: ["task-response"],
    says: "sends the inner response of a task only with a comment or a checklist",
    moots: ["breaks-AHCP-RSP-009-value-kept", "breaks-AHCP-TSK-004"],
    policy: (base) => ({
      envelope(original, entry, hub) {
        const envelope = base.envelope(original, entry, hub);
        if (envelope === undefined || entry.message.type !== "task" || !isObject(envelope.response)) return envelope;
        const { response, ...outcome } = envelope;
        return response.comment === undefined && response.checklist === undefined ? outcome : envelope;
      },
    }),
  },
  {
    name: "withdraws",
    kind: "freedom",
    freedoms: ["withdrawal-by-hub"],
    says: "lets a resolver cancel an ask",
    policy: (base) => ({
      outcomesFor: (type) => [...base.outcomesFor(type), ...(type === "ask" ? ["cancelled"] : [])],
    }),
  },
  {
    name: "drops-surplus-values",
    kind: "freedom",
    freedoms: ["surplus-values"],
    says: "drops the value of an outcome that should have none",
    moots: ["breaks-AHCP-RSP-009-value-kept", "breaks-AHCP-RSP-011-declined-with-value"],
    policy: (base) => ({
      checksAnswer: (request, outcome) => outcome.resolution === "answered" && base.checksAnswer(request, outcome),
      ...changeResponse(({ value, ...inner }, { resolution }) =>
        value === undefined || !["declined", "cancelled", "completed", "dismissed"].includes(String(resolution))
          ? { ...inner, ...(value === undefined ? {} : { value }) }
          : inner,
      )(base),
    }),
  },
  {
    name: "gives-outcome-to-late",
    kind: "freedom",
    freedoms: ["late-resolve"],
    says: "answers a late resolver with the existing outcome",
    // These variants store parts of a refused resolution, and with this choice no resolution is refused.
    moots: ["breaks-AHCP-LIF-002-comment", "breaks-AHCP-LIF-002-actor"],
    policy: () => ({ givesOutcomeToLate: true }),
  },
  {
    name: "ignoring-declines",
    kind: "freedom",
    freedoms: ["ignored-asks"],
    says: "declines an ask that a resolver ignores",
    // This choice has already changed "ignored" to "declined" when these variants look for "ignored".
    moots: ["breaks-AHCP-ASK-017", "breaks-AHCP-ASK-017-open"],
    policy: (base) => ({
      recordedOutcome: (resolution, message) =>
        resolution === "ignored" && message.type === "ask" ? "declined" : base.recordedOutcome(resolution, message),
    }),
  },
  {
    name: "permissions-403",
    kind: "freedom",
    freedoms: ["status-of-permissions"],
    says: "answers 403 to an outcome that the permissions of an ask forbid",
    policy: () => ({ codeOfForbiddenOutcome: "not_authorized" }),
  },
  {
    name: "submitter-of-empty-lists",
    kind: "freedom",
    freedoms: ["empty-resolver-list"],
    says: "lets the submitter resolve if the list of resolvers is empty, which earns a warning",
    policy: (base) => ({
      mayResolve(actor, entry) {
        const { allowed_resolvers: allowedResolvers } = blockOf(entry.message);
        const isSubmitter =
          Array.isArray(allowedResolvers) && allowedResolvers.length === 0 && actor === `agent:${entry.agent}`;
        return isSubmitter || base.mayResolve(actor, entry);
      },
    }),
  },
  {
    name: "resolvers-by-pattern",
    kind: "freedom",
    freedoms: ["resolver-patterns"],
    says: "ignores case when it compares resolvers, which earns a warning",
    policy: (base) => ({
      mayResolve(actor, entry) {
        const block = entry.message.type === "task" ? entry.message.action : entry.message.request;
        const allowedResolvers =
          isObject(block) && Array.isArray(block.allowed_resolvers) ? block.allowed_resolvers : [];
        const isListed = allowedResolvers.some((resolver) => String(resolver).toLowerCase() === actor.toLowerCase());
        return base.mayResolve(actor, entry) || (isListed && !actor.startsWith("system:"));
      },
    }),
  },
];
