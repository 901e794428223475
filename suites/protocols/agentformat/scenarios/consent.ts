import { equal, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { callingAll, callOf, reactDocument } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  type Call,
  countOf,
  describeEnd,
  type FinishedRun,
  isError,
  outputOf,
  type Runtime,
  requireSupport,
  runtimeOf,
} from "./runtime.ts";

const usualArguments = { amount: 150, to: "Ida" };

/** The owner of a tool that the model calls: the document itself, a server, or a remote agent. */
type Home = "own" | "server" | "remote agent";

/** The settings for the approval of one call. */
interface ApprovalSettings {
  ownApproval?: Json;
  /** The approval of the server or remote agent; absent for a tool of the document. */
  inheritedApproval?: Json;
  home?: Home;
  /** Whether the entry in the list of allowed tools is only the name. */
  isBare?: boolean;
}

/** A document with a payment tool that has these approvals, and the name of the tool. */
function makePaymentCase({
  ownApproval,
  inheritedApproval,
  home = inheritedApproval === undefined ? "own" : "server",
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
  const entry = { alias: "bank", ...(inheritedApproval === undefined ? {} : { approval: inheritedApproval }) };
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
  calls: readonly JsonObject[] = [usualArguments],
  isGranted: (count: number) => boolean = () => true,
): Promise<FinishedRun> {
  const { name, document } = makePaymentCase(settings);
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return requireSupport(
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
async function callInOneAnswer(
  runtime: Runtime,
  settings: ApprovalSettings,
  calls: readonly JsonObject[],
  isGranted: (count: number) => boolean = () => true,
): Promise<FinishedRun> {
  const { name, document } = makePaymentCase(settings);
  const answer = callingAll(calls.map((args) => [name, args]));
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return runtime.play(order, {
    model: (_, count) => (count === 1 ? answer : { content: "done" }),
    consent: (_, count) => ({ granted: isGranted(count) }),
  });
}

/** The tool calls without an earlier request for consent to the same arguments. */
function callsWithoutConsent({ calls }: FinishedRun): Call[] {
  return calls.filter(
    ({ kind, about }, index) =>
      kind === "tool" &&
      !calls
        .slice(0, index)
        .some((call) => call.kind === "consent" && equal(call.about.arguments ?? null, about.arguments ?? null)),
  );
}

/** Whether consent was asked for before the call. */
function asksBeforeCall({ calls }: FinishedRun): boolean {
  const [askedAt, calledAt] = ["consent", "tool"].map((kind) => calls.findIndex((call) => call.kind === kind));
  return askedAt !== -1 && (calledAt === -1 || (askedAt ?? 0) < (calledAt ?? 0));
}

const formatValue = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value));

interface ConsentCase extends ApprovalSettings {
  args?: JsonObject;
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
      for (const { shouldAsk, args = usualArguments, ...settings } of cases(drawFrom(context))) {
        const result = await callInTurn(runtime, settings, [args]);
        const home = settings.home ?? (settings.inheritedApproval === undefined ? "own" : "server");
        const inheritedText = home === "own" ? "" : ` under a ${home}'s ${formatValue(settings.inheritedApproval)}`;
        const callText = `approval ${formatValue(settings.ownApproval)}${inheritedText}, called with ${JSON.stringify(args)}`;
        if (!asksBeforeCall(result) && countOf(result, "tool") === 0) {
          context.skip(
            rule,
            `${callText}: the runtime neither asks for consent nor calls the tool; the run ${describeEnd(result)}`,
          );
          continue;
        }
        const why = shouldAsk ? "consent is not asked for before the call" : "consent is asked for";
        context.expect(
          rule,
          asksBeforeCall(result) === shouldAsk,
          `${callText}: ${why}; the run ${describeEnd(result)}`,
        );
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
    { home, inheritedApproval: true, ownApproval: false, shouldAsk: false },
    { home, inheritedApproval: true, shouldAsk: true },
    { home, inheritedApproval: true, isBare: true, shouldAsk: true },
    { home, inheritedApproval: false, ownApproval: true, shouldAsk: true },
    { home, inheritedApproval: false, isBare: true, shouldAsk: false },
    { home, shouldAsk: false },
    { home, ownApproval: true, shouldAsk: true },
  ]),
];

function emptyCases(): ConsentCase[] {
  return [
    ...([{}, { message_template: "Pay?" }] as Json[]).flatMap((approval): ConsentCase[] => [
      { ownApproval: approval, shouldAsk: true },
      ...homes.map((home): ConsentCase => ({ home, inheritedApproval: false, ownApproval: approval, shouldAsk: true })),
      ...homes.map((home): ConsentCase => ({ home, inheritedApproval: approval, isBare: true, shouldAsk: true })),
    ]),
  ];
}

function conditionalCases({ integer, word }: Draw): ConsentCase[] {
  const [limit, to] = [integer(10, 500), word()];
  const approvalAboveLimit = { condition: { args_match: { amount: { gt: limit } } } };
  const aboveLimit = { amount: limit + 1, to };
  const atLimit = { amount: limit, to };
  return [
    { ownApproval: approvalAboveLimit, args: aboveLimit, shouldAsk: true },
    { ownApproval: approvalAboveLimit, args: atLimit, shouldAsk: false },
    { ownApproval: { ...approvalAboveLimit, message_template: "Pay?" }, args: atLimit, shouldAsk: false },
    ...homes.flatMap((home): ConsentCase[] => [
      { home, inheritedApproval: approvalAboveLimit, isBare: true, args: aboveLimit, shouldAsk: true },
      { home, inheritedApproval: approvalAboveLimit, isBare: true, args: atLimit, shouldAsk: false },
      { home, inheritedApproval: false, ownApproval: approvalAboveLimit, args: aboveLimit, shouldAsk: true },
      { home, inheritedApproval: false, ownApproval: approvalAboveLimit, args: atLimit, shouldAsk: false },
    ]),
  ];
}

