import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { calling, reactDocument } from "./documents.ts";
import {
  countOf,
  endOf,
  type Finished,
  isError,
  namesOf,
  outputOf,
  type Runtime,
  runtimeOf,
  supported,
} from "./runtime.ts";

const args = { amount: 150, to: "Ida" };

/** A run in which the model calls one tool, of which these approvals are said. */
async function paying(
  runtime: Runtime,
  { own, server, given = args, granted = true }: { own?: Json; server?: Json; given?: JsonObject; granted?: boolean },
): Promise<Finished> {
  const approval = own === undefined ? {} : { approval: own };
  const servers = [{ alias: "bank", approval: server ?? false, allowed_tools: [{ name: "pay", ...approval }] }];
  const isLocal = server === undefined;
  const space = isLocal ? { local_tools: [{ alias: "pay", ...approval }] } : { mcp_servers: servers };
  const order = { document: reactDocument({}, { action_space: space }), input: { q: "tea" }, tools: { bank: ["pay"] } };
  const name = isLocal ? "pay" : "bank.pay";
  return supported(
    await runtime.play(order, {
      model: (_, count) => (count === 1 ? calling(name, given) : { content: "done" }),
      consent: () => ({ granted }),
    }),
  );
}

/** Whether consent was asked for, ahead of the call. */
function isAsked({ calls }: Finished): boolean {
  const [asked, called] = ["consent", "tool"].map((kind) => calls.findIndex((each) => each.kind === kind));
  return asked !== -1 && (called === -1 || (asked ?? 0) < (called ?? 0));
}

const inWords = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value));

function asking(
  name: string,
  rule: string,
  says: string,
  cases: readonly { own?: Json; server?: Json; given?: JsonObject; wanted: boolean }[],
): Scenario {
  return {
    ...{ name, says, rules: [rule], needs: [], withinMs: 30_000 },
    async play(context) {
      const runtime = runtimeOf(context);
      for (const { wanted, ...each } of cases) {
        const finished = await paying(runtime, each);
        const around = each.server === undefined ? "" : ` under a server's ${inWords(each.server)}`;
        const what = `approval ${inWords(each.own)}${around}, called with ${JSON.stringify(each.given ?? args)}`;
        if (!isAsked(finished) && countOf(finished, "tool") === 0) {
          context.skip(rule, `${what}: neither is consent asked for nor the call made; the run ${endOf(finished)}`);
          continue;
        }
        const why = wanted ? "consent is not asked for ahead of the call" : "consent is asked for";
        context.expect(rule, isAsked(finished) === wanted, `${what}: ${why}; the run ${endOf(finished)}`);
      }
    },
  };
}

const above = { condition: { args_match: { amount: { gt: 100 } } } };

export const consent: readonly Scenario[] = [
  asking("consent-asked", "AGF-APPR-002", "true asks, false does not, and absent does as the server says", [
    { own: true, wanted: true },
    { own: false, wanted: false },
    { wanted: false },
    { own: false, server: true, wanted: false },
    { server: true, wanted: true },
  ]),
  asking("consent-empty", "AGF-APPR-003", "an approval without a condition asks", [
    { own: {}, wanted: true },
    { own: { message_template: "Pay?" }, wanted: true },
  ]),
  asking("consent-condition", "AGF-APPR-004", "an approval with a condition asks where that matches", [
    { own: above, wanted: true },
    { own: above, given: { amount: 50, to: "Ida" }, wanted: false },
  ]),
  {
    name: "consent-message",
    says: "placeholders of a message are filled from the arguments",
    rules: ["AGF-APPR-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const template = "Pay {{tool_args.amount}} to {{tool_args.to}}?";
      const finished = await paying(runtimeOf(context), { own: { message_template: template } });
      const asked = finished.calls.find(({ kind }) => kind === "consent");
      if (asked === undefined)
        return context.skip("AGF-APPR-005", `consent is not asked for; the run ${endOf(finished)}`);
      const { message } = asked.about;
      const isFilled = String(message).includes("Pay 150 to Ida?");
      context.expect("AGF-APPR-005", isFilled, `the message is ${inWords(message)} instead of "Pay 150 to Ida?"`);
    },
  },
  {
    name: "consent-refused",
    says: "a call that is refused is not made",
    rules: ["AGF-APPR-007"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const finished = await paying(runtimeOf(context), { own: true, granted: false });
      if (!isAsked(finished) && countOf(finished, "tool") === 0)
        return context.skip("AGF-APPR-007", `consent is not asked for; the run ${endOf(finished)}`);
      const called = namesOf(finished, "tool");
      context.expect(
        "AGF-APPR-007",
        !isAsked(finished) || called.length === 0,
        `${called.join(", ")} is called, which was refused`,
      );
    },
  },
  {
    name: "policy-missing",
    says: "a required governance policy that there is not prevents the run",
    rules: ["AGF-GOV-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "AGF-GOV-002";
      const runtime = runtimeOf(context);
      const input = { q: "tea" };
      const control = supported(await runtime.play({ document: reactDocument(), input }));
      if (outputOf(control) === undefined)
        return context.skip(rule, `without any policy the run ${endOf(control)} as well`);
      for (const more of [{ required: true }, {}]) {
        const governance_policies = [{ policy_ref: "touchstone.nobody.no-such-policy-v1", ...more }];
        const finished = await runtime.play({
          document: reactDocument({}, { constraints: { governance_policies } }),
          input,
        });
        const what = `a policy that there is not, required ${inWords(more.required)}`;
        context.expect(rule, finished.calls.length === 0, `${what}: ${finished.calls.length} calls are made`);
        context.expect(rule, isError(finished), `${what}: the run ${endOf(finished)}`);
      }
    },
  },
];
