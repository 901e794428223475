import { describe, expect, it } from "vitest";
import { breaks, type ComparedDocument, comparedPartiesOf, type VersionComparison } from "./result.ts";
import { describeConclusion, describeState } from "./words.ts";

function document(name: string, members: Partial<ComparedDocument> = {}): ComparedDocument {
  return { name, state: "same", differences: [], open: {}, ...members };
}

function differingDocument(name: string, brokenParty: "producers" | "consumers"): ComparedDocument {
  const change = brokenParty === "producers" ? "refused" : "accepted";
  return document(name, {
    state: "differs",
    differences: [{ change, breaks: brokenParty, message: {}, at: "", asserts: "", others: [], also: [] }],
  });
}

function comparisonOf(...documents: ComparedDocument[]): VersionComparison {
  return { touchstone: "0.1.0", old: "a.yaml", new: "b.yaml", for: "clients", documents, exitCode: 0 };
}

function isBroken(result: VersionComparison): boolean[] {
  return result.documents.map((comparedDocument) =>
    comparedPartiesOf(result, comparedDocument).some((party) => breaks(comparedDocument, party)),
  );
}

describe("clients of an API", () => {
  it("break if a request body is refused or an answer is new, but not if a request is accepted or an answer removed", () => {
    const [request, answer] = [{ of: "request" }, { of: "answer" }] as const;
    const result = comparisonOf(
      { ...differingDocument("create", "producers"), ...request },
      { ...differingDocument("list.parameters", "consumers"), ...request },
      { ...differingDocument("list.response-200", "consumers"), ...answer },
      { ...differingDocument("create.response-201", "producers"), ...answer },
    );
    expect(isBroken(result)).toEqual([true, false, true, false]);
    expect(describeConclusion(result)).toBe("Breaking: clients in 2 of 4 documents.");
    expect(result.documents.map((comparedDocument) => describeState(comparedDocument, result))).toEqual([
      "1 difference breaks producers",
      "compatible for producers (proven)",
      "1 difference breaks consumers",
      "compatible for consumers (proven)",
    ]);
    const bothParties = { ...result, for: "both" } as const;
    expect(describeState(result.documents[0] as ComparedDocument, bothParties)).toMatch(
      /breaks producers, compatible for consumers/,
    );
  });

  it("break because of a removed operation or another status of success, but not because of a new operation or another refusal", () => {
    const result = comparisonOf(
      document("drop", { state: "added", of: "request" }),
      document("create", { state: "removed", of: "request" }),
      document("list.response-206", { state: "added", of: "answer" }),
      document("list.response-409", { state: "added", of: "refusal" }),
    );
    expect(isBroken(result)).toEqual([false, true, true, false]);
    expect(describeConclusion(comparisonOf(document("create")))).toMatch(/^Compatible: /);
    expect(describeConclusion(comparisonOf(differingDocument("create", "consumers")))).toMatch(
      /^Compatible for clients: /,
    );
  });
});
