import type { Json } from "../../../../../../schemas/index.ts";
import { deliver } from "../deliver.ts";
import { envelopeOf } from "../envelope.ts";
import { blockOf, end } from "../lifecycle.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { type HubVariant, inner } from "./variant.ts";

/** Who has tried last to resolve what it may not. */
const refusedTo = new WeakMap<Entry, string>();

/** Who may resolve a message. */
export const resolverVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RES-007",
    says: "declines an ask when somebody tries who may not",
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
    says: "pushes that an ask is declined when somebody tries who may not",
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
    says: "writes the comment of somebody who may not resolve into the message",
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
  {
    rule: "AHCP-RES-001",
    says: "believes whom a request claims to come from",
    policy: {
      attributes: (actor, given) => String(inner(given, "claims").actor ?? actor),
    },
  },
  {
    rule: "AHCP-RES-002",
    says: "lets anyone resolve what lists nobody",
    policy: {
      mayResolve: (actor, entry) =>
        blockOf(entry.message).allowed_resolvers === undefined || right.mayResolve(actor, entry),
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
        right.mayResolve(actor, entry) || listed(entry).some((name) => actor.startsWith(String(name))),
    },
  },
  {
    rule: "AHCP-RES-002",
    name: "task",
    says: "lets anyone resolve a task that lists nobody",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (entry.message.type === "task" && blockOf(entry.message).allowed_resolvers === undefined),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "pattern",
    says: "takes the name of a resolver for a pattern",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || listed(entry).some((name) => new RegExp(`^${name}$`).test(actor)),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "task",
    says: "lets anyone resolve a task that lists somebody",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (entry.message.type === "task" && listed(entry).length > 0),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "input",
    says: "lets anyone fill in a form that lists somebody",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || (blockOf(entry.message).mode === "input" && listed(entry).length > 0),
    },
  },
  {
    rule: "AHCP-RES-004",
    says: "takes an empty list for no list, and lets anyone resolve then",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) ||
        (blockOf(entry.message).allowed_resolvers !== undefined && listed(entry).length === 0),
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
    rule: "AHCP-RES-003",
    name: "parts",
    says: "compares the first two parts of the name of a resolver",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || listed(entry).some((name) => partsOf(String(name)) === partsOf(actor)),
    },
  },
  {
    rule: "AHCP-RES-003",
    name: "kind",
    says: "compares the name of a resolver without its kind",
    policy: {
      mayResolve: (actor, entry) =>
        right.mayResolve(actor, entry) || listed(entry).some((name) => nameIn(String(name)) === nameIn(actor)),
    },
  },
];

function listed({ message }: Entry): readonly Json[] {
  const { allowed_resolvers: allowed = [] } = blockOf(message);
  return Array.isArray(allowed) ? allowed : [];
}

function partsOf(actor: string): string {
  return actor.split(":").slice(0, 2).join(":");
}

function nameIn(actor: string): string {
  return actor.slice(actor.indexOf(":") + 1);
}
