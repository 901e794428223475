import { equal, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { callingAll, callOf, reactDocument } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  type Call,
  countOf,
  endOf,
  type FinishedRun,
  isError,
  mustBeSupported,
  outputOf,
  type Runtime,
  runtimeOf,
} from "./runtime.ts";

const args = { amount: 150, to: "Ida" };

/** The home of a tool that the model calls: the document itself, a server, or a skill of a remote agent. */
type Home = "own" | "server" | "remote agent";

/** The settings for the approval of one call. */
interface ApprovalSettings {
  ownApproval?: Json;
  /** The approval around the tool: absent for a tool of the document. */
  around?: Json;
  home?: Home;
  /** Whether the entry in the list of allowed tools is only the name. */
  isBare?: boolean;
}

/** The name of the tool with these approvals, and the document with the tool. */
function payingCase({
  ownApproval,
  around,
  home = around === undefined ? "own" : "server",
  isBare = false,
}: ApprovalSettings): {
  name: string;
  document: JsonObject;
} {
  const approval = ownApproval === undefined ? {} : { approval: ownApproval };
  if (home === "own") {
    const space = { local_tools: [{ alias: "pay", ...approval }] };
    return { name: "pay", document: reactDocument({}, { action_space: space }) };
  }
  const entry = { alias: "bank", ...(around === undefined ? {} : { approval: around }) };
  const item = (key: string): Json => (isBare ? "pay" : { [key]: "pay", ...approval });
  const space =
    home === "server"
      ? { mcp_servers: [{ ...entry, allowed_tools: [item("name")] }] }
      : { remote_agents: [{ ...entry, allowed_skills: [item("id")] }] };
  return { name: "bank.pay", document: reactDocument({}, { action_space: space }) };
}

/** Runs a document with one tool, which the model calls with these arguments, one call after the other. */
async function callInTurn(
  runtime: Runtime,
  settings: ApprovalSettings,
  calls: readonly JsonObject[] = [args],
  isGranted: (count: number) => boolean = () => true,
): Promise<FinishedRun> {
  const { name, document } = payingCase(settings);
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return mustBeSupported(
    await runtime.play(order, {
      model: (_, count) => {
        const next = calls[count - 1];
        return next === undefined ? { content: "done" } : callOf(name, next);
      },
      consent: (_, count) => ({ granted: isGranted(count) }),
    }),
  );
}

/** Runs a document with one tool, which the model calls with these arguments, all in one answer. */
async function callsAtOnce(
  runtime: Runtime,
  settings: ApprovalSettings,
  calls: readonly JsonObject[],
  isGranted: (count: number) => boolean = () => true,
): Promise<FinishedRun> {
  const { name, document } = payingCase(settings);
  const answer = callingAll(calls.map((each) => [name, each]));
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return runtime.play(order, {
    model: (_, count) => (count === 1 ? answer : { content: "done" }),
    consent: (_, count) => ({ granted: isGranted(count) }),
  });
}

/** The tool calls without an earlier question about the same arguments. */
function callsWithoutConsent({ calls: callInTurn }: FinishedRun): Call[] {
  return callInTurn.filter(
    ({ kind, about }, index) =>
      kind === "tool" &&
      !callInTurn
        .slice(0, index)
        .some((call) => call.kind === "consent" && equal(call.about.arguments ?? null, about.arguments ?? null)),
  );
}

/** Whether consent was asked for before the call. */
function isAsked({ calls: callInTurn }: FinishedRun): boolean {
  const [askedAt, calledAt] = ["consent", "tool"].map((kind) => callInTurn.findIndex((call) => call.kind === kind));
  return askedAt !== -1 && (calledAt === -1 || (askedAt ?? 0) < (calledAt ?? 0));
}

const inWords = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value));

interface ConsentCase extends ApprovalSettings {
  given?: JsonObject;
  shouldAsk: boolean;
}

