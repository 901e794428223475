import {
  documentNamed,
  type JsonObject,
  type LiveOptions,
  protocolNamed,
  type Staged,
  TouchstoneError,
} from "../../../../../schemas/index.ts";
import { judgeFor } from "../../../../reference/validator.ts";
import { nameOf } from "../variant.ts";
import { startClock } from "./clock.ts";
import { listen } from "./http.ts";
import { extensions, languages, type Producer } from "./model.ts";
import { operationsOf } from "./operator.ts";
import { right } from "./right.ts";
import { producerTwins } from "./twins.ts";
import { producerVariants } from "./variants/index.ts";

/** Who may come where nobody is named. */
const guests = {
  a: { agent: "touchstone-a", token: "reference-token-a" },
  b: { agent: "touchstone-b", token: "reference-token-b" },
};

/** Starts the reference producer on a loopback port, with two subscribers that it knows, and gives its operator as hooks. */
export async function stagedProducer(options: LiveOptions = {}): Promise<Staged> {
  const { port, variant, credentials = guests } = options;
  const broken = [...producerVariants.map((each) => ({ ...each, name: nameOf(each) })), ...producerTwins].find(
    ({ name }) => name === variant,
  );
  if (variant !== undefined && broken === undefined)
    throw new TouchstoneError("usage", `there is no producer "${variant}"`, { hint: "see the list of variants" });
  const protocol = protocolNamed("aaep");
  const judge = await judgeFor(protocol);
  const { documents } = protocol.profile;
  const isWhole = (name: string, value: JsonObject[string]): boolean =>
    documents.some((each) => each.name === name) && judge(documentNamed(protocol, name), value).length === 0;
  let producer: Producer | undefined;
  const open = (url: string): Producer => {
    const policy = { ...right, ...broken?.policy };
    const tokens = Object.values(credentials).map(({ agent, token }) => [token ?? "", agent] as const);
    producer = {
      ...{ protocol, policy, clock: startClock(), drawn: 0, effects: [] },
      manifestUri: `${url}/.well-known/aaep-manifest.json`,
      principals: new Map(tokens.filter(([token]) => token !== "")),
      ...{ subscriptions: new Map(), sessions: new Map(), questions: new Map() },
    };
    return producer;
  };
  const { url, close } = await listen(open, isWhole, port);
  const operations = operationsOf(producer as unknown as Producer);
  return {
    setting: {
      ...{ url, side: "producer", credentials, hooks: operations },
      options: {
        ...{ level: 3, modified_action: false, exposed: true, languages: [...languages] },
        colliding_extensions: Object.keys(extensions).slice(0, 2),
      },
    },
    close,
  };
}
