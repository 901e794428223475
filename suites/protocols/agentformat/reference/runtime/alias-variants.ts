import type { JsonObject } from "../../../../../schemas/index.ts";
import { right } from "./decisions.ts";
import { inner, objects } from "./order.ts";
import type { RuntimeVariant } from "./variant.ts";

/** Runtimes that judge wrongly whether an alias is given twice. */
export const aliasVariants: readonly RuntimeVariant[] = [
  { rule: "AGF-ACT-002", says: "runs a document that has an alias twice", decisions: { declined: () => undefined } },
  {
    rule: "AGF-ACT-002",
    name: "cased",
    says: "declines a document with two aliases in a list that differ in case alone",
    decisions: {
      declined(document) {
        const lists = Object.values(inner(document, "action_space")).map(objects);
        const isTwice = lists.some((list) => {
          const aliases = list.map(({ alias }) => String(alias).toLowerCase());
          return new Set(aliases).size < aliases.length;
        });
        return isTwice ? "an alias is given twice" : right.declined(document);
      },
    },
  },
  {
    rule: "AGF-ACT-002",
    name: "across",
    says: "declines a document that has an alias in two lists",
    decisions: {
      declined(document) {
        const all = Object.values(inner(document, "action_space")).flatMap(objects);
        const aliases = all.map(({ alias }) => alias);
        return new Set(aliases).size < aliases.length ? "an alias is given twice" : right.declined(document);
      },
    },
  },
  {
    rule: "AGF-ACT-002",
    name: "servers",
    says: "looks for repeated aliases of agents and tools alone",
    decisions: {
      declined(document) {
        const { mcp_servers: _, remote_agents: __, ...rest } = (document.action_space ?? {}) as JsonObject;
        return right.declined({ ...document, action_space: rest });
      },
    },
  },
];
