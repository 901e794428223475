import { expect, it } from "vitest";
import type { Endpoint } from "../../../schemas/index.ts";
import { acceptFor } from "./accept.ts";

const of = (...named: { status: string; types: string[] }[]): Endpoint =>
  ({ described: { statuses: { rule: "A-STATUS-001", named } } }) as unknown as Endpoint;
const usual = "application/json";

it.each<[what: string, endpoint: Endpoint, accept: string]>([
  ["nothing", of({ status: "204", types: [] }), usual],
  [
    "JSON, with any type of refusals",
    of({ status: "200", types: [`${usual}; charset=utf-8`] }, { status: "400", types: ["text/html"] }),
    usual,
  ],
  ["JSON of its own", of({ status: "2XX", types: ["application/vnd.api+json"] }), `application/vnd.api+json, ${usual}`],
  ["an image", of({ status: "200", types: ["image/png"] }), `image/png, ${usual};q=0.9`],
  ["JSON and CSV", of({ status: "200", types: ["text/csv", usual] }), `${usual}, text/csv;q=0.9`],
  ["any", of({ status: "default", types: ["*/*"] }), usual],
])("if a success is %s, asks for that", (_, endpoint, accept) => {
  expect(acceptFor(endpoint, usual)).toBe(accept);
});

it("is the given header if there is one, and JSON without a description", () => {
  expect(acceptFor(of({ status: "200", types: ["image/png"] }), "text/csv")).toBe("text/csv");
  expect(acceptFor({ method: "GET", path: "/" }, usual)).toBe(usual);
});
