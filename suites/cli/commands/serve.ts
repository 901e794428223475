import { once } from "node:events";
import { protocolNamed, TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../parse.ts";

interface Options {
  variant?: string;
  port?: number;
  credential?: string[];
  journal?: string;
  profile?: string;
  agent?: true;
  secret?: string;
}

export const serve: CliCommand = {
  define(command) {
    command
      .argument("<protocol>", "a protocol, or name@version")
      .option("--variant <name>", "a variant of it, see `list variants`")
      .option("--port <n>", "port on the loopback interface (default: a free one)", wholeNumber(0, 65535))
      .option("--credential <agent=token...>", "ahcp: an agent and its bearer token (default: anyone may come)")
      .option("--journal <file>", "ahcp: where the hub keeps what it knows (default: nowhere)")
      .option("--profile <name>", "ahcp: development or production, where callbacks are held to stricter rules")
      .option("--agent", "ahcp: an agent instead of a hub; it tells at /acted what it has acted on")
      .option("--secret <text>", "with --agent: what its hub signs with, by HMAC");
  },
  async run([name = ""], given) {
    const { agent, secret, ...options } = given as Options;
    const reference = await import("../../reference/index.ts");
    const protocol = protocolNamed(name);
    if (secret !== undefined && agent === undefined)
      throw new TouchstoneError("usage", "--secret goes only with --agent", { hint: "leave it out" });
    const served =
      agent === true
        ? await agentFor(protocol.name, secret, options)
        : protocol.name === "ahcp"
          ? await reference.startHub(hubOptions(options))
          : await reference.startReference(protocol, withoutHub(options, protocol.name));
    process.stdout.write(`${served.url}\n`);
    const what = agent === true ? "reference agent" : "reference";
    process.stderr.write(
      `The ${what} of ${protocol.name}@${protocol.version} listens there until it is interrupted.\n`,
    );
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await served.close();
    return 0;
  },
};

async function agentFor(
  protocol: string,
  secret: string | undefined,
  options: Options,
): Promise<{ url: string; close(): Promise<void> }> {
  if (protocol !== "ahcp" || secret === undefined)
    throw new TouchstoneError("usage", secret === undefined ? "--agent needs --secret" : `${protocol} has no agent`, {
      hint: "touchstone serve ahcp --agent --secret TEXT",
    });
  const { variant, port } = withoutHub(options, "an agent");
  const { startAgent } = await import("../../protocols/ahcp/reference/agent/agent.ts");
  const { agentPolicy } = await import("../../protocols/ahcp/reference/agent/variants.ts");
  const policy = variant === undefined ? {} : agentPolicy(variant);
  const { setting, close } = await startAgent({ alg: "hmac-sha256", secret }, policy, port);
  return { url: setting.url, close };
}

function hubOptions({ credential, profile = "development", ...options }: Options): {
  profile: "development" | "production";
  credentials?: Record<string, { agent: string; token: string }>;
} {
  if (profile !== "development" && profile !== "production")
    throw new TouchstoneError("usage", `there is no profile "${profile}"`, { hint: "development or production" });
  if (credential === undefined) return { ...options, profile };
  return { ...options, profile, credentials: Object.fromEntries(credential.map((text) => [text, credentialIn(text)])) };
}

/** The last sign divides: ids of agents may have more of them. */
function credentialIn(text: string): { agent: string; token: string } {
  const [, agent, token] = /^(.+)=([^=\s]+)$/.exec(text) ?? [];
  if (agent !== undefined && token !== undefined) return { agent, token };
  throw new TouchstoneError("usage", "a credential has no agent or no token", { hint: "--credential AGENT=TOKEN" });
}

function withoutHub({ variant, port, ...others }: Options, protocol: string): { variant?: string; port?: number } {
  const [name] = Object.keys(others);
  if (name !== undefined)
    throw new TouchstoneError("usage", `--${name} says nothing to the reference of ${protocol}`, {
      hint: "only the hub of ahcp keeps messages",
    });
  return { ...(variant === undefined ? {} : { variant }), ...(port === undefined ? {} : { port }) };
}
