import { equal, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { callingAll, callOf, reactDocument } from "./documents.ts";
import { type Draw, drawFrom } from "./draw.ts";
import {
  type Call,
  countOf,
  endOf,
  type Finished,
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
  own?: Json;
  /** The approval around the tool: absent for a tool of the document. */
  around?: Json;
  home?: Home;
  /** Whether the entry in the list of allowed tools is only the name. */
  isBare?: boolean;
}

/** The name of the tool with these approvals, and the document with the tool. */
function payingCase({
  own,
  around,
  home = around === undefined ? "own" : "server",
  isBare = false,
}: ApprovalSettings): {
  name: string;
  document: JsonObject;
} {
  const approval = own === undefined ? {} : { approval: own };
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
  said: ApprovalSettings,
  given: readonly JsonObject[] = [args],
  granted: (count: number) => boolean = () => true,
): Promise<Finished> {
  const { name, document } = payingCase(said);
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return mustBeSupported(
    await runtime.play(order, {
      model: (_, count) => {
        const next = given[count - 1];
        return next === undefined ? { content: "done" } : callOf(name, next);
      },
      consent: (_, count) => ({ granted: granted(count) }),
    }),
  );
}

/** The same, with all calls in one answer. */
async function callsAtOnce(
  runtime: Runtime,
  said: ApprovalSettings,
  given: readonly JsonObject[],
  granted: (count: number) => boolean = () => true,
): Promise<Finished> {
  const { name, document } = payingCase(said);
  const answer = callingAll(given.map((each) => [name, each]));
  const order = { document, input: { q: "tea" }, tools: { bank: ["pay"] } };
  return runtime.play(order, {
    model: (_, count) => (count === 1 ? answer : { content: "done" }),
    consent: (_, count) => ({ granted: granted(count) }),
  });
}

/** The tool calls without an earlier question about the same arguments. */
function callsWithoutConsent({ calls: callInTurn }: Finished): Call[] {
  return callInTurn.filter(
    ({ kind, about }, index) =>
      kind === "tool" &&
      !callInTurn
        .slice(0, index)
        .some((call) => call.kind === "consent" && equal(call.about.arguments ?? null, about.arguments ?? null)),
  );
}

/** Whether consent was asked for before the call. */
function isAsked({ calls: callInTurn }: Finished): boolean {
  const [asked, called] = ["consent", "tool"].map((kind) => callInTurn.findIndex((call) => call.kind === kind));
  return asked !== -1 && (called === -1 || (asked ?? 0) < (called ?? 0));
}

const inWords = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value));

interface ConsentCase extends ApprovalSettings {
  given?: JsonObject;
  wanted: boolean;
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
      for (const { wanted, given = args, ...said } of cases(drawFrom(context))) {
        const finished = await callInTurn(runtime, said, [given]);
        const home = said.home ?? (said.around === undefined ? "own" : "server");
        const around = home === "own" ? "" : ` under a ${home}'s ${inWords(said.around)}`;
        const what = `approval ${inWords(said.own)}${around}, called with ${JSON.stringify(given)}`;
        if (!isAsked(finished) && countOf(finished, "tool") === 0) {
          context.skip(rule, `${what}: there is neither a question nor a call; the run ${endOf(finished)}`);
          continue;
        }
        const why = wanted ? "no consent is asked for before the call" : "consent is asked for";
        context.expect(rule, isAsked(finished) === wanted, `${what}: ${why}; the run ${endOf(finished)}`);
      }
    },
  };
}

const homes: readonly Home[] = ["server", "remote agent"];

const plainCases: readonly ConsentCase[] = [
  { own: true, wanted: true },
  { own: false, wanted: false },
  { wanted: false },
  ...homes.flatMap((home): ConsentCase[] => [
    { home, around: true, own: false, wanted: false },
    { home, around: true, wanted: true },
    { home, around: true, isBare: true, wanted: true },
    { home, around: false, own: true, wanted: true },
    { home, around: false, isBare: true, wanted: false },
    { home, wanted: false },
    { home, own: true, wanted: true },
  ]),
];

function emptyCases(): ConsentCase[] {
  return [
    ...([{}, { message_template: "Pay?" }] as Json[]).flatMap((own): ConsentCase[] => [
      { own, wanted: true },
      ...homes.map((home): ConsentCase => ({ home, around: false, own, wanted: true })),
      ...homes.map((home): ConsentCase => ({ home, around: own, isBare: true, wanted: true })),
    ]),
  ];
}

