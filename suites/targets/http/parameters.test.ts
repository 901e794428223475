import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { Document, Endpoint, Json, Parameter, Protocol } from "../../../schemas/index.ts";
import { httpTarget } from "../http.ts";
import { placeParameters, skipUnwritable } from "./parameters.ts";

function endpoint(parameter: Partial<Parameter>, path = "/pets"): Endpoint {
  const queryParameter: Parameter = { in: "query", name: "p", style: "form", explode: true };
  return { method: "GET", path, carries: "parameters", parameters: [{ ...queryParameter, ...parameter }] };
}

const put = (parameter: Partial<Parameter>, value: Json, path?: string) =>
  placeParameters(endpoint(parameter, path), { [parameter.in ?? "query"]: { p: value } });

describe("a parameter is written", () => {
  it.each<[Partial<Parameter>, Json, string]>([
    [{}, "a b&c+d/é", "p=a%20b%26c%2Bd%2F%C3%A9"],
    [{}, 1.5, "p=1.5"],
    [{}, true, "p=true"],
    [{ holds: "items" }, ["a", "b"], "p=a&p=b"],
    [{ holds: "items" }, ["a", "a", "", "a"], "p=a&p=a&p=&p=a"],
    [{ holds: "items" }, ["", ""], "p=&p="],
    [{}, "", "p="],
    [{ holds: "items", explode: false }, ["a", "b,c"], "p=a,b%2Cc"],
    [{ holds: "items", explode: false, style: "spaceDelimited" }, ["a", "b"], "p=a%20b"],
    [{ holds: "items", explode: false, style: "pipeDelimited" }, ["a", "b"], "p=a%7Cb"],
    [{ holds: "members", style: "deepObject" }, { x: 1, "y z": "b" }, "p[x]=1&p[y%20z]=b"],
    [{ style: "json" }, { x: [1] }, "p=%7B%22x%22%3A%5B1%5D%7D"],
    [{ holds: "members" }, { x: 1, y: "b" }, "x=1&y=b"],
    [{ holds: "members", explode: false }, { x: 1, y: "b" }, "p=x,1,y,b"],
  ])("into a query: %j %j", (parameter, value, expected) => expect(put(parameter, value).query).toBe(expected));

  it.each<[Partial<Parameter>, Json, string]>([
    [{ style: "simple" }, "a b", "/pets/a%20b"],
    [{ style: "simple", holds: "items" }, [1, 2], "/pets/1,2"],
    [{ style: "label", holds: "items" }, [1, 2], "/pets/.1.2"],
    [{ style: "label", holds: "items", explode: false }, [1, 2], "/pets/.1,2"],
    [{ style: "matrix", holds: "items" }, [1, 2], "/pets/;p=1;p=2"],
    [{ style: "matrix", explode: false }, 1, "/pets/;p=1"],
    [{ style: "simple" }, "$&", "/pets/%24%26"],
    [{ style: "simple" }, { x: 1, y: 2 }, "/pets/x=1,y=2"],
    [{ style: "simple", explode: false }, { x: 1, y: 2 }, "/pets/x,1,y,2"],
    [{ style: "matrix" }, { x: 1, y: 2 }, "/pets/;x=1;y=2"],
  ])("into a path: %j %j", (parameter, value, expected) =>
    expect(put({ in: "path", ...parameter }, value, "/pets/{p}").path).toBe(expected),
  );

  it("into headers and cookies", () => {
    expect(put({ in: "header", style: "simple" }, "a b").headers).toEqual({ p: "a b" });
    expect(put({ in: "cookie" }, 5).headers).toEqual({ cookie: "p=5" });
  });
});

