import { expect, it } from "vitest";
import type { Document, Endpoint, Protocol } from "../../../schemas/index.ts";
import { parseAddress } from "../../base/http/address.ts";
import { type Endpoints, expandEndpoints, misplacedText, mustBeBase } from "./route.ts";

const post: Endpoint = { method: "POST", path: "/a" };
const questionOf = (text: string) => ({ document: {} as Document, text, keep: [], seed: 1 });

it.each<[string, Endpoint, string, boolean, RegExp | undefined]>([
  ["a text", post, "{", false, undefined],
  ["an empty text although a body is required", post, "", false, undefined],
  ["an empty text if none is required", { ...post, optional: true }, "", false, /need not have a body/],
  ["a blank text if none is required", { ...post, optional: true }, " ", false, undefined],
  ["a text for parameters", { ...post, carries: "parameters" }, "{", false, /parameters/],
  ["a text within another document", post, "{", true, /inside another one/],
])("%s", (_, endpoint, text, isWrapped, expected) => {
  const why = misplacedText(endpoint, questionOf(text), isWrapped);
  if (expected === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(expected);
});

it("reads an asterisk in the name of an endpoint as any text, and prefers a whole name", () => {
  const documents = [
    { name: "rpc.get.request", endpoint: post },
    { name: "rpc.list.request", endpoint: post },
    { name: "rpc.get.response" },
    { name: "rpcs", endpoint: post },
  ];
  const protocol = { profile: { documents } } as unknown as Protocol;
  expect(expandEndpoints({ "rpc.list.request": "/list", "rpc.*": "/a2a" }, protocol)).toEqual({
    "rpc.get.request": "/a2a",
    "rpc.list.request": "/list",
  });
  expect(expandEndpoints({ "soap.*": "/a2a" }, protocol)).toEqual({ "soap.*": "/a2a" });
});

it.each<[string, Endpoints, RegExp | undefined]>([
  ["http://127.0.0.1:1/a?key=secret", {}, /leave the path out: http:\/\/127\.0\.0\.1:1; .* --endpoint note=\/a$/],
  ["http://user:secret@127.0.0.1:1/below/a/", {}, /leave the path out: http:\/\/127\.0\.0\.1:1\/below; /],
  ["http://127.0.0.1:1/a", { note: "/a" }, undefined],
  ["http://127.0.0.1:1/a/b", {}, undefined],
  ["http://127.0.0.1:1", {}, undefined],
])("the address %s with the endpoints %j", (url, endpoints, expected) => {
  const protocol = {
    profile: {
      documents: [
        { name: "root", endpoint: { path: "/" } },
        { name: "note", endpoint: post },
      ],
    },
  };
  const checkBase = () => mustBeBase(parseAddress(url), endpoints, protocol as unknown as Protocol);
  if (expected === undefined) expect(checkBase).not.toThrow();
  else expect(checkBase).toThrow(expected);
  if (expected !== undefined) expect(checkBase).not.toThrow(/secret/);
});
