import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import {
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Level,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import { boundOf } from "../bounds.ts";
import { idFor } from "../recipes.ts";

const side = "receiver";

/** A task about which the receiver expects calls, with the address and headers for them. */
interface ExpectedTask {
  task: { id: string; contextId: string };
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Makes the receiver expect calls about a new task. Throws a TargetFailure if its hook answers in a wrong form. */
async function prepareTask(context: ScenarioContext): Promise<ExpectedTask> {
  const task = { id: idFor(context, "task"), contextId: idFor(context, "ctx") };
  const config = await context.hook("expect", { task });
  const { url, authentication, token } = config;
  if (typeof url !== "string" || !URL.canParse(url))
    throw new TargetFailure(
      "errored",
      "hook",
      `the hook "expect" does not return a url: ${quote(JSON.stringify(config))}`,
    );
  const { scheme, credentials } = isObject(authentication) ? authentication : {};
  return {
    task,
    url,
    headers: {
      ...(typeof scheme === "string" ? { authorization: `${scheme} ${credentials ?? ""}` } : {}),
      ...(typeof token === "string" ? { "x-a2a-notification-token": token } : {}),
    },
  };
}

function makeUpdate({ id, contextId }: ExpectedTask["task"], state: string): JsonObject {
  const status = { state: `TASK_STATE_${state}`, timestamp: "2026-01-01T00:00:00.000Z" };
  return { statusUpdate: { taskId: id, contextId, status } };
}

/** Calls the receiver like an agent, and returns the status of its answer. */
async function callReceiver(
  context: ScenarioContext,
  { url }: Pick<ExpectedTask, "url">,
  body: JsonObject,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const text = JSON.stringify(body);
  context.record({ from: "touchstone", to: "target", head: `POST ${new URL(url).pathname}`, text });
  const { statusCode, body: answer } = await request(url, {
    method: "POST",
    headers: { "content-type": "application/a2a+json", "a2a-version": "1.0", ...headers },
    body: text,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(30_000)]),
  }).catch((error: Error) => {
    context.signal.throwIfAborted();
    throw new TargetFailure("errored", "connect", `the receiver cannot be called at ${quote(url)}: ${error.message}`);
  });
  context.record({ from: "target", to: "touchstone", head: `HTTP ${statusCode}`, text: await answer.text() });
  return statusCode;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Reads the events that the receiver has acted upon. Throws a TargetFailure if its hook answers in a wrong form. */
async function readActedEvents(context: ScenarioContext): Promise<readonly Json[]> {
  const answer = await context.hook("acted", {});
  if (Array.isArray(answer.events)) return answer.events;
  const brief = quote(JSON.stringify(answer));
  throw new TargetFailure("errored", "hook", `the hook "acted" does not answer {"events": […]}: ${brief}`);
}

function countEvents(events: readonly Json[], id: string): number {
  return events.filter((event) => JSON.stringify(event).includes(JSON.stringify(id))).length;
}

/** Waits until the receiver acts upon a task or the time is up. Returns how often it has acted. */
async function awaitAction(context: ScenarioContext, id: string): Promise<number> {
  const { timeScale = 1 } = context.setting;
  const deadline = performance.now() + boundOf(context, "silence") * Math.max(0.2, timeScale);
  for (let pause = 20; ; pause *= 2) {
    const count = countEvents(await readActedEvents(context), id);
    if (count > 0 || performance.now() > deadline) return count;
    await sleep(pause, undefined, { signal: context.signal });
  }
}

/**
 * Makes a valid call and waits until the receiver acts upon it. Calls that it has ignored until then remain ignored.
 * Throws a TargetFailure if the receiver does not act upon the valid call.
 */
async function expectAction(context: ScenarioContext): Promise<void> {
  const expected = await prepareTask(context);
  await callReceiver(context, expected, makeUpdate(expected.task, "COMPLETED"), expected.headers);
  if ((await awaitAction(context, expected.task.id)) === 0)
    throw new TargetFailure("errored", "hook", "the receiver does not act upon a valid call of its webhook");
}

/** Checks that the receiver refuses a call or does not act upon it. */
async function expectIgnored(
  context: ScenarioContext,
  rule: string,
  { what, id, status, level }: { what: string; id: string; status: number; level?: Level | undefined },
): Promise<void> {
  if (context.has("acted")) {
    await expectAction(context);
    context.expect(rule, countEvents(await readActedEvents(context), id) === 0, `${what} is acted upon`, level);
  } else if (isRefused(status)) context.expect(rule, true, "");
  else
    context.skip(
      rule,
      `${what} is answered with HTTP ${status}; the hook \`acted\` would show whether it is acted upon`,
    );
}

function isRefused(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Wrong credentials, derived from the correct value of a header; undefined omits the header. */
const wrongCredentials: readonly [
  what: string,
  change: (value: string, context: ScenarioContext) => string | undefined,
  level?: Level,
][] = [
  ["a call without a credential", () => undefined],
  ["a call with a wrong credential", (value, context) => `${value.split(" ")[0]} ${idFor(context, "wrong")}`],
  ["a call with trailing characters after the credential", (value) => `${value}0`],
  ["a call with a truncated credential", (value) => value.slice(0, -1)],
  ["a call with the credential in different letter case", (value) => withOtherCase(value)],
  ["a call with the correct secret under a different scheme", underOtherScheme, "SHOULD"],
];

/** Moves the correct secret to a scheme that was not configured. The result is not the configured credential. */
function underOtherScheme(value: string): string {
  const [scheme = "", ...secretWords] = value.split(" ");
  return secretWords.length === 0 ? value : `${/^bearer$/i.test(scheme) ? "Basic" : "Bearer"} ${secretWords.join(" ")}`;
}

/** Changes the letter case of the secret in the value of a header. */
function withOtherCase(value: string): string {
  const start = value.indexOf(" ") + 1;
  const secret = value.slice(start);
  const otherCase = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase();
  return value.slice(0, start) + otherCase;
}

export const receiverScenarios: readonly Scenario[] = [
  {
    name: "receiver-accepts",
    side,
    says: "a valid call is answered with a status from 200 to 299",
    rules: ["A2A-HOOK-012"],
    needs: ["expect"],
    withinMs: 60_000,
    async play(context) {
      const expected = await prepareTask(context);
      const { task, headers } = expected;
      const { id, contextId } = task;
      const working = makeUpdate(task, "WORKING");
      const artifact = { artifactId: "a-1", parts: [{ text: "Here it is." }] };
      for (const body of [
        { task: { ...task, status: { state: "TASK_STATE_SUBMITTED" } } },
        working,
        { artifactUpdate: { taskId: id, contextId, artifact, lastChunk: true } },
        makeUpdate(task, "COMPLETED"),
      ]) {
        const status = await callReceiver(context, expected, body, headers);
        const [member] = Object.keys(body);
        context.expect(
          "A2A-HOOK-012",
          isSuccess(status),
          `a valid call with the member ${member} is answered with HTTP ${status}`,
        );
      }
    },
  },
  {
    name: "receiver-credential",
    side,
    says: "a call without the configured credential is not acted upon",
    rules: ["A2A-HOOK-013"],
    needs: ["expect"],
    withinMs: 60_000,
    async play(context) {
      for (const [what, change, level] of wrongCredentials) {
        const expected = await prepareTask(context);
        if (Object.keys(expected.headers).length === 0)
          return context.skip("A2A-HOOK-013", "the receiver configures no credential");
        const headers = Object.fromEntries(
          Object.entries(expected.headers).flatMap(([name, value]) => {
            const wrongValue = change(value, context);
            return wrongValue === undefined ? [] : [[name, wrongValue]];
          }),
        );
        if (equal(headers, expected.headers)) continue;
        const { id } = expected.task;
        const status = await callReceiver(context, expected, makeUpdate(expected.task, "COMPLETED"), headers);
        await expectIgnored(context, "A2A-HOOK-013", { what, id, status, level });
        context.expect("A2A-HOOK-013", isRefused(status), `${what} is answered with HTTP ${status}`, "SHOULD");
      }
    },
  },
  {
    name: "receiver-foreign-task",
    side,
    says: "a call about an unexpected task is not acted upon",
    rules: ["A2A-HOOK-014"],
    needs: ["expect"],
    withinMs: 60_000,
    async play(context) {
      const expected = await prepareTask(context);
      const foreignTask = { ...expected.task, id: idFor(context, "foreign") };
      const status = await callReceiver(context, expected, makeUpdate(foreignTask, "COMPLETED"), expected.headers);
      const what = "a call about an unexpected task";
      await expectIgnored(context, "A2A-HOOK-014", { what, id: foreignTask.id, status });
    },
  },
  {
    name: "receiver-again",
    side,
    says: "the same call twice is accepted twice, and acted upon once",
    rules: ["A2A-HOOK-015"],
    needs: ["expect"],
    withinMs: 60_000,
    async play(context) {
      const expected = await prepareTask(context);
      const body = makeUpdate(expected.task, "COMPLETED");
      for (const when of ["first", "second"]) {
        const status = await callReceiver(context, expected, body, expected.headers);
        context.expect(
          "A2A-HOOK-015",
          isSuccess(status),
          `the ${when} of two equal calls is answered with HTTP ${status}`,
        );
      }
      if (!context.has("acted"))
        return context.skip("A2A-HOOK-015", "the hook `acted` would show how often the call is acted upon");
      await expectAction(context);
      const count = countEvents(await readActedEvents(context), expected.task.id);
      context.expect("A2A-HOOK-015", count <= 1, `a repeated call is acted upon ${count} times`);
    },
  },
];
