import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import type { CallName } from "../calls.ts";
import { answerWell, bindingsOf, overEachBinding, side, tell } from "./story.ts";
import { callsOf, deadAddress, type StubInterface, stubAgent } from "./stub.ts";

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

async function choosesFirst(context: ScenarioContext): Promise<void> {
  const clientBindings: readonly string[] = await bindingsOf(context);
  for (const endpoints of interfaceOrders) {
    const stub = await stubAgent(context, { endpoints, answer: answerWell });
    const { brief } = await tell(context, stub, "SendMessage");
    const expected = endpoints.find(({ binding }) => clientBindings.includes(binding));
    const [call] = stub.calls;
    const conduct = call === undefined ? `calls none, and reports ${brief}` : `calls /${call.endpoint}`;
    const why = `of the interfaces ${listEndpoints(endpoints)} the client ${conduct}, not /${expected?.name}`;
    context.expect("A2A-CARD-019", call?.endpoint === expected?.name, why);
  }
}

async function fallsBack(context: ScenarioContext): Promise<void> {
  const deadUrl = await deadAddress(context);
  for (const binding of await bindingsOf(context)) {
    const endpoints = [
      { name: "a", binding, url: deadUrl },
      { name: "b", binding },
    ];
    const stub = await stubAgent(context, { endpoints, answer: answerWell });
    const { error, brief } = await tell(context, stub, "SendMessage");
    const why = `the first interface over ${binding} cannot be reached, but the second is not called: ${brief}`;
    context.expect("A2A-CARD-020", error === undefined && stub.calls.length > 0, why);
  }
}

async function agreesOnVersions(context: ScenarioContext): Promise<void> {
  for (const binding of await bindingsOf(context)) {
    const endpoints: StubInterface[] = [
      { name: "a", binding, version: "2.0" },
      { name: "b", binding },
    ];
    const stub = await stubAgent(context, { endpoints, answer: answerWell });
    const { brief } = await tell(context, stub, "SendMessage");
    const [call] = stub.calls;
    const done = call === undefined ? `calls none, and reports ${brief}` : `calls /${call.endpoint}`;
    context.expect(
      "A2A-VER-008",
      call?.endpoint === "b",
      `of the interfaces ${listEndpoints(endpoints)} the client ${done}`,
    );
    const newerStub = await stubAgent(context, { endpoints: endpoints.slice(0, 1), answer: answerWell });
    const { error, brief: report } = await tell(context, newerStub, "SendMessage");
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

export const choosing: readonly Scenario[] = [
  {
    name: "client-interfaces",
    side,
    says: "the first interface of the card that the client speaks is called",
    rules: ["A2A-CARD-019"],
    needs: ["call"],
    withinMs: 120_000,
    play: choosesFirst,
  },
  {
    name: "client-falls-back",
    side,
    says: "the next interface is called if the first cannot be reached",
    rules: ["A2A-CARD-020"],
    needs: ["call"],
    withinMs: 120_000,
    play: fallsBack,
  },
  {
    name: "client-versions",
    side,
    says: "only an interface with a version that the client speaks is called",
    rules: ["A2A-VER-008"],
    needs: ["call"],
    withinMs: 120_000,
    play: agreesOnVersions,
  },
  overEachBinding({
    name: "client-capabilities",
    says: "operations that the card does not offer are not called",
    rules: ["A2A-CARD-023"],
    async play({ context, stub, expect }) {
      for (const [capability, operation, hook] of capabilityOperations) {
        if (hook === "stream" && !context.has("stream")) continue;
        const agent = await stub({ card: (card: JsonObject) => ({ ...card, capabilities: {} }) });
        const { brief } = await tell(context, agent, operation);
        const isCalled = callsOf(agent, operation).length > 0;
        const why = `the card does not offer ${capability}, but ${operation} is called: ${brief}`;
        expect("A2A-CARD-023", !isCalled, why);
      }
    },
  }),
];
