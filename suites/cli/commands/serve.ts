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
}

export const serve: CliCommand = {
  name: "serve",
  summary: "start the reference implementation of a protocol",
  define(command) {
    command
      .argument("<protocol>", "a protocol, or name@version")
      .option("--variant <name>", "a variant of it, see `list variants`")
      .option("--port <n>", "port on the loopback interface (default: a free one)", wholeNumber(0, 65535))
      .option("--credential <agent=token...>", "ahcp: an agent and its bearer token (default: anyone may come)")
      .option("--journal <file>", "ahcp: where the hub keeps what it knows (default: nowhere)")
      .option("--profile <name>", "ahcp: development or production, where callbacks are held to stricter rules");
  },
  async run([name = ""], given) {
    const options = given as Options;
    const reference = await import("../../reference/index.ts");
    const protocol = protocolNamed(name);
    const served =
      protocol.name === "ahcp"
        ? await reference.startHub(hubOptions(options))
        : await reference.startReference(protocol, withoutHub(options, protocol.name));
    process.stdout.write(`${served.url}\n`);
    process.stderr.write(
      `The reference of ${protocol.name}@${protocol.version} listens there until it is interrupted.\n`,
    );
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await served.close();
    return 0;
  },
};

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
      hint: "only that of ahcp keeps messages",
    });
  return { ...(variant === undefined ? {} : { variant }), ...(port === undefined ? {} : { port }) };
}
