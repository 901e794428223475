import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import type { CallName } from "../calls.ts";
import { answerCorrectly, bindingsOf, overEachBinding, runOperation, side } from "./story.ts";
import { callsOf, findDeadAddress, type StubInterface, startStubAgent } from "./stub.ts";

const [rpc, rest] = ["JSONRPC", "HTTP+JSON"];
const grpc: StubInterface = { name: "g", binding: "GRPC" };
const unknownBinding: StubInterface = { name: "o", binding: "https://touchstone.example/bindings/none/v1" };

/** The interfaces of each card. A client must call the first one with a binding that it supports. */
const interfaceOrders: readonly (readonly StubInterface[])[] = [
  [grpc, { name: "a", binding: rest as string }, { name: "b", binding: rpc as string }],
  [unknownBinding, { name: "b", binding: rpc as string }, { name: "a", binding: rest as string }],
  [
    { name: "a1", binding: rpc as string },
    { name: "a2", binding: rpc as string },
    { name: "b1", binding: rest as string },
    { name: "b2", binding: rest as string },
  ],
  [
    { name: "b1", binding: rest as string },
    { name: "b2", binding: rest as string },
    { name: "a1", binding: rpc as string },
    { name: "a2", binding: rpc as string },
  ],
];

function listEndpoints(endpoints: readonly StubInterface[]): string {
  return endpoints.map(({ name, binding, version = "1.0" }) => `${binding} ${version} at /${name}`).join(", ");
}

async function checkFirstInterface(context: ScenarioContext): Promise<void> {
  const clientBindings: readonly string[] = await bindingsOf(context);
  for (const endpoints of interfaceOrders) {
    const stub = await startStubAgent(context, { endpoints, answer: answerCorrectly });
    const { brief } = await runOperation(context, stub, "SendMessage");
    const expected = endpoints.find(({ binding }) => clientBindings.includes(binding));
    const [call] = stub.calls;
    const conduct = call === undefined ? `calls none, and reports ${brief}` : `calls /${call.endpoint}`;
    const why = `of the interfaces ${listEndpoints(endpoints)} the client ${conduct}, not /${expected?.name}`;
    context.expect("A2A-CARD-019", call?.endpoint === expected?.name, why);
  }
}

async function checkFallback(context: ScenarioContext): Promise<void> {
  const deadUrl = await findDeadAddress(context);
  for (const binding of await bindingsOf(context)) {
    const endpoints = [
      { name: "a", binding, url: deadUrl },
      { name: "b", binding },
    ];
    const stub = await startStubAgent(context, { endpoints, answer: answerCorrectly });
    const { error, brief } = await runOperation(context, stub, "SendMessage");
    const why = `the first interface over ${binding} cannot be reached, but the second is not called: ${brief}`;
    context.expect("A2A-CARD-020", error === undefined && stub.calls.length > 0, why);
  }
}

async function checkVersions(context: ScenarioContext): Promise<void> {
  for (const binding of await bindingsOf(context)) {
    const endpoints: StubInterface[] = [
      { name: "a", binding, version: "2.0" },
      { name: "b", binding },
    ];
    const stub = await startStubAgent(context, { endpoints, answer: answerCorrectly });
    const { brief } = await runOperation(context, stub, "SendMessage");
    const [call] = stub.calls;
    const conduct = call === undefined ? `calls none, and reports ${brief}` : `calls /${call.endpoint}`;
    context.expect(
      "A2A-VER-008",
      call?.endpoint === "b",
      `of the interfaces ${listEndpoints(endpoints)} the client ${conduct}`,
    );
    const newerStub = await startStubAgent(context, { endpoints: endpoints.slice(0, 1), answer: answerCorrectly });
    const { error, brief: report } = await runOperation(context, newerStub, "SendMessage");
    const why = `the only interface has version 2.0, but the client makes ${newerStub.calls.length} calls and reports ${report}`;
    context.expect("A2A-VER-008", error !== undefined && newerStub.calls.length === 0, why);
  }
}

/** Operations that need a capability of the agent, with the hook that calls each. */
const capabilityOperations: readonly [capability: string, operation: CallName, hook: "call" | "stream"][] = [
  ["streaming", "SendStreamingMessage", "stream"],
  ["streaming", "SubscribeToTask", "stream"],
  ["pushNotifications", "CreateTaskPushNotificationConfig", "call"],
  ["extendedAgentCard", "GetExtendedAgentCard", "call"],
];

export const choiceScenarios: readonly Scenario[] = [
  {
    name: "client-interfaces",
    side,
    says: "the client calls the first supported interface of the card",
    rules: ["A2A-CARD-019"],
    needs: ["call"],
    withinMs: 120_000,
    play: checkFirstInterface,
  },
  {
    name: "client-falls-back",
    side,
    says: "the client calls the next interface if the first cannot be reached",
    rules: ["A2A-CARD-020"],
    needs: ["call"],
    withinMs: 120_000,
    play: checkFallback,
  },
  {
    name: "client-versions",
    side,
    says: "the client calls only interfaces with a supported version",
    rules: ["A2A-VER-008"],
    needs: ["call"],
    withinMs: 120_000,
    play: checkVersions,
  },
  overEachBinding({
    name: "client-capabilities",
    says: "the client does not call operations that the card does not offer",
    rules: ["A2A-CARD-023"],
    async play({ context, stub, expect }) {
      for (const [capability, operation, hook] of capabilityOperations) {
        if (hook === "stream" && !context.has("stream")) continue;
        const agent = await stub({ card: (card: JsonObject) => ({ ...card, capabilities: {} }) });
        const { brief } = await runOperation(context, agent, operation);
        const isCalled = callsOf(agent, operation).length > 0;
        const why = `the card does not offer ${capability}, but ${operation} is called: ${brief}`;
        expect("A2A-CARD-023", !isCalled, why);
      }
    },
  }),
];