function askingScenario(
  name: string,
  rule: string,
  says: string,
  cases: (draw: Draw) => readonly ConsentCase[],
): Scenario {
  return {
    name,
    says,
    rules: [rule],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const runtime = runtimeOf(context);
      for (const { shouldAsk: isExpected, given: calls = args, ...settings } of cases(drawFrom(context))) {
        const result = await callInTurn(runtime, settings, [calls]);
        const home = settings.home ?? (settings.around === undefined ? "own" : "server");
        const around = home === "own" ? "" : ` under a ${home}'s ${inWords(settings.around)}`;
        const callText = `approval ${inWords(settings.ownApproval)}${around}, called with ${JSON.stringify(calls)}`;
        if (!isAsked(result) && countOf(result, "tool") === 0) {
          context.skip(rule, `${callText}: there is neither a question nor a call; the run ${endOf(result)}`);
          continue;
        }
        const why = isExpected ? "no consent is asked for before the call" : "consent is asked for";
        context.expect(rule, isAsked(result) === isExpected, `${callText}: ${why}; the run ${endOf(result)}`);
      }
    },
  };
}

const homes: readonly Home[] = ["server", "remote agent"];

const plainCases: readonly ConsentCase[] = [
  { ownApproval: true, shouldAsk: true },
  { ownApproval: false, shouldAsk: false },
  { shouldAsk: false },
  ...homes.flatMap((home): ConsentCase[] => [
    { home, around: true, ownApproval: false, shouldAsk: false },
    { home, around: true, shouldAsk: true },
    { home, around: true, isBare: true, shouldAsk: true },
    { home, around: false, ownApproval: true, shouldAsk: true },
    { home, around: false, isBare: true, shouldAsk: false },
    { home, shouldAsk: false },
    { home, ownApproval: true, shouldAsk: true },
  ]),
];

function emptyCases(): ConsentCase[] {
  return [
    ...([{}, { message_template: "Pay?" }] as Json[]).flatMap((approval): ConsentCase[] => [
      { ownApproval: approval, shouldAsk: true },
      ...homes.map((home): ConsentCase => ({ home, around: false, ownApproval: approval, shouldAsk: true })),
      ...homes.map((home): ConsentCase => ({ home, around: approval, isBare: true, shouldAsk: true })),
    ]),
  ];
}

function conditionalCases({ integer, word }: Draw): ConsentCase[] {
  const [limit, to] = [integer(10, 500), word()];
  const above = { condition: { args_match: { amount: { gt: limit } } } };
  const extraArguments = { amount: limit + 1, to };
  const atMost = { amount: limit, to };
  return [
    { ownApproval: above, given: extraArguments, shouldAsk: true },
    { ownApproval: above, given: atMost, shouldAsk: false },
    { ownApproval: { ...above, message_template: "Pay?" }, given: atMost, shouldAsk: false },
    ...homes.flatMap((home): ConsentCase[] => [
      { home, around: above, isBare: true, given: extraArguments, shouldAsk: true },
      { home, around: above, isBare: true, given: atMost, shouldAsk: false },
      { home, around: false, ownApproval: above, given: extraArguments, shouldAsk: true },
      { home, around: false, ownApproval: above, given: atMost, shouldAsk: false },
    ]),
  ];
}

const alwaysScenario: Scenario = {
  name: "consent-always",
  says: "an approval of true asks before each of several calls",
  rules: ["AGF-APPR-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-APPR-002";
    const calls = [args, { ...args, amount: 9000 }, { ...args, to: context.fresh("to") }];
    const runtime = runtimeOf(context);
    const result = await callInTurn(runtime, { ownApproval: true }, calls);
    const callKinds = result.calls.map(({ kind }) => kind).filter((kind) => kind === "consent" || kind === "tool");
    const count = callKinds.filter((kind) => kind === "tool").length;
    if (count < 2) return context.skip(rule, `of three calls ${count} are made; the run ${endOf(result)}`);
    const isEach = callKinds.every((kind, index) => kind !== "tool" || callKinds[index - 1] === "consent");
    context.expect(rule, isEach, `in the order of ${callKinds.join(", ")}, a tool is called without its own consent`);
    // A runtime may make one call of an answer alone, or first ask for consent to all of them.
    const bundled = await callsAtOnce(runtime, { ownApproval: true }, calls);
    const withoutConsent = callsWithoutConsent(bundled).map(({ about }) => JSON.stringify(about.arguments ?? null));
    const callText = `of three calls of one answer, ${withoutConsent.join(" and ")} is made without its own consent`;
    context.expect(rule, withoutConsent.length === 0, callText);
  },
};

