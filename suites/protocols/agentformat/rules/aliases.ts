import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { type DocumentPart, itemsAt, textAt } from "./parts.ts";

const actionLists = ["local_tools", "mcp_servers", "local_agents", "remote_agents"];

const uniqueAliasChecker: Checker = {
  rule: "AGF-ACT-002",
  documents: ["agent"],
  *check(agent) {
    for (const list of actionLists) {
      const aliasPaths = itemsAt(agent, `/action_space/${list}`).map(({ at }) => `${at}/alias`);
      const aliases = aliasPaths.map((at) => ({ at, value: pointer.at(at, agent) ?? null }));
      yield* findRepeated(aliases, `an alias of ${list}`);
    }
  },
};

const sourceChecker: Checker = {
  rule: "AGF-ACT-004",
  documents: ["agent"],
  *check(agent) {
    for (const { at, value } of unknownSources(agent))
      yield {
        at,
        why: `is ${JSON.stringify(value)}, which only some runtimes support`,
        level: "SHOULD",
        mustPass: true,
      };
  },
};

/** Source types that the standard does not define; a runtime may support more. */
export function unknownSources(agent: Json): DocumentPart[] {
  return itemsAt(agent, "/action_space/local_agents").flatMap(({ at }) => {
    const value = textAt(agent, `${at}/source_type`);
    return value === undefined || ["file", "registry", "db"].includes(value)
      ? []
      : [{ at: `${at}/source_type`, value }];
  });
}

const allowLists = [
  { owners: "mcp_servers", list: "allowed_tools", name: "name" },
  { owners: "remote_agents", list: "allowed_skills", name: "id" },
];

const uniqueListChecker: Checker = {
  rule: "AGF-ACT-012",
  documents: ["agent"],
  *check(agent) {
    for (const { owners, list, name } of allowLists) {
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

/** Yields the later occurrences of each repeated string. */
function* findRepeated(parts: readonly DocumentPart[], description: string): Iterable<Breach> {
  const seenNames = new Set<Json>();
  for (const { at, value } of parts) {
    if (typeof value !== "string") continue;
    if (seenNames.has(value)) yield { at, why: `repeats ${JSON.stringify(value)}, ${description} before it` };
    seenNames.add(value);
  }
}

/** Checks the aliases, source types and allow lists of the action space. */
export const aliasCheckers: readonly Checker[] = [uniqueAliasChecker, sourceChecker, uniqueListChecker];
