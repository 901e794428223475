const options = ["--anew", "--check", "--major", "--minor", "--resume", "--sample"];

/** The protocols that a command line names. Announces all protocols if none is named. Exits with 2 for an unknown argument. */
export function parseProtocols(args: readonly string[], protocolNames: readonly string[]): string[] {
  const unknownArg = args.find((arg) => !(arg.startsWith("-") ? options : protocolNames).includes(arg));
  if (unknownArg !== undefined) {
    console.error(
      unknownArg.startsWith("-")
        ? `${unknownArg} is not an option: expected one of ${options.join(", ")}`
        : `${unknownArg} is not a protocol: expected some of ${protocolNames.join(", ")}, or none for all`,
    );
    process.exit(2);
  }
  const protocols = args.filter((arg) => !arg.startsWith("-"));
  if (protocols.length === 0)
    console.log(
      `no protocol is named: all ${protocolNames.length} ${args.includes("--check") ? "are checked" : "are regenerated"} (${protocolNames.join(", ")})`,
    );
  return protocols;
}
