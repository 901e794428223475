import { describe, expect, it } from "vitest";
import { findings, semanticVectors, textFindings } from "../../../../generators/index.ts";
import { documentNamed, type Json, pointer, protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { keyA, keyB } from "./keys.ts";
import { exampleMessage, request, unsignedResponse } from "./messages.ts";

const protocol = await ruled(protocolNamed("snap"));
const vectors = protocol.profile.documents.flatMap((document) =>
  semanticVectors(protocol, document).map((vector) => ({ document: document.name, vector })),
);

/** The messages that each rule can report. A rule that forgets a clause would never report its message. */
const clauses: Readonly<Record<string, readonly RegExp[]>> = {
  "SNAP-ENV-015": [/line feed/, /digits/],
  "SNAP-ENV-016": [/repeats/, /half a surrogate/],
  "SNAP-VAL-001": [/^does not fit/, /^is "envelope"/, /^is "payload"/, /^is "code"/, /^is "accepted"/],
  "SNAP-VAL-002": [/^is "code".*"accepted"$/, /^is "accepted".*"code"$/],
  "SNAP-ADDR-005": [/^is not the key/, /^does not hold/],
  "SNAP-SIG-001": [/^was made/, /^are not the seven fields/],
  "SNAP-SIG-002": [/^was made/, /^is not the payload/],
  "SNAP-SIG-003": [/^was made/, /^end in/],
  "SNAP-SIG-004": [/^was made/, /^is not the SHA-256/],
  "SNAP-SIG-005": [/^does not verify/, /^is not the address/],
  "SNAP-SIG-006": [/has an r/, /has an s/],
  "SNAP-PAY-004": [/neither/, /and an error/],
  "SNAP-PAY-010": [/month/, /day/, /hour/, /minute/, /second/, /offset/],
  "SNAP-PAY-016": [/has no taskId/, /is not a task id/, /has an undescribed member/],
  "SNAP-PAY-017": [
    /has no taskId/,
    /is not a task id/,
    /not a number/,
    /is not text/,
    /not an artifact/,
    /has an undescribed member/,
  ],
  "SNAP-PAY-018": [/nested/, /bytes/],
  "SNAP-PART-001": [/none of/, /at once/],
  "SNAP-PART-004": [/not base64/, /10 MB/],
  "SNAP-CARD-006": [/has the scheme/, /plain http/],
  "SNAP-DISC-002": [/does not verify/, /not the key/],
  "SNAP-NOSTR-004": [
    /^lack \["d"/,
    /^lack \["name"/,
    /^lack \["version"/,
    /^lack \["skill"/,
    /^lack \["endpoint"/,
    /^lack \["relay"/,
    /does not mention/,
  ],
  "SNAP-A2S-004": [/text name/, /not an object/],
  "SNAP-TASK-006": [/is a task/, /is 10\d\d/],
  "SNAP-TASK-007": [/cancelled/, /task does not exist/, /cannot be cancelled/],
  "SNAP-TASK-008": [/although/, /in place of/, /again/],
  "SNAP-TASK-010": [/were asked for/, /who took/, /no history/],
  "SNAP-RCPT-003": [
    /no response$/,
    /have no response/,
    /was asked, /,
    /that asked, /,
    /not that of the request/,
    /^is that of/,
  ],
  "SNAP-STREAM-001": [/without a response/, /after the response/],
  "SNAP-STREAM-002": [/not that of the request/, /verif/],
  "SNAP-STREAM-006": [/does not fit/, /lacks the artifact/],
};

describe.each(Object.entries(clauses))("%s", (rule, patterns) => {
  const findingsByVector = vectors
    .filter(({ vector }) => vector.rule === rule && vector.valid === false)
    .map(({ document, vector }) => findingsIn(document, vector).filter((ruleViolation) => ruleViolation.rule === rule));

  it.each(patterns.map((pattern) => ({ pattern })))(
    "has a vector that is refused with this message: $pattern",
    ({ pattern }) => {
      // If two messages describe one mistake, such as a missing and an unknown tag, only the first is reported.
      expect(findingsByVector.some(([first]) => first !== undefined && pattern.test(first.why))).toBe(true);
    },
  );

  it("reports nothing else", () => {
    const unknownFindings = findingsByVector.flat().filter(({ why }) => !patterns.some((pattern) => pattern.test(why)));
    expect(unknownFindings).toEqual([]);
  });
});

function findingsIn(document: string, { data, raw, base64 }: Vector): ReturnType<typeof findings> {
  if (data !== undefined) return findings(protocol, document, data);
  return textFindings(protocol, document, raw === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(raw));
}

describe("a finding", () => {
  it("points to a value in the instance, or to a missing member of one", () => {
    for (const { document, vector } of vectors) {
      if (vector.valid !== false || vector.data === undefined) continue;
      for (const { at, rule, why } of findings(protocol, document, vector.data)) {
        const parentPath = at === "" ? "" : pointer.split(at).parent;
        expect([rule, at, pointer.has(at, vector.data) || pointer.has(parentPath, vector.data)]).toEqual([
          rule,
          at,
          true,
        ]);
        expect(why).toMatch(/^(is|are|has|have|was|does|decodes|takes|comes|holds|lacks?|repeats|end|says|refuses)\b/);
      }
    }
  });
});

describe("a valid vector", () => {
  it("follows every rule and every recommendation", () => {
    for (const { document, vector } of vectors)
      if (vector.valid)
        expect([vector.id, findingsIn(document, vector).filter(({ level }) => level !== "NOTE")]).toEqual([
          vector.id,
          [],
        ]);
  });
});

describe("the profile", () => {
  it("has samples and wrappers that follow all semantic rules", () => {
    for (const { name, samples = [], wrap } of protocol.profile.documents) {
      for (const sample of samples) expect([name, findings(protocol, name, sample)]).toEqual([name, []]);
      if (wrap !== undefined) expect([name, findings(protocol, "envelope", wrap.in)]).toEqual([name, []]);
    }
  });

  it("marks its records and traces, which are not sent", () => {
    for (const name of ["reception", "validation", "identity", "signing", "large", "negotiation", "refusal"])
      expect(documentNamed(protocol, name)).toMatchObject({ role: "record", standalone: false });
    for (const name of ["task-log", "exchange"]) expect(documentNamed(protocol, name).role).toBe("trace");
  });
});

/** The addresses in the protocol's own samples. */
const sampleAddresses = [
  "bc1p5d7rjq7g6rdk2yhzqnt9dp8wvscrplqk0zwy63lmgreu9jzyt0mqf3xvn8",
  "bc1p4qhjn9zdvkux4e44uhx8tc55atqq8xey38e93agfvrg4qkkgs5qsg58g80",
  "tb1p5d7rjq7g6rdk2yhzqnt9dp8wvscrplqk0zwy63lmgreu9jzyt0mqh6ye4r",
  "tb1p4qhjn9zdvkux4e44uhx8tc55atqq8xey38e93agfvrg4qkkgs5qshq7wla",
];

describe("in the protocol's own samples, the rules find", () => {
  const rulesOf = (document: string, instance: Json): string[] =>
    findings(protocol, document, instance).map(({ rule }) => rule);

  it.each(sampleAddresses)("the wrong checksum of %s", (address) => {
    const validAddress = address.startsWith("tb") ? keyB.address.test : keyB.address.main;
    const answer = unsignedResponse(
      "message/send",
      { error: { code: 1001, message: "No." } },
      { from: validAddress, to: address },
    );
    expect(rulesOf("envelope", answer)).toEqual(["SNAP-ADDR-001"]);
    expect(rulesOf("agent-card", { identity: address })).toEqual(["SNAP-CARD-004"]);
  });

  it("a request without content, which only fails the second step", () => {
    expect(rulesOf("envelope", request("message/send", {}))).toEqual(["SNAP-VAL-001"]);
  });

  it("the role `assistant`, and a status without a time", () => {
    const wrongRole = request("message/send", { message: { ...exampleMessage, role: "assistant" } });
    expect(rulesOf("envelope", wrongRole)).toEqual(["SNAP-VAL-001"]);
    const finalWithoutTime = unsignedResponse("message/send", {
      task: { id: "task-001", status: { state: "completed" } },
    });
    expect(rulesOf("envelope", finalWithoutTime)).toEqual(["SNAP-VAL-001"]);
  });

  it("nothing in a signature of 122 digits, which the schema judges", () => {
    const withShortSig = { ...request("message/send", { message: exampleMessage }), sig: "a".repeat(122) };
    expect(rulesOf("envelope", withShortSig)).toEqual([]);
  });

  it("an invented signature, which does not verify for any sender", () => {
    const withInventedSig = {
      ...request("message/send", { message: exampleMessage }, { from: keyA.address.main }),
      sig: "aabbccdd".repeat(16),
    };
    expect(rulesOf("envelope", withInventedSig)).toEqual(["SNAP-SIG-005"]);
  });
});
