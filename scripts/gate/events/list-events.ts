import type { BaselineEntry } from "../../../schemas/index.ts";
import type { GateEvent } from "../life.ts";
import { quietOptions } from "../quiet-options.ts";

/** Members of a new entry, as a maintainer writes them. */
const laterEntry = { outcome: "violates", reason: "until 2.0" } as const;

/** Imitates a merge that kept both sides: the first entry occurs a second time, before it, with a different outcome. */
function listBoth(entries: BaselineEntry[]): void {
  entries.unshift({ ...(entries[0] as BaselineEntry), outcome: "timed-out", reason: "slow" });
}

/** The date `days` days from today, as `YYYY-MM-DD`. */
function dateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Events in which the list of known failures changes. */
export const listEvents: readonly GateEvent[] = [
  {
    name: "an entry has expired",
    act(world) {
      world.editEntries((entries) => Object.assign(entries[0] ?? {}, { expires: dateIn(-1) }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "an entry expires in five days",
    act(world) {
      world.editEntries((entries) => Object.assign(entries[0] ?? {}, { expires: dateIn(5), owner: "hub team" }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "an entry is there twice",
    act(world) {
      world.editEntries((entries) => entries.push({ ...(entries[0] as (typeof entries)[number]) }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "an id is misspelt",
    act(world) {
      world.editEntries((entries) => Object.assign(entries[0] ?? {}, { id: `${entries[0]?.id}x` }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "one entry of a rule in the place of its ids",
    act(world) {
      const rule = world
        .readReport("before.json")
        .runs[0]?.results.find(({ id }) => id === world.readList().entries[0]?.id)?.rule;
      const ids = world
        .readReport("before.json")
        .runs[0]?.results.flatMap((result) => (result.rule === rule ? result.id : []));
      world.editEntries((entries) => {
        const keptEntries = entries.filter(({ id }) => ids?.includes(id ?? "") !== true);
        entries.splice(0, entries.length, ...keptEntries, { rule: rule as string, ...laterEntry });
      });
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "an entry with `flaky` passes",
    act(world) {
      world.editEntries((entries) =>
        entries.push({ id: firstConforming(world.readReport("before.json")), ...laterEntry, flaky: true }),
      );
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a merge conflict is in the list",
    act(world) {
      world.writeList(
        world.readListText().replace('"entries": [', '"entries": [\n<<<<<<< HEAD\n=======\n>>>>>>> theirs'),
      );
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "both sides of a merge are in the list",
    act(world) {
      world.editEntries(listBoth);
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "both sides of a merge are in the list, and the printed command is run",
    async act(world) {
      world.editEntries(listBoth);
      await world.runPrintedCommand(await world.touchstone(...quietOptions), "To make the list fit:");
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a later version wrote the list",
    act(world) {
      world.editEntries((entries) => Object.assign(entries[0] ?? {}, { ticket: "HUB-1" }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "the last day of an entry",
    act(world) {
      world.editEntries((entries) => Object.assign(entries[0] ?? {}, { expires: dateIn(0) }));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "the list is one of another protocol",
    act(world) {
      world.writeList(
        world.readListText().replaceAll(`"${world.protocol.name}/${world.protocol.version}/`, '"other/1/'),
      );
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "each entry is in a line of its own, and an update",
    async act(world) {
      const { entries } = world.readList();
      const entryLines = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
      const text = world.readListText();
      world.writeList(`${text.slice(0, text.indexOf('"entries": ['))}"entries": [\n${entryLines}\n  ]\n}\n`);
      return world.touchstone(...quietOptions, "--update-baseline");
    },
  },
  {
    name: "the configuration names a list that is not there",
    act(world) {
      world.configure({ baseline: "none.json" });
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "the list is cut off",
    act(world) {
      world.writeList(world.readListText().slice(0, -40));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "the list is empty",
    act(world) {
      world.writeList("");
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "an entry has no reason",
    act(world) {
      world.editEntries((entries) => {
        delete (entries[0] as { reason?: string }).reason;
      });
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a list without the record of a run",
    act(world) {
      const { judged: _, ...value } = world.readList();
      world.writeList(JSON.stringify(value));
      return world.touchstone(...quietOptions);
    },
  },
];

function firstConforming({
  runs,
}: {
  runs: readonly { results: readonly { id: string; outcome: string }[] }[];
}): string {
  return runs[0]?.results.find(({ outcome }) => outcome === "conforms")?.id ?? "";
}
