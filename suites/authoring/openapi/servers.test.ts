import { expect, it } from "vitest";
import { serversOf } from "./servers.ts";
import type { Sources } from "./source.ts";

const sources = (servers: unknown): Sources => ({ root: { text: { value: { servers } } } }) as unknown as Sources;
const serversFor = (...urls: string[]) => serversOf(sources(urls.map((url) => ({ url }))));

it("only servers with a path are listed, with or without their host", () => {
  expect(serversFor("https://api.test/v1", "https://api.test/", "https://api.test", "/v2", "/")).toEqual([
    "https://api.test/v1",
    "/v2",
  ]);
  expect(serversFor("mailto:a@b.test", "https://", "//other.test/v1")).toEqual(["http://other.test/v1"]);
  for (const servers of [undefined, {}, [null, { url: 1 }]]) expect(serversOf(sources(servers))).toEqual([]);
});

it("variables get their defaults, and a server with a variable without default is left out", () => {
  const url = "https://{region}.api.test/{base}";
  const variables = { region: { default: "eu" }, base: { default: "v3" } };
  expect(serversOf(sources([{ url, variables }]))).toEqual(["https://eu.api.test/v3"]);
  expect(serversOf(sources([{ url, variables: { region: {} } }]))).toEqual([]);
});
