import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runCommand } from "../../packs/pack/walk.fixture.ts";
import { isUpToDate } from "./origins.ts";
import { description, pet, startShop } from "./shop.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "openapi-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a document is accepted in place of a protocol, and its vectors are kept until it changes", async () => {
  writeFileSync(join(folder, "shop.yaml"), description);
  writeFileSync(join(folder, "pet.yaml"), pet);
  const [correctShop, wrongShop] = await Promise.all([startShop(), startShop("ignores-max-items")]);
  try {
    const firstRun = await runCommand(
      folder,
      `npx touchstone run shop.yaml --http ${correctShop.url} --timeout 60000 --quiet`,
    );
    expect(firstRun).toContain("making vectors of shop.yaml");
    expect(firstRun).not.toMatch(/^(loading|compiling|judging|texts)/m);
    // Only the server knows which names exist.
    expect(firstRun).toMatch(
      /^Conforms, with \d+ warnings, as far as it was tested: [0-9] of the 7 invalid vectors sent for update-pet\.parameters .* HTTP 404\.$/m,
    );

    const secondRun = await runCommand(
      folder,
      `npx touchstone run shop.yaml --http ${wrongShop.url} --timeout 60000 --only "shop/1/create-pet/**"`,
    );
    expect(secondRun).not.toContain("making vectors");
    expect(secondRun).toMatch(
      /^plan: 4 operations, 5 documents .*; \d+ assertions; the vectors are kept in \.touchstone/m,
    );
    expect(secondRun).toContain("tags has 4 items, over the maximum of 3");
    expect(secondRun).toMatch(/^pet\.yaml:8:\d+ #\/properties\/tags\/maxItems/m);
    expect(secondRun).toMatch(/ replay shop\/1\/create-pet\S* .*shop\.yaml .*--http/);

    const listOutput = await runCommand(folder, "npx touchstone list documents --protocol shop.yaml");
    expect(listOutput).toContain("list-pets.parameters");

    const place = /^pet\.yaml:8:\d+ #\S+maxItems/m.exec(secondRun)?.[0] ?? "";
    for (const name of [place, "pet.yaml#/properties/tags/maxItems", "LIST-PETS-ANSWER-001"]) {
      const explainOutput = await runCommand(folder, `npx touchstone explain "${name}" --protocol shop.yaml`);
      expect(explainOutput).toMatch(/^ {2}\S.* run shop\.yaml --/m);
    }
    const entries = [{ site: place, outcome: "violates", reason: "known" }];
    const baseline = { $schema: "", sets: { shop: `sha256-${"A".repeat(43)}=` }, entries };
    writeFileSync(join(folder, "known.json"), JSON.stringify(baseline));
    const baselineOutput = await runCommand(
      folder,
      `npx touchstone run shop.yaml --http ${wrongShop.url} --timeout 60000 --baseline known.json --quiet --only create-pet`,
    );
    expect(baselineOutput).toMatch(/^Nothing new fails .*beside \d+ known failures?\./m);

    const fuzzOutput = await runCommand(
      folder,
      `npx touchstone fuzz shop.yaml --http ${correctShop.url} --timeout 60000 --runs 60 --seed 1 --quiet`,
    );
    // Formats are drawn as well, and a target that does not assert them only gets warnings.
    expect(fuzzOutput).toMatch(/^Nothing wrong was found\.$/m);
    const [, conformCount, runCount, warnCount = "0"] =
      /: (\d+) of (\d+) run conform(?:, (\d+) warn)?/.exec(fuzzOutput) ?? [];
    expect([Number(conformCount) + Number(warnCount), Number(conformCount) > 30]).toEqual([Number(runCount), true]);

    // The file contains the given arguments, and runs unchanged.
    const initOutput = await runCommand(folder, `npx touchstone init shop.yaml --http ${correctShop.url}`);
    expect(initOutput).toContain("touchstone.config.yaml is written");
    expect(readFileSync(join(folder, "touchstone.config.yaml"), "utf8")).toContain('protocol: "shop.yaml"');
    const configuredRun = await runCommand(folder, "npx touchstone run --quiet --only shop/1/create-pet/valid/minimal");
    expect(configuredRun).toMatch(/^Conforms in what was selected/m);
  } finally {
    await Promise.all([correctShop.close(), wrongShop.close()]);
  }
  const [packName = ""] = readdirSync(join(folder, ".touchstone")).filter((name) => !name.startsWith("."));
  const pack = join(folder, ".touchstone", packName);
  expect(isUpToDate(pack)).toBe(true);
  writeFileSync(join(folder, "pet.yaml"), `${pet}description: another\n`);
  expect(isUpToDate(pack)).toBe(false);
}, 600_000);

