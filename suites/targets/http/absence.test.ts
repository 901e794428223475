import { describe, expect, it } from "vitest";
import type { Endpoint, Observation, Profile } from "../../../schemas/index.ts";
import { answerFrom, answerOf } from "../observations.fixture.ts";
import { absenceOf } from "./absence.ts";
import { unrelatedAnswer } from "./described-answers.ts";
import type { Endpoints } from "./route.ts";

const origin = "http://127.0.0.1:8080";
const plain: Profile["http"] = { accepted: [{ status: [200] }], rejected: [{ status: [400] }] };
const described: Profile["http"] = { ...plain, servers: ["https://api.test/v1", "/v2"] };
const gone = { status: 404, headers: {}, body: "" };
const post: Endpoint = { method: "POST", path: "/messages" };

/** The message about an answer with 404 if the given URL has this path. */
function said(http: Profile["http"], prefix: string, endpoints: Endpoints = {}): () => unknown {
  const absence = absenceOf(http, { origin, prefix }, endpoints);
  return () => answerFrom(gone, post, http, false, absence.of(post.path));
}

describe("if nothing is at a path", () => {
  it("names --endpoint, or another --endpoint, as the remedy", () => {
    expect(said(plain, "")).toThrow(/^HTTP 404: nothing is there: name the server's own path with --endpoint$/);
    expect(said(plain, "", { message: "/messages" })).toThrow(
      "the server does not have the path /messages of --endpoint",
    );
  });

  it("names the path of the description's server first, if the URL lacks it", () => {
    const first = "the description has its server at https://api.test/v1: give the URL as http://127.0.0.1:8080/v1";
    expect(said(described, "")).toThrow(`HTTP 404: nothing is there: ${first}, or name the server's own path`);
    for (const prefix of ["/v1", "/proxy/v1", "/v2"]) expect(said(described, prefix)).not.toThrow("description");
  });

  it("says so even if the path has names, or the description names the status", () => {
    const { elsewhere } = absenceOf(described, { origin, prefix: "" }, {});
    const reported = {
      answers: [{ status: "404", type: "application/json", document: "a" }],
      rule: "A-001",
      credentials: [],
    };
    const refused =
      (path: string, answers = reported.answers) =>
      () =>
        answerOf(
          unrelatedAnswer({
            ...{ response: gone, body: undefined, refuses: described.rejected, elsewhere },
            route: { ...post, path, described: { ...reported, answers } },
          }) as Observation,
        );
    expect(refused("/messages/{id}", [])).toThrow(
      /; so that one is found, the description .* as http:\S+\/v1; or give/,
    );
    expect(refused("/messages")).toThrow(/; if nothing is there at all, the description has its server at/);
  });
});
