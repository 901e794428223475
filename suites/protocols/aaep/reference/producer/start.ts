import { type Environment, type LiveOptions, protocolNamed } from "../../../../../schemas/index.ts";
import { nodeArgumentsFor } from "../../../../base/process/own-program.ts";
import { producerChoices } from "./choices/index.ts";
import { listen } from "./http.ts";
import { extensions, languages } from "./model.ts";
import { openProducer } from "./open.ts";
import { operationsOf } from "./operator.ts";
import { listenOnSocket } from "./socket.ts";
import { producerTwins } from "./twins.ts";

/** The callers that are permitted by default. */
const defaultCallers = {
  a: { agent: "touchstone-a", token: "reference-token-a" },
  b: { agent: "touchstone-b", token: "reference-token-b" },
};

/** Starts the reference producer on a loopback port, with two permitted subscribers, and offers its operator as hooks. */
export async function producerEnvironment(options: LiveOptions = {}): Promise<Environment> {
  const { port, variant, credentials = defaultCallers, choices = [], timeScale } = options;
  const twin = producerTwins.find(({ name }) => name === variant);
  const activeChoices = producerChoices.filter(({ name }) => choices.includes(name));
  const knownCallers = [twin, ...activeChoices].some((party) => party?.isOpen === true) ? {} : credentials;
  const principals = Object.values(knownCallers).flatMap(({ agent, token }) =>
    token === undefined ? [] : [[token, agent] as const],
  );
  const { producer, isValid } = await openProducer(protocolNamed("aaep"), {
    variant,
    manifestUri: "",
    principals,
    choices,
    timeScale,
  });
  const { url, close } = await listen(producer, isValid, port);
  producer.manifestUri = `${url}${producer.policy.manifestPath}`;
  const socket = await listenOnSocket(producer, isValid);
  return {
    setting: {
      url,
      command: commandOf(variant, choices),
      side: "producer",
      credentials: knownCallers,
      hooks: operationsOf(producer),
      options: {
        level: 3,
        modified_action: false,
        exposed: true,
        languages: [...languages],
        socket: socket.path,
        websocket: `${url.replace("http", "ws")}/aaep/v1/ws`,
        colliding_extensions: Object.keys(extensions).slice(0, 2),
        ...twin?.options,
        ...Object.assign({}, ...activeChoices.map((choice) => choice.options)),
      },
    },
    async close() {
      await socket.close();
      await close();
    },
  };
}

/** Makes the command that starts the same producer over stdin and stdout. */
function commandOf(variant: string | undefined, choices: readonly string[]): string {
  return [process.execPath, ...nodeArgumentsFor("./main", import.meta.url), variant ?? "", ...choices]
    .map((part) => JSON.stringify(part))
    .join(" ");
}
