import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

const names = Object.getOwnPropertyNames(Object.prototype);
const quote = (name: string): string => JSON.stringify(name);

/** Writes a schema that uses a name, given as JSON, in one of its places. */
const places: Record<string, (name: string) => string> = {
  "a keyword": (name) => `{"type":"object",${name}:1,"properties":{"a":{"type":"string",${name}:{"type":"string"}}}}`,
  "a property": (name) =>
    `{"type":"object","properties":{${name}:{"type":"string","minLength":1}},"required":[${name}]}`,
  "a format and an encoding": (name) =>
    `{"type":"string","format":${name},"contentEncoding":${name},"contentMediaType":${name}}`,
  "a type": (name) => `{"type":[${name},"string"]}`,
  "a definition": (name) =>
    `{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{${name}:{"type":"null"},"x":{"type":"string"}}}`,
  "a dependency": (name) =>
    `{"type":"object","dependentRequired":{${name}:["a"],"b":[${name}]},"dependentSchemas":{${name}:{"minProperties":2}}}`,
  "a pattern": (name) =>
    `{"type":"object","patternProperties":{${name}:{"type":"string"}},"propertyNames":{"not":{"const":${name}}}}`,
  "a value": (name) => `{"enum":[{${name}:1},${name}],"default":{${name}:1},"examples":[{${name}:{}}]}`,
  "an id and an anchor": (name) =>
    `{"$id":"https://h.example/${name.slice(1, -1)}","$anchor":"${name.slice(1, -1).replaceAll("_", "a")}","type":"object"}`,
  "an unchanged anchor": (name) =>
    `{"$defs":{"a":{"$anchor":${name},"type":"string"}},"properties":{"a":{"$ref":"#${name.slice(1, -1)}"}}}`,
  "a vocabulary": (name) => `{"$vocabulary":{${name}:true},"type":"object"}`,
  "a discriminator": (name) =>
    `{"oneOf":[{"type":"object","properties":{${name}:{"const":"a"}},"required":[${name}]},{"type":"string"}],"discriminator":{"propertyName":${name},"mapping":{${name}:"#/oneOf/0"}}}`,
};

let cachedFolder: string | undefined;
function folder(): string {
  if (cachedFolder === undefined) {
    cachedFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
    const newFolder = cachedFolder;
    process.on("exit", () => rmSync(newFolder, { recursive: true, force: true }));
    writeFileSync(join(newFolder, "plain.json"), '{"type":"object","properties":{"a":{"type":"string"}}}');
  }
  return cachedFolder;
}

const commands: Record<string, (file: string) => string[]> = {
  lint: (file) => ["lint", file, "--unguarded"],
  compare: (file) => ["compare", file, "plain.json", "--unguarded"],
  generate: (file) => ["generate", "--schema", file, "--out", `made-${file}`, "--effort", "0.1", "--unguarded"],
};

export const nameRows: readonly Attack[] = Object.entries(places).flatMap(([place, write], placeIndex) =>
  names.flatMap((name, nameIndex) =>
    Object.entries(commands).map(
      ([command, argsOf], commandIndex): Attack => ({
        kind: "names that every object inherits",
        name: `${name} as ${place}, ${command}`,
        async play() {
          const file = `${placeIndex}-${nameIndex}-${commandIndex}.json`;
          writeFileSync(join(folder(), file), write(quote(name)));
          const { code, output } = await runOnce(folder(), ...argsOf(file));
          return code === 4 ? [`it broke down: ${output.slice(-300)}`] : [];
        },
        ...(command !== "generate" &&
        nameIndex % 6 === placeIndex % 6 &&
        (nameIndex + placeIndex + commandIndex) % 2 === 0
          ? {}
          : { isLarge: true as const }),
      }),
    ),
  ),
);