const alwaysScenario: Scenario = {
  name: "consent-always",
  says: "with an approval of true, the runtime asks before each of several calls",
  rules: ["AGF-APPR-002"],
  needs: [],
  withinMs: 600_000,
  async play(context) {
    const rule = "AGF-APPR-002";
    const calls = [usualArguments, { ...usualArguments, amount: 9000 }, { ...usualArguments, to: context.fresh("to") }];
    const runtime = runtimeOf(context);
    const result = await callInTurn(runtime, { ownApproval: true }, calls);
    const callKinds = result.calls.map(({ kind }) => kind).filter((kind) => kind === "consent" || kind === "tool");
    const count = callKinds.filter((kind) => kind === "tool").length;
    if (count < 2) return context.skip(rule, `only ${count} of three calls are made; the run ${describeEnd(result)}`);
    const isEachAsked = callKinds.every((kind, index) => kind !== "tool" || callKinds[index - 1] === "consent");
    context.expect(rule, isEachAsked, `the order is ${callKinds.join(", ")}: a tool is called without its own consent`);
    // For several calls in one answer, a runtime may make only one, or ask for consent to all of them first.
    const runWithOneAnswer = await callInOneAnswer(runtime, { ownApproval: true }, calls);
    const withoutConsent = callsWithoutConsent(runWithOneAnswer).map(({ about }) =>
      JSON.stringify(about.arguments ?? null),
    );
    const callText = `of three calls of one answer, ${withoutConsent.join(" and ")} is made without its own consent`;
    context.expect(rule, withoutConsent.length === 0, callText);
  },
};

export const consentScenarios: readonly Scenario[] = [
  askingScenario(
    "consent-asked",
    "AGF-APPR-002",
    "approval true asks, false does not, and without one the inherited approval decides",
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
      const { integer, word, pick } = drawFrom(context);
      const args = { amount: integer(0, 900), to: `${word()} ${pick(["$1", "$$", "\\1", "%s"])}` };
      const template = "Pay {{tool_args.amount}} to {{tool_args.to}}, {{tool_args.to}}?";
      const expectedMessage = `Pay ${args.amount} to ${args.to}, ${args.to}?`;
      const result = await callInTurn(runtimeOf(context), { ownApproval: { message_template: template } }, [args]);
      const question = result.calls.find(({ kind }) => kind === "consent");
      if (question === undefined)
        return context.skip("AGF-APPR-005", `consent is not asked for; the run ${describeEnd(result)}`);
      const { message } = question.about;
      const isFilled = String(message).includes(expectedMessage);
      context.expect(
        "AGF-APPR-005",
        isFilled,
        `the message is ${formatValue(message)} instead of "${expectedMessage}"`,
      );
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
      const calls = [usualArguments, { ...usualArguments, amount: 9000 }];
      for (const settings of [
        { ownApproval: true },
        { inheritedApproval: true, isBare: true },
        { home: "remote agent", inheritedApproval: true },
      ] as ApprovalSettings[]) {
        const grantedRun = await callInTurn(runtime, settings, calls);
        if (!asksBeforeCall(grantedRun) || countOf(grantedRun, "tool") === 0) {
          context.skip(
            rule,
            `consent is not asked for, or an approved call is not made; the run ${describeEnd(grantedRun)}`,
          );
          continue;
        }
        for (const [refusedCall, isGranted] of [
          ["the first", (count: number) => count !== 1],
          ["the second", (count: number) => count !== 2],
          ["each", () => false],
        ] as const) {
          for (const callAll of [callInTurn, callInOneAnswer]) {
            const result = await callAll(runtime, settings, calls, isGranted);
            const questions = result.calls.filter(({ kind }) => kind === "consent");
            const refusedArguments = questions
              .filter((_, index) => !isGranted(index + 1))
              .map(({ about }) => about.arguments ?? null);
            const toolCalls = result.calls.filter(({ kind }) => kind === "tool");
            const calledArguments = toolCalls.map(({ about }) => about.arguments ?? null);
            const isMade = calledArguments.some((called) => refusedArguments.some((refused) => equal(called, refused)));
            const inOneAnswer = callAll === callInTurn ? "" : " in one answer";
            context.expect(
              rule,
              !isMade,
              `${refusedCall} of two calls${inOneAnswer} is refused, but made: ${JSON.stringify(calledArguments)}`,
            );
          }
        }
      }
    },
  },
  {
    name: "policy-missing",
    says: "a missing required governance policy prevents the run",
    rules: ["AGF-GOV-002"],
    needs: [],
    withinMs: 600_000,
    async play(context) {
      const rule = "AGF-GOV-002";
      const runtime = runtimeOf(context);
      const input = { q: "tea" };
      const control = requireSupport(await runtime.play({ document: reactDocument(), input }));
      if (outputOf(control) === undefined)
        return context.skip(rule, `without any policy the run ${describeEnd(control)} as well`);
      for (const requirement of [{ required: true }, {}]) {
        const governance_policies = [{ policy_ref: "touchstone.nobody.no-such-policy-v1", ...requirement }];
        const result = await runtime.play({
          document: reactDocument({}, { constraints: { governance_policies } }),
          input,
        });
        const callText = `a missing policy, required ${formatValue(requirement.required)}`;
        context.expect(rule, result.calls.length === 0, `${callText}: ${result.calls.length} calls are made`);
        context.expect(rule, isError(result), `${callText}: the run ${describeEnd(result)}`);
      }
    },
  },
];
