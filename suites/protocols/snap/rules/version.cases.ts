import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { done, replaced, unsigned } from "./messages.ts";

/** What the choice of a version is tried with. */
export function versionCases(): Cases[] {
  const at = "/chosen";
  const record = (sender: string[], recipient: string[], chosen: Json): JsonObject => ({ sender, recipient, chosen });
  const valid = (name: string, says: string, data: JsonObject, edge?: true): ValidCase => ({
    name,
    says,
    at,
    data,
    ...(edge === undefined ? {} : { edge }),
  });
  const wrong = (name: string, says: string, value: Json, from: string): InvalidCase =>
    replaced(name, says, at, value, from);
  return [
    spoken(),
    {
      rule: "SNAP-VER-001",
      document: "negotiation",
      valid: [
        valid("only", "is the one version of both", record(["0.1"], ["0.1"], "0.1")),
        valid(
          "minor-of-two-digits",
          "is the higher as a number, the lower as a text",
          record(["0.2", "0.10"], ["0.2", "0.10"], "0.10"),
          true,
        ),
        valid(
          "major-of-two-digits",
          "is the higher as a number, the lower as a text",
          record(["10.0", "9.9"], ["9.9", "10.0"], "10.0"),
          true,
        ),
        valid(
          "major-first",
          "has the higher major number and the lower minor",
          record(["0.9", "1.0"], ["1.0", "0.9"], "1.0"),
        ),
        valid(
          "highest-common",
          "is the highest that both speak",
          record(["0.1", "0.2", "0.4"], ["0.1", "0.2", "0.3"], "0.2"),
        ),
      ],
      invalid: [
        { ...wrong("higher-as-text", "is the higher as a text only", "0.2", "minor-of-two-digits"), edge: true },
        wrong("higher-major-as-text", "is the higher as a text only", "9.9", "major-of-two-digits"),
        wrong("higher-minor", "has the higher minor number, and the lower major", "0.9", "major-first"),
        wrong("lower", "is not the highest that both speak", "0.1", "highest-common"),
        wrong("own", "is the highest of the sender alone", "0.4", "highest-common"),
        wrong("theirs", "is the highest of the recipient alone", "0.3", "highest-common"),
        wrong("neither", "is spoken by neither", "0.5", "highest-common"),
        wrong("none", "is null, though both speak one", null, "only"),
      ],
    },
    {
      rule: "SNAP-VER-003",
      document: "negotiation",
      valid: [
        valid("none", "is null, as they have none in common", record(["0.1"], ["0.2"], null)),
        valid("alike", "is null, as 0.1 is not 0.10", record(["0.1"], ["0.10"], null), true),
        valid("common", "is the one that they have in common", record(["0.1"], ["0.1"], "0.1")),
      ],
      invalid: [
        wrong("own", "is the version of the sender", "0.1", "none"),
        wrong("theirs", "is the version of the recipient", "0.2", "none"),
        {
          ...wrong("alike-own", "is the version of the sender, which looks like the other", "0.1", "alike"),
          edge: true,
        },
        wrong("neither", "is spoken by neither", "1.0", "none"),
      ],
    },
  ];
}

/** Whoever speaks 0.3 as well may take it; the others refuse it. */
function spoken(): Cases {
  const data = unsigned("tasks/get", { task: done });
  return {
    rule: "SNAP-VER-002",
    document: "envelope",
    valid: [{ name: "own", says: "is 0.1", at: "/version", data }],
    invalid: [{ ...replaced("other", "is 0.3", "/version", "0.3"), level: "NOTE" }],
  };
}
