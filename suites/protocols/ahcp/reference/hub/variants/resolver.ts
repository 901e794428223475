import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { deliver } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import { blockOf, end } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import type { StoredMessage } from "../store.ts";
import { markRecalled } from "./change.ts";
import { breaks, type HubVariant, memberObject } from "./variant.ts";

/** The actor that the request claims to come from. */
const claimedActor = (actor: string, input: JsonObject): string => String(memberObject(input, "claims").actor ?? actor);

/** The last actor that tried to resolve without permission. */
const refusedActors = new WeakMap<StoredMessage, string>();

function resolversOf({ message }: StoredMessage): readonly Json[] {
  const { allowed_resolvers: listedResolvers = [] } = blockOf(message);
  return Array.isArray(listedResolvers) ? listedResolvers : [];
}

function firstParts(actor: string): string {
  return actor.split(":").slice(0, 2).join(":");
}

function nameWithoutKind(actor: string): string {
  return actor.slice(actor.indexOf(":") + 1);
}

/** Hubs that break a rule on who may resolve. */
export const resolverVariants: readonly HubVariant[] = [
  ...breaks("AHCP-RES-001", {
    "actor-from-claims": [
      "authorizes the resolver that a request claims to come from",
      { identifyResolver: claimedActor },
    ],
    "": [
      "records the resolver that a request claims to come from",
      {
        nameActor: (actor, input) => String(memberObject(input, "claims").actor ?? actor),
      },
    ],
  }),
  ...breaks("AHCP-RES-002", {
    "": [
      "lets anyone resolve an ask without a list of resolvers",
      {
        mayResolve: (actor, entry) =>
          blockOf(entry.message).allowed_resolvers === undefined || correctHubPolicy.mayResolve(actor, entry),
      },
    ],
    task: [
      "lets anyone resolve a task without a list of resolvers",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          (entry.message.type === "task" && blockOf(entry.message).allowed_resolvers === undefined),
      },
    ],
  }),
  ...breaks("AHCP-RES-003", {
    system: [
      "believes a request that claims to come from a system",
      {
        nameActor(actor, input) {
          const claimedName = String(memberObject(input, "claims").actor ?? actor);
          return claimedName.startsWith("system:") ? claimedName : actor;
        },
      },
    ],
    submitter: [
      "lets the submitter resolve a task although it is not listed",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          (entry.message.type === "task" && actor === `agent:${entry.agent}`),
      },
    ],
    agents: [
      "lets any agent resolve a message that lists an agent",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          (actor.startsWith("agent:") &&
            /"agent:/.test(JSON.stringify(blockOf(entry.message).allowed_resolvers ?? []))),
      },
    ],
    first: [
      "lets only the first listed resolver resolve",
      {
        mayResolve(actor, entry) {
          const { allowed_resolvers: listedResolvers } = blockOf(entry.message);
          return (
            correctHubPolicy.mayResolve(actor, entry) &&
            (!Array.isArray(listedResolvers) || listedResolvers[0] === actor)
          );
        },
      },
    ],
    restart: [
      "lets anyone resolve a message that it has restored after a restart",
      {
        ...markRecalled,
        mayResolve: (actor, entry) => entry.message.recalled === true || correctHubPolicy.mayResolve(actor, entry),
      },
    ],
    trimmed: [
      "trims white space from listed resolvers",
      {
        mayResolve(actor, entry) {
          const { allowed_resolvers: listedResolvers } = blockOf(entry.message);
          const isListed =
            Array.isArray(listedResolvers) && listedResolvers.some((name) => String(name).trim() === actor);
          return correctHubPolicy.mayResolve(actor, entry) || (isListed && !actor.startsWith("system:"));
        },
      },
    ],
    "": [
      "accepts a resolver if its name begins with a listed name",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          resolversOf(entry).some((name) => actor.startsWith(String(name))),
      },
    ],
    pattern: [
      "treats the name of a listed resolver as a regular expression",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          resolversOf(entry).some((name) => new RegExp(`^${name}$`).test(actor)),
      },
    ],
    task: [
      "lets anyone resolve a task that lists resolvers",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) || (entry.message.type === "task" && resolversOf(entry).length > 0),
      },
    ],
    input: [
      "lets anyone fill in a form that lists resolvers",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          (blockOf(entry.message).mode === "input" && resolversOf(entry).length > 0),
      },
    ],
    parts: [
      "compares only the first two parts of a resolver's name",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          resolversOf(entry).some((name) => firstParts(String(name)) === firstParts(actor)),
      },
    ],
    kind: [
      "compares the names of resolvers without their kinds",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          resolversOf(entry).some((name) => nameWithoutKind(String(name)) === nameWithoutKind(actor)),
      },
    ],
  }),
  ...breaks("AHCP-RES-004", {
    "": [
      "treats an empty list as no list, so that anyone may resolve",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) ||
          (blockOf(entry.message).allowed_resolvers !== undefined && resolversOf(entry).length === 0),
      },
    ],
  }),
  ...breaks("AHCP-RES-005", {
    "": [
      "lets no agent resolve another agent's message",
      {
        mayResolve: (actor, entry) =>
          correctHubPolicy.mayResolve(actor, entry) &&
          (!actor.startsWith("agent:") || actor === `agent:${entry.agent}`),
      },
    ],
  }),
  ...breaks("AHCP-RES-006", {
    "": [
      "shows the client_ref to resolvers",
      { extraViewMembers: ({ client_ref: reference = "" }) => ({ client_ref: reference }) },
    ],
  }),
  ...breaks("AHCP-RES-007", {
    "": [
      "declines an ask after an unauthorized attempt to resolve it",
      {
        afterRefusal(entry, { actor }, hub) {
          if (entry.status !== "open" || hub.policy.mayResolve(actor, entry)) return;
          const resolution = entry.message.type === "ask" ? "declined" : "dismissed";
          end(hub, entry, { resolution, actor: `agent:${entry.agent}` }, hub.clock.now());
        },
      },
    ],
    emits: [
      "pushes a declined ask after an unauthorized attempt to resolve it",
      {
        afterRefusal(entry, { actor }, hub) {
          if (entry.status !== "open" || hub.policy.mayResolve(actor, entry)) return;
          const outcome = { resolution: "declined", actor: `agent:${entry.agent}` };
          deliver(hub, { ...entry, envelope: envelopeOf(hub, entry, outcome, hub.clock.now()) });
        },
      },
      { withHooks: ["secret"] },
    ],
    comment: [
      "replaces the body of a message by the comment of an unauthorized resolver",
      {
        afterRefusal(entry, { comment }) {
          if (comment !== undefined) entry.message = { ...entry.message, body: comment };
        },
      },
    ],
    noted: [
      "shows which actor has tried to resolve without permission",
      {
        afterRefusal: (entry, { actor }) => void refusedActors.set(entry, actor),
        shownMembers(message, entry) {
          const lastRefused = refusedActors.get(entry);
          return {
            ...correctHubPolicy.shownMembers(message, entry),
            ...(lastRefused === undefined ? {} : { last_refused: lastRefused }),
          };
        },
      },
    ],
    touched: [
      "treats a refused attempt as a change of the message",
      {
        afterRefusal(entry, _, { clock }) {
          entry.changedAt = clock.now();
        },
      },
      { withHooks: ["clock"] },
    ],
  }),
];
