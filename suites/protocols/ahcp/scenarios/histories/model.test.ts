import { describe, expect, it } from "vitest";
import { check } from "../../../../running/histories/index.ts";
import { findHistoryBreach } from "./judge.ts";
import { hub, type Input, type Output } from "./model.ts";
import { type AskOperation, formatOperations } from "./words.ts";

/** A history of sequential operations. */
function sequence(...operations: [input: string, output: string][]): AskOperation[] {
  return operations.map(([input, output], index) => operation("p", index, index + 0.5, input, output));
}

/**
 * Makes an operation. Inputs are, for example, `answer red` or `submit 1`. Outputs are, for example, `accepted i open`,
 * `shown i open`, `shown i answered red r`, `reported declined` or `applied`. Without an output, the operation is unanswered.
 */
function operation(process: string, call: number, endTime: number, input: string, output?: string): AskOperation {
  const end = output === undefined ? {} : { end: { at: endTime, output: outputOf(output.split(" ")) } };
  return { process, call, input: inputOf(input.split(" ")), ...end };
}

function inputOf([act = "", word = ""]: string[]): Input {
  if (act === "submit") return { of: "x", do: "submit", variant: Number(word) };
  if (act === "answer") return { of: "x", do: "answer", id: "i", value: word };
  return { of: "x", do: act, ...(act === "deadline" || act === "restart" ? {} : { id: word || "i" }) } as Input;
}

function outputOf([is = "", first = "", status = "", value, outcome]: string[]): Output {
  if (is === "accepted") return { is, id: first, status };
  if (is === "reported") return { is, status: first };
  const members = { ...(value === undefined ? {} : { value }), ...(outcome === undefined ? {} : { outcome }) };
  return is === "shown" ? { is, id: first, variant: 0, status, ...members } : ({ is } as Output);
}

const submission: [string, string] = ["submit 0", "accepted i open"];

describe("a hub with requests in sequence", () => {
  it.each([
    [
      "keeps one message under a key",
      [
        ["submit 0", "accepted i open"],
        ["submit 1", "conflict"],
      ],
    ],
    [
      "reports the current status to a repetition",
      [
        ["decline", "applied"],
        ["submit 0", "accepted i declined"],
      ],
    ],
    [
      "refuses a second outcome",
      [
        ["answer red", "applied"],
        ["decline", "refused"],
        ["cancel", "reported answered"],
      ],
    ],
    [
      "shows one outcome",
      [
        ["answer red", "applied"],
        ["read", "shown i answered red r"],
        ["read", "shown i answered red r"],
      ],
    ],
    [
      "cancels a cancelled ask again",
      [
        ["cancel", "cancelled"],
        ["cancel", "cancelled"],
        ["answer red", "refused"],
      ],
    ],
    [
      "lets an ask expire when it is read",
      [
        ["deadline", "done"],
        ["read", "shown i open"],
        ["read", "shown i expired"],
      ],
    ],
    [
      "reports an expiry late to a repetition",
      [
        ["deadline", "done"],
        ["read", "shown i expired"],
        ["submit 0", "accepted i open"],
      ],
    ],
    [
      "reports an expiry to a late cancellation",
      [
        ["deadline", "done"],
        ["cancel", "reported expired"],
        ["read", "shown i expired"],
      ],
    ],
    [
      "may refuse an answer for any reason",
      [
        ["answer red", "refused"],
        ["decline", "applied"],
      ],
    ],
    [
      "keeps an outcome over a restart",
      [
        ["answer red", "applied"],
        ["restart", "done"],
        ["read", "shown i answered red"],
      ],
    ],
  ] as [string, [string, string][]][])("%s", (_, operations) => {
    expect(check(hub, sequence(submission, ...operations)).verdict).toBe("legal");
  });

  it.each([
    ["a second message under one key", [["submit 0", "accepted j open"]]],
    ["a different message under the key", [["submit 1", "accepted i open"]]],
    ["a conflict of a message with itself", [["submit 0", "conflict"]]],
    [
      "two outcomes",
      [
        ["answer red", "applied"],
        ["answer red", "applied"],
      ],
    ],
    [
      "a different value",
      [
        ["answer red", "applied"],
        ["read", "shown i answered blue"],
      ],
    ],
    [
      "two values of resolution_id",
      [
        ["decline", "applied"],
        ["read", "shown i declined  r"],
        ["read", "shown i declined  s"],
      ],
    ],
    ["an outcome without a resolver", [["read", "shown i answered"]]],
    [
      "an outcome that was refused",
      [
        ["answer red", "refused"],
        ["read", "shown i answered red"],
      ],
    ],
    [
      "a message that is open again",
      [
        ["cancel", "cancelled"],
        ["read", "shown i open"],
      ],
    ],
    [
      "an answer after the deadline",
      [
        ["deadline", "done"],
        ["answer red", "applied"],
      ],
    ],
    ["an expiry before the deadline", [["read", "shown i expired"]]],
    [
      "a loss at a restart",
      [
        ["restart", "done"],
        ["read", "absent"],
      ],
    ],
    [
      "an answer that was overwritten",
      [
        ["answer red", "applied"],
        ["cancel", "cancelled"],
      ],
    ],
  ] as [string, [string, string][]][])("never shows %s", (_, operations) => {
    expect(check(hub, sequence(submission, ...operations)).verdict).toBe("illegal");
  });
});

describe("a history of simultaneous operations", () => {
  const start = operation("agent a", 0, 1, "submit 0", "accepted i open");

  it("is legal whichever operation wins, even if it is unanswered", () => {
    const bothResolutions = [
      start,
      operation("o1", 2, 9, "answer red", "refused"),
      operation("o2", 2, 9, "decline", "applied"),
    ];
    expect(findHistoryBreach([...bothResolutions, operation("agent a", 3, 4, "read", "shown i open")])).toBeUndefined();
    const unansweredResolution = [
      start,
      operation("o1", 2, 0, "answer red"),
      operation("agent a", 3, 4, "read", "shown i open"),
    ];
    expect(
      findHistoryBreach([...unansweredResolution, operation("agent a", 8, 9, "read", "shown i answered red")]),
    ).toBeUndefined();
  });

  it("is reported with the smallest contradictory set of operations, one per line", () => {
    const breach = findHistoryBreach([
      start,
      operation("agent a/1", 1.5, 2, "read", "shown i open"),
      operation("operator 1", 2, 9, "answer red", "applied"),
      operation("operator 2", 2.25, 9.5, "decline", "applied"),
      operation("agent a/1", 10, 11, "read", "shown i declined  r"),
    ]);
    expect(breach).toMatchObject({
      why: [
        "no order of these operations is correct (2 of 5 operations on one ask)",
        "0.0-7.0 ms operator 1: answer red -> applied",
        "0.3-7.5 ms operator 2: decline -> applied",
      ].join("\n"),
    });
  });
});

it("numbers ids and outcomes in order of occurrence", () => {
  const lines = formatOperations([
    ...sequence(["submit 0", "accepted i open"], ["submit 2", "accepted j open"], ["read j", "shown j answered red r"]),
    operation("p", 4, 5, "cancel", "reported answered"),
    operation("p", 5, 0, "decline"),
  ]);
  expect(lines.split("\n")).toEqual([
    "0.0-0.5 ms p: submit -> accepted as #1, open",
    "1.0-1.5 ms p: submit with title 2 -> accepted as #2, open",
    "2.0-2.5 ms p: read #2 -> answered red, resolution_id 1",
    "4.0-5.0 ms p: cancel -> refused: answered",
    "5.0- ms p: decline -> no answer",
  ]);
});
