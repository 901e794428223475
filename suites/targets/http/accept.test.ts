import { expect, it } from "vitest";
import type { Endpoint } from "../../../schemas/index.ts";
import { acceptFor } from "./accept.ts";

const endpointWith = (...named: { status: string; types: string[] }[]): Endpoint =>
  ({ described: { statuses: { rule: "A-STATUS-001", named } } }) as unknown as Endpoint;
const jsonType = "application/json";

it.each<[what: string, endpoint: Endpoint, accept: string]>([
  ["nothing", endpointWith({ status: "204", types: [] }), jsonType],
  [
    "JSON, with any type of refusals",
    endpointWith({ status: "200", types: [`${jsonType}; charset=utf-8`] }, { status: "400", types: ["text/html"] }),
    jsonType,
  ],
  [
    "JSON of its own",
    endpointWith({ status: "2XX", types: ["application/vnd.api+json"] }),
    `application/vnd.api+json, ${jsonType}`,
  ],
  ["an image", endpointWith({ status: "200", types: ["image/png"] }), `image/png, ${jsonType};q=0.9`],
  ["JSON and CSV", endpointWith({ status: "200", types: ["text/csv", jsonType] }), `${jsonType}, text/csv;q=0.9`],
  ["any", endpointWith({ status: "default", types: ["*/*"] }), jsonType],
])("asks for the type of a success: %s", (_, endpoint, accept) => {
  expect(acceptFor(endpoint, jsonType)).toBe(accept);
});

it("keeps a given Accept header, and asks for JSON without a description", () => {
  expect(acceptFor(endpointWith({ status: "200", types: ["image/png"] }), "text/csv")).toBe("text/csv");
  expect(acceptFor({ method: "GET", path: "/" }, jsonType)).toBe(jsonType);
});
