import { expect, it } from "vitest";
import { faultsBy, type Json, type JsonObject, protocolNamed, protocolsNamed } from "../../../schemas/index.ts";
import { mustBeOptions } from "./sides.ts";

const place = async (at: string): Promise<string> => at;

function requireOptions(protocol: string, options: JsonObject, side?: string): Promise<void> {
  return mustBeOptions([protocolNamed(protocol)], options, place, side);
}

it("accepts the options of the protocol's sides, with the values of the played side", async () => {
  const knownOptions = { preset: "examples", level: 2, paths: { events: "/e" }, binding: "socket", languages: [] };
  await expect(requireOptions("aaep", knownOptions)).resolves.toBeUndefined();
  await expect(requireOptions("aaep", { preset: "examples", binding: "sse" }, "subscriber")).resolves.toBeUndefined();
  await expect(requireOptions("aaep", { binding: "socket" }, "subscriber")).rejects.toThrow(
    /^\/options\/binding: it is "socket"/,
  );
  await expect(requireOptions("aaep", { presett: "examples" })).rejects.toThrow(
    /no member "presett"\n {2}did you mean "preset"\?/,
  );
  await expect(requireOptions("aaep", { paths: { subscription: "/x" } })).rejects.toThrow(
    /did you mean "subscriptions"\?/,
  );
  for (const level of ["2", "three", 7])
    await expect(requireOptions("aaep", { level })).rejects.toThrow(/one of 1, 2, 3/);
  await expect(requireOptions("ahcp", { level: 1 })).rejects.toThrow(/there is no member "level"/);
});

it("requires a description of every option, and a schema that restricts every option except `value`", () => {
  const options = protocolsNamed("all").flatMap(({ profile }) =>
    Object.values(profile.sides ?? {}).flatMap(({ options = {} }) => Object.entries(options)),
  );
  expect(options.length).toBeGreaterThan(20);
  for (const [name, schema] of options) {
    expect(schema.description, name).toMatch(/\.$/);
    for (const example of [schema.examples, schema.enum].flatMap((each) => (each ?? []) as Json[]))
      expect(faultsBy(schema, example, ""), name).toEqual([]);
    expect(faultsBy(schema, null, "").length, name).toBe(name === "value" ? 0 : 1);
  }
});
