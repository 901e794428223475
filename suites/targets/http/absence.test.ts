import { describe, expect, it } from "vitest";
import type { Endpoint, Observation, Profile } from "../../../schemas/index.ts";
import { answerFrom, answerOf } from "../observations.fixture.ts";
import { absenceOf } from "./absence.ts";
import { unrelatedAnswer } from "./described-answers.ts";
import type { Endpoints } from "./route.ts";

const origin = "http://127.0.0.1:8080";
const plainHttp: Profile["http"] = { accepted: [{ status: [200] }], rejected: [{ status: [400] }] };
const describedHttp: Profile["http"] = { ...plainHttp, servers: ["https://api.test/v1", "/v2"] };
const notFound = { status: 404, headers: {}, body: "" };
const endpoint: Endpoint = { method: "POST", path: "/messages" };

/** Creates a function that reads an answer with status 404 for a URL with the path `prefix`. */
function observeAbsence(http: Profile["http"], prefix: string, endpoints: Endpoints = {}): () => unknown {
  const absence = absenceOf(http, { origin, prefix }, endpoints);
  return () => answerFrom(notFound, endpoint, http, false, absence.adviceFor(endpoint.path));
}

describe("if nothing is at a path", () => {
  it("suggests --endpoint, or reports the path of --endpoint", () => {
    expect(observeAbsence(plainHttp, "")).toThrow(
      /^HTTP 404: nothing is there: name the server's own path with --endpoint$/,
    );
    expect(observeAbsence(plainHttp, "", { message: "/messages" })).toThrow(
      "the server does not have the path /messages of --endpoint",
    );
  });

  it("first suggests the path of the server in the description if the URL lacks it", () => {
    const serverHint =
      "the description has its server at https://api.test/v1: give the URL as http://127.0.0.1:8080/v1";
    expect(observeAbsence(describedHttp, "")).toThrow(
      `HTTP 404: nothing is there: ${serverHint}, or name the server's own path`,
    );
    for (const prefix of ["/v1", "/proxy/v1", "/v2"])
      expect(observeAbsence(describedHttp, prefix)).not.toThrow("description");
  });

  it("suggests that path even if the route has parameters, or the description names the status", () => {
    const { elsewhere } = absenceOf(describedHttp, { origin, prefix: "" }, {});
    const reportedAbsence = {
      answers: [{ status: "404", type: "application/json", document: "a" }],
      rule: "A-001",
      credentials: [],
    };
    const refusedError =
      (path: string, answers = reportedAbsence.answers) =>
      () =>
        answerOf(
          unrelatedAnswer({
            response: notFound,
            body: undefined,
            refuses: describedHttp.rejected,
            elsewhere,
            route: { ...endpoint, path, described: { ...reportedAbsence, answers } },
          }) as Observation,
        );
    expect(refusedError("/messages/{id}", [])).toThrow(
      /; so that one is found, the description .* as http:\S+\/v1; or add/,
    );
    expect(refusedError("/messages")).toThrow(/; if nothing is there at all, the description has its server at/);
  });
});
