import { once } from "node:events";
import { example, type LiveOptions, type Protocol, protocolNamed, TouchstoneError } from "../../../schemas/index.ts";
import { packOf, referenceOf } from "../../packs/pack/load.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../options/parsers.ts";

interface ServedReference {
  url: string;
  close(): Promise<void>;
}

interface ServeOptions {
  side?: string;
  variant?: string;
  port?: number;
  credential?: string[];
  journal?: string;
  profile?: string;
  agent?: true;
  secret?: string;
}

const help = `
Examples:
  touchstone serve ${example.protocol}                                          prints its address
  touchstone serve ${example.protocol} --port 8080 --credential bot=token-1     one agent may come, with this bearer token
  touchstone serve ${example.protocol} --variant without-${example.rule}        wrong on purpose: it does not know this rule
  touchstone serve ${example.protocol} --agent --secret hush                    an agent that a hub of the same secret can push to`;

export const serve: CliCommand = {
  define(command) {
    command
      .argument("<protocol>", "a protocol, name@version, or the folder of a pack")
      .option("--side <name>", "the party to start, if the protocol names several (default: the first)")
      .option("--variant <name>", "one of its variants, see `list variants`")
      .option("--port <n>", "port on the loopback interface (default: a free one)", wholeNumber(0, 65535))
      .option(
        "--credential <agent=token...>",
        "an agent and its bearer token, if the service stores messages (default: no credentials needed)",
      )
      .option("--journal <file>", "file in which the service stores its state (default: none)")
      .option(
        "--profile <name>",
        "development or production, which has stricter rules for callbacks (default: development)",
      )
      .option("--agent", "start an agent instead of a hub; it lists its actions at /acted")
      .option("--secret <text>", "with --agent: the HMAC secret of its hub")
      .addHelpText("after", help);
  },
  async run([name = ""], flags) {
    const { agent, secret, ...options } = flags as ServeOptions;
    const protocol = protocolNamed(name);
    if (options.side !== undefined)
      (await import("../../running/scenarios/sides.ts")).mustBeSide(protocol, options.side);
    if (secret !== undefined && agent === undefined)
      throw new TouchstoneError("usage", "--secret needs --agent", { hint: "leave it out" });
    const server =
      agent === true ? await startAgent(protocol, secret, options) : await startImplementation(protocol, options);
    process.stdout.write(`${server.url}\n`);
    const party = agent === true ? "reference agent" : "reference";
    process.stderr.write(
      `The ${party} of ${protocol.name}@${protocol.version} listens there until it is interrupted.\n`,
    );
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await server.close();
    return 0;
  },
};

/** Starts the live implementation of the pack, or else the reference, which judges messages and stores nothing. */
async function startImplementation(protocol: Protocol, options: ServeOptions): Promise<ServedReference> {
  const { live } = await packOf(protocol);
  if (live !== undefined) return (await live()).live.serve(liveOptions(options));
  const { startReference } = await import("../../packs/reference/index.ts");
  return startReference(await referenceOf(protocol), requireOnlyVariant(options, `the reference of ${protocol.name}`));
}

async function startAgent(
  protocol: Protocol,
  secret: string | undefined,
  options: ServeOptions,
): Promise<ServedReference> {
  const { agent } = await packOf(protocol);
  if (agent === undefined || secret === undefined)
    throw new TouchstoneError(
      "usage",
      secret === undefined ? "--agent needs --secret" : `${protocol.name} has no agent`,
      { hint: "touchstone serve PROTOCOL --agent --secret TEXT" },
    );
  const key = { alg: "hmac-sha256", secret } as const;
  const { setting, close } = await (await agent()).agent.serve(key, requireOnlyVariant(options, "an agent"));
  return { url: setting.url, close };
}

function liveOptions({ credential, profile = "development", ...options }: ServeOptions): LiveOptions {
  if (profile !== "development" && profile !== "production")
    throw new TouchstoneError("usage", `unknown profile "${profile}"`, { hint: "development or production" });
  if (credential === undefined) return { ...options, profile };
  return {
    ...options,
    profile,
    credentials: Object.fromEntries(credential.map((text) => [text, parseCredential(text)])),
  };
}

/** Parses AGENT=TOKEN. The last equals sign separates the two, because the id of an agent may contain others. */
function parseCredential(text: string): { agent: string; token: string } {
  const [, agent, token] = /^(.+)=([^=\s]+)$/.exec(text) ?? [];
  if (agent !== undefined && token !== undefined) return { agent, token };
  throw new TouchstoneError("usage", "a credential has no agent or no token", { hint: "--credential AGENT=TOKEN" });
}

function requireOnlyVariant(
  { variant, port, ...otherOptions }: ServeOptions,
  party: string,
): { variant?: string; port?: number } {
  const [name] = Object.keys(otherOptions);
  if (name !== undefined)
    throw new TouchstoneError("usage", `--${name} has no effect on ${party}`, {
      hint: "only an implementation that stores messages accepts it",
    });
  return { ...(variant === undefined ? {} : { variant }), ...(port === undefined ? {} : { port }) };
}
