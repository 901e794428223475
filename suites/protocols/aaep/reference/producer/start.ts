import { type Environment, type LiveOptions, protocolNamed } from "../../../../../schemas/index.ts";
import { ownProgram } from "../../../../base/process/own-program.ts";
import { producerChoices } from "./choices/index.ts";
import { listen } from "./http.ts";
import { extensions, languages } from "./model.ts";
import { openProducer } from "./open.ts";
import { operationsOf } from "./operator.ts";
import { listenOnSocket } from "./socket.ts";
import { producerTwins } from "./twins.ts";

/** The permitted callers, unless others are named. */
const guests = {
  a: { agent: "touchstone-a", token: "reference-token-a" },
  b: { agent: "touchstone-b", token: "reference-token-b" },
};

/** Starts the reference producer on a loopback port, with two known subscribers, and offers its operator as hooks. */
export async function producerEnvironment(options: LiveOptions = {}): Promise<Environment> {
  const { port, variant, credentials = guests, choices = [], timeScale } = options;
  const twin = producerTwins.find(({ name }) => name === variant);
  const chosen = producerChoices.filter(({ name }) => choices.includes(name));
  const known = [twin, ...chosen].some((each) => each?.isOpen === true) ? {} : credentials;
  const tokens = Object.values(known).flatMap(({ agent, token }) =>
    token === undefined ? [] : [[token, agent] as const],
  );
  const { producer, isWhole } = await openProducer(protocolNamed("aaep"), {
    variant,
    manifestUri: "",
    principals: tokens,
    choices,
    timeScale,
  });
  const { url, close } = await listen(producer, isWhole, port);
  producer.manifestUri = `${url}${producer.policy.manifestAt}`;
  const socket = await listenOnSocket(producer, isWhole);
  return {
    setting: {
      url,
      command: commandOf(variant, choices),
      side: "producer",
      credentials: known,
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
        ...Object.assign({}, ...chosen.map((partyChoice) => partyChoice.options)),
      },
    },
    async close() {
      await socket.close();
      await close();
    },
  };
}

/** The command that starts the same producer over stdin and stdout. */
function commandOf(variant: string | undefined, choices: readonly string[]): string {
  return [process.execPath, ...ownProgram("./main", import.meta.url), variant ?? "", ...choices]
    .map((part) => JSON.stringify(part))
    .join(" ");
}
