import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { deliver } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import { blockOf, end } from "../lifecycle.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { marking } from "./change.ts";
import { type HubVariant, inner } from "./variant.ts";

/** Who resolves, as a request that says so itself would have it. */
const claimed = (actor: string, given: JsonObject): string => String(inner(given, "claims").actor ?? actor);

/** Who has tried last to resolve what it may not. */
const refusedTo = new WeakMap<Entry, string>();

function resolversOf({ message }: Entry): readonly Json[] {
  const { allowed_resolvers: allowed = [] } = blockOf(message);
  return Array.isArray(allowed) ? allowed : [];
}

function partsOf(actor: string): string {
  return actor.split(":").slice(0, 2).join(":");
}

function nameIn(actor: string): string {
  return actor.slice(actor.indexOf(":") + 1);
}

/** Hubs that break a rule on who may resolve. */
export const resolverVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RES-001",
    name: "actor-from-claims",
    says: "lets a request in that claims to come from a listed resolver",
    policy: { identifies: claimed },
  },
  {
    rule: "AHCP-RES-001",
    says: "believes the resolver that a request claims",
    policy: {
      attributes: (actor, given) => String(inner(given, "claims").actor ?? actor),
    },
  },
  {
    rule: "AHCP-RES-002",
    says: "lets anyone resolve an ask with an empty list",
    policy: {
      mayResolve: (actor, entry) =>
        blockOf(entry.message).allowed_resolvers === undefined || right.mayResolve(actor, entry),
    },
  },
  {
    rule: "AHCP-RES-002",
    name: "task",
    says: "lets anyone resolve a task with an empty list",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (entry.message.type === "task" && blockOf(entry.message).allowed_resolvers === undefined),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "system",
    says: "believes who claims to be a system that is listed",
    policy: {
      attributes(actor, given) {
        const claimed = String(inner(given, "claims").actor ?? actor);
        return claimed.startsWith("system:") ? claimed : actor;
      },
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "submitter",
    says: "lets the submitter resolve a task, against its list",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (entry.message.type === "task" && actor === `agent:${entry.agent}`),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "agents",
    says: "lets any agent resolve what lists one",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (actor.startsWith("agent:") && /"agent:/.test(JSON.stringify(blockOf(entry.message).allowed_resolvers ?? []))),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "first",
    says: "lets only the first who is listed resolve",
    policy: {
      mayResolve(actor, entry) {
        const { allowed_resolvers: listed } = blockOf(entry.message);
        return right.mayResolve(actor, entry) && (!Array.isArray(listed) || listed[0] === actor);
      },
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "restart",
    says: "lets anyone resolve a message that comes from its journal",
    policy: {
      ...marking,
      mayResolve: (actor, entry) => entry.message.recalled === true || right.mayResolve(actor, entry),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "trimmed",
    says: "compares resolvers without the white space around them",
    policy: {
      mayResolve(actor, entry) {
        const { allowed_resolvers: allowed } = blockOf(entry.message);
        const isListed = Array.isArray(allowed) && allowed.some((each) => String(each).trim() === actor);
        return right.mayResolve(actor, entry) || (isListed && !actor.startsWith("system:"));
      },
    },
  },
  {
    rule: "AHCP-RES-003",
    says: "lets those resolve whose name begins like one that is listed",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || resolversOf(entry).some((name) => actor.startsWith(String(name))),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "pattern",
    says: "takes the name of a resolver for a pattern",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || resolversOf(entry).some((name) => new RegExp(`^${name}$`).test(actor)),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "task",
    says: "lets anyone resolve a task that lists somebody",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (entry.message.type === "task" && resolversOf(entry).length > 0),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "input",
    says: "lets anyone fill in a form that lists somebody",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (blockOf(entry.message).mode === "input" && resolversOf(entry).length > 0),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "parts",
    says: "compares the first two parts of the name of a resolver",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || resolversOf(entry).some((name) => partsOf(String(name)) === partsOf(actor)),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "kind",
    says: "compares the name of a resolver without its kind",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || resolversOf(entry).some((name) => nameIn(String(name)) === nameIn(actor)),
    },
  },
  {
    rule: "AHCP-RES-004",
    says: "takes an empty list for no list, and lets anyone resolve then",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (blockOf(entry.message).allowed_resolvers !== undefined && resolversOf(entry).length === 0),
    },
  },
  {
    rule: "AHCP-RES-005",
    says: "lets no agent resolve what is another's",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) && (!actor.startsWith("agent:") || actor === `agent:${entry.agent}`),
    },
  },
  {
    rule: "AHCP-RES-006",
    says: "shows the client_ref to resolvers",
    policy: { shows: ({ client_ref: reference = "" }) => ({ client_ref: reference }) },
  },
  {
    rule: "AHCP-RES-007",
    says: "declines an ask if a resolver tries who may not",
    policy: {
      afterRefusal(entry, { actor }, hub) {
        if (entry.status !== "open" || hub.policy.mayResolve(actor, entry)) return;
        const resolution = entry.message.type === "ask" ? "declined" : "dismissed";
        end(hub, entry, { resolution, actor: `agent:${entry.agent}` }, hub.clock.now());
      },
    },
  },
  {
    rule: "AHCP-RES-007",
    name: "emits",
    says: "pushes a declined ask if a resolver tries who may not",
    policy: {
      afterRefusal(entry, { actor }, hub) {
        if (entry.status !== "open" || hub.policy.mayResolve(actor, entry)) return;
        const outcome = { resolution: "declined", actor: `agent:${entry.agent}` };
        deliver(hub, { ...entry, envelope: envelopeOf(hub, entry, outcome, hub.clock.now()) });
      },
    },
  },
  {
    rule: "AHCP-RES-007",
    name: "comment",
    says: "writes the comment of a resolver who may not resolve into the message",
    policy: {
      afterRefusal(entry, { comment }) {
        if (comment !== undefined) entry.message = { ...entry.message, body: comment };
      },
    },
  },
  {
    rule: "AHCP-RES-007",
    name: "noted",
    says: "shows who has tried to resolve that may not",
    policy: {
      afterRefusal: (entry, { actor }) => void refusedTo.set(entry, actor),
      echo(message, entry) {
        const last = refusedTo.get(entry);
        return { ...right.echo(message, entry), ...(last === undefined ? {} : { last_refused: last }) };
      },
    },
  },
  {
    rule: "AHCP-RES-007",
    name: "touched",
    says: "counts an attempt that it has refused as a change of the message",
    policy: {
      afterRefusal(entry, _, { clock }) {
        entry.changedAt = clock.now();
      },
    },
  },
];
