import type { Cases, DisputedCase, Reading, ValidCase } from "../../../../schemas/index.ts";

const base = [
  "message_id: 6513270e-269e-4d37-b2a7-4de452e6b438",
  'timestamp: "2026-01-15T09:30:00Z"',
  "sender: orchestrator-main",
  "recipient: specialist-code",
];

/** A message in YAML: the base members, of which some are written otherwise, and more. */
function written(lines: readonly string[], ...others: readonly string[]): string {
  const names = others.map((line) => line.split(":")[0]);
  return `${[...base.filter((line) => !names.includes(line.split(":")[0])), ...others, ...lines].join("\n")}\n`;
}

const update = ["message_type: task.update", "task_id: CODE-100"];

/** Quoted times, and ids without quotes: so every loader has texts. */
const kept = (name: string, says: string, text: string, at: string, edge?: true): ValidCase => ({
  ...{ name, says, text, at, level: "SHOULD" },
  ...(edge ? { edge } : {}),
});

const readings = (otherwise: string): Reading[] => [
  { verdict: "valid", by: ["YAML 1.2"], why: "it is text" },
  { verdict: "invalid", by: ["YAML 1.1"], why: `it is ${otherwise}, and the type refuses that` },
];

const bare = (name: string, says: string, otherwise: string, text: string, at: string): DisputedCase => ({
  ...{ name, says, text, at },
  readings: readings(otherwise),
});

/** What a loader makes of ids and times: beside numbers and dates they look like both. */
export const loaderCases: readonly Cases[] = [
  {
    rule: "CONV-BASE-013",
    document: "task",
    yaml: true,
    valid: [
      kept("quoted-time", "is quoted, and the ids are not", written(update), "/timestamp"),
      kept(
        "single-quotes",
        "is between single quotes",
        written(update, "timestamp: '2026-01-15T09:30:00Z'"),
        "/timestamp",
        true,
      ),
      kept(
        "inserted-task",
        "has a point like a number",
        written([
          "message_type: task.assignment",
          "task_id: CODE-100.5",
          "task: {description: Do it., dependencies: [CODE-100, TES-200.5]}",
        ]),
        "/task_id",
        true,
      ),
      kept(
        "quoted-words",
        "are words that are no texts without quotes",
        written(update, 'sender: "no"', 'recipient: "1000"'),
        "/sender",
        true,
      ),
    ],
    invalid: [],
    disputed: [
      bare("bare-time", "has no quotes", "a date", written(update, "timestamp: 2026-01-15T09:30:00Z"), "/timestamp"),
      bare("bare-word", "is a word for false in YAML 1.1", "a boolean", written(update, "sender: no"), "/sender"),
    ],
  },
  {
    rule: "CONV-BASE-013",
    document: "coordination",
    yaml: true,
    valid: [
      kept("bare-cue", "has no quotes", written(["message_type: coord.warning", "cue_id: CUE-100"]), "/cue_id"),
      kept(
        "bare-targets",
        "have no quotes",
        written(["message_type: coord.stop", "cue_id: CUE-100.5", "target_agents: [specialist-code, specialist-test]"]),
        "/target_agents",
      ),
    ],
    invalid: [],
  },
];