export const consent: readonly Scenario[] = [
  askingScenario(
    "consent-asked",
    "AGF-APPR-002",
    "true asks, false does not, and without it the surrounding setting decides",
    () => plainCases,
  ),
  alwaysScenario,
  askingScenario("consent-empty", "AGF-APPR-003", "an approval without a condition asks", emptyCases),
  askingScenario(
    "consent-condition",
    "AGF-APPR-004",
    "an approval with a condition asks if the condition matches",
    conditionalCases,
  ),
  {
    name: "consent-message",
    says: "placeholders of a message are filled from the arguments",
    rules: ["AGF-APPR-005"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const { integer, word, one: pick } = drawFrom(context);
      const calls = { amount: integer(0, 900), to: `${word()} ${pick(["$1", "$$", "\\1", "%s"])}` };
      const template = "Pay {{tool_args.amount}} to {{tool_args.to}}, {{tool_args.to}}?";
      const shouldAsk = `Pay ${calls.amount} to ${calls.to}, ${calls.to}?`;
      const result = await callInTurn(runtimeOf(context), { ownApproval: { message_template: template } }, [calls]);
      const askedAt = result.calls.find(({ kind }) => kind === "consent");
      if (askedAt === undefined)
        return context.skip("AGF-APPR-005", `consent is not asked for; the run ${endOf(result)}`);
      const { message } = askedAt.about;
      const isFilled = String(message).includes(shouldAsk);
      context.expect("AGF-APPR-005", isFilled, `the message is ${inWords(message)} instead of "${shouldAsk}"`);
    },
  },
  {
    name: "consent-refused",
    says: "a refused call is not made",
    rules: ["AGF-APPR-007"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const rule = "AGF-APPR-007";
      const runtime = runtimeOf(context);
      const calls = [args, { ...args, amount: 9000 }];
      for (const settings of [
        { ownApproval: true },
        { around: true, isBare: true },
        { home: "remote agent", around: true },
      ] as ApprovalSettings[]) {
        const agreed = await callInTurn(runtime, settings, calls);
        if (!isAsked(agreed) || countOf(agreed, "tool") === 0) {
          context.skip(rule, `no consent is asked for, or an approved call is not made; the run ${endOf(agreed)}`);
          continue;
        }
        for (const [says, isGranted] of [
          ["the first", (count: number) => count !== 1],
          ["the second", (count: number) => count !== 2],
          ["each", () => false],
        ] as const) {
          for (const play of [callInTurn, callsAtOnce]) {
            const result = await play(runtime, settings, calls, isGranted);
            const askedAt = result.calls.filter(({ kind }) => kind === "consent");
            const forbidden = askedAt
              .filter((_, index) => !isGranted(index + 1))
              .map(({ about }) => about.arguments ?? null);
            const tools = result.calls.filter(({ kind }) => kind === "tool");
            const callKinds = tools.map(({ about }) => about.arguments ?? null);
            const isMade = callKinds.some((each) =>
              forbidden.some((forbiddenArguments) => equal(each, forbiddenArguments)),
            );
            const inOneAnswer = play === callInTurn ? "" : " in one answer";
            context.expect(
              rule,
              !isMade,
              `${says} of two calls${inOneAnswer} is refused, and made: ${JSON.stringify(callKinds)}`,
            );
          }
        }
      }
    },
  },
  {
    name: "policy-missing",
    says: "a missing governance policy that is required prevents the run",
    rules: ["AGF-GOV-002"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const rule = "AGF-GOV-002";
      const runtime = runtimeOf(context);
      const input = { q: "tea" };
      const control = mustBeSupported(await runtime.play({ document: reactDocument(), input }));
      if (outputOf(control) === undefined)
        return context.skip(rule, `without any policy the run ${endOf(control)} as well`);
      for (const extraArguments of [{ required: true }, {}]) {
        const governance_policies = [{ policy_ref: "touchstone.nobody.no-such-policy-v1", ...extraArguments }];
        const result = await runtime.play({
          document: reactDocument({}, { constraints: { governance_policies } }),
          input,
        });
        const callText = `a missing policy, required ${inWords(extraArguments.required)}`;
        context.expect(rule, result.calls.length === 0, `${callText}: ${result.calls.length} calls are made`);
        context.expect(rule, isError(result), `${callText}: the run ${endOf(result)}`);
      }
    },
  },
];
