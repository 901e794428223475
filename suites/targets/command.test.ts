import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Document, Json, Protocol, Target } from "../../schemas/index.ts";
import { commandTarget } from "./command.ts";
import { answerOf } from "./observations.fixture.ts";

const note = { name: "note", schema: "https://example.test/note", role: "entry" } as Document;
const protocol = {
  name: "notes",
  version: "1.0",
  schemas: [{ $id: note.schema }],
  profile: { documents: [note] },
} as unknown as Protocol;

let folder: string;
let target: Target;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "command-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => target.close());

/** The number of adapters written so far. Their code may use `say(value)`, `print(line)`, `log(text)` and, in `onCheck`, `message`. */
let adapterCount = 0;
function adapter(onCheck: string, onHello = `say({ ready: true });`): Target {
  const file = join(folder, `${++adapterCount}.mjs`);
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs"; import { spawn } from "node:child_process"; import { createInterface } from "node:readline";
    const print = (line) => process.stdout.write(line + "\\n"), say = (value) => print(JSON.stringify(value));
    const log = (text) => appendFileSync(${JSON.stringify(`${file}.log`)}, text + "\\n");
    createInterface({ input: process.stdin }).on("line", (line) => {
      const message = JSON.parse(line), { seq, data } = message;
      if (message.command === "hello") { ${onHello} }
      else if (message.command === "stop") { log("stop"); process.exit(0); }
      else { ${onCheck} }
    });`,
  );
  target = commandTarget(`"${process.execPath}" "${file}"`);
  return target;
}
const loggedLines = (): string[] =>
  readFileSync(join(folder, `${adapterCount}.mjs.log`), "utf8")
    .trim()
    .split("\n");

it("marks a text as YAML only if it is YAML", async () => {
  await adapter("say({ seq, valid: message.yaml === true });").open(protocol);
  const textQuestion = { document: note, text: "a: 1", keep: [], seed: 1 };
  const signal = AbortSignal.timeout(30_000);
  expect((await target.check({ ...textQuestion, yaml: true }, signal)).verdict).toBe("accepted");
  expect((await target.check(textQuestion, signal)).verdict).toBe("rejected");
});

const check = async (data: Json, signal = AbortSignal.timeout(30_000)) =>
  Promise.resolve(target.check({ document: note, data, keep: [], seed: 1 }, signal)).then(answerOf);

describe("hello", () => {
  it("sends the schemas, and receives name and claims", async () => {
    await adapter("", `log(line); say({ ready: true, name: "mine", claims: ["semantic"] });`).open(protocol);
    expect(target.name).toBe("mine");
    expect(target.claims).toEqual(["semantic"]);
    expect(JSON.parse(loggedLines()[0] as string)).toEqual({
      command: "hello",
      touchstone: 1,
      protocol: "notes",
      version: "1.0",
      schemas: [{ $id: note.schema }],
    });
    await target.close();
    expect(loggedLines().at(-1)).toBe("stop");
  });

  it.each([
    [
      "a command that does not exist",
      () => commandTarget("no-such-adapter-anywhere"),
      /exited with code 127.*not found/,
    ],
    [
      "an exit",
      () => adapter("", `console.error("no \\u001b module"); process.exit(3);`),
      /code 3; it printed last: no \\u\{1b\} mod/,
    ],
    ["a banner", () => adapter("", `print("Welcome!");`), /not a JSON object: Welcome![\s\S]*stdout.*flushed/],
    ["an answer that is not ready", () => adapter("", `say({ ready: false });`), /it wrote \{"ready":false\}/],
    ["an unknown claim", () => adapter("", `say({ ready: true, claims: ["rawtext"] });`), /did you mean "raw-text"/],
  ])("opening fails for %s", async (_name, start, message) => {
    target = start();
    const opening = target.open(protocol);
    await expect(opening).rejects.toMatchObject({ name: "TouchstoneError", kind: "target" });
    await expect(opening).rejects.toThrow(message);
  });
});

describe("answers", () => {
  it("are accepted in any order", async () => {
    const holdTwo = `(globalThis.held ??= []).push({ seq, valid: data % 2 === 0 }); if (held.length === 16) held.reverse().forEach(say);`;
    await adapter(holdTwo).open(protocol);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => check(n)));
    expect(answers.map(({ verdict }) => verdict === "accepted")).toEqual(answers.map((_, n) => n % 2 === 0));
  });

  it("are also accepted for text and bytes that are not JSON", async () => {
    await adapter(`const { document, schema, text, base64 } = message;
      say({ seq, valid: false, errors: [{ message: JSON.stringify({ document, schema, text, base64 }) }] });`).open(
      protocol,
    );
    const raw = { document: note, keep: [], seed: 1 };
    const [text, bytes] = await Promise.all([
      target.check({ ...raw, text: '{"a":1,}' }, AbortSignal.timeout(30_000)),
      target.check({ ...raw, bytes: new Uint8Array([0xff]) }, AbortSignal.timeout(30_000)),
    ]);
    const head = { document: "note", schema: note.schema };
    expect(JSON.parse(text.reasons?.[0]?.message ?? "")).toEqual({ ...head, text: '{"a":1,}' });
    expect(JSON.parse(bytes.reasons?.[0]?.message ?? "")).toEqual({ ...head, base64: "/w==" });
  });

  it.each([
    ["declines", `{ seq, skipped: "no dates here" }`, { name: "Error", message: "no dates here" }],
    ["reports a failure", `{ seq, error: "out of memory" }`, { stage: "answer", message: /out of memory/ }],
    ["has no verdict", `{ seq, is_valid: true }`, { stage: "protocol", message: /"is_valid":true/ }],
    ["has a string as its verdict", `{ seq, valid: "yes" }`, { stage: "protocol", message: /"valid":"yes"/ }],
    ["has both a verdict and an error", `{ seq, valid: true, error: "no" }`, { stage: "protocol", message: /one of/ }],
    ["has errors that are not a list", `{ seq, valid: false, errors: "no" }`, { stage: "protocol", message: /list/ }],
    [
      "has an unknown number",
      `{ seq: seq + 1, valid: true }`,
      { stage: "protocol", message: /no open question: \{"seq":/ },
    ],
    ["has no number", `{ valid: true }`, { stage: "protocol", message: /no open question/ }],
  ])("an answer that %s fails only its own question", async (_name, answer, failure) => {
    await adapter(`say(data === "odd" ? ${answer} : { seq, valid: true });`).open(protocol);
    const [answerBefore, oddAnswer, answerAfter] = await Promise.allSettled([check("a"), check("odd"), check("b")]);
    expect(answerBefore).toMatchObject({ value: { verdict: "accepted" } });
    expect(answerAfter).toMatchObject({ value: { verdict: "accepted" } });
    const { reason } = oddAnswer as PromiseRejectedResult;
    if ("stage" in failure) expect(reason).toMatchObject({ outcome: "errored", stage: failure.stage });
    expect(reason.message).toMatch(failure.message);
  });

  it("that are always sent twice fail open questions", async () => {
    await adapter(`say({ seq, valid: true }); say({ seq, valid: true });`).open(protocol);
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => check(n)));
    const rejectedResults = results.filter((result) => result.status === "rejected");
    expect(rejectedResults.length).toBeGreaterThan(0);
    for (const { reason } of rejectedResults)
      expect(reason).toMatchObject({ stage: "protocol", message: /no open question/ });
  });

  it("that never end are cut off", async () => {
    await adapter(`if (data === "long") for (let n = 0; n < 40; n++) process.stdout.write("x".repeat(2 ** 20));
      else say({ seq, valid: true });`).open(protocol);
    await expect(check("long")).rejects.toMatchObject({ stage: "protocol", message: /more than 16 MiB/ });
    expect((await check("short")).verdict).toBe("accepted");
  });
});

describe("a crash", () => {
  it("is reported with the exit code and the end of stderr", async () => {
    await adapter(`console.error("x".repeat(9000) + " panicked"); process.exit(101);`).open(protocol);
    const crash = await check(1).catch((failure) => failure);
    expect(crash).toMatchObject({ outcome: "errored", stage: "crash" });
    expect(crash.message).toMatch(/exited with code 101; it printed last: …x+ panicked$/);
    expect(crash.message.length).toBeLessThan(4300);
  });

  it("is shown without the calls that led to it, line by line as printed", async () => {
    const calls = ["a", "b"].map((name) => `  File "${name}.py", line 3, in ${name}\n    next()\n`).join("");
    const traceback = `Traceback (most recent call last):\n${calls}KeyError: 'schemas'\n`;
    await adapter(`process.stderr.write(${JSON.stringify(traceback)}); process.exit(1);`).open(protocol);
    const { message } = await check(1).catch((failure) => failure);
    expect(message.split("\n").slice(1)).toEqual(['  File "b.py", line 3, in b', "    next()", "KeyError: 'schemas'"]);
  });

  it("fails only the question that causes it, one of sixteen, and sends that question twice", async () => {
    await adapter(
      `log(JSON.stringify(data)); if (data === 5) process.exit(1); setTimeout(() => say({ seq, valid: true }), 20);`,
    ).open(protocol);
    const results = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => check(n)));
    expect(results.map(({ status }, n) => (status === "rejected" ? n : -1)).filter((n) => n >= 0)).toEqual([5]);
    expect(loggedLines().filter((line) => line === "5")).toHaveLength(2);
  });

  it("is not reported if the program ends after each answer, but its slowness is reported, and every question is answered", async () => {
    const slowReasons: string[] = [];
    const file = join(folder, "brief.mjs");
    writeFileSync(
      file,
      `import { createInterface } from "node:readline";
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { command, seq, data } = JSON.parse(line);
        process.stdout.write(JSON.stringify(command === "hello" ? { ready: true } : { seq, valid: data % 2 === 0 }) + "\\n");
        if (command !== "hello") process.exit(0);
      });`,
    );
    target = commandTarget(`"${process.execPath}" "${file}"`, (why) => slowReasons.push(why));
    await target.open(protocol);
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => check(n)));
    expect(answers.map(({ verdict }) => verdict === "accepted")).toEqual(answers.map((_, n) => n % 2 === 0));
    expect(slowReasons).toEqual([expect.stringContaining("ends after each answer")]);
  });

  it("after every answer does not fail any question", async () => {
    await adapter(`say({ seq, valid: true }); process.stdin.destroy();`).open(protocol);
    for (let n = 0; n < 5; n++) expect((await check(n)).verdict).toBe("accepted");
  });
});

it("leaves no process behind, not even children of the adapter", async () => {
  const orphan = `spawn("sh", ["-c", "sleep 1; echo alive > ${"$ORPHAN"}"], { stdio: "ignore" }); say({ seq, valid: true });`;
  const markFile = join(folder, "orphan");
  await adapter(orphan.replace("$ORPHAN", markFile)).open(protocol);
  await check(1);
  await target.close();
  await setTimeout(1500);
  expect(existsSync(markFile)).toBe(false);
});