it("results are shown at their places in the document", async () => {
  const project = mkdtempSync(join(folder, "places-"));
  writeFileSync(join(project, "shop.yaml"), description);
  writeFileSync(join(project, "pet.yaml"), pet);
  const places = new Set<string>();
  for (const mistake of ["answers-without-id", "ignores-limit", "coerces"] as const) {
    const server = await startShop(mistake);
    const reports = "--report sarif=a.sarif --report github";
    const output = await runCommand(
      project,
      `npx touchstone run shop.yaml --http ${server.url} --timeout 60000 ${reports}`,
    );
    await server.close();
    for (const [, file = "", line = ""] of output.matchAll(/^::(?:error|warning) file=([^,]+),line=(\d+)/gm))
      places.add(`${file}:${line}`);
    expect(output).not.toMatch(/^::error title=shop/m);
    const { runs } = JSON.parse(readFileSync(join(project, "a.sarif"), "utf8"));
    for (const { locations, relatedLocations = [] } of runs[0].results)
      for (const { physicalLocation } of [...locations, ...relatedLocations]) {
        const { artifactLocation, region } = physicalLocation;
        expect(artifactLocation.uriBaseId).toBe("%SRCROOT%");
        places.add(`${artifactLocation.uri}:${region.startLine}`);
      }
  }
  for (const place of places) {
    const [file = "", line] = place.split(":");
    expect(readFileSync(join(project, file), "utf8").split("\n").length).toBeGreaterThan(Number(line));
  }
  const lineOf = (text: string): number => description.slice(0, description.indexOf(text)).split("\n").length;
  // The answers of createPet, and the parameter of listPets.
  expect([...places]).toContain(`shop.yaml:${lineOf('"201"')}`);
  expect([...places]).toContain(`shop.yaml:${lineOf("- { name: limit")}`);
  expect([...places]).toContain("pet.yaml:6");
}, 600_000);

it("a document that cannot be read is reported once, and leaves no files", async () => {
  const project = mkdtempSync(join(folder, "old-"));
  writeFileSync(join(project, "old.json"), '{ "swagger": "2.0" }');
  const output = await runCommand(project, "npx touchstone run old.json --http http://127.0.0.1:9");
  expect(output).toContain("old.json:1:14 (#/swagger): this is Swagger 2.0");
  expect(output).toContain("no pack was made from the API description");
  expect(readdirSync(join(project)).filter((name) => name !== "old.json")).toEqual([]);
}, 300_000);

it("a schema is refused before a pack is made, and the error names the commands to use instead", async () => {
  const project = mkdtempSync(join(folder, "schema-"));
  writeFileSync(join(project, "my-order.schema.json"), '{ "type": "object" }');
  const output = await runCommand(project, "npx touchstone run my-order.schema.json --http http://127.0.0.1:9");
  expect(output).not.toContain("making vectors");
  expect(output).toMatch(/generate --schema my-order\.schema\.json`\n\s+`.*run \.\/my-order …`/);
}, 300_000);

it("the suggested command has the path of the server in the document", async () => {
  const project = mkdtempSync(join(folder, "served-"));
  const paths = '{ "/ping": { "get": { "responses": { "204": { "description": "there" } } } } }';
  const servers = '[{ "url": "https://api.test/v1/" }, { "url": "/v2" }]';
  const head = '"openapi": "3.1.0", "info": { "title": "Ping", "version": "1" }';
  writeFileSync(join(project, "ping.json"), `{ ${head}, "servers": ${servers}, "paths": ${paths} }`);
  const output = await runCommand(project, "npx touchstone generate ping.json");
  expect(output).toMatch(/ run \.\/ping --http http:\/\/127\.0\.0\.1:8080\/v1$/m);
  const page = readFileSync(join(project, "ping", "README.md"), "utf8");
  expect(page).toMatch(/ generate ping\.json --out PACK$/m);
  expect(page).not.toMatch(/endpoint|--module/);
}, 60_000);

it("an operation that needs to be named is called alone, although vectors of the others are kept", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const responses = { 200: { description: "ok" } };
  const paths = {
    "/a": { get: { operationId: "look", responses } },
    "/b": { post: { operationId: "reload", responses } },
  };
  writeFileSync(join(folder, "two.json"), JSON.stringify({ openapi: "3.1.0", info: {}, paths }));
  expect(await runCommand(folder, `npx touchstone run two.json --http ${url}`)).toContain("nothing is sent to reload");
  requests.length = 0;
  const onlyOutput = await runCommand(folder, `npx touchstone run two.json --http ${url} --only reload`);
  server.close();
  expect(onlyOutput).toMatch(/^plan: 1 of 2 operations/m);
  expect(new Set(requests)).toEqual(new Set(["POST /b"]));
});
