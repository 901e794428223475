import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { type DocumentPart, itemsAt, textAt } from "./parts.ts";

const lists = ["local_tools", "mcp_servers", "local_agents", "remote_agents"];

const uniqueAliasChecker: Checker = {
  rule: "AGF-ACT-002",
  documents: ["agent"],
  *check(agent) {
    for (const list of lists) {
      const places = itemsAt(agent, `/action_space/${list}`).map(({ at }) => `${at}/alias`);
      const values = places.map((at) => ({ at, value: pointer.at(at, agent) ?? null }));
      yield* findRepeated(values, `an alias of ${list}`);
    }
  },
};

const sourceChecker: Checker = {
  rule: "AGF-ACT-004",
  documents: ["agent"],
  *check(agent) {
    for (const { at, value } of strangeSources(agent))
      yield { at, why: `is ${JSON.stringify(value)}, which only some runtimes know`, level: "SHOULD", mustPass: true };
  },
};

/** Kinds of source that the standard does not name: runtimes may add any. */
export function strangeSources(agent: Json): DocumentPart[] {
  return itemsAt(agent, "/action_space/local_agents").flatMap(({ at }) => {
    const value = textAt(agent, `${at}/source_type`);
    return value === undefined || ["file", "registry", "db"].includes(value)
      ? []
      : [{ at: `${at}/source_type`, value }];
  });
}

const offers = [
  { owners: "mcp_servers", list: "allowed_tools", name: "name" },
  { owners: "remote_agents", list: "allowed_skills", name: "id" },
];

const uniqueListChecker: Checker = {
  rule: "AGF-ACT-012",
  documents: ["agent"],
  *check(agent) {
    for (const { owners, list, name } of offers) {
      for (const owner of itemsAt(agent, `/action_space/${owners}`)) {
        const names = itemsAt(agent, `${owner.at}/${list}`).map(({ at, value }) => ({
          at,
          value: typeof value === "string" ? value : (pointer.at(`${at}/${name}`, agent) ?? null),
        }));
        yield* findRepeated(names, `an item of ${list}`);
      }
    }
  },
};

/** The texts that occur more than once, at their later places. */
function* findRepeated(parts: readonly DocumentPart[], kind: string): Iterable<Breach> {
  const seenNames = new Set<Json>();
  for (const { at, value } of parts) {
    if (typeof value !== "string") continue;
    if (seenNames.has(value)) yield { at, why: `repeats ${JSON.stringify(value)}, ${kind} before it` };
    seenNames.add(value);
  }
}

/** The names of tools, servers and agents in a document. */
export const aliasCheckers: readonly Checker[] = [uniqueAliasChecker, sourceChecker, uniqueListChecker];