it("a query goes to the server unchanged: repeated and empty parameters stay, even in the address", async () => {
  const urls: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    urls.push(url);
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const document = {
    name: "list",
    title: "",
    schema: "",
    file: "",
    standalone: true,
    role: "entry",
    endpoint: endpoint({ holds: "items" }),
  } as Document;
  const http = { headers: {}, accepted: [{ status: [200] }], rejected: [{ status: [422] }] };
  const target = httpTarget({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?a=&a=&b` });
  try {
    await target.open({ rules: [], schemas: [], profile: { documents: [document], http } } as unknown as Protocol);
    const question = { document, data: { query: { p: ["x", "x", ""] } }, keep: [], seed: 1 };
    await target.check(question, AbortSignal.timeout(30_000));
    expect(urls).toEqual(["/v1/pets?a=&a=&b&p=x&p=x&p="]);
  } finally {
    await target.close();
    server.closeAllConnections();
    server.close();
  }
});

describe("a value is sent only if every server reads it in the same way:", () => {
  const filter: Partial<Parameter> = {
    holds: "members",
    style: "deepObject",
    members: { n: ["integer"], s: ["string"] },
  };
  const inPath: Partial<Parameter> = { in: "path", types: ["integer"], holds: "items" };
  const why = (parameter: Partial<Parameter>, value: Json) =>
    skipUnwritable(endpoint(parameter, "/pets/{p}"), { [parameter.in ?? "query"]: { p: value } }, new Set())?.why;

  it.each<[Partial<Parameter>, Json]>([
    [{ types: ["integer"] }, 5],
    [{ types: ["integer"] }, 5.5],
    [{ types: ["integer"] }, "abc"],
    [{ types: ["integer"] }, "5z"],
    [{ types: ["number"], holds: "items" }, [1, "-0.5z"]],
    [{ types: ["boolean"] }, true],
    [{ types: ["boolean"] }, "abc"],
    [{ types: ["string"] }, "5"],
    [{ types: ["string"] }, "null"],
    [{ types: ["integer"], holds: "items" }, [1, "a"]],
    [{ style: "json" }, null],
    [{ types: ["boolean", "string"] }, "abc"],
    [{ types: ["string"], holds: "items", mixed: true }, ["a", "b"]],
    [{ ...inPath, style: "label", explode: true }, [1, 2]],
    [{ ...inPath, style: "label", explode: false }, [1]],
    [{ ...inPath, style: "matrix", explode: true }, [0.5, 2]],
    [filter, { n: 5, s: "5" }],
    [filter, { n: "abc" }],
    [filter, { other: "a" }],
  ])("as %j %j", (parameter, value) => expect(why(parameter, value)).toBeUndefined());

  it.each<[string, Partial<Parameter>, Json]>([
    ["a text that is sent like a number", { types: ["integer"] }, "5"],
    ["a number that is sent like a text", { types: ["string"] }, 5],
    ["a number in a form that only some read", { types: ["number"] }, "1e3"],
    ["a number in a form that only some read", { types: ["integer"] }, "0x10"],
    ["a number with what may be the suffix of a type", { types: ["number"] }, "5f"],
    ["a number that is written with an exponent", { types: ["number"] }, 1e21],
    ["a boolean that may be a text", { types: ["boolean", "string"] }, true],
    ["a list of one that may be a text", { types: ["string"], holds: "items", mixed: true }, ["a"]],
    ["a list in one text", { types: ["string"], holds: "items", mixed: true, explode: false }, ["a", "b"]],
    ["a boolean that only some read", { types: ["boolean"] }, "yes"],
    ["a boolean that only some read", { types: ["boolean"] }, "1"],
    ["a boolean that some read as a number", { types: ["integer"] }, true],
    ["nothing", { types: ["string"] }, ""],
    ["null", { types: ["integer", "null"] }, null],
    ["a value of two types that look the same", { types: ["integer", "string"] }, 5],
    ["one value for a list", { types: ["string"], holds: "items" }, "a"],
    ["a list for one value", { types: ["string"] }, ["a"]],
    ["an empty list", { types: ["string"], holds: "items" }, []],
    ["a list with an empty text", { types: ["string"], holds: "items" }, ["a", ""]],
    ["an object without members", filter, {}],
    ["a number of an object that is sent like a text", filter, { s: 5 }],
    ["a list in an object", filter, { s: ["a"] }],
    ["a member whose name is read as an index", filter, { 0: "a" }],
    ["a member whose name every object has", filter, { constructor: "a" }],
    ["a separator within a value", { types: ["string"], holds: "items", explode: false }, ["a,b"]],
    ["a dot within an item of a label", { ...inPath, style: "label", explode: true }, [0.5]],
    ["several items of a label that is not exploded", { ...inPath, style: "label", explode: false }, [1, 2]],
    [
      "several items that a pipe parts, exploded",
      { ...inPath, in: "query", style: "pipeDelimited", explode: true },
      [1, 2],
    ],
    ["half a character", { types: ["string"] }, "\ud800"],
    ["a slash in a path", { in: "path", style: "simple", types: ["string"] }, "a/b"],
    ["a space at the end of a header", { in: "header", style: "simple", types: ["string"] }, "a "],
  ])("not %s", (_, parameter, value) =>
    expect(why(parameter, value)).toMatch(/read these parameters differently|read as other values/),
  );

  it("and the reason says whether it would be read as a different value, or differently by some servers", () => {
    expect(why({ types: ["string"] }, 5)).toMatch(/would be read as other values$/);
    expect(why(filter, { s: ["a"] })).toMatch(/read as other values/);
    expect(why({ types: ["number"] }, "1e3")).toMatch(/^servers and proxies read .* differently$/);
    expect(why(filter, { 0: "a" })).toMatch(/differently$/);
  });

  it.each<[RegExp, Partial<Parameter>, Json]>([
    [
      /^the query parameter "p" is an object, which can be written only with style deepObject$/,
      { holds: "members" },
      {},
    ],
    [/"p" is an object without members/, { ...filter, members: {} }, { a: "b" }],
    [/"p" has style deepObject, which is for objects only/, { style: "deepObject", types: ["string"] }, "a"],
    [/"p" is a list of lists or objects/, { holds: "items", types: ["object" as "string"] }, []],
  ])("and the parameter is named if none of its values can ever be written: %s", (output, parameter, value) =>
    expect(why(parameter, value)).toMatch(output),
  );

  it("a value for all requests replaces another value, unless the vector is about it", () => {
    const key: Parameter = { in: "header", name: "X-Key", style: "simple", explode: false };
    const limit: Parameter = { in: "query", name: "limit", style: "form", explode: true, types: ["integer"] };
    const endpointWithTwo: Endpoint = { method: "GET", path: "/", carries: "parameters", parameters: [key, limit] };
    const why = (document: Json, given: string, keep: string[] = []): string | undefined =>
      skipUnwritable(endpointWithTwo, document, new Set([given]), keep)?.why;
    const values = { header: { "X-Key": "a\nb" }, query: { limit: 5 } };
    expect(why(values, "x-key", ["/query/limit"])).toBeUndefined();
    expect(why(values, "x-key")).toBeUndefined();
    expect(why(values, "x-key", ["/header/X-Key"])).toMatch(/the header X-Key is given with --header/);
    expect(why(values, "x-key", ["/header"])).toMatch(/--header/);
    expect(why({ query: { limit: 5 } }, "x-key")).toMatch(/--header/);
    expect(why({ query: { limit: 5 } }, "x-key", ["/query/limit"])).toBeUndefined();
    const shownParts = { header: { "X-Key": "ab" }, query: { limit: "x" } };
    expect(why(shownParts, "query limit", ["/header/X-Key"])).toBeUndefined();
    expect(why(shownParts, "query limit", ["/query/limit"])).toMatch(/limit is given with the address/);
    expect(placeParameters(endpointWithTwo, shownParts, new Set(["query limit"])).query).toBe("");
  });

  it("an undescribed parameter, a parameter for all requests, and a complete path are not filled", () => {
    const query = endpoint({});
    expect(skipUnwritable(query, { query: { other: "a" } }, new Set())?.why).toMatch(
      /a parameter without a description/,
    );
    expect(skipUnwritable(query, [], new Set())).toBeDefined();
    expect(skipUnwritable(query, { query: "a" }, new Set())).toBeDefined();
    expect(skipUnwritable(endpoint({ in: "header", name: "X-Own" }), {}, new Set(["x-own"]))?.why).toMatch(/--header/);
    expect(
      skipUnwritable(endpoint({ in: "path", style: "simple" }, "/pets/7"), { path: { p: "abc" } }, new Set())?.why,
    ).toMatch(/the path is given/);
  });
});