function conditionalCases({ integer, word }: Draw): ConsentCase[] {
  const [bound, to] = [integer(10, 500), word()];
  const above = { condition: { args_match: { amount: { gt: bound } } } };
  const more = { amount: bound + 1, to };
  const atMost = { amount: bound, to };
  return [
    { own: above, given: more, wanted: true },
    { own: above, given: atMost, wanted: false },
    { own: { ...above, message_template: "Pay?" }, given: atMost, wanted: false },
    ...homes.flatMap((home): ConsentCase[] => [
      { home, around: above, isBare: true, given: more, wanted: true },
      { home, around: above, isBare: true, given: atMost, wanted: false },
      { home, around: false, own: above, given: more, wanted: true },
      { home, around: false, own: above, given: atMost, wanted: false },
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
    const given = [args, { ...args, amount: 9000 }, { ...args, to: context.fresh("to") }];
    const runtime = runtimeOf(context);
    const finished = await callInTurn(runtime, { own: true }, given);
    const made = finished.calls.map(({ kind }) => kind).filter((kind) => kind === "consent" || kind === "tool");
    const count = made.filter((kind) => kind === "tool").length;
    if (count < 2) return context.skip(rule, `of three calls ${count} are made; the run ${endOf(finished)}`);
    const isEach = made.every((kind, index) => kind !== "tool" || made[index - 1] === "consent");
    context.expect(rule, isEach, `in the order of ${made.join(", ")}, a tool is called without its own consent`);
    // A runtime may make one call of an answer alone, or first ask for consent to all of them.
    const bundled = await callsAtOnce(runtime, { own: true }, given);
    const strange = callsWithoutConsent(bundled).map(({ about }) => JSON.stringify(about.arguments ?? null));
    const what = `of three calls of one answer, ${strange.join(" and ")} is made without its own consent`;
    context.expect(rule, strange.length === 0, what);
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
      const { integer, word, one } = drawFrom(context);
      const given = { amount: integer(0, 900), to: `${word()} ${one(["$1", "$$", "\\1", "%s"])}` };
      const template = "Pay {{tool_args.amount}} to {{tool_args.to}}, {{tool_args.to}}?";
      const wanted = `Pay ${given.amount} to ${given.to}, ${given.to}?`;
      const finished = await callInTurn(runtimeOf(context), { own: { message_template: template } }, [given]);
      const asked = finished.calls.find(({ kind }) => kind === "consent");
      if (asked === undefined)
        return context.skip("AGF-APPR-005", `consent is not asked for; the run ${endOf(finished)}`);
      const { message } = asked.about;
      const isFilled = String(message).includes(wanted);
      context.expect("AGF-APPR-005", isFilled, `the message is ${inWords(message)} instead of "${wanted}"`);
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
      const given = [args, { ...args, amount: 9000 }];
      for (const said of [
        { own: true },
        { around: true, isBare: true },
        { home: "remote agent", around: true },
      ] as ApprovalSettings[]) {
        const agreed = await callInTurn(runtime, said, given);
        if (!isAsked(agreed) || countOf(agreed, "tool") === 0) {
          context.skip(rule, `no consent is asked for, or an approved call is not made; the run ${endOf(agreed)}`);
          continue;
        }
        for (const [says, granted] of [
          ["the first", (count: number) => count !== 1],
          ["the second", (count: number) => count !== 2],
          ["each", () => false],
        ] as const) {
          for (const play of [callInTurn, callsAtOnce]) {
            const finished = await play(runtime, said, given, granted);
            const asked = finished.calls.filter(({ kind }) => kind === "consent");
            const barred = asked.filter((_, index) => !granted(index + 1)).map(({ about }) => about.arguments ?? null);
            const tools = finished.calls.filter(({ kind }) => kind === "tool");
            const made = tools.map(({ about }) => about.arguments ?? null);
            const isMade = made.some((each) => barred.some((other) => equal(each, other)));
            const where = play === callInTurn ? "" : " in one answer";
            context.expect(rule, !isMade, `${says} of two calls${where} is refused, and made: ${JSON.stringify(made)}`);
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
      for (const more of [{ required: true }, {}]) {
        const governance_policies = [{ policy_ref: "touchstone.nobody.no-such-policy-v1", ...more }];
        const finished = await runtime.play({
          document: reactDocument({}, { constraints: { governance_policies } }),
          input,
        });
        const what = `a missing policy, required ${inWords(more.required)}`;
        context.expect(rule, finished.calls.length === 0, `${what}: ${finished.calls.length} calls are made`);
        context.expect(rule, isError(finished), `${what}: the run ${endOf(finished)}`);
      }
    },
  },
];
