import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home } from "../../schemas/index.ts";
import { runSuite } from "../run/suite.ts";

const folder = join(home, "suites", "adapters");

/** What starts each adapter, and what succeeds only where its library is installed. */
const adapters = [
  ...["python3", "/usr/bin/python3"].map((python) => ({
    name: `Python's jsonschema, ${python}`,
    starts: `${python} -W ignore python-jsonschema.py`,
    needs: `${python} -c "import jsonschema"`,
  })),
  { name: "Ruby's json_schemer", starts: "ruby ruby-json_schemer.rb", needs: "ruby -rset -rjson_schemer -e 1" },
  { name: "Perl's JSON::Validator", starts: "perl perl-json-validator.pl", needs: "perl -MJSON::Validator -e 1" },
  {
    name: "Go's gojsonschema",
    starts: "env GO111MODULE=off GOPATH=/usr/share/gocode go run go-gojsonschema.go",
    needs: "GO111MODULE=off GOPATH=/usr/share/gocode go list github.com/xeipuuv/gojsonschema",
  },
  { name: "Java's networknt", starts: "java Networknt.java", needs: "javap com.networknt.schema.JsonSchemaFactory" },
  { name: "Go's jsonschema", starts: "touchstone-go", needs: "command -v touchstone-go" },
  { name: "Rust's jsonschema", starts: "touchstone-rust", needs: "command -v touchstone-rust" },
];

const isThere = (command: string): boolean => spawnSync("sh", ["-c", command], { stdio: "ignore" }).status === 0;

describe("an adapter", () => {
  for (const { name, starts, needs } of adapters) {
    it(`of ${name} judges the messages of ahcp, nearly all as they are`, async ({ skip }) => {
      if (!isThere(needs)) skip(`not installed: \`${needs}\` fails`);
      const command = `cd "${folder}" && exec ${starts}`;
      const { counts, runs } = await runSuite({
        protocols: "ahcp",
        target: { kind: "command", command },
        only: ["ahcp/0.3/message/valid", "ahcp/0.3/message/invalid", "ahcp/0.3/submit-ack"],
        timeoutMs: 30_000,
      });
      expect(runs.map(({ failure }) => failure)).toEqual([undefined]);
      expect(counts).toMatchObject({ errored: 0, "timed-out": 0 });
      // Accepting everything, or refusing it, would be right about far fewer.
      expect(counts.conforms).toBeGreaterThan(20 * (counts.violates + counts.warns));
      const verdicts = new Set(
        runs
          .flatMap(({ results }) => results)
          .filter(({ outcome }) => outcome === "conforms")
          .map(({ verdict }) => verdict),
      );
      expect([...verdicts].sort()).toEqual(["invalid", "valid"]);
    });
  }

  it.runIf(process.env.CI).each(["python3", "ruby", "perl", "go run"])(
    "that is started by %s can always be run in CI",
    (word) => {
      expect(adapters.filter(({ starts }) => starts.includes(word)).some(({ needs }) => isThere(needs))).toBe(true);
    },
  );

  it("of Python is the one that the guide shows", () => {
    const guide = readFileSync(join(home, "suites", "guides", "implementer.md"), "utf8");
    expect(guide).toContain(readFileSync(join(folder, "python-jsonschema.py"), "utf8"));
  });
});
