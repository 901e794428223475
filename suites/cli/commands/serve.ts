import { once } from "node:events";
import { protocolNamed } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { wholeNumber } from "../parse.ts";

export const serve: CliCommand = {
  name: "serve",
  summary: "start the reference implementation of a protocol",
  define(command) {
    command
      .argument("<protocol>", "a protocol, or name@version")
      .option("--variant <name>", "a variant of it, see `list variants`")
      .option("--port <n>", "port on the loopback interface (default: a free one)", wholeNumber(0, 65535));
  },
  async run([name = ""], options) {
    const { startReference } = await import("../../reference/index.ts");
    const protocol = protocolNamed(name);
    const served = await startReference(protocol, options as { variant?: string; port?: number });
    process.stdout.write(`${served.url}\n`);
    process.stderr.write(
      `The reference of ${protocol.name}@${protocol.version} listens there until it is interrupted.\n`,
    );
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await served.close();
    return 0;
  },
};
